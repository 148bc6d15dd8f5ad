// SPDX-License-Identifier: MIT
// Owns: the checks a tensor-parallel size must pass, shared by the engines that shard by matrix.
// An engine says by a TpPolicy which checks it makes; the order is the order in which it fails.
// Sources: vLLM config/model.py verify_with_parallel_config and get_num_kv_heads,
// distributed/utils.py ensure_divisibility and verify_group_size_divides_partition,
// layers/quantization/utils/fp8_utils.py validate_fp8_block_shape, fp8.py (MoE),
// layers/vocab_parallel_embedding.py; SGLang and TensorRT-LLM make the same attention check.
#pragma once
#include <cstdint>

#include "engine/engine.h"

namespace kvgauge::engine {

enum class VisionRule : std::uint8_t { none, fallback, divides };

struct TpPolicy {
    bool copies_kv = true;             // tp % kv_heads == 0 is accepted: each head on several GPUs
    bool mlp = true;                   // dense widths must divide
    bool moe = true;                   // expert widths must divide (without EP)
    bool experts_at_least_tp = false;  // refuses more GPUs than experts (without EP)
    bool fp8_block = true;
    bool fp8_qkv = true;  // K and V of one GPU must be whole FP8 blocks
    bool quant_group = true;
    std::uint32_t vocab_pad = 64;  // the vocabulary is padded to this and must divide; 0 = no rule
    bool state = true;             // linear-attention and Mamba heads must divide
    VisionRule vision = VisionRule::fallback;
    std::uint64_t attention_tp = 0;  // GPUs that share one copy of the attention; 0 = tp
    std::uint64_t dcp = 1;           // decode context parallel size, already checked
    const char* kv_fragment = "";    // of the engine's own text
    const char* q_fragment = "";
    const char* group_fragment = "";
};

// All checks. `tp` >= 1.
TpVerdict tp_by_rules(const EngineInput&, std::uint64_t tp, const TpPolicy&);

// Refusals of sizes that no shape rule covers: 0 GPUs, more stages than layers.
bool refuses_size(const EngineInput&, std::uint64_t tp, TpVerdict&);

constexpr TpVerdict refusal(TpRule rule, std::uint64_t a, std::uint64_t b, std::uint64_t c,
                            const char* fragment) {
    TpVerdict v;
    v.verdict = Verdict::error;
    v.rule = rule;
    v.a = a;
    v.b = b;
    v.c = c;
    v.fragment = fragment;
    v.copies = 0;
    return v;
}

}  // namespace kvgauge::engine
