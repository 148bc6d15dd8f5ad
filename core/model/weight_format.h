// SPDX-License-Identifier: MIT
// Owns: how the matrices of a checkpoint are stored, and the bytes one matrix takes.
// Sources of the sizes: AWQ/GPTQ 4 bit, group 128: 4 + 16/128 (scale) + 4/128 (zero), GPTQ also one
// int32 g_idx per input row (AutoGPTQ qlinear files); fp8: bytes alone, fp8_channel one fp32 per row,
// fp8_block one fp32 per 128x128 block; int8: bitsandbytes, one fp32 per row; int4: compressed-tensors
// pack-quantized, symmetric, one 16-bit scale per group; MXFP4/MXFP8: e8m0 per 32; NVFP4: e4m3 per 16
// and one fp32 per tensor; nf4: fp32 per 64, with double quantisation 8 bit per 64 and fp32 per 16384;
// mlx: 16-bit scale and bias per group; GGUF: ggml block layouts.
#pragma once
#include <array>
#include <cstddef>
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
    fp8_channel, int4, mlx,
};

// What a matrix is for, as far as formats treat it differently.
enum class MatrixClass : std::uint8_t {
    embedding, head, attention, state, dense_ffn, expert, shared_expert, router, vision, small,
};
inline constexpr std::size_t kMatrixClasses = 10;

// How a checkpoint stores each class of matrices. `of[class]` automatic means the rule of `kind`:
// linears (attention, state, FFN, experts) in `kind`; embedding, head, router, vision and the small
// vectors in 16 bit (fp32: in fp32). GGUF kinds quantise embedding and head too, and keep vectors and
// routers in fp32.
struct WeightFormat {
    WeightKind kind = WeightKind::bf16;
    std::uint32_t group = 128;  // elements per scale of awq, gptq, int4, mlx; fp8_block: block edge
    std::uint32_t bits = 4;     // awq, gptq, int4, mlx: bits of one element
    std::array<WeightKind, kMatrixClasses> of{};  // exceptions
    bool operator==(const WeightFormat&) const = default;
};

struct WeightKindInfo {
    WeightKind kind;
    std::string_view name;
    double bits;      // effective bits per element of a quantised matrix (mixes: typical, assumed)
    bool mix;         // a llama.cpp mix: the figure is the whole file's and depends on the model
    bool gguf;        // a GGUF file type: it quantises embedding and head as well
};

std::span<const WeightKindInfo> weight_kinds();  // every kind but `automatic`
const WeightKindInfo& info(WeightKind);  // `automatic` answers as bf16
std::string_view name(WeightKind);
std::optional<WeightKind> parse_weight_kind(std::string_view);

// The kind in which `format` stores a matrix of that class.
WeightKind kind_of(const WeightFormat& format, MatrixClass);
// Bytes of one matrix of out x in elements (out rows of `in` elements) stored as `kind`; group and
// bits come from `format`.
Bytes matrix_bytes(const WeightFormat& format, WeightKind kind, Count out, Count in);
// The same in the format's own kind.
Bytes matrix_bytes(const WeightFormat& format, Count out, Count in);

}  // namespace kvgauge
