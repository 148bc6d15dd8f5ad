// SPDX-License-Identifier: MIT
// Owns: what single model files of vLLM do differently, as data. Internal to engine/.
#pragma once
#include <string_view>

#include "model/engine_id.h"

namespace kvgauge::engine::vllm {

// The first release whose model file copies KV heads, where it is not the common 0.2.1.
struct CopiesSince {
    std::string_view model_type;
    Version since;
    const char* fragment;
};
inline constexpr Version kNever{UINT32_MAX, 0, 0, false, 3};
inline constexpr CopiesSince kCopiesSince[] = {
    {"chatglm", {0, 2, 2, false, 3}, ""},                                      // #1581
    {"baichuan", {0, 2, 2, false, 3}, ""},                                     // #1622
    {"bailing_moe", {0, 11, 1, false, 3}, ""},                                 // #26876, 2025-10
    {"param2moe", kNever, "must be divisible by tensor-parallel world size"},  // param2moe.py:121
};

// Model files that refuse more GPUs than experts.
inline constexpr std::string_view kExpertsAtLeastTp[] = {
    "qwen2_moe",  "qwen3_moe",  "qwen3_next", "hunyuan_v1_moe",
    "minimax_m2", "step3_text", "step3",      "ernie4_5_moe"};

// Fused FP8 projections need whole KV heads on each GPU (mimo_v2.py:496; the Flash checkpoint of
// the same file has them apart).
inline constexpr std::string_view kFusedFp8 = "mimo_v2";

}  // namespace kvgauge::engine::vllm
