// SPDX-License-Identifier: MIT
#include "model/traffic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/traffic_run.h"

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

// The allocator step by step, as slow and plain as it can be written.
class StepByStep {
  public:
    StepByStep(const TrafficInput& in, std::uint64_t most, std::uint64_t seed)
        : in_(in), random_(seed), most_(most), free_(in.blocks) {}

    std::uint64_t preempted(std::uint64_t requests) {
        std::uint64_t finished = 0, hit = 0;
        for (;;) {
            while (running_.size() < most_) {
                if (waiting_.empty()) waiting_.push_back(fresh());
                Request r = waiting_.back();
                r.held = blocks(r.tokens + 1);
                if (r.held > free_) break;
                waiting_.pop_back();
                free_ -= r.held;
                running_.push_back(r);
            }
            for (std::size_t i = 0; i < running_.size(); ++i) {
                while (i < running_.size() && blocks(running_[i].tokens + 1) > running_[i].held &&
                       free_ == 0) {
                    Request last = running_.back();
                    running_.pop_back();
                    free_ += last.held;
                    last.preempted = true;
                    waiting_.push_back(last);
                }
                if (i == running_.size()) break;
                if (blocks(running_[i].tokens + 1) > running_[i].held) {
                    ++running_[i].held;
                    --free_;
                }
                ++running_[i].tokens;
            }
            for (std::size_t i = 0; i < running_.size();) {
                if (running_[i].tokens < running_[i].end) {
                    ++i;
                    continue;
                }
                free_ += running_[i].held;
                if (++finished > requests / 4 && running_[i].preempted) ++hit;
                if (finished == requests / 4 + requests) return hit;
                running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
    }

  private:
    struct Request {
        std::uint64_t tokens, end, held;
        bool preempted;
    };
    std::uint64_t blocks(std::uint64_t tokens) const {
        return (tokens + in_.block_tokens - 1) / in_.block_tokens;
    }
    Request fresh() {
        const bool first = drawn_++ < most_;
        double all = 0, sum = 0;
        for (const LengthPair& p : in_.lengths) all += p.weight * (first ? p.out : 1);
        const double at = uniform(random_) * all;
        const LengthPair* found = &in_.lengths.back();
        for (const LengthPair& p : in_.lengths) {
            sum += p.weight * (first ? p.out : 1);
            if (at < sum) {
                found = &p;
                break;
            }
        }
        Request r{found->in, std::uint64_t{found->in} + found->out, 0, false};
        if (first) r.tokens += static_cast<std::uint64_t>(uniform(random_) * found->out);
        return r;
    }

    const TrafficInput& in_;
    std::mt19937_64 random_;
    std::uint64_t most_, free_, drawn_ = 0;
    std::vector<Request> running_, waiting_;
};

TEST(Traffic, EventsGiveWhatSingleStepsGive) {
    std::mt19937_64 dice(20);
    const auto up_to = [&dice](std::uint64_t n) { return 1 + dice() % n; };
    std::uint64_t preempted = 0;
    for (int i = 0; i < 300; ++i) {
        TrafficInput t;
        t.block_tokens = up_to(40);
        std::uint64_t longest = 0;
        for (std::uint64_t n = up_to(6); n > 0; --n) {
            const auto in = static_cast<std::uint32_t>(up_to(60)),
                       out = static_cast<std::uint32_t>(up_to(90));
            t.lengths.push_back({in, out, static_cast<double>(up_to(5))});
            longest = std::max(longest, (std::uint64_t{in} + out) / t.block_tokens + 1);
        }
        const std::uint64_t at_once = up_to(30);
        t.blocks = longest + dice() % (at_once * longest);
        const std::uint64_t seed = dice();
        const std::uint64_t events = TrafficRun(t, at_once, seed).preempted(200, 200);
        ASSERT_EQ(events, StepByStep(t, at_once, seed).preempted(200)) << i;
        preempted += events;
    }
    EXPECT_GT(preempted, 1000u);  // of 60,000: the cases reach both sides
    EXPECT_LT(preempted, 50000u);
}

// Beyond what is simulated the shortfall grows with the root: four times the memory of a count that
// is simulated whole misses about twice as many, within both intervals.
TEST(Traffic, ManyRequestsFollowTheRoot) {
    TrafficInput t;
    t.block_tokens = 1;
    t.lengths = {{100, 100, 1}, {100, 500, 1}};
    t.blocks = 1'400'000;  // mean held: (100 x 150.5 + 500 x 350.5) / 600 = 317.17, 4,414 at once
    const auto one = traffic(t);
    t.blocks *= 4;
    const auto four = traffic(t);
    ASSERT_TRUE(one && four);
    EXPECT_EQ(one->expected.value, 4414);
    const double less = one->expected.value - one->at_one_per_cent.value;
    const double spread = *one->at_one_per_cent.high - *one->at_one_per_cent.low;
    EXPECT_NEAR(four->expected.value - four->at_one_per_cent.value, 2 * less, 2 * spread + 4);
    EXPECT_GT(less, 4);
}

// Absurd sizes are answered too: a block longer than every request, lengths of hundreds of
// millions.
TEST(Traffic, AbsurdSizesAreAnswered) {
    TrafficInput t = fixed(10, 32, 32);
    t.block_tokens = std::uint64_t{1} << 40;
    EXPECT_EQ(traffic(t)->at_one_per_cent.value, 10);  // a block each
    t = fixed(20, 100'000'000, 400'000'000);
    t.block_tokens = 100'000'000;
    const auto got = traffic(t);
    ASSERT_TRUE(got);
    EXPECT_GE(*got->at_one_per_cent.low, 4);  // 5 blocks each at their longest
    EXPECT_LE(got->at_one_per_cent.value, got->expected.value);
    t = fixed(std::uint64_t{1} << 50, 1000, 1000);
    EXPECT_GT(traffic(t)->at_one_per_cent.value, 0.99 * traffic(t)->expected.value);
}

TEST(Traffic, WhatDoesNotFitIsNotAnswered) {
    EXPECT_FALSE(traffic(fixed(3, 32, 32)));
    EXPECT_FALSE(traffic({}));
}

}  // namespace
}  // namespace kvgauge
