// SPDX-License-Identifier: MIT
// The heat map says what estimates made anew say, point by point; its borders are the engine's own
// limits; it is filled in slices; the plans of the table fit and keep the limit.
#include <chrono>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "headless.h"
#include "text/link.h"
#include "ui/plan_map.h"

namespace kvgauge::ui {
namespace {

Scenario scenario(const std::string& link) {
    return parse_link(link, builtin_catalog()).scenario;
}

std::vector<Scenario> scenarios() {
    std::vector<Scenario> out;
    for (const char* link :
         {"v=1&model=llama-3-70b&gpu=h100-80gb-sxm&tp=4",
          "v=1&model=deepseek-v3&tp=8&engine=sglang", "v=1&model=gemma-3-27b&engine=trtllm&kv=fp8",
          "v=1&model=qwen3-30b-a3b&spec=2", "v=1&model=llama-3-8b&engine=llamacpp&weights=q4_k_m",
          "v=1&engine=none&pp=2"}) {
        out.push_back(scenario(link));
    }
    return out;
}

void fill(PlanMap& map, const Scenario& s, double batch_high = 512) {
    while (map.update(s, builtin_catalog(), 1024, 131072, batch_high, 1)) {
    }
}

// H100 at 3.35 TB/s, bf16, contexts of 8,192: weights 15.009 GB / (0.87 * 3.35e12) = 5.150 ms, KV
// of one request 8192 * 131,072 B / (0.87 * 3.35e12) = 0.368 ms, 32 layers of 55 us = 1.760 ms.
TEST(PlanMap, OneStepByHand) {
    const Scenario s = scenario("v=1&model=llama-3-8b&gpu=h100-80gb-sxm&engine=vllm");
    const double one = PlanMap::point(s, builtin_catalog(), 8192, 1).seconds;
    const double many = PlanMap::point(s, builtin_catalog(), 8192, 64).seconds;
    // 63 further requests add 63 reads of their KV and nothing else.
    EXPECT_NEAR(many - one, 63 * 8192 * 131072.0 / (0.87 * 3.35e12), 2e-5);
    EXPECT_NEAR(PlanMap::point(s, builtin_catalog(), 8192, 64).rate, 64 / many, 1e-6);
}

TEST(PlanMap, EveryPointIsAnEstimate) {
    std::mt19937 random(7);
    for (const Scenario& s : scenarios()) {
        PlanMap map;
        fill(map, s);
        const PlanPicture& m = *map.picture();
        ASSERT_TRUE(m.whole());
        for (int i = 0; i < 150; ++i) {
            const int column = static_cast<int>(random() % PlanPicture::kColumns);
            const int row = static_cast<int>(random() % PlanPicture::kRows);
            const PlanPoint want =
                PlanMap::point(s, builtin_catalog(), m.ctx(column), m.batch(row));
            const PlanPoint got = m.at(column, row);
            ASSERT_GT(want.seconds, 0) << s.model;
            // Kept as a float: 2^-24 of its value.
            EXPECT_NEAR(got.seconds / want.seconds, 1, 1e-6) << s.model << column << " " << row;
            // From 32 requests on a row lies within one request of its whole number.
            EXPECT_NEAR(got.rate / want.rate, 1, 1e-6) << s.model << column << " " << row;
        }
    }
}

TEST(PlanMap, BordersAreTheEnginesLimits) {
    for (Scenario s : scenarios()) {
        PlanMap map;
        fill(map, s);
        const PlanPicture& m = *map.picture();
        for (int c = 0; c < PlanPicture::kColumns; c += 64) {
            s.ctx = static_cast<std::uint64_t>(std::llround(m.ctx(c)));
            const Estimate e = estimate(s, builtin_catalog());
            if (!e.batch) continue;
            EXPECT_EQ(std::floor(m.room(c).most() + 1e-9), e.batch->max.value)
                << s.model << " " << s.ctx;
            // A step of twice the time of one request: some request more keeps it, the next does
            // not.
            const double limit = m.at(c, 0).seconds * 2;
            const double at = m.batch_at(c, limit);
            if (at > 500) continue;
            const auto seconds = [&](double batch) {
                return PlanMap::point(s, builtin_catalog(), m.ctx(c), batch).seconds;
            };
            EXPECT_LE(seconds(std::max(1.0, std::floor(at / 1.02) - 1)), limit) << s.model;
            EXPECT_GE(seconds(std::ceil(at * 1.02) + 1), limit) << s.model;
        }
        EXPECT_EQ(m.batch_at(0, m.at(0, 0).seconds / 2), 0);
        EXPECT_EQ(m.batch_at(0, 1e9), 1024);
    }
}

// A slice of no time makes one column; what was shown stays until the next picture is whole.
TEST(PlanMap, FillsInSlices) {
    Scenario s = scenario("v=1&model=llama-3-8b");
    PlanMap map;
    int calls = 1;
    while (map.update(s, builtin_catalog(), 1024, 131072, 512, 0)) ++calls;
    EXPECT_EQ(calls, PlanPicture::kColumns);
    const PlanPicture* whole = map.picture();
    EXPECT_FALSE(map.update(s, builtin_catalog(), 1024, 131072, 512, 0));
    s.ctx = 4096;  // where one stands, and the limits, are no other map
    s.batch = 9;
    s.tpot_max = .03;
    EXPECT_FALSE(map.update(s, builtin_catalog(), 1024, 131072, 512, 0));
    EXPECT_EQ(map.picture(), whole);
    s.tp = 2;
    EXPECT_TRUE(map.update(s, builtin_catalog(), 1024, 131072, 512, 0));
    EXPECT_EQ(map.picture(), whole);
    // A change on the way starts again.
    s.tp = 4;
    EXPECT_TRUE(map.update(s, builtin_catalog(), 1024, 131072, 512, 0));
    fill(map, s);
    const PlanPoint want = PlanMap::point(s, builtin_catalog(), 1024, 1);
    EXPECT_NEAR(map.picture()->at(0, 0).seconds / want.seconds, 1, 1e-6);
}

// The promise is 400 ms for a map in a page and 50 ms for a slice; on a loaded machine and in a
// debug build the limits here are wide, the figures are printed.
TEST(PlanMap, IsFast) {
    using Clock = std::chrono::steady_clock;
    const auto ms = [](Clock::duration d) {
        return std::chrono::duration<double, std::milli>(d).count();
    };
    const Scenario s = scenario("v=1&model=llama-3-70b&gpu=h100-80gb-sxm&tp=4");
    double best = 1e9, longest = 1e9;
    for (int run = 0; run < 5; ++run) {
        PlanMap map;
        double worst = 0, sum = 0;
        for (bool more = true; more;) {
            const auto start = Clock::now();
            more = map.update(s, builtin_catalog(), 1024, 131072, 512, .02);
            worst = std::max(worst, ms(Clock::now() - start));
            sum += ms(Clock::now() - start);
        }
        best = std::min(best, sum);
        longest = std::min(longest, worst);
    }
    std::printf("  map of 512 x 512: %.1f ms, longest slice %.1f ms\n", best, longest);
    EXPECT_LT(best, 4000);
    EXPECT_LT(longest, 200);
}

// Segments of one strip change evenly and cover all rows.
TEST(PlanMap, StripsCoverTheMap) {
    PlanMap map;
    fill(map, scenario("v=1&model=llama-3-8b"), 4096);
    const PlanPicture& m = *map.picture();
    ASSERT_EQ(m.strips(), 128);
    for (int strip = 0; strip < m.strips(); ++strip) {
        const auto& steps = m.steps(strip);
        ASSERT_EQ(steps.front(), 0);
        ASSERT_EQ(steps.back(), PlanPicture::kRows - 1);
        for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
            ASSERT_LT(steps[i], steps[i + 1]);
            // One cell may be higher than the step, no more.
            if (steps[i + 1] - steps[i] == 1) continue;
            const double a = m.at(strip * PlanPicture::kStrip, steps[i]).rate;
            const double b = m.at(strip * PlanPicture::kStrip, steps[i + 1]).rate;
            ASSERT_LT(std::fabs(std::log(b / a)), .25) << strip << " " << i;
        }
    }
}

TEST(PlanChoices, FitAndKeepTheLimit) {
    for (Scenario s : scenarios()) {
        for (const double limit : {0.0, .02, .05}) {
            if (limit > 0) s.tpot_max = limit;
            const auto all = plan_choices(s, builtin_catalog());
            double last = 1e300;
            bool over = false;
            for (const PlanChoice& c : all) {
                Scenario at = s;
                at.tp = c.tp;
                const Estimate e = estimate(at, builtin_catalog());
                ASSERT_TRUE(e.batch && e.tp);
                EXPECT_NE(e.tp->verdict, Verdict::error);
                EXPECT_LE(static_cast<double>(c.batch), e.batch->max.value) << s.model;
                const auto one = [&](std::uint64_t batch) {
                    return PlanMap::point(at, builtin_catalog(), static_cast<double>(s.ctx),
                                          static_cast<double>(batch));
                };
                EXPECT_NEAR(c.seconds / one(c.batch).seconds, 1, 1e-9);
                EXPECT_NEAR(c.per_gpu() * static_cast<double>(c.tp * s.pp), c.rate, 1e-6 * c.rate);
                if (limit > 0) {
                    EXPECT_EQ(c.over, c.seconds > limit) << s.model << c.tp;
                    const bool most = static_cast<double>(c.batch) == e.batch->max.value;
                    if (!c.over && !most) {
                        EXPECT_GT(one(c.batch + 1).seconds, limit) << s.model;
                    }
                } else {
                    EXPECT_EQ(static_cast<double>(c.batch), e.batch->max.value);
                }
                EXPECT_FALSE(over && !c.over);
                if (c.over != over) last = 1e300;
                over = c.over;
                EXPECT_LE(c.per_gpu(), last);
                last = c.per_gpu();
            }
        }
    }
}

TEST(PlanView, AClickTakesAPlan) {
    Headless h;
    h.show("v=1&model=llama-3-70b&gpu=h100-80gb-sxm&tp=2&kv=fp8&tpot-max=40&view=plan");
    h.frames(100);
    ASSERT_NE(h.item("choice-0"), nullptr);
    const Scenario before = scenario(
        "v=1&model=llama-3-70b&gpu=h100-80gb-sxm&tp=2&kv=fp8"
        "&tpot-max=40");
    const auto all = plan_choices(before, builtin_catalog());
    ASSERT_GE(all.size(), 2u);
    h.click("choice-0");
    const Scenario after = scenario(h.app.link());
    EXPECT_EQ(after.tp, all[0].tp);
    EXPECT_EQ(after.batch, all[0].batch);
}

TEST(PlanView, NamesWhatBinds) {
    Headless h;
    h.show("v=1&model=llama-3-8b&max-seqs=4&view=plan");
    h.frames(100);
    EXPECT_NE(h.text("max_num_seqs"), nullptr);
    h.show("v=1&model=llama-3-8b&ttft-max=200&tpot-max=30&view=plan");
    h.frames(100);
    EXPECT_NE(h.text("KV cache is full"), nullptr);
    EXPECT_NE(h.text("slower than 30 ms"), nullptr);
    EXPECT_NE(h.text("first token after 200 ms"), nullptr);
}

}  // namespace
}  // namespace kvgauge::ui
