// SPDX-License-Identifier: MIT
// What must hold whatever the formulas are: more bandwidth is never slower, more memory never holds
// fewer requests, and so on. Random scenarios over the whole catalog and all engines.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>

#include "data/catalog.h"
#include "estimate.h"

namespace kvgauge {
namespace {

constexpr int kScenarios = 1500;
// Doubles of sums in another order.
constexpr double kRounding = 1e-9;

constexpr std::array kEngines{EngineId::vllm, EngineId::sglang,  EngineId::trtllm,
                              EngineId::tgi,  EngineId::hf,      EngineId::lmdeploy,
                              EngineId::none, EngineId::llamacpp};

template <class List>
const auto& any(const List& list, std::mt19937& random) {
    return list[random() % list.size()];
}

Scenario draw(std::mt19937& random) {
    const Catalog& c = builtin_catalog();
    Scenario s;
    s.model = any(c.models(), random).spec->id;
    s.gpu = any(c.gpus(), random).spec.id;
    s.engine = any(kEngines, random);
    constexpr std::array<std::uint64_t, 7> kSizes{1, 1, 2, 4, 8, 16, 3};
    s.tp = any(kSizes, random);
    constexpr std::array kKv{DType::automatic, DType::automatic, DType::bf16, DType::fp8};
    s.kv = any(kKv, random);
    s.ctx = std::uint64_t{512} << random() % 9;
    s.ctx += random() % 64;
    s.batch = 1 + random() % 128;
    s.in = 1 + random() % 8192;
    s.out = 1 + random() % 1024;
    constexpr std::array<std::uint64_t, 4> kStages{1, 1, 1, 2};
    s.pp = any(kStages, random);
    constexpr std::array kWeights{WeightKind::automatic, WeightKind::automatic, WeightKind::fp8,
                                  WeightKind::awq};
    s.weights = any(kWeights, random);
    if (random() % 8 == 0) s.spec = {SpecKind::ngram, 1 + static_cast<std::uint32_t>(random() % 4)};
    return s;
}

std::string words(const Scenario& s) {
    return s.model + " on " + s.gpu + ", " + std::string(name(s.engine)) + ", tp " +
           std::to_string(s.tp) + ", kv " + std::string(name(s.kv)) + ", ctx " +
           std::to_string(s.ctx) + ", batch " + std::to_string(s.batch);
}

// Calls `check` with a random scenario and its estimate; counts those it could judge.
template <class Check>
void over_scenarios(unsigned seed, int least, Check&& check) {
    std::mt19937 random(seed);
    int judged = 0;
    for (int i = 0; i < kScenarios; ++i) {
        const Scenario s = draw(random);
        const Estimate e = estimate(s);
        SCOPED_TRACE(words(s));
        judged += check(s, e) ? 1 : 0;
        if (testing::Test::HasFailure()) return;
    }
    EXPECT_GE(judged, least);
}

TEST(Monotone, MoreBandwidthIsNeverSlower) {
    over_scenarios(1, 800, [](Scenario s, const Estimate& e) {
        if (!e.speed) return false;
        s.gpu_own.bandwidth = e.gpu.bandwidth * 1.5;
        const Estimate faster = estimate(s);
        EXPECT_TRUE(faster.speed);
        if (!faster.speed) return true;
        EXPECT_LE(faster.speed->tpot.value, e.speed->tpot.value * (1 + kRounding));
        EXPECT_LE(faster.speed->floor.value, e.speed->floor.value * (1 + kRounding));
        EXPECT_LE(faster.speed->ttft.value, e.speed->ttft.value * (1 + kRounding));
        EXPECT_GE(faster.speed->tokens_per_s.value, e.speed->tokens_per_s.value * (1 - kRounding));
        return true;
    });
}

TEST(Monotone, AFasterLinkIsNeverSlower) {
    over_scenarios(9, 400, [](Scenario s, const Estimate& e) {
        if (!e.speed || !(e.gpu.link > 0)) return false;
        s.gpu_own.link = e.gpu.link * 2;
        const Estimate faster = estimate(s);
        EXPECT_LE(faster.speed->tpot.value, e.speed->tpot.value * (1 + kRounding));
        EXPECT_LE(faster.speed->ttft.value, e.speed->ttft.value * (1 + kRounding));
        EXPECT_LE(faster.speed->prefill_floor.value,
                  e.speed->prefill_floor.value * (1 + kRounding));
        return true;
    });
}

TEST(Monotone, LongerPromptsAreNeverFaster) {
    over_scenarios(10, 800, [](Scenario s, const Estimate& e) {
        if (!e.speed) return false;
        s.in += s.in / 2 + 1;
        const Estimate longer = estimate(s);
        EXPECT_GE(longer.speed->ttft.value, e.speed->ttft.value * (1 - kRounding));
        EXPECT_GE(longer.speed->tpot.value, e.speed->tpot.value * (1 - kRounding));
        EXPECT_GE(longer.speed->floor.value, e.speed->floor.value * (1 - kRounding));
        return true;
    });
}

// A tighter target never lets more requests in, and none lets in more than fit.
TEST(Monotone, ATighterTargetNeverLetsMoreIn) {
    over_scenarios(11, 500, [](Scenario s, const Estimate& e) {
        if (!e.speed || !e.batch || !e.plan) return false;
        s.tpot_max = e.speed->tpot.value * 2;
        s.ttft_max = e.speed->ttft.value * 2;
        const Estimate loose = estimate(s);
        *s.tpot_max *= 0.6;
        const Estimate tight = estimate(s);
        if (!loose.batch->max_slo || !tight.batch->max_slo) return false;
        EXPECT_LE(tight.batch->max_slo->value, loose.batch->max_slo->value);
        EXPECT_LE(loose.batch->max_slo->value, e.batch->max.value);
        return true;
    });
}

TEST(Monotone, MoreFlopsAreNeverSlower) {
    over_scenarios(2, 800, [](Scenario s, const Estimate& e) {
        if (!e.speed) return false;
        s.gpu_own.flops16 = e.gpu.flops16 * 2;
        if (e.gpu.flops8 > 0) s.gpu_own.flops8 = e.gpu.flops8 * 2;
        if (e.gpu.flops4 > 0) s.gpu_own.flops4 = e.gpu.flops4 * 2;
        const Estimate faster = estimate(s);
        EXPECT_TRUE(faster.speed);
        if (!faster.speed) return true;
        EXPECT_LE(faster.speed->tpot.value, e.speed->tpot.value * (1 + kRounding));
        EXPECT_LE(faster.speed->ttft.value, e.speed->ttft.value * (1 + kRounding));
        EXPECT_LE(faster.speed->prefill_floor.value,
                  e.speed->prefill_floor.value * (1 + kRounding));
        return true;
    });
}

TEST(Monotone, TheFloorIsBelowTheEstimateAndEveryRangeAroundIt) {
    over_scenarios(3, 800, [](const Scenario&, const Estimate& e) {
        if (e.batch) {
            const Quantity& q = e.batch->max;
            EXPECT_LE(q.low.value_or(q.value), q.value);
            EXPECT_GE(q.high.value_or(q.value), q.value);
        }
        if (!e.speed) return false;
        const Speed& v = *e.speed;
        EXPECT_LE(v.floor.value, v.tpot.value * (1 + kRounding));
        EXPECT_LE(v.floor.value, v.tpot.low.value_or(v.tpot.value) * (1 + kRounding));
        EXPECT_LE(v.prefill_floor.value, v.ttft.value * (1 + kRounding));
        for (const Quantity& q : {v.tpot, v.ttft, v.tokens_per_s}) {
            EXPECT_LE(q.low.value_or(q.value), q.value * (1 + kRounding));
            EXPECT_GE(q.high.value_or(q.value), q.value * (1 - kRounding));
        }
        return true;
    });
}

TEST(Monotone, ALargerBatchIsNeverFasterForATokenNorSlowerForAll) {
    over_scenarios(4, 800, [](Scenario s, const Estimate& e) {
        if (!e.speed) return false;
        s.batch *= 2;
        const Estimate more = estimate(s);
        EXPECT_GE(more.speed->tpot.value, e.speed->tpot.value * (1 - kRounding));
        EXPECT_GE(more.speed->floor.value, e.speed->floor.value * (1 - kRounding));
        if (more.batch && e.batch) {
            EXPECT_EQ(more.batch->max.value, e.batch->max.value);
        }
        return true;
    });
}

TEST(Monotone, MoreMemoryNeverHoldsFewer) {
    over_scenarios(5, 600, [](Scenario s, const Estimate&) {
        // vLLM takes larger steps from 70 GiB on (engine/arg_utils.py), and keeps room for them.
        s.max_batched = 8192;
        s.max_seqs = 1024;
        const Estimate e = estimate(s);
        if (!e.batch || !e.plan) return false;
        s.gpu_own.memory = e.gpu.visible_bytes + e.gpu.visible_bytes / 4;
        const Estimate more = estimate(s);
        EXPECT_TRUE(more.batch);
        if (!more.batch) return true;
        EXPECT_GE(more.batch->max.value, e.batch->max.value);
        EXPECT_GE(more.plan->max_requests, e.plan->max_requests);
        EXPECT_GE(more.budget->kv.value, e.budget->kv.value);
        return true;
    });
}

TEST(Monotone, MoreGpusNeverHoldMoreWeightsEach) {
    over_scenarios(6, 300, [](Scenario s, const Estimate& e) {
        const auto starts = [](const Estimate& x) { return x.tp && accepted(*x.tp); };
        if (!e.weights_per_gpu || !starts(e)) return false;
        s.tp *= 2;
        // A vision tower whose heads no longer divide is kept whole on each GPU.
        if (e.model->vision_heads % s.tp != 0) return false;
        const Estimate more = estimate(s);
        if (!more.weights_per_gpu || !starts(more)) return false;
        EXPECT_LE(more.weights_per_gpu->value(), e.weights_per_gpu->value());
        return true;
    });
}

TEST(Monotone, ASmallerKvDtypeNeverHoldsFewer) {
    over_scenarios(7, 600, [](Scenario s, const Estimate&) {
        s.kv = DType::bf16;
        const Estimate wide = estimate(s);
        s.kv = DType::fp8;
        const Estimate narrow = estimate(s);
        if (!wide.batch || !narrow.batch || !wide.plan || !narrow.plan) return false;
        EXPECT_GE(narrow.batch->max.value, wide.batch->max.value);
        EXPECT_LE(narrow.kv->bytes_per_token, wide.kv->bytes_per_token);
        return true;
    });
}

TEST(Monotone, ALongerContextNeverHoldsMore) {
    over_scenarios(8, 600, [](Scenario s, const Estimate& e) {
        if (!e.batch || !e.plan) return false;
        s.ctx += s.ctx / 3 + 1;
        const Estimate longer = estimate(s);
        EXPECT_TRUE(longer.batch);
        if (!longer.batch || !longer.plan) return true;
        EXPECT_LE(longer.plan->max_requests, e.plan->max_requests);
        EXPECT_GE(longer.kv->bytes_per_request.value(), e.kv->bytes_per_request.value());
        return true;
    });
}

}  // namespace
}  // namespace kvgauge
