// SPDX-License-Identifier: MIT
// Owns: how the matrices of a checkpoint are stored, and the bytes one matrix takes.
// Sources of the effective sizes: AWQ/GPTQ 4 bit, group 128: 4 + 16/128 (scale) + 4/128 (zero);
// FP8 128x128 blocks: 8 bit + one fp32 per block; MXFP4/MXFP8: e8m0 per 32; NVFP4: e4m3 per 16 and
// one fp32 per tensor; bitsandbytes nf4: fp32 per 64; GGUF: ggml block layouts.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "model/units.h"

namespace kvgauge {

enum class WeightKind : std::uint8_t {
    automatic,  // the checkpoint's own
    bf16, fp16, fp32, fp8, fp8_block, int8, awq, gptq, mxfp4, mxfp8, nvfp4, nf4, nf4_double,
    q8_0, q6_k, q5_k_s, q5_k_m, q5_0, q5_1, q4_k_s, q4_k_m, q4_0, q4_1, q3_k_s, q3_k_m, q3_k_l, q2_k, iq4_xs, iq4_nl,
};

// What stays in 16 bit although the format quantises matrices.
struct WeightFormat {
    WeightKind kind = WeightKind::bf16;
    std::uint32_t group = 128;      // AWQ/GPTQ group size; fp8_block: block edge
    bool desc_act = false;          // GPTQ g_idx: one int32 per input row
    bool attention_16bit = false;   // attention projections not quantised (gpt-oss, NVFP4 MoE-only)
    bool experts_only = false;      // only routed experts are quantised
    bool head_quantised = false;    // lm_head is quantised too
    bool operator==(const WeightFormat&) const = default;
};

struct WeightKindInfo {
    WeightKind kind;
    std::string_view name;
    double bits;      // effective bits per element of a quantised matrix (mixes: typical, assumed)
    bool mix;         // a llama.cpp mix: the figure depends on the model
};

std::span<const WeightKindInfo> weight_kinds();
const WeightKindInfo& info(WeightKind);
std::string_view name(WeightKind);
std::optional<WeightKind> parse_weight_kind(std::string_view);

// Bytes of one quantised matrix of out x in elements (out rows of `in` elements).
Bytes matrix_bytes(const WeightFormat&, Count out, Count in);

}  // namespace kvgauge
