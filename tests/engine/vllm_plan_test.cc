// SPDX-License-Identifier: MIT
// Expected values: vLLM's own planner (main 6adad0876: kv_cache_utils.py, kv_cache_interface.py)
// run with stubs, and public start-up logs; each is re-derived by the arithmetic in the comment.
#include <gtest/gtest.h>

#include "cases.h"
#include "engine/vllm_groups.h"

namespace kvgauge {
namespace {

using testing::Case;

constexpr Version at(std::uint32_t minor) {
    return {0, minor, 0, false, 2};
}

struct Want {
    std::uint64_t blocks;
    double concurrency;
    std::uint64_t tokens;
};
void expect(const CachePlan& p, const Want& w) {
    EXPECT_EQ(p.blocks, w.blocks);
    EXPECT_NEAR(p.max_concurrency, w.concurrency, 5e-7);
    EXPECT_EQ(p.tokens, w.tokens);
}

// Newest rules but one batch in flight, as 6adad0876 was run for these rows.
Case one_in_flight(ModelSpec m, std::uint64_t ctx) {
    Case c;
    c.model = std::move(m);
    c.scenario.ctx = ctx;
    c.scenario.engine_version = at(24);
    return c;
}

TEST(VllmPlan, DenseKvTypes) {
    Case c;
    c.scenario.ctx = 8192;
    // 40 GiB / (32 layers * 16 tokens * 4096 B) = 20480.
    expect(c.plan(40 * gib), {20480, 40.0, 327680});
    c.scenario.kv = DType::fp8;
    expect(c.plan(40 * gib), {40960, 80.0, 655360});
    // 16 * 8 heads * 2 * (64 + 8) = 18432 B a page.
    c.scenario.kv = DType::nvfp4;
    expect(c.plan(40 * gib), {72817, 142.220703125, 1165072});
    // 32768 + 2 * 16 * 8 * 4 = 33792 B a page.
    c.scenario.kv = DType::int8;
    expect(c.plan(40 * gib), {39718, 77.57421875, 635488});
    c.scenario.kv = DType::automatic;
    c.scenario.ctx = 131072;
    expect(c.plan(40 * gib), {20480, 2.5, 327680});
}

TEST(VllmPlan, CopiedHeadsSaveNothing) {
    Case c;
    c.model = testing::llama3_8b(4);
    c.scenario.tp = 8;
    expect(c.plan(40 * gib), {163840, 320.0, 2621440});
    // Two GPUs share a sequence's tokens: 8192 / 2 / 16 = 256 blocks.
    c.scenario.dcp = 2;
    expect(c.plan(40 * gib), {163840, 640.0, 5242880});
}

TEST(VllmPlan, Gemma3Windows) {
    Case c = one_in_flight(testing::gemma3_27b(), 8192);
    c.scenario.max_batched = 2048;
    const auto g = engine::vllm::make_groups(c.input());
    EXPECT_EQ(g.group_layers, 10u);
    EXPECT_EQ(g.groups, 7u);  // 6 of windows, one full
    EXPECT_EQ(g.padding_layers, 8u);
    // 20 GiB / (10 * 131072); a request: 512 + 6 * (ceil(3071 / 16) + 1) = 1670 blocks.
    expect(c.plan(20 * gib), {16384, 16384.0 / 1670, 80369});
    c.scenario.ctx = 131072;
    expect(c.plan(20 * gib), {16384, 16384.0 / 9350, 229677});
    c.scenario.engine_version = at(26);  // two batches in flight
    expect(c.plan(20 * gib), {16384, 16384.0 / 10118, 212243});
    c.scenario.hybrid = false;
    c.scenario.ctx = 8192;
    expect(c.plan(20 * gib), {2642, 2642.0 / 512, 42272});
}

TEST(VllmPlan, GptOss20b) {
    Case c = one_in_flight(testing::gpt_oss_20b(), 131072);
    c.scenario.max_batched = 8192;
    // 8192 + (ceil((127 + 8192) / 16) + 1) = 8713 blocks.
    expect(c.plan(40 * gib), {109226, 109226.0 / 8713, 1643116});
    c.scenario.engine_version = at(26);
    expect(c.plan(40 * gib), {109226, 109226.0 / 9225, 1551920});
    c.scenario.spec = {SpecKind::eagle, 3};  // 13 full layers: groups of 13
    expect(c.plan(40 * gib), {100824, 100824.0 / 9225, 1432542});
    // Before 0.12 the fewest layers of a kind always made the group: 12 + 13 full in two groups.
    c.scenario.engine_version = at(11);
    EXPECT_EQ(engine::vllm::make_groups(c.input()).group_layers, 12u);
}

TEST(VllmPlan, AllWindows) {
    const LayerSpec w = testing::attention_layer({32, 8, 128}, AttnKind::sliding, 4096);
    Case c = one_in_flight(testing::model_of({{32, w}}), 32768);
    c.scenario.max_batched = 2048;
    // 20 GiB / 2 MiB; ceil((4095 + 2048) / 16) + 1 = 385 blocks.
    expect(c.plan(20 * gib), {10240, 10240.0 / 385, 871543});
}

TEST(VllmPlan, Latent) {
    Case c;
    c.model = testing::deepseek_v3();
    c.gpu = testing::h200();
    c.scenario.block = 64;
    c.scenario.ctx = 163840;
    expect(c.plan(40 * gib), {9549, 3.730078125, 611136});
    c.scenario.kv = DType::fp8;
    expect(c.plan(40 * gib), {19099, 7.460546875, 1222336});
    c.scenario.kv = DType::automatic;
    c.scenario.spec = {SpecKind::mtp, 1};
    expect(c.plan(40 * gib), {9395, 3.669921875, 601280});
    c.scenario.spec = {};
    c.scenario.tp = 8;
    c.scenario.dcp = 8;
    expect(c.plan(40 * gib), {9549, 29.840625, 4889088});
}

TEST(VllmPlan, SparseIndex) {
    Case c;
    c.model = testing::deepseek_v3(132);
    c.gpu = testing::h200();
    c.scenario.ctx = 163840;
    // 61 * 64 * (1152 + 132) = 5012736 B a block.
    expect(c.plan(40 * gib), {8568, 3.346875, 548352});
    c.scenario.kv = DType::fp8;  // fp8_ds_mla: 61 * 64 * (656 + 132) = 3076352
    expect(c.plan(40 * gib), {13961, 5.453515625, 893504});
}

struct Hybrid {
    std::uint64_t tp;
    bool fp32, align;
    std::uint64_t block;
    Bytes page;
    Want want;
};
TEST(VllmPlan, Qwen3NextStates) {
    const Hybrid rows[] = {
        {1, false, false, 544, 1114112, {1606, 25.09375, 822272}},
        {1, false, true, 544, 1114112, {1606, 1606.0 / 67, 785453}},
        {1, true, false, 1056, 2162688, {827, 827.0 / 35, 774261}},
        {1, true, true, 1056, 2162688, {827, 827.0 / 38, 713135}},
        {2, false, false, 544, 557056, {3212, 50.1875, 1644544}},
        {2, true, true, 1056, 1081344, {1654, 1654.0 / 38, 1426270}},
        {4, false, false, 272, 278528, {6425, 6425.0 / 124, 1697858}},
        {4, true, true, 528, 540672, {3309, 3309.0 / 69, 1571439}},
    };
    for (const Hybrid& r : rows) {
        Case c = one_in_flight(testing::qwen3_next(r.fp32), 32768);
        c.scenario.tp = r.tp;
        c.scenario.prefix_caching = r.align;
        const auto g = engine::vllm::make_groups(c.input());
        EXPECT_EQ(engine::vllm::attention_block(c.input()), r.block);
        EXPECT_EQ(g.kinds.kind[0].page, r.page);
        expect(c.plan(20 * gib), r.want);
    }
}

// noonghunna/club-3090#612: Qwen3.6-35B-A3B, fp8 KV, vLLM 0.24.0, 5.98 GiB, prefix caching.
TEST(VllmPlan, LoggedQwen36) {
    Case c;
    c.model = testing::hybrid_delta(10, {16, 2, 256}, testing::delta_net(16, 32, true));
    c.scenario.engine_version = at(24);
    c.scenario.ctx = 131072;
    c.scenario.kv = DType::fp8;
    c.scenario.prefix_caching = true;
    EXPECT_EQ(engine::vllm::attention_block(c.input()), 2096u);
    expect(c.plan(static_cast<std::uint64_t>(5.98 * gib)), {299, 299.0 / 69, 567978});
}

// nvidia/Qwen3.6-27B-NVFP4 on GB10, vLLM 0.23.1rc1: 16 + 1 MTP full layers, 48 states; 48.6 GiB.
TEST(VllmPlan, LoggedMtpWithStates) {
    Case c;
    c.model = testing::hybrid_delta(16, {24, 4, 256}, testing::delta_net(16, 48, true));
    c.model.mtp = {{1, testing::attention_layer({24, 4, 256})}};
    c.scenario.engine_version = at(23);
    c.scenario.ctx = 262144;
    c.scenario.kv = DType::fp8;
    c.scenario.prefix_caching = true;
    c.scenario.spec = {SpecKind::mtp, 2};
    const auto g = engine::vllm::make_groups(c.input());
    EXPECT_EQ(engine::vllm::attention_block(c.input()), 1600u);
    EXPECT_EQ(g.group_layers, 17u);
    EXPECT_EQ(g.padding_layers, 3u);
    EXPECT_EQ(engine::vllm::blocks_needed(c.input(), g, 262144), 164u + 3 * (2 + 2));
    // 936 blocks of 17 * 1600 * 2048 B lie between 48.56 and 48.62 GiB, printed 48.6.
    expect(c.plan(Bytes(936) * (17 * 1600 * 2048)), {936, 936.0 / 176, 1394129});
}

// google/gemma-3-1b-it, vLLM 0.13: 4 full, 22 windows of 512, one KV head of 256; tokens still
// counted as blocks // groups * 16.
TEST(VllmPlan, TokensBefore021) {
    const LayerSpec w = testing::attention_layer({4, 1, 256}, AttnKind::sliding, 512);
    const LayerSpec f = testing::attention_layer({4, 1, 256});
    Case c;
    c.model = testing::model_of({{22, w}, {4, f}});
    c.scenario.engine_version = at(13);
    c.scenario.ctx = 2048;
    c.scenario.max_batched = 8192;
    const auto g = engine::vllm::make_groups(c.input());
    EXPECT_EQ(g.groups, 7u);
    EXPECT_EQ(g.padding_layers, 2u);
    const CachePlan p = c.plan(Bytes(416008) * (4 * 16384));  // 25.39 GiB
    EXPECT_EQ(p.tokens, 950864u);
    EXPECT_NEAR(p.max_concurrency, 461.21, 0.005);
}

// vLLM 0.33 keeps the null block out of the fit check: 10 GiB / 2 MiB = 5120 blocks, 5119 usable.
TEST(VllmPlan, LongestThatFits) {
    Case c;
    c.scenario.ctx = 131072;
    const CachePlan now = c.plan(10 * gib);
    EXPECT_FALSE(now.fits);
    EXPECT_EQ(now.longest_ctx, 81920u);
    c.scenario.engine_version = at(33);
    EXPECT_EQ(c.plan(10 * gib).longest_ctx, 81904u);
}

// The whole pool is one block short of two requests beside the null block.
TEST(VllmPlan, NullBlockHoldsNoRequest) {
    Case c;
    EXPECT_EQ(c.plan(2 * gib).max_requests, 1u);
    EXPECT_DOUBLE_EQ(c.plan(2 * gib).max_concurrency, 2.0);
    EXPECT_EQ(c.plan(2 * gib + 2 * mib).max_requests, 2u);
}

// V0 (0.6): two logs of Llama-3.1-8B on an RTX 3090 (vllm#10517), 3.81 and 2.89 GiB.
TEST(VllmPlan, V0Blocks) {
    Case c;
    c.scenario.engine_version = at(6);
    c.scenario.ctx = 20000;
    const CachePlan p = c.plan(Bytes(1952) * (2 * mib));
    EXPECT_EQ(p.blocks, 1952u);
    EXPECT_EQ(p.tokens, 31232u);
    EXPECT_NEAR(p.max_concurrency, 1.56, 0.005);
    c.scenario.ctx = 29000;
    EXPECT_FALSE(c.plan(Bytes(1478) * (2 * mib)).fits);
}

// Pipeline stages: 61 latent layers over 4 stages, the widest holds 16; all ranks use its blocks.
TEST(VllmPlan, PipelineTakesTheFullestStage) {
    Case c;
    c.model = testing::deepseek_v3();
    c.gpu = testing::h200();
    c.scenario.block = 64;
    c.scenario.pp = 4;
    EXPECT_EQ(c.plan(40 * gib).blocks, 40 * gib / (16 * 64 * 1152));
}

}  // namespace
}  // namespace kvgauge
