// SPDX-License-Identifier: MIT
// Expected values: formulas of SGLang 8905cbd42, TensorRT-LLM 1.2 / 1.4rc, TGI 3.3.7 and LMDeploy
// 0.16, worked out beside each row, and public start-up logs.
#include <gtest/gtest.h>

#include "cases.h"
#include "engine/sglang.h"
#include "engine/trtllm.h"

namespace kvgauge {
namespace {

using testing::Case;

TEST(Sglang, DefaultFraction) {
    struct Row {
        double mib;
        std::uint64_t tp;
        bool mla;
        std::uint64_t chunk, batch;
        double reserved, fraction;
    };
    // reserved = 512 + 1.5 * max(chunk, 2048) + tp / 8 * 1024 + 2 * batch + graphs.
    const Row rows[] = {
        {15360, 1, false, 2048, 8, 4064, 0.735},     {24564, 1, false, 2048, 24, 4096, 0.833},
        {40960, 1, false, 4096, 32, 7248, 0.823},    {46068, 1, false, 4096, 32, 7248, 0.843},
        {81559, 1, false, 8192, 256, 13904, 0.830},  {81559, 2, false, 8192, 256, 14032, 0.828},
        {81559, 8, false, 8192, 512, 15312, 0.812},  {143771, 8, true, 8192, 512, 16384, 0.886},
        {183359, 8, false, 16384, 512, 27728, 0.849}};
    for (const Row& r : rows) {
        engine::sglang::MemoryQuestion q;
        q.gpu_mib = r.mib;
        q.tp = r.tp;
        q.mla = r.mla;
        const auto d = engine::sglang::memory_default(q);
        EXPECT_EQ(d.chunk, r.chunk) << r.mib;
        EXPECT_EQ(d.graph_batch, r.batch) << r.mib;
        EXPECT_DOUBLE_EQ(d.reserved_mib, r.reserved) << r.mib;
        EXPECT_DOUBLE_EQ(d.fraction, r.fraction) << r.mib;
    }
}

// free before 79.10, after load 63.50, fraction 0.874: 63.50 - 79.10 * 0.126 = 53.5334 GiB of
// 131072 B a token.
TEST(Sglang, DenseTokens) {
    Case c;
    const double bytes = (63.50 - 79.10 * (1 - 0.874)) * static_cast<double>(gib);
    const CachePlan p = c.plan(static_cast<std::uint64_t>(bytes), EngineId::sglang);
    EXPECT_EQ(p.tokens, 438545u);
    EXPECT_EQ(p.bytes_per_token_per_gpu, Bytes(131072));
}

TEST(Sglang, WindowPools) {
    Case c;
    c.model = testing::gpt_oss_20b();
    c.scenario.ctx = 131072;
    const auto p = engine::sglang::pools(c.input(EngineId::sglang), 40 * gib);
    // 12 layers * 2048 B full, 0.8 of as much for the windows.
    EXPECT_DOUBLE_EQ(p.cell, 44236.8);
    EXPECT_EQ(p.tokens, 970903u);
    EXPECT_EQ(p.window_tokens, 776722u);
}

TEST(Sglang, RunningRequests) {
    EXPECT_EQ(engine::sglang::max_running_requests(438545, 131072), 2048u);
    EXPECT_EQ(engine::sglang::max_running_requests(1000000, 8192), 4096u);
    EXPECT_EQ(engine::sglang::max_running_requests(1000, 8192), 500u);
}

// Qwen3.5-9B, TP 2: 327310 tokens of 8 layers * 2 heads * 256, K and V 2.5 GiB each; 186 state
// slots of 24 layers (conv 0.1, ssm 4.38 GiB): the states take 0.9 / 1.9 of the rest.
TEST(Sglang, LoggedStates) {
    Case c;
    c.model = testing::hybrid_delta(8, {16, 4, 256}, testing::delta_net(16, 32, true), 4096);
    c.scenario.tp = 2;
    const double token = 8.0 * 2 * 2 * 256 * 2;
    const double budget = 327310 * token * 1.9;
    const auto p =
        engine::sglang::pools(c.input(EngineId::sglang), static_cast<std::uint64_t>(budget) + 1);
    EXPECT_EQ(p.tokens, 327310u);
    EXPECT_NEAR(static_cast<double>(p.state_slots), 186, 1.5);
    // 187 slots * 24 layers * 16 heads * 128 * 128 * 4 B = 4.38 GiB.
    EXPECT_NEAR(187 * p.state_slot.real() / gib, 4.38 + 0.1, 0.02);
}

// grok-2, TP 16, 8 KV heads: one copied head a rank; 64 layers, page 128.
TEST(Sglang, LoggedCopies) {
    Case c;
    c.model = testing::model_of({{64, testing::attention_layer({64, 8, 128})}});
    c.scenario.tp = 16;
    c.scenario.block = 128;
    const CachePlan p = c.plan(Bytes(387968) * (64 * 2 * 128 * 2), EngineId::sglang);
    EXPECT_EQ(p.tokens, 387968u);
}

TEST(Sglang, AttentionDataParallel) {
    Case c;
    c.model = testing::model_of({{48, testing::attention_layer({32, 4, 128})}});
    c.scenario.tp = 2;
    c.scenario.dp = 2;
    c.scenario.dp_attention = true;
    // All four heads on each rank: 48 * 2 * 4 * 128 * 2 = 98304 B.
    EXPECT_EQ(c.plan(10 * gib, EngineId::sglang).bytes_per_token_per_gpu, Bytes(98304));
    EXPECT_EQ(c.tp(2, EngineId::sglang).kv_heads_per_gpu, 4);
}

TEST(TensorRtLlm, EstimateAndRealBytes) {
    Case c;
    c.model = testing::model_of({{48, testing::attention_layer({64, 4, 128})}});
    c.scenario.tp = 8;
    EXPECT_EQ(engine::trtllm::estimated_slope(c.input(EngineId::trtllm)), Bytes(12288));
    EXPECT_EQ(c.plan(10 * gib, EngineId::trtllm).bytes_per_token_per_gpu, Bytes(24576));
}

TEST(TensorRtLlm, TokensOfAFreeFraction) {
    Case c;
    // 0.9 * 60 GiB / 131072 B.
    EXPECT_EQ(c.plan(54 * gib, EngineId::trtllm).tokens, 442368u);
    // Qwen1.5-7B: 0.9 * 21.89 GiB / 32 MiB = 630.4, printed 631.
    c.model = testing::llama3_8b(32);
    c.scenario.block = 64;
    EXPECT_EQ(c.plan(static_cast<std::uint64_t>(0.9 * 21.89 * gib), EngineId::trtllm).blocks, 631u);
}

TEST(TensorRtLlm, WindowsShareTheBudgetEqually) {
    Case c;
    c.model = testing::gemma3_27b();
    c.scenario.ctx = 32768;
    // Half of 20 GiB over 10 full layers of 8192 B.
    EXPECT_EQ(c.plan(20 * gib, EngineId::trtllm).tokens, 131072u);
}

TEST(Tgi, Blocks) {
    Case c;
    EXPECT_EQ(c.plan(40 * gib, EngineId::tgi).blocks, 20480u);
}

TEST(LmDeploy, Blocks) {
    Case c;
    const CachePlan p = c.plan(48 * gib, EngineId::lmdeploy);  // 0.8 of 60 GiB free
    EXPECT_EQ(p.block_tokens, 64u);
    EXPECT_EQ(p.blocks, 6144u);
    EXPECT_EQ(p.pool_bytes / p.blocks, Bytes(8388608));
    // gpt-oss-20b, int4: 24 layers * 8 heads * 2 * (32 + 4) B * 64 = 0.84375 MiB a block.
    c.model = testing::gpt_oss_20b();
    c.scenario.kv = DType::int4;
    EXPECT_EQ(c.plan(gib, EngineId::lmdeploy).bytes_per_token_per_gpu, Bytes(13824));
}

}  // namespace
}  // namespace kvgauge
