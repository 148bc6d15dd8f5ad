// SPDX-License-Identifier: MIT
// Every code of each format against its definition, sign * 2^(exponent - bias) * 1.mantissa.
#include "kernels/half.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace kvgauge::kernels {
namespace {

double defined(unsigned code, int exponent_bits, int mantissa_bits, int bias) {
    const unsigned mantissa = code & ((1u << mantissa_bits) - 1);
    const unsigned exponent = code >> mantissa_bits & ((1u << exponent_bits) - 1);
    const double sign = code >> (mantissa_bits + exponent_bits) ? -1.0 : 1.0;
    const double fraction = std::ldexp(mantissa, -mantissa_bits);
    return exponent == 0 ? sign * std::ldexp(fraction, 1 - bias)
                         : sign * std::ldexp(1.0 + fraction, static_cast<int>(exponent) - bias);
}

TEST(Half, EveryF16CodeMeansWhatIeeeSays) {
    for (unsigned code = 0; code < 0x10000; ++code) {
        const float value = f16_to_f32(static_cast<std::uint16_t>(code));
        if ((code & 0x7c00u) == 0x7c00u) {
            EXPECT_EQ(std::isinf(value), (code & 0x3ffu) == 0) << code;
            EXPECT_EQ(std::isnan(value), (code & 0x3ffu) != 0) << code;
            continue;
        }
        ASSERT_EQ(value, defined(code, 5, 10, 15)) << code;
        ASSERT_EQ(f32_to_f16(value), code);
    }
}

TEST(Half, EveryE4m3CodeMeansWhatOcpSays) {
    for (unsigned code = 0; code < 256; ++code) {
        const auto byte = static_cast<std::uint8_t>(code);
        const float value = e4m3_to_f32(byte);
        if ((code & 0x7fu) == 0x7fu) {
            EXPECT_TRUE(std::isnan(value));
            continue;
        }
        ASSERT_EQ(value, defined(code, 4, 3, 7)) << code;
        ASSERT_EQ(f32_to_e4m3(value), code);
        ASSERT_EQ(f16_to_f32(e4m3_to_f16_times_2_to_minus_8(byte)), value / 256) << code;
    }
}

TEST(Half, EveryBf16CodeGoesThereAndBack) {
    for (unsigned code = 0; code < 0x10000; ++code) {
        if ((code & 0x7f80u) == 0x7f80u) continue;
        const float value = bf16_to_f32(static_cast<std::uint16_t>(code));
        // The upper half of a float, by definition.
        ASSERT_EQ(std::bit_cast<std::uint32_t>(value), code << 16);
        ASSERT_EQ(f32_to_bf16(value), code);
    }
}

// Halfway between two neighbours: the even one; a little more or less: the nearer one.
template <class Narrow, class Widen>
void check_ties(unsigned first, unsigned last, Narrow narrow, Widen widen) {
    for (unsigned code = first; code < last; ++code) {
        const double low = widen(code);
        const double high = widen(code + 1);
        const auto middle = static_cast<float>((low + high) / 2);
        EXPECT_EQ(narrow(middle), code + code % 2) << code;
        EXPECT_EQ(narrow(std::nextafter(middle, 0.0f)), code) << code;
        EXPECT_EQ(narrow(std::nextafter(middle, 1e30f)), code + 1) << code;
    }
}

TEST(Half, RoundsToNearestEven) {
    check_ties(
        0, 0x7bfe, [](float v) { return f32_to_f16(v); },
        [](unsigned c) { return f16_to_f32(static_cast<std::uint16_t>(c)); });
    check_ties(
        0, 0x7d, [](float v) { return f32_to_e4m3(v); },
        [](unsigned c) { return e4m3_to_f32(static_cast<std::uint8_t>(c)); });
    check_ties(
        0x3f80, 0x4100, [](float v) { return f32_to_bf16(v); },
        [](unsigned c) { return bf16_to_f32(static_cast<std::uint16_t>(c)); });
}

TEST(Half, EndsOfTheRanges) {
    EXPECT_EQ(f32_to_f16(65519.0f), 0x7bff);
    EXPECT_EQ(f32_to_f16(65520.0f), 0x7c00);
    EXPECT_EQ(f32_to_e4m3(448.0f), 0x7e);
    EXPECT_EQ(f32_to_e4m3(1e9f), 0x7e);
    EXPECT_EQ(f32_to_e4m3(-1e9f), 0xfe);
    EXPECT_TRUE(std::isnan(f16_to_f32(f32_to_f16(NAN))));
    EXPECT_TRUE(std::isnan(bf16_to_f32(f32_to_bf16(NAN))));
    EXPECT_TRUE(std::isnan(e4m3_to_f32(f32_to_e4m3(NAN))));
}

}  // namespace
}  // namespace kvgauge::kernels
