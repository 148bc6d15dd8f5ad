// SPDX-License-Identifier: MIT
#include "kernels/split.h"

#include <gtest/gtest.h>

namespace kvgauge::kernels {
namespace {

TEST(Split, AFullMachineIsNotSplit) {
    // 1056 blocks on 396 slots: three waves as it is; pieces would only add start-ups and merges.
    EXPECT_EQ(choose_split({.work_items = 1056, .length = 8192, .slots = 396}).splits, 1);
}

TEST(Split, OneSequenceFillsTheMachineInOneWave) {
    // 8 kv heads on 132 * 3 = 396 slots: 49 pieces of each are 392 blocks, 50 would be two waves.
    // 32768 keys are 512 tiles; cost = ceil(512 / s) + 10 + 0.22 s falls up to
    // s = sqrt(512 / 0.22) = 48.2, so the best of one wave lies there: 11 tiles, 47 pieces.
    const Split split = choose_split({.work_items = 8, .length = 32768, .slots = 396});
    EXPECT_EQ(split.keys_per_split, 11 * 64);
    EXPECT_EQ(split.splits, 47);
    EXPECT_DOUBLE_EQ(split.cost, 11 + 10 + 0.22 * 47);
}

TEST(Split, CountsThatAreNotPowersOfTwoAreTaken) {
    // 40 blocks on 120 slots: three pieces fill it exactly.
    // 1 piece: 64 + 10 = 74. 2: 32 + 10 + .44. 3: 22 + 10 + .66 = 32.66. 4 is two waves: 2 * 26 +
    // .88.
    EXPECT_EQ(choose_split({.work_items = 40, .length = 4096, .slots = 120}).splits, 3);
}

TEST(Split, PiecesCoverTheLengthAndNoneIsEmpty) {
    for (const std::int64_t length : {1, 63, 64, 65, 255, 256, 257, 1000, 8191, 131072, 1 << 20}) {
        for (const int slots : {1, 40, 132, 396, 592}) {
            for (const std::int64_t items : {1, 2, 8, 64, 500}) {
                const auto all = best_splits({items, length, slots}, 1000);
                ASSERT_FALSE(all.empty());
                for (const Split& s : all) {
                    EXPECT_EQ(s.keys_per_split % split_tile_keys, 0);
                    EXPECT_GE(std::int64_t{s.splits} * s.keys_per_split, length);
                    EXPECT_LT(std::int64_t{s.splits - 1} * s.keys_per_split, length);
                    EXPECT_LE(s.splits, split_max);
                    if (s.splits > 1) {
                        EXPECT_GE(s.keys_per_split, split_min_keys);
                    }
                }
            }
        }
    }
}

TEST(Split, TheBestAreDifferentAndInOrderOfCost) {
    const auto best = best_splits({.work_items = 8, .length = 65536, .slots = 396}, 3);
    ASSERT_EQ(best.size(), 3u);
    EXPECT_LE(best[0].cost, best[1].cost);
    EXPECT_LE(best[1].cost, best[2].cost);
    EXPECT_NE(best[0].splits, best[1].splits);
    EXPECT_NE(best[1].splits, best[2].splits);
}

TEST(Split, CostsOfADeviceMoveTheChoice) {
    const SplitInput input{.work_items = 8, .length = 32768, .slots = 396};
    const int cheap = choose_split(input, {.per_block = 10, .per_partial = 0.01}).splits;
    const int dear = choose_split(input, {.per_block = 10, .per_partial = 5.0}).splits;
    EXPECT_GT(cheap, dear);
}

TEST(Split, NothingToDoIsOnePiece) {
    EXPECT_EQ(choose_split({.work_items = 0, .length = 0, .slots = 0}).splits, 1);
}

}  // namespace
}  // namespace kvgauge::kernels
