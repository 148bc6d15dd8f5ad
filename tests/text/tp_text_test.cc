// SPDX-License-Identifier: MIT
#include "text/tp_text.h"

#include <gtest/gtest.h>

namespace kvgauge {
namespace {

TpVerdict verdict(TpRule rule, std::uint64_t a, std::uint64_t b, std::uint64_t c = 0) {
    TpVerdict v;
    v.rule = rule;
    v.a = a;
    v.b = b;
    v.c = c;
    return v;
}

TEST(TpText, NamesNumbersAndDivisor) {
    EXPECT_EQ(tp_reason(verdict(TpRule::q_heads, 28, 8), EngineId::vllm, 8),
              "28 query heads do not divide by 8.");
    EXPECT_EQ(tp_reason(verdict(TpRule::kv_heads, 10, 4), EngineId::vllm, 4),
              "10 KV heads do not divide by 4, and 4 does not divide by 10.");
    EXPECT_EQ(tp_reason(verdict(TpRule::kv_heads_strict, 4, 8), EngineId::tgi, 8),
              "4 KV heads do not divide by 8, and TGI does not copy heads.");
    EXPECT_EQ(tp_reason(verdict(TpRule::fp8_block, 1536, 8, 192), EngineId::vllm, 8, 128),
              "Width 1536 over 8 GPUs is 192, not a whole number of FP8 blocks of 128.");
    EXPECT_EQ(tp_reason(verdict(TpRule::kv_replicated, 4, 8, 2), EngineId::vllm, 8),
              "4 KV heads on 8 GPUs: each GPU stores one, so every head is stored twice.");
}

// No rule is without words.
TEST(TpText, EveryRuleHasASentence) {
    for (int r = 0; r <= static_cast<int>(TpRule::unchecked); ++r) {
        const std::string s =
            tp_reason(verdict(static_cast<TpRule>(r), 6, 4, 2), EngineId::llamacpp, 4, 128);
        ASSERT_FALSE(s.empty()) << r;
        EXPECT_EQ(s.back(), '.') << s;
    }
}

TEST(TpText, Sizes) {
    EXPECT_EQ(tp_sizes(0), "");
    EXPECT_EQ(tp_sizes(0b10001011), "1 2 4 8");
    EXPECT_EQ(tp_sizes(std::uint64_t{1} << 63 | 1), "1 64");
}

}  // namespace
}  // namespace kvgauge
