// SPDX-License-Identifier: MIT
// TensorRT-LLM, PyTorch backend. Sources: _torch/pyexecutor/_util.py @00043967,
// _torch/modules/attention.py @00547a25, resource_manager.py (1.2 / 1.4rc).
#include "engine/trtllm.h"

#include <algorithm>
#include <array>

#include "engine/attention.h"
#include "engine/engines.h"
#include "engine/lines.h"
#include "engine/paged.h"
#include "engine/shards.h"
#include "engine/tp_rules.h"

namespace kvgauge::engine {
namespace {

double default_util(const EngineInput&) {
    return 0.90;
}  // free_gpu_memory_fraction

TpVerdict tp(const EngineInput& in, std::uint64_t size) {
    TpPolicy p;
    p.vocab_pad = 0;
    p.vision = VisionRule::none;
    if (in.scenario.dp_attention) p.attention_tp = 1;
    return tp_by_rules(in, size, p);
}

// The fraction is of the memory that is free after the engine is loaded.
Budget budget(const EngineInput& in) {
    return simple_budget(in, default_util(in), FractionOf::free, {1.0, 2.5, 5.0, 4.0, 8.0});
}

// Windows get equal shares of the budget, one pool per distinct length (vswa.py).
struct WindowPools {
    std::array<std::uint64_t, 8> window{};
    std::array<Bytes, 8> token{};
    std::size_t size = 0;
};
WindowPools window_pools(const EngineInput& in) {
    WindowPools p;
    const std::uint64_t stage = stage_sums(in, in.scenario.ctx).stage;
    const auto add = [&](const LayerSpec& l, std::uint64_t n) {
        const AttentionSpec& a = l.attn;
        const Bytes bytes = token_bytes_on_gpu(a, in.kv, attention_tp(in)) + Bytes(a.index_bytes);
        if (bytes.value() == 0) return;
        const bool slides = a.kind == AttnKind::sliding && a.window != 0;
        const std::uint64_t length = slides ? std::min(a.window, in.scenario.ctx) : in.scenario.ctx;
        std::size_t i = 0;
        while (i < p.size && p.window[i] != length) ++i;
        if (i == p.window.size()) i = p.window.size() - 1;
        if (i == p.size) p.window[p.size++] = length;
        p.token[i] += bytes * n;
    };
    for_stage(in, stage, add);
    if (in.scenario.spec.kind == SpecKind::mtp || in.scenario.spec.kind == SpecKind::native) {
        for (const LayerRun& run : in.model.mtp) add(run.layer, run.count);
    }
    return p;
}

CachePlan plan(const EngineInput& in, Bytes kv_budget) {
    const WindowPools pools = window_pools(in);
    CachePlan p = plan_geometry(in);
    p.block_tokens = std::max<std::uint64_t>(1, in.scenario.block.value_or(32));
    p.max_seqs = in.scenario.max_seqs.value_or(2048);
    if (pools.size == 0) {
        p.fits = true;
        return p;
    }
    const Bytes share = kv_budget / pools.size;
    Bytes token;
    p.reserved_per_request = 0;
    p.max_requests = UINT64_MAX;
    for (std::size_t i = 0; i < pools.size; ++i) {
        const std::uint64_t tokens = floor_div(share, pools.token[i]);
        // The count of blocks is rounded up.
        const std::uint64_t blocks = ceil_div(tokens, p.block_tokens).value();
        const std::uint64_t need = ceil_div(pools.window[i], p.block_tokens).value();
        if (pools.window[i] == in.scenario.ctx || pools.size == 1) {
            p.blocks = blocks;
            p.tokens = blocks * p.block_tokens;
            if (need != 0)
                p.max_concurrency = static_cast<double>(blocks) / static_cast<double>(need);
        }
        if (need != 0) p.max_requests = std::min(p.max_requests, blocks / need);
        token += pools.token[i];
        p.reserved_per_request += pools.token[i] * need * p.block_tokens;
        p.pool_bytes += pools.token[i] * blocks * p.block_tokens;
    }
    if (p.max_requests == UINT64_MAX) p.max_requests = 0;
    p.bytes_per_token_per_gpu = token;
    p.token_bytes = token.real();
    p.fits = p.max_requests >= 1;
    p.longest_ctx = p.tokens;
    return p;
}

std::string log(const EngineInput&, const CachePlan& p, Bytes) {
    const double bytes = p.token_bytes * static_cast<double>(p.tokens);
    return "[MemUsageChange] Allocated " + gib_text(bytes) +
           " GiB for max tokens in paged KV cache (" + std::to_string(p.tokens) + ").\n";
}

AttentionChoice attention(const EngineInput& in) {
    AttentionChoice c{Kernels::tensorrt_llm, true, "its own fused kernels (XQA for decoding).", "",
                      32};
    c.kv_ok = sixteen_bit_kv(in) || fp8_kv(in) || in.kv.k == DType::int8 ||
              (in.kv.k == DType::nvfp4 && gpu_class(in.gpu) == GpuClass::sm100);
    c.limit = "it takes bf16, fp16, fp8, int8 and, on compute capability 10.x, nvfp4.";
    return c;
}

}  // namespace

namespace trtllm {

Bytes estimated_slope(const EngineInput& in) {
    Bytes sum;
    const std::uint64_t tp = std::max<std::uint64_t>(1, in.scenario.tp);
    for (const LayerRun& run : in.model.layers) {
        const AttentionSpec& a = run.layer.attn;
        if (a.kind == AttnKind::none || a.kind == AttnKind::cross || !a.owns_cache) continue;
        if (a.kind == AttnKind::mla || a.kind == AttnKind::compressed) {
            sum += row_bytes(in.kv.k, Count(a.mla_rank) + Count(a.mla_rope)) * run.count;
            continue;
        }
        sum += (row_bytes(in.kv.k, Count(a.kv_heads) * a.k_dim / tp) +
                row_bytes(in.kv.v, Count(a.kv_heads) * a.v_dim / tp)) *
               run.count;
    }
    return sum;
}

}  // namespace trtllm

constinit const EngineRules kTrtllm{EngineId::trtllm,
                                    Version{1, 4, 0, false, 2},
                                    default_util,
                                    checkpoint_kv,
                                    tp,
                                    inventory_weights,
                                    budget,
                                    plan,
                                    log,
                                    attention,
                                    backend_text};

}  // namespace kvgauge::engine
