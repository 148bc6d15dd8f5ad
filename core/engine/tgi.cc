// SPDX-License-Identifier: MIT
// Text Generation Inference 3.3.7 (final rules). Sources: flash_llama_modeling.py:166-176,
// models/flash_causal_lm.py warmup.
#include "engine/attention.h"
#include "engine/engines.h"
#include "engine/lines.h"
#include "engine/paged.h"
#include "engine/tp_rules.h"

namespace kvgauge::engine {
namespace {

double default_util(const EngineInput&) {
    return 0.90;
}  // TGI_WIGGLE_ROOM / cuda memory fraction

TpVerdict tp(const EngineInput& in, std::uint64_t size) {
    TpPolicy p;
    p.copies_kv = false;
    p.vocab_pad = 0;  // the embedding is padded, the head falls back to a full copy
    p.vision = VisionRule::none;
    p.q_fragment = "`num_heads` must be divisible by `num_shards`";
    p.kv_fragment = "`num_key_value_heads` must be divisible by `num_shards`";
    // Mistral and Qwen2 files check nothing: no head is left and the group size divides by zero, or
    // the weights do not cut.
    const std::string& type = in.model.model_type;
    if (type == "mistral" || type == "qwen2") {
        const AttentionSpec* a = first_attention(in.model);
        p.kv_fragment = a != nullptr && a->kv_heads < size ? "ZeroDivisionError"
                                                           : "is not compatible with sharding on";
    }
    return tp_by_rules(in, size, p);
}

// free - 0.1 total
Budget budget(const EngineInput& in) {
    return simple_budget(in, default_util(in), FractionOf::total, {0.3, 1.5, 4.0, 3.0, 6.0});
}

CachePlan plan(const EngineInput& in, Bytes kv_budget) {
    PagedPool pool;
    pool.token = stage_sums(in, in.scenario.ctx).token;
    pool.block_tokens = in.scenario.block.value_or(16);
    // Warm-up blocks of the profiling run are added to these.
    pool.blocks = floor_div(kv_budget, pool.token * pool.block_tokens);
    CachePlan p = plan_paged(in, pool);
    p.max_seqs = in.scenario.max_seqs.value_or(0);
    return p;
}

std::string log(const EngineInput&, const CachePlan& p, Bytes) {
    return "KV-cache blocks: " + std::to_string(p.blocks) +
           ", size: " + std::to_string(p.block_tokens) + "\n";
}

AttentionChoice attention(const EngineInput& in) {
    AttentionChoice c{Kernels::flashinfer, true,
                      "the default where compute capability is 8.0 or more.", "", 1};
    if (gpu_class(in.gpu) == GpuClass::sm75)
        c = {Kernels::fa2, true, "paged attention on older GPUs.", "", 16};
    c.kv_ok = sixteen_bit_kv(in) || fp8_kv(in);
    c.limit = "it takes bf16, fp16 and fp8.";
    return c;
}

}  // namespace

constinit const EngineRules kTgi{EngineId::tgi,
                                 Version{3, 3, 7, false, 3},
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
