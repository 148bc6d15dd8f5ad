// SPDX-License-Identifier: MIT
// vLLM's verdict on a tensor-parallel size.
#include "engine/shards.h"
#include "engine/tp_rules.h"
#include "engine/vllm.h"
#include "engine/vllm_exceptions.h"

namespace kvgauge::engine::vllm {
namespace {

// Decode context parallelism: tokens of one sequence over d GPUs of the group.
bool refuses_dcp(const EngineInput& in, std::uint64_t tp, TpVerdict& v) {
    const std::uint64_t d = in.scenario.dcp;
    if (d <= 1) return false;
    if (tp % d != 0) {
        v = refusal(TpRule::dcp, d, tp, 0, "must be divisible by dcp_size");
        return true;
    }
    for (const LayerRun& run : in.model.layers) {
        const AttentionSpec& a = run.layer.attn;
        if (a.kind == AttnKind::none || a.kind == AttnKind::mla) continue;
        if (a.kind == AttnKind::sliding || a.kind == AttnKind::chunked) {
            v = refusal(TpRule::dcp, d, tp, 1, "DCP not support sliding window.");
            return true;
        }
        const std::uint64_t kv = a.kv_heads == 0 ? 1 : a.kv_heads;
        const std::uint64_t most = tp > kv ? tp / kv : 1;
        const std::uint64_t group = a.q_heads / kv;
        if (d > most || group % d != 0) {
            v = refusal(TpRule::dcp, d, tp, most, "exceeds the maximum supported value");
            return true;
        }
    }
    return false;
}

bool has_experts(const ModelSpec& m) {
    for (const LayerRun& run : m.layers) {
        if (run.layer.ffn.experts != 0) return true;
    }
    return false;
}

}  // namespace

TpVerdict tp(const EngineInput& in, std::uint64_t size) {
    TpVerdict v;
    if (refuses_size(in, size, v) || refuses_dcp(in, size, v)) return v;
    if (in.scenario.ep && !has_experts(in.model)) {
        return refusal(TpRule::experts, 0, size, 0,
                       "Number of experts in the model must be greater than 0");
    }
    TpPolicy p;
    p.copies_kv = in.version >= since::kv_copies;
    for (const CopiesSince& e : kCopiesSince) {
        if (in.model.model_type != e.model_type) continue;
        p.copies_kv = in.version >= e.since;
        p.kv_fragment = e.fragment;
    }
    if (in.model.model_type == kFusedFp8 &&
        (in.weights.kind == WeightKind::fp8_block || in.weights.kind == WeightKind::fp8)) {
        p.copies_kv = false;
        p.kv_fragment = "TP size must evenly split the number of KV heads.";
    }
    for (std::string_view type : kExpertsAtLeastTp) {
        p.experts_at_least_tp |= in.model.model_type == type;
    }
    p.dcp = in.scenario.dcp;
    p.fp8_qkv = in.version < since::fp8_qkv_uneven;
    p.vision = in.version >= since::vision_fallback ? VisionRule::fallback : VisionRule::divides;
    p.q_fragment = "Total number of attention heads";
    p.group_fragment = in.version >= since::group_text
                           ? "is not divisible by group_size"
                           : "The input size is not aligned with the quantized weight shape";
    return tp_by_rules(in, size, p);
}

}  // namespace kvgauge::engine::vllm
