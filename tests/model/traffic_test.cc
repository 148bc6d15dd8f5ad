// SPDX-License-Identifier: MIT
#include "model/traffic.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kvgauge {
namespace {

TrafficInput fixed(std::uint64_t blocks, std::uint32_t in, std::uint32_t out) {
    TrafficInput t;
    t.blocks = blocks;
    t.lengths = {{in, out, 1}};
    return t;
}

// 32 tokens in, 32 out, blocks of 16: 16 steps hold 3 blocks, 16 hold 4: 3.5 in the mean.
TEST(Traffic, ExpectedIsBlocksOverTheMeanOfARequestUnderWay) {
    const auto t = traffic(fixed(700, 32, 32));
    ASSERT_TRUE(t);
    EXPECT_DOUBLE_EQ(t->blocks_per_request, 3.5);
    EXPECT_EQ(t->expected.value, 200);
    EXPECT_EQ(t->longest_blocks, 4u);
}

// Where every request may have its longest at once nothing is ever preempted, and 700 / 4 = 175
// always fit.
TEST(Traffic, NoPreemptionWhereTheLongestFits) {
    const TrafficInput t = fixed(700, 32, 32);
    EXPECT_EQ(preempted_share(t, 175, 2000, 3), 0);
    const auto all = traffic(t);
    EXPECT_GE(*all->at_one_per_cent.low, 175);
    EXPECT_LE(all->at_one_per_cent.value, all->expected.value);
}

TEST(Traffic, MoreAtOnceIsPreemptedMore) {
    TrafficInput t;
    t.blocks = 2000;
    t.lengths = pairs_of({{}, 300, 2000}, {{}, 100, 400}, 9);
    const auto all = traffic(t);
    ASSERT_TRUE(all);
    const auto n = static_cast<std::uint64_t>(all->expected.value);
    EXPECT_LT(preempted_share(t, n / 2, 2000, 1), 0.01);
    EXPECT_GT(preempted_share(t, n + n / 4, 2000, 1), 0.01);
    EXPECT_LE(*all->at_one_per_cent.low, all->at_one_per_cent.value);
    EXPECT_GE(*all->at_one_per_cent.high, all->at_one_per_cent.value);
    EXPECT_LT(all->at_one_per_cent.value, all->expected.value);
}

TEST(Traffic, TheSameSeedGivesTheSame) {
    TrafficInput t;
    t.blocks = 1000;
    t.lengths = pairs_of({200, 150, {}}, {80, {}, {}}, 4);
    const auto a = traffic(t), b = traffic(t);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->at_one_per_cent, b->at_one_per_cent);
    t.blocks = 2000;  // more memory never fewer
    EXPECT_GT(traffic(t)->at_one_per_cent.value, a->at_one_per_cent.value);
}

// Median and 95th percentile of the draws: within 3 standard errors of 400 draws.
TEST(Traffic, ShapesHaveTheirQuantiles) {
    auto pairs = pairs_of({{}, 1000, 4000}, {250, {}, {}}, 1);
    ASSERT_EQ(pairs.size(), 400u);
    std::sort(pairs.begin(), pairs.end(),
              [](const LengthPair& a, const LengthPair& b) { return a.in < b.in; });
    EXPECT_NEAR(pairs[200].in, 1000, 160);
    EXPECT_NEAR(pairs[380].in, 4000, 1100);
    EXPECT_EQ(pairs[7].out, 250u);
    EXPECT_TRUE(pairs_of({{}, 1000, 400}, {250, {}, {}}, 1).empty());
    EXPECT_TRUE(pairs_of({}, {250, {}, {}}, 1).empty());
}

TEST(Traffic, WhatDoesNotFitIsNotAnswered) {
    EXPECT_FALSE(traffic(fixed(3, 32, 32)));
    EXPECT_FALSE(traffic({}));
}

}  // namespace
}  // namespace kvgauge
