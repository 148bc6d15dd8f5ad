// SPDX-License-Identifier: MIT
// TensorRT-LLM, PyTorch backend. Sources: _torch/pyexecutor/_util.py @00043967,
// _torch/modules/attention.py @00547a25, resource_manager.py (1.2 / 1.4rc).
#include <algorithm>
#include <cmath>

#include "engine/attention.h"
#include "engine/bands.h"
#include "engine/engines.h"
#include "engine/lines.h"
#include "engine/paged.h"
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

Budget budget(const EngineInput& in) {
    BudgetParts parts;
    parts.gpu_bytes = in.gpu.visible_bytes;
    parts.util = util_or(in, default_util(in));
    parts.util_default = !in.scenario.util;
    parts.usable_bytes = in.gpu.visible_bytes;
    parts.weight_bytes = inventory_weights(in);
    const double g = static_cast<double>(gib);
    const bool several = in.scenario.tp > 1;
    parts.overhead = {(several ? 4.0 : 2.5) * g, 1.0 * g, (several ? 8.0 : 5.0) * g,
                      Basis::assumed};
    Budget b = make_budget(in, parts);
    if (in.scenario.kv_budget) return b;
    // The fraction is of the memory that is free after the engine is loaded.
    b.kv.value *= parts.util;
    if (b.kv.low) b.kv.low = *b.kv.low * parts.util;
    if (b.kv.high) b.kv.high = *b.kv.high * parts.util;
    return b;
}

CachePlan plan(const EngineInput& in, Bytes kv_budget) {
    PagedPool pool;
    pool.token = stage_sums(in, in.scenario.ctx).token;
    pool.block_tokens = in.scenario.block.value_or(32);
    const std::uint64_t tokens = floor_div(kv_budget, pool.token);
    pool.blocks = ceil_div(tokens, pool.block_tokens).value();  // printed rounded up
    CachePlan p = plan_paged(in, pool);
    p.max_seqs = in.scenario.max_seqs.value_or(2048);
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
