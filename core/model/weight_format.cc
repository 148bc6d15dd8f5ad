// SPDX-License-Identifier: MIT
#include "model/weight_format.h"

namespace kvgauge {
namespace {

using K = WeightKind;

// In the order of the enum. Effective bits: awq 4 + 20/128; fp8_block 8 + 32/128^2; nf4_double
// 4 + 8/64 + 32/16384. GGUF mixes: whole files of Llama-2-7B as llama-quantize prints them.
constexpr std::array<WeightKindInfo, 32> kKinds{{
    {K::bf16, "bf16", 16, false, false},
    {K::fp16, "fp16", 16, false, false},
    {K::fp32, "fp32", 32, false, false},
    {K::fp8, "fp8", 8, false, false},
    {K::fp8_block, "fp8_block", 8.001953125, false, false},
    {K::int8, "int8", 8, false, false},
    {K::awq, "awq", 4.15625, false, false},
    {K::gptq, "gptq", 4.15625, false, false},
    {K::mxfp4, "mxfp4", 4.25, false, false},
    {K::mxfp8, "mxfp8", 8.25, false, false},
    {K::nvfp4, "nvfp4", 4.5, false, false},
    {K::nf4, "nf4", 4.5, false, false},
    {K::nf4_double, "nf4_double", 4.126953125, false, false},
    {K::q8_0, "q8_0", 8.5, false, true},
    {K::q6_k, "q6_k", 6.5625, false, true},
    {K::q5_k_s, "q5_k_s", 5.52, true, true},
    {K::q5_k_m, "q5_k_m", 5.68, true, true},
    {K::q5_0, "q5_0", 5.5, false, true},
    {K::q5_1, "q5_1", 6, false, true},
    {K::q4_k_s, "q4_k_s", 4.58, true, true},
    {K::q4_k_m, "q4_k_m", 4.84, true, true},
    {K::q4_0, "q4_0", 4.5, false, true},
    {K::q4_1, "q4_1", 5, false, true},
    {K::q3_k_s, "q3_k_s", 3.50, true, true},
    {K::q3_k_m, "q3_k_m", 3.91, true, true},
    {K::q3_k_l, "q3_k_l", 4.27, true, true},
    {K::q2_k, "q2_k", 3.35, true, true},
    {K::iq4_xs, "iq4_xs", 4.25, false, true},
    {K::iq4_nl, "iq4_nl", 4.5, false, true},
    {K::fp8_channel, "fp8_channel", 8, false, false},
    {K::int4, "int4", 4.125, false, false},
    {K::mlx, "mlx", 4.5, false, false},
}};

// ggml block: elements and bytes.
struct Block {
    std::uint32_t elements, bytes;
};
constexpr Block ggml_block(WeightKind k) {
    switch (k) {
        case K::q8_0:
            return {32, 34};
        case K::q6_k:
            return {256, 210};
        case K::q5_0:
            return {32, 22};
        case K::q5_1:
            return {32, 24};
        case K::q4_0:
            return {32, 18};
        case K::q4_1:
            return {32, 20};
        case K::iq4_nl:
            return {32, 18};
        case K::iq4_xs:
            return {256, 136};
        default:
            return {0, 0};
    }
}

bool is_linear(MatrixClass c) {
    switch (c) {
        case MatrixClass::attention:
        case MatrixClass::state:
        case MatrixClass::dense_ffn:
        case MatrixClass::expert:
        case MatrixClass::shared_expert:
            return true;
        default:
            return false;
    }
}

// Packed int32 words for `n` elements of `bits` bits: as many whole elements as a word holds where
// they divide it, else the exact bits (GPTQ's 3 bit).
Count packed_bytes(Count n, std::uint32_t bits) {
    if (bits == 0 || bits > 32) return Count::overflowed();
    return ceil_div(n * bits, 8);
}

}  // namespace

std::span<const WeightKindInfo> weight_kinds() {
    return kKinds;
}

const WeightKindInfo& info(WeightKind k) {
    if (k == K::automatic) return kKinds[0];
    return kKinds[static_cast<std::size_t>(k) - 1];
}

std::string_view name(WeightKind k) {
    return k == K::automatic ? "auto" : info(k).name;
}

std::optional<WeightKind> parse_weight_kind(std::string_view n) {
    if (n == "auto") return K::automatic;
    for (const WeightKindInfo& i : kKinds) {
        if (i.name == n) return i.kind;
    }
    return std::nullopt;
}

WeightKind kind_of(const WeightFormat& f, MatrixClass c) {
    const WeightKind own = f.of[static_cast<std::size_t>(c)];
    if (own != K::automatic) return own;
    const WeightKind kind = f.kind == K::automatic ? K::bf16 : f.kind;
    if (is_linear(c) || kind == K::bf16 || kind == K::fp16 || kind == K::fp32) return kind;
    if (!info(kind).gguf) return kind == K::mlx && c <= MatrixClass::head ? kind : K::bf16;
    switch (c) {
        case MatrixClass::embedding:
            return kind;
        // llama-quantize raises the output matrix of the plain 4 and 5 bit types to Q6_K.
        case MatrixClass::head:
            return kind == K::q4_0 || kind == K::q4_1 || kind == K::q5_0 || kind == K::q5_1
                       ? K::q6_k
                       : kind;
        case MatrixClass::vision:
            return K::fp16;
        default:
            return K::fp32;
    }
}

Bytes matrix_bytes(const WeightFormat& f, WeightKind kind, Count out, Count in) {
    const Count n = out * in;
    const std::uint32_t group = f.group == 0 ? 128 : f.group;
    switch (kind) {
        case K::automatic:
        case K::bf16:
        case K::fp16:
            return n * 2;
        case K::fp32:
            return n * 4;
        case K::fp8:
            return n;
        case K::fp8_channel:
        case K::int8:
            return n + out * 4;
        case K::fp8_block:
            return n + ceil_div(out, group) * ceil_div(in, group) * 4;
        case K::awq:
        case K::gptq: {
            const Count groups = ceil_div(in, group);
            Bytes b =
                packed_bytes(n, f.bits) + groups * out * 2 + groups * packed_bytes(out, f.bits);
            if (kind == K::gptq) b += in * 4;
            return b;
        }
        case K::int4:
            return packed_bytes(n, f.bits) + ceil_div(in, group) * out * 2;
        case K::mlx:
            return packed_bytes(n, f.bits) + ceil_div(in, group) * out * 4;
        case K::mxfp4:
            return ceil_div(n, 2) + out * ceil_div(in, 32);
        case K::mxfp8:
            return n + out * ceil_div(in, 32);
        case K::nvfp4:
            return ceil_div(n, 2) + out * ceil_div(in, 16) + 4;
        case K::nf4:
            return ceil_div(n, 2) + ceil_div(n, 64) * 4;
        case K::nf4_double:
            return ceil_div(n, 2) + ceil_div(n, 64) + ceil_div(n, 64 * 256) * 4;
        default:
            break;
    }
    if (const Block b = ggml_block(kind); b.elements != 0) {
        // A row that does not fill its last block cannot be stored so; count whole bytes of it.
        return out * ceil_div(in * b.bytes, b.elements);
    }
    // A mix: hundredths of a bit, so that the product stays whole.
    const auto hundredths = static_cast<std::uint64_t>(info(kind).bits * 100 + 0.5);
    return ceil_div(n * hundredths, 800);
}

Bytes matrix_bytes(const WeightFormat& f, Count out, Count in) {
    return matrix_bytes(f, f.kind, out, in);
}

}  // namespace kvgauge
