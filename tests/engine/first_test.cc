// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "cases.h"
#include "engine/engine.h"

namespace kvgauge {
namespace {

using testing::Case;
using testing::llama3_8b;

// 60 GiB, 8192 tokens: a request is 2 * 32 layers * heads * 128 * 2 B * 8192 = 4, 1, 1/8 GiB.
TEST(PlainArithmetic, RequestsIn60GiB) {
    const std::pair<std::uint32_t, std::uint64_t> want[] = {{32, 15}, {8, 60}, {1, 480}};
    for (const auto& [heads, requests] : want) {
        Case c;
        c.model = llama3_8b(heads);
        const EngineInput in = c.input(EngineId::none);
        EXPECT_EQ(rules(EngineId::none).plan(in, 60 * gib).max_requests, requests) << heads;
    }
}

TEST(PlainArithmetic, BudgetIsTotalTimesUtilMinusWeights) {
    Case c;
    const EngineInput in = c.input(EngineId::none);
    const Budget b = rules(EngineId::none).budget(in);
    // ceil(81152 MiB * 0.9) - 16060522496
    EXPECT_EQ(b.usable_bytes, Bytes(76584635597));
    EXPECT_EQ(b.weight_bytes, Bytes(16060522496));
    EXPECT_DOUBLE_EQ(b.kv.value, 76584635597.0 - 16060522496.0);
    EXPECT_EQ(b.kv.basis, Basis::exact);
    EXPECT_FALSE(b.kv.low);
}

// A given KV budget replaces the arithmetic.
TEST(PlainArithmetic, GivenKvBudget) {
    Case c;
    c.scenario.kv_budget = 7 * gib;
    for (EngineId id : kEngineIds) {
        const Budget b = rules(id).budget(c.input(id));
        EXPECT_EQ(b.kv.value, 7.0 * gib) << name(id);
        EXPECT_EQ(b.kv.basis, Basis::exact);
        EXPECT_FALSE(b.kv.low || b.kv.high);
    }
}

// The engine's own planner, run with 40 GiB: 20480 blocks of 16 tokens, 40 requests (39 whole ones
// beside the null block), at TP 8 with 4 KV heads 163840 blocks.
TEST(VllmDense, BlocksOfAGivenBudget) {
    Case c;
    const CachePlan p = rules(EngineId::vllm).plan(c.input(), 40 * gib);
    EXPECT_EQ(p.blocks, 20480u);
    EXPECT_EQ(p.tokens, 327680u);
    EXPECT_DOUBLE_EQ(p.max_concurrency, 40.0);
    EXPECT_EQ(p.max_requests, 39u);
    EXPECT_TRUE(p.fits);
    c.scenario.ctx = 131072;
    EXPECT_DOUBLE_EQ(rules(EngineId::vllm).plan(c.input(), 40 * gib).max_concurrency, 2.5);
    c.model = llama3_8b(4);
    c.scenario.tp = 8;
    EXPECT_EQ(rules(EngineId::vllm).plan(c.input(), 40 * gib).blocks, 163840u);
}

TEST(VllmDense, DefaultOfTheFirstScreen) {
    Case c;
    const EngineInput in = c.input();
    const Budget b = rules(EngineId::vllm).budget(in);
    EXPECT_DOUBLE_EQ(b.util, 0.92);
    // 79.25 * 0.92 = 72.91; less 14.957 of weights leaves 57.95 GiB, of which 1.7 to 4.5 GiB of
    // activations and libraries leave 53.4 to 56.3 for KV: 53 to 56 requests of 1 GiB.
    ASSERT_TRUE(b.kv.low && b.kv.high);
    EXPECT_EQ(rules(EngineId::vllm).plan(in, static_cast<std::uint64_t>(*b.kv.low)).max_requests,
              53u);
    EXPECT_EQ(rules(EngineId::vllm).plan(in, static_cast<std::uint64_t>(*b.kv.high)).max_requests,
              56u);
    EXPECT_NEAR(b.kv.value / gib, 55.2, 0.5);
}

// vllm#10511, V0 0.6.5 on an H100: activation peak 1.26 GiB for Llama-3-8B at 8,192 tokens (the
// sampler of 256 rows). vllm#10517, 0.6.4 on an RTX 3090: 2.07 GiB at 20,000 tokens, 2.99 at 29,000
// (the widest layer).
TEST(VllmDense, ActivationOfTheFirstEngine) {
    const auto gib_of = [](const Quantity& q) { return q.value / gib; };
    Case c;
    c.scenario.engine_version = Version{0, 6, 5, false, 3};
    c.gpu = testing::h100_80();
    Budget b = rules(EngineId::vllm).budget(c.input());
    ASSERT_TRUE(b.parts);
    EXPECT_NEAR(gib_of(b.parts->activation), 1.26, 0.01);
    EXPECT_GT(*b.parts->activation.high / gib, 1.3);

    c.scenario.engine_version = Version{0, 6, 4, false, 3};
    c.gpu = testing::gpu_of("rtx-3090-24gb", 24576, 23.58, 86);
    c.scenario.util = 0.9;
    for (const auto& [ctx, peak] : {std::pair{20000, 2.07}, {29000, 2.99}}) {
        c.scenario.ctx = static_cast<std::uint64_t>(ctx);
        b = rules(EngineId::vllm).budget(c.input());
        EXPECT_NEAR(gib_of(b.parts->activation), peak, 0.02) << ctx;
    }
}

TEST(TpVerdict, HeadsOfLlama3) {
    Case c;
    const std::pair<std::uint64_t, double> want[] = {{1, 8}, {2, 4}, {4, 2}, {8, 1}};
    for (const auto& [tp, heads] : want) {
        const TpVerdict v = rules(EngineId::vllm).tp(c.input(), tp);
        EXPECT_EQ(v.verdict, Verdict::ok) << tp;
        EXPECT_EQ(v.kv_heads_per_gpu, heads) << tp;
        EXPECT_EQ(v.copies, 1) << tp;
    }
    const TpVerdict copied = rules(EngineId::vllm).tp(c.input(), 16);
    EXPECT_EQ(copied.verdict, Verdict::ok_replicated);
    EXPECT_EQ(copied.copies, 2);
    const TpVerdict three = rules(EngineId::vllm).tp(c.input(), 3);
    EXPECT_EQ(three.verdict, Verdict::error);
    EXPECT_EQ(three.rule, TpRule::q_heads);
    EXPECT_EQ(three.a, 32u);
    EXPECT_EQ(three.b, 3u);
    EXPECT_EQ(rules(EngineId::tgi).tp(c.input(), 16).verdict, Verdict::error);
    EXPECT_EQ(rules(EngineId::tgi).tp(c.input(), 16).rule, TpRule::kv_heads_strict);
}

}  // namespace
}  // namespace kvgauge
