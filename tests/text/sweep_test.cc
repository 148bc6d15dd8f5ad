// SPDX-License-Identifier: MIT
#include "text/sweep.h"

#include <gtest/gtest.h>

namespace kvgauge {
namespace {

using Values = std::vector<std::string>;

std::optional<Values> values(std::string_view key, std::string_view text) {
    Issues issues;
    const auto axis = read_axis(*find_field(key), text, issues);
    EXPECT_EQ(axis.has_value(), issues.empty());
    return axis ? std::optional(axis->values) : std::nullopt;
}

TEST(Axis, ListsAndRanges) {
    EXPECT_EQ(values("tp", "1,2,4"), (Values{"1", "2", "4"}));
    EXPECT_EQ(values("tp", "1..4"), (Values{"1", "2", "3", "4"}));
    EXPECT_EQ(values("tp", "1..8..x2"), (Values{"1", "2", "4", "8"}));
    EXPECT_EQ(values("ctx", "2k..16k"), (Values{"2048", "4096", "8192", "16384"}));
    EXPECT_EQ(values("ctx", "1000..3000..1000"), (Values{"1000", "2000", "3000"}));
    EXPECT_EQ(values("util", "0.7..0.9..0.1"), (Values{"0.7", "0.8", "0.9"}));
    EXPECT_EQ(values("kv", "bf16,fp8"), (Values{"bf16", "fp8"}));
    EXPECT_EQ(values("tpot-max", "10..30..10"), (Values{"10", "20", "30"}));
    EXPECT_EQ(values("batch", "1,8..10"), (Values{"1", "8", "9", "10"}));
}

TEST(Axis, WhatIsNoRange) {
    for (const char* bad : {"8..1", "1..", "..4", "1..4..0", "1..4..x1", "1..4..-1", "a..b",
                            "1..2..3..4", "1..1000000000"}) {
        EXPECT_FALSE(values("batch", bad)) << bad;
    }
    EXPECT_FALSE(values("ctx", "0..8"));  // doubling never leaves 0
    EXPECT_TRUE(is_axis_text("1,2"));
    EXPECT_FALSE(is_axis_text("0.9"));
}

TEST(Sweep, PointsRunTheLastAxisFastest) {
    Issues issues;
    std::vector<Axis> axes{*read_axis(*find_field("tp"), "1,2", issues),
                           *read_axis(*find_field("ctx"), "1k,2k,4k", issues)};
    ASSERT_EQ(sweep_points(axes), 6u);
    Scenario s;
    set_point(s, axes, 4, builtin_catalog(), issues);
    EXPECT_EQ(s.tp, 2u);
    EXPECT_EQ(s.ctx, 2048u);
    EXPECT_TRUE(issues.empty());
    axes.push_back(*read_axis(*find_field("batch"), "1..100000", issues));
    axes.push_back(axes.back());
    EXPECT_EQ(sweep_points(axes), kSweepMost + 1);
}

TEST(Sweep, Conditions) {
    std::string why;
    const Report r = answer({}, {}, builtin_catalog()).report;
    const auto test = [&](std::string_view text) {
        const auto c = read_conditions(text, why);
        return c && holds(r, *c);
    };
    EXPECT_TRUE(test(""));
    EXPECT_TRUE(test("tp.verdict=ok"));
    EXPECT_FALSE(test("tp.verdict!=ok"));
    EXPECT_TRUE(test("kv.bytes_per_token==131072, batch.max>=1"));
    EXPECT_FALSE(test("kv.bytes_per_token<131072"));
    EXPECT_TRUE(test("kv.bytes_per_token<=128KiB"));
    EXPECT_FALSE(test("no.such_row>0"));
    EXPECT_FALSE(read_conditions("batch.max", why));
    EXPECT_NE(why.find("batch.max"), std::string::npos);
    EXPECT_FALSE(read_conditions(">=3", why));
}

}  // namespace
}  // namespace kvgauge
