// SPDX-License-Identifier: MIT
#include "probe/statistics.h"

#include <gtest/gtest.h>

#include <vector>

namespace kvgauge {
namespace {

TEST(Statistics, OfOneToEleven) {
    const std::vector<double> x{11, 1, 2, 10, 3, 9, 4, 8, 5, 7, 6};
    const Statistics s = summarize(x);
    EXPECT_EQ(s.n, 11u);
    EXPECT_DOUBLE_EQ(s.mean, 6);
    EXPECT_DOUBLE_EQ(s.stddev, 3.3166247903554);  // sqrt(110 / 10)
    EXPECT_DOUBLE_EQ(s.min, 1);
    EXPECT_DOUBLE_EQ(s.p10, 2);
    EXPECT_DOUBLE_EQ(s.median, 6);
    EXPECT_DOUBLE_EQ(s.p90, 10);
    // 11/2 -+ 0.98 * 3.3166 = 2.25 .. 8.75: ranks 2 and 9, counted from 1, are 2 and 10 (index 1
    // and 9): half of 8 over 6.
    EXPECT_DOUBLE_EQ(s.median_ci, 4.0 / 6);
}

TEST(Statistics, OfFewOrNone) {
    EXPECT_EQ(summarize({}).n, 0u);
    EXPECT_EQ(median({}), 0);
    const std::vector<double> one{5};
    EXPECT_EQ(summarize(one).median, 5);
    EXPECT_EQ(summarize(one).stddev, 0);
    EXPECT_EQ(summarize(one).median_ci, 1);
    const std::vector<double> two{1, 2};
    EXPECT_EQ(median(two), 1.5);
}

TEST(Statistics, NoiseIsTheRatioOfTheOuterDeciles) {
    Statistics s;
    s.n = 30;
    s.p10 = 100;
    s.p90 = 110;
    EXPECT_FALSE(is_noisy(s));
    s.p90 = 110.2;
    EXPECT_TRUE(is_noisy(s));
}

TEST(StopRule, PrecisionAfterTheMinimumTimeAtTheLatest) {
    const StopRule rule{.min_samples = 30, .max_samples = 400, .precision = 0.01, .max_seconds = 3};
    Statistics s;
    s.n = 29;
    s.median_ci = 0.001;
    EXPECT_FALSE(enough(rule, s, 1.0));
    s.n = 30;
    EXPECT_TRUE(enough(rule, s, 1.0));
    s.median_ci = 0.02;
    EXPECT_FALSE(enough(rule, s, 2.9));
    EXPECT_TRUE(enough(rule, s, 3.0));
    s.n = 400;
    EXPECT_TRUE(enough(rule, s, 0.1));
    EXPECT_FALSE(enough(rule, Statistics{}, 99));  // nothing measured is never enough
}

}  // namespace
}  // namespace kvgauge
