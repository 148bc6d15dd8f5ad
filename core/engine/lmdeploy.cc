// SPDX-License-Identifier: MIT
// LMDeploy 0.16 (1263d5cd8), TurboMind engine: builders/attention.py, block of 64 tokens,
// cache_max_entry_count of the memory that is free after the weights.
#include "engine/attention.h"
#include "engine/engines.h"
#include "engine/lines.h"
#include "engine/paged.h"
#include "engine/shards.h"
#include "engine/tp_rules.h"

namespace kvgauge::engine {
namespace {

double default_util(const EngineInput&) {
    return 0.80;
}

TpVerdict tp(const EngineInput& in, std::uint64_t size) {
    TpPolicy p;
    p.vision = VisionRule::none;  // the tower runs at TP 1
    p.kv_fragment = "must be divisible by heads";
    return tp_by_rules(in, size, p);
}

// Measured before the runtime buffers exist: only the context and the libraries are taken.
Budget budget(const EngineInput& in) {
    return simple_budget(in, default_util(in), FractionOf::free, {0.3, 0.7, 2.0, 1.5, 3.0});
}

// Quantised heads keep a 16-bit scale and zero for K and for V.
Bytes token_bytes(const EngineInput& in) {
    Bytes sum;
    for_stage(in, stage_sums(in, in.scenario.ctx).stage, [&](const LayerSpec& l, std::uint64_t n) {
        const AttentionSpec& a = l.attn;
        Bytes b = token_bytes_on_gpu(a, in.kv, attention_tp(in));
        if (b.value() != 0 && (in.kv.k == DType::int8 || in.kv.k == DType::int4)) {
            b += Count(heads_on_gpu(a.kv_heads, attention_tp(in))) * 8;
        }
        sum += b * n;
    });
    return sum;
}

CachePlan plan(const EngineInput& in, Bytes kv_budget) {
    PagedPool pool;
    pool.token = token_bytes(in);
    pool.block_tokens = in.scenario.block.value_or(64);
    pool.blocks = floor_div(kv_budget, pool.token * pool.block_tokens);
    CachePlan p = plan_paged(in, pool);
    p.bytes_per_token_per_gpu = pool.token;
    p.token_bytes = pool.token.real();
    p.max_seqs = in.scenario.max_seqs.value_or(0);
    return p;
}

std::string log(const EngineInput&, const CachePlan& p, Bytes) {
    return "[BlockManager] block_size = " +
           mib_text(p.token_bytes * static_cast<double>(p.block_tokens), 3) +
           " MB, max_block_count = " + std::to_string(p.blocks) + "\n";
}

AttentionChoice attention(const EngineInput& in) {
    AttentionChoice c{Kernels::turbomind, true, "its own kernels.", "", 64};
    c.kv_ok = sixteen_bit_kv(in) || in.kv.k == DType::int8 || in.kv.k == DType::int4;
    c.limit = "it takes bf16, fp16, int8 and int4.";
    return c;
}

}  // namespace

constinit const EngineRules kLmdeploy{EngineId::lmdeploy,
                                      Version{0, 16, 0, false, 2},
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
