// SPDX-License-Identifier: MIT
// What no measurement covers is marked assumed and has the wider band; what is covered has not.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "estimate.h"

namespace kvgauge {
namespace {

struct Covered {
    const char* name;
    std::uint16_t why;  // 0: covered
    std::function<void(Scenario&)> change;
};

const Covered kCases[] = {
    {"dense", 0, [](Scenario&) {}},
    {"dense over NVLink", 0, [](Scenario& s) { s.tp = 4; }},
    {"fp8 weights", 0, [](Scenario& s) { s.weights = WeightKind::fp8; }},
    {"experts", bit(Beyond::experts), [](Scenario& s) { s.model = "mixtral-8x7b"; }},
    {"experts, a latent and weights in fp8 blocks",
     static_cast<std::uint16_t>(bit(Beyond::experts) | bit(Beyond::latent) | bit(Beyond::format)),
     [](Scenario& s) { s.model = "deepseek-v3"; }},
    {"window", bit(Beyond::window), [](Scenario& s) { s.model = "gemma-3-27b"; }},
    {"state and experts", static_cast<std::uint16_t>(bit(Beyond::state) | bit(Beyond::experts)),
     [](Scenario& s) { s.model = "qwen3-next-80b-a3b"; }},
    {"speculation", bit(Beyond::speculation),
     [](Scenario& s) {
         s.spec = {SpecKind::ngram, 3};
     }},
    {"PCIe", bit(Beyond::pcie),
     [](Scenario& s) {
         s.gpu = "l40s-48gb";
         s.tp = 2;
     }},
    {"pipeline", bit(Beyond::pipeline), [](Scenario& s) { s.pp = 2; }},
    {"4-bit weights", bit(Beyond::format), [](Scenario& s) { s.weights = WeightKind::awq; }},
    {"an engine without rows", bit(Beyond::engine), [](Scenario& s) { s.engine = EngineId::tgi; }},
    {"llama.cpp with several sequences", bit(Beyond::engine),
     [](Scenario& s) { s.engine = EngineId::llamacpp; }},
    {"another vendor", bit(Beyond::vendor), [](Scenario& s) { s.gpu = "mi300x-192gb"; }},
};

TEST(Beyond, ExtrapolationsAreAssumedAndWider) {
    for (const Covered& c : kCases) {
        SCOPED_TRACE(c.name);
        Scenario s;
        s.gpu = "h100-80gb-sxm";
        s.batch = 4;
        s.ctx = 4096;
        c.change(s);
        const Estimate e = estimate(s);
        ASSERT_TRUE(e.speed);
        const Speed& v = *e.speed;
        EXPECT_EQ(v.beyond, c.why);
        const Basis basis = c.why != 0 ? Basis::assumed : Basis::derived;
        EXPECT_EQ(v.tpot.basis, basis);
        EXPECT_EQ(v.ttft.basis, basis);
        EXPECT_EQ(v.tokens_per_s.basis, basis);
        // 35 % instead of 20 %; with speculation the range is none kept to all kept, wider still.
        const double up = *v.tpot.high / v.tpot.value;
        if ((c.why & bit(Beyond::speculation)) != 0) {
            EXPECT_GT(up, 1 + kWideBand);
        } else {
            EXPECT_NEAR(up, 1 + (c.why != 0 ? kWideBand : kBand), 1e-12);
        }
        EXPECT_LE(v.floor.value, *v.tpot.low);
    }
}

// Mixtral 8x7B at one token: 2 of 8 experts are read, all of them at many; 32 layers of
// 8 x 3 x 4,096 x 14,336 weights.
TEST(Beyond, ExpertsAreReadAsTheyAreTouched) {
    Scenario s;
    s.model = "mixtral-8x7b";
    s.gpu = "h100-80gb-sxm";
    s.tp = 2;
    const double all = 32.0 * 8 * 3 * 4096 * 14336 * 2 / 2 / (0.87 * 3.35e12);
    s.batch = 1;
    const double one = estimate(s).speed->step.linear;
    s.batch = 64;  // 1 - (3/4)^64 = 1 - 1e-8
    EXPECT_NEAR(estimate(s).speed->step.linear - one, all * 0.75, all * 1e-6);
}

}  // namespace
}  // namespace kvgauge
