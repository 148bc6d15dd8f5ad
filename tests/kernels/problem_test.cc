// SPDX-License-Identifier: MIT
#include "kernels/problem.h"

#include <gtest/gtest.h>

#include "kernels/plan.h"

namespace kvgauge::kernels {
namespace {

DecodeProblem llama_3_8b(int tokens) {
    DecodeProblem p;
    p.q_heads = 32;
    p.kv_heads = 8;
    p.head_dim = 128;
    p.max_length = tokens;
    p.scale = 0.088f;
    p.strides = tokens_first(p, tokens);
    return p;
}

TEST(Problem, CostOfOneLayerOfLlama3) {
    // 2 * 8192 * 8 * 128 * 2 B = 33,554,432 B; 4 * 8192 * 32 * 128 FLOP; group 4: 4 FLOP a byte.
    const DecodeCost cost = decode_cost(llama_3_8b(8192), 8192, 1);
    EXPECT_EQ(cost.kv_bytes, 33554432u);
    EXPECT_EQ(cost.flops, 134217728u);
    EXPECT_EQ(cost.flops / cost.kv_bytes, 4u);
    EXPECT_EQ(cost.query_bytes, 2u * 32 * 128 * 2);
    EXPECT_EQ(cost.partial_bytes, 0u);
    // Four splits: 32 heads * 4 * (128 + 2) floats written and read.
    EXPECT_EQ(decode_cost(llama_3_8b(8192), 8192, 4).partial_bytes, 2u * 32 * 4 * 130 * 4);
}

TEST(Problem, StridesOfBothLayouts) {
    const DecodeProblem p = llama_3_8b(100);
    const KvStrides tokens = tokens_first(p, 100);
    EXPECT_EQ(tokens.head, 128);
    EXPECT_EQ(tokens.token, 8 * 128);
    EXPECT_EQ(tokens.block, 100 * 8 * 128);
    const KvStrides heads = heads_first(p, 100);
    EXPECT_EQ(heads.token, 128);
    EXPECT_EQ(heads.head, 100 * 128);
    EXPECT_EQ(heads.block, 100 * 8 * 128);
}

TEST(Problem, RefusalsNameTheValueAndWhatIsAccepted) {
    DecodeProblem p = llama_3_8b(100);
    EXPECT_EQ(refusal(p), "");
    p.head_dim = 72;
    EXPECT_EQ(refusal(p), "head_dim 72: the kernels take 64, 80, 96, 128 and 256");
    p = llama_3_8b(100);
    p.q_heads = 30;
    EXPECT_NE(refusal(p).find("q_heads 30 and kv_heads 8"), std::string::npos);
    p = llama_3_8b(100);
    p.strides.token += 4;  // 8 bytes off
    EXPECT_NE(refusal(p).find("multiple of 16 bytes"), std::string::npos);
    p = llama_3_8b(100);
    const std::int32_t table[7] = {};
    p.page_table = table;
    p.page_tokens = 24;
    EXPECT_NE(refusal(p).find("page of 24 tokens"), std::string::npos);
    p.page_tokens = 16;
    p.table_stride = 6;
    EXPECT_NE(refusal(p).find("too short for max_length 100"), std::string::npos);
    p.table_stride = 7;
    EXPECT_EQ(refusal(p), "");
    p.batch = 0;
    EXPECT_NE(refusal(p).find("batch 0"), std::string::npos);
}

TEST(Plan, HeadsABlockKeepsAndBlocksAGroupNeeds) {
    struct Case {
        int group, head_dim, tiles, blocks;
    };
    for (const Case c :
         {Case{1, 128, 1, 1}, Case{8, 128, 1, 1}, Case{9, 128, 2, 1}, Case{16, 128, 2, 1},
          Case{17, 128, 2, 2}, Case{64, 128, 2, 4}, Case{8, 256, 1, 1}, Case{16, 256, 1, 2}}) {
        DecodeProblem p = llama_3_8b(1000);
        p.q_heads = c.group;
        p.kv_heads = 1;
        p.head_dim = c.head_dim;
        Split split;
        split.splits = 3;
        split.keys_per_split = 384;
        const DecodePlan plan = plan_decode(p, split);
        EXPECT_EQ(plan.head_tiles, c.tiles) << c.group;
        EXPECT_EQ(plan.head_blocks, c.blocks) << c.group;
        EXPECT_EQ(plan.workspace_bytes,
                  static_cast<std::uint64_t>(c.group * 3 * (c.head_dim + 2) * 4));
        EXPECT_EQ(split_input(p, 10).work_items, c.blocks);
    }
}

}  // namespace
}  // namespace kvgauge::kernels
