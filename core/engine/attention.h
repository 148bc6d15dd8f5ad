// SPDX-License-Identifier: MIT
// Owns: what decides which attention kernels serve a model, read once from it. Internal to engine/.
#pragma once
#include <cstdint>

#include "engine/engine.h"

namespace kvgauge::engine {

struct AttentionShape {
    bool any = false;
    bool latent = false;      // MLA: one latent for all heads
    bool compressed = false;  // DeepSeek-V4
    bool sparse = false;      // an index picks the tokens
    bool sinks = false;       // attention sinks (gpt-oss)
    bool alibi = false;       // a bias by distance in place of rotary positions
    bool equal_dims = true;   // K and V heads of one width
    std::uint64_t head_dim = 0;
    std::uint64_t q_heads = 0;  // per GPU
};
AttentionShape attention_shape(const EngineInput&);

enum class GpuClass : std::uint8_t { unknown, amd, apple, older, sm75, sm80, sm90, sm100, sm120 };
GpuClass gpu_class(const GpuSpec&);

inline bool fp8_kv(const EngineInput& in) {
    return in.kv.k == DType::fp8;
}
inline bool sixteen_bit_kv(const EngineInput& in) {
    return in.kv.k == DType::bf16 || in.kv.k == DType::fp16 || in.kv.k == DType::fp32;
}

}  // namespace kvgauge::engine
