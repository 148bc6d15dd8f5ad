// SPDX-License-Identifier: MIT
// Number formats a KV cache is stored in, converted in plain C++: IEEE binary16, bfloat16 and the
// OCP 8-bit E4M3 (no infinities, one NaN per sign, largest value 448). Used by the tests, the
// portable CPU path and the host side of the device self-test; exact where the target can hold the
// value, round to nearest even where it cannot.
#pragma once

#include <cstdint>

namespace kvgauge::kernels {

// std::bit_cast, which the C++ library of some WASM tool chains lacks.
template <class To, class From>
constexpr To bits(From value) {
    static_assert(sizeof(To) == sizeof(From));
    return __builtin_bit_cast(To, value);
}

constexpr float bf16_to_f32(std::uint16_t code) {
    return bits<float>(static_cast<std::uint32_t>(code) << 16);
}

constexpr std::uint16_t f32_to_bf16(float value) {
    const auto word = bits<std::uint32_t>(value);
    if ((word & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>(word >> 16 | 0x40u);
    return static_cast<std::uint16_t>((word + 0x7fffu + (word >> 16 & 1u)) >> 16);
}

// Shifting the 15 magnitude bits into place leaves an exponent that is too small by 127 - 15; one
// multiplication by 2^112 mends it, subnormals included.
constexpr float f16_to_f32(std::uint16_t code) {
    const std::uint32_t sign = static_cast<std::uint32_t>(code & 0x8000u) << 16;
    const std::uint32_t magnitude = static_cast<std::uint32_t>(code & 0x7fffu) << 13;
    if (magnitude >= 0x0f800000u)  // infinity, NaN
        return bits<float>(sign | 0x70000000u | magnitude);
    const float scaled = bits<float>(magnitude) * 0x1p112f;
    return bits<float>(sign | bits<std::uint32_t>(scaled));
}

constexpr std::uint16_t f32_to_f16(float value) {
    const auto word = bits<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>(word >> 16 & 0x8000u);
    const std::uint32_t magnitude = word & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return static_cast<std::uint16_t>(sign | 0x7e00u);
    if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);  // >= 65520
    if (magnitude < 0x38800000u) {  // below 2^-14: subnormal, in steps of 2^-24
        // Adding 0.5 puts the 24-bit grid of [0.5, 1) exactly on those steps.
        const float snapped = bits<float>(magnitude) + 0.5f;
        const std::uint32_t steps = bits<std::uint32_t>(snapped) - 0x3f000000u;
        return static_cast<std::uint16_t>(sign | steps);
    }
    const std::uint32_t rounded = magnitude + 0x0fffu + (magnitude >> 13 & 1u);
    return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
}

// E4M3 has the exponent bias 7 and f16 the bias 15: the same bits, moved one place, are the value
// times 2^-8, exactly, subnormals included. The two NaN codes come out as +-480 * 2^-8; KV caches
// hold none.
constexpr std::uint16_t e4m3_to_f16_times_2_to_minus_8(std::uint8_t code) {
    return static_cast<std::uint16_t>((code & 0x80u) << 8 | (code & 0x7fu) << 7);
}

constexpr float e4m3_to_f32(std::uint8_t code) {
    if ((code & 0x7fu) == 0x7fu) return bits<float>(0x7fc00000u);
    return f16_to_f32(e4m3_to_f16_times_2_to_minus_8(code)) * 256.0f;
}

// Saturates at +-448 as engines do when they quantise a cache.
constexpr std::uint8_t f32_to_e4m3(float value) {
    const auto word = bits<std::uint32_t>(value);
    const auto sign = static_cast<std::uint8_t>(word >> 24 & 0x80u);
    const std::uint32_t magnitude = word & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return static_cast<std::uint8_t>(sign | 0x7fu);
    if (magnitude >= 0x43e00000u) return static_cast<std::uint8_t>(sign | 0x7eu);  // >= 448
    if (magnitude < 0x3c800000u) {  // below 2^-6: subnormal, in steps of 2^-9
        const float snapped = bits<float>(magnitude) + 0x1p14f;
        const std::uint32_t steps = bits<std::uint32_t>(snapped) - 0x46800000u;
        return static_cast<std::uint8_t>(sign | steps);
    }
    const std::uint32_t rounded = magnitude + 0x7ffffu + (magnitude >> 20 & 1u);
    return static_cast<std::uint8_t>(sign | ((rounded - 0x3c000000u) >> 20));
}

}  // namespace kvgauge::kernels
