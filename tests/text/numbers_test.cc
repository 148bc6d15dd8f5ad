// SPDX-License-Identifier: MIT
#include "text/numbers.h"

#include <gtest/gtest.h>

#include <cmath>

namespace kvgauge {
namespace {

TEST(Reading, Bytes) {
    EXPECT_EQ(parse_bytes("40GiB"), std::uint64_t{40} << 30);
    EXPECT_EQ(parse_bytes("80GB"), 80'000'000'000u);
    EXPECT_EQ(parse_bytes("80 GB"), 80'000'000'000u);
    EXPECT_EQ(parse_bytes("512MiB"), 536'870'912u);
    EXPECT_EQ(parse_bytes("512mib"), 536'870'912u);
    EXPECT_EQ(parse_bytes("1024"), 1024u);
    EXPECT_EQ(parse_bytes("0"), 0u);
    EXPECT_EQ(parse_bytes("1.5GiB"), 1'610'612'736u);
    EXPECT_EQ(parse_bytes("20.1GiB"), 21'582'210'662u);  // 20.1 x 2^30 = 21,582,210,662.4
    for (const char* bad :
         {"", " ", "GiB", "40Gib2", "4O GiB", "-1GiB", "nan", "inf", "0x10", "1e"}) {
        EXPECT_FALSE(parse_bytes(bad)) << bad;
    }
    EXPECT_EQ(parse_bytes("1e30"), UINT64_MAX);  // for the range check to refuse
    EXPECT_EQ(parse_bytes("99999999999999999999"), UINT64_MAX);
    EXPECT_EQ(parse_bytes("99999999999TiB"), UINT64_MAX);
}

TEST(Reading, Tokens) {
    EXPECT_EQ(parse_tokens("8k"), 8192u);
    EXPECT_EQ(parse_tokens("128K"), 131'072u);
    EXPECT_EQ(parse_tokens("1M"), 1'048'576u);
    EXPECT_EQ(parse_tokens("8192"), 8192u);
    EXPECT_EQ(parse_tokens("8,192"), 8192u);
    EXPECT_EQ(parse_tokens("131_072"), 131'072u);
    EXPECT_EQ(parse_tokens("0.5k"), 512u);
    EXPECT_EQ(parse_tokens("8192.0"), 8192u);
    for (const char* bad : {"8.3", "-8", "8kB", "k", "8,19", "8,1922", "1,,000", ",100", "8 192"}) {
        EXPECT_FALSE(parse_tokens(bad)) << bad;
    }
}

TEST(Reading, Fractions) {
    EXPECT_EQ(parse_fraction("0.9"), 0.9);
    EXPECT_EQ(parse_fraction("90%"), 0.9);
    EXPECT_EQ(parse_fraction("1"), 1.0);
    EXPECT_FALSE(parse_fraction("ninety"));
    EXPECT_FALSE(parse_fraction("nan"));
    EXPECT_FALSE(parse_fraction("1e999"));
}

TEST(Reading, RatesAndTimes) {
    EXPECT_EQ(parse_rate("3.35TB/s"), 3.35e12);
    EXPECT_EQ(parse_rate("989TFLOPS"), 989e12);
    EXPECT_EQ(parse_rate("989 TFLOP/s"), 989e12);
    EXPECT_EQ(parse_rate("2039e9"), 2039e9);
    EXPECT_FALSE(parse_rate("fast"));
    EXPECT_EQ(parse_milliseconds("30"), 0.030);
    EXPECT_EQ(parse_milliseconds("30ms"), 0.030);
    EXPECT_EQ(parse_milliseconds("1.5s"), 1.5);
    EXPECT_FALSE(parse_milliseconds("30 min"));
}

TEST(Reading, Toggles) {
    for (const char* on : {"on", "ON", "true", "yes", "1"}) EXPECT_EQ(parse_toggle(on), true) << on;
    for (const char* off : {"off", "false", "No", "0"}) EXPECT_EQ(parse_toggle(off), false) << off;
    EXPECT_FALSE(parse_toggle("maybe"));
    EXPECT_FALSE(parse_toggle(""));
}

TEST(Canonical, ReadsBackTheSame) {
    EXPECT_EQ(token_text(8192), "8k");
    EXPECT_EQ(token_text(131'072), "128k");
    EXPECT_EQ(token_text(8000), "8000");
    EXPECT_EQ(token_text(0), "0");
    EXPECT_EQ(millisecond_text(0.030), "30");
    EXPECT_EQ(millisecond_text(0.0125), "12.5");
    EXPECT_EQ(plain(0.9), "0.9");
    EXPECT_EQ(plain(2039e9), "2039000000000");
    for (double ms = 1; ms < 2000; ms += 0.5) {
        const std::string text = millisecond_text(ms / 1e3);
        EXPECT_EQ(*parse_milliseconds(text), ms / 1e3) << text;
    }
    for (double v : {0.1, 1.0 / 3, 0.92, 1e-7, 5.2e-5, 123456.789})
        EXPECT_EQ(*parse_real(plain(v)), v);
}

// Two decimals up to 99, one above, none above 999; 1,024-based and 1,000-based never mixed.
TEST(ForPeople, Sizes) {
    EXPECT_EQ(binary_size(131'072), "128 KiB");
    EXPECT_EQ(binary_size(1'073'741'824), "1.00 GiB");
    EXPECT_EQ(binary_size(16'060'522'496), "14.96 GiB");
    EXPECT_EQ(binary_size(131.44 * 1073741824.0), "131.4 GiB");
    EXPECT_EQ(binary_size(0), "0 B");
    EXPECT_EQ(binary_size(656), "656 B");
    EXPECT_EQ(binary_size(1'000.5 * 1073741824.0), "1,000 GiB");
    EXPECT_EQ(decimal_size(16'060'522'496), "16.06 GB");
    EXPECT_EQ(bandwidth(2'039e9), "2,039 GB/s");
    EXPECT_EQ(flop_rate(312e12), "312 TFLOP/s");
}

// Three significant digits.
TEST(ForPeople, TimesAndRates) {
    EXPECT_EQ(duration(0.0213), "21.3 ms");
    EXPECT_EQ(duration(0.069), "69 ms");
    EXPECT_EQ(duration(1.234), "1.23 s");
    EXPECT_EQ(duration(5.23e-5), "52.3 µs");
    EXPECT_EQ(three_digits(1490.4), "1,490");
    EXPECT_EQ(three_digits(12345), "12,300");
    EXPECT_EQ(three_digits(0), "0");
    EXPECT_EQ(grouped(std::uint64_t{8'030'261'248}), "8,030,261,248");
    EXPECT_EQ(grouped(std::uint64_t{999}), "999");
    EXPECT_EQ(grouped(16.05), "16.05");
}

TEST(Messages, UserTextIsMadeSafe) {
    EXPECT_EQ(quoted_text("abc"), "\"abc\"");
    EXPECT_EQ(quoted_text("a\nb"), "\"a b\"");
    EXPECT_EQ(quoted_text("\xff"), "\"\uFFFD\"");
    EXPECT_EQ(quoted_text(std::string(100, 'x')), '"' + std::string(60, 'x') + "...\"");
    std::string korean;
    for (int i = 0; i < 40; ++i) korean += "한";
    EXPECT_EQ(valid_utf8(quoted_text(korean)), quoted_text(korean));
    EXPECT_EQ(valid_utf8("\xC0\x80\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD");
    EXPECT_EQ(valid_utf8("한 é 𝄞"), "한 é 𝄞");
}

}  // namespace
}  // namespace kvgauge
