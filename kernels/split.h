// SPDX-License-Identifier: MIT
// How many pieces a KV cache is cut into so that every multiprocessor has work (flash-decoding).
// More pieces fill the machine; each costs a start-up and a partial result to merge. Lengths in
// tokens, costs in tiles of 64 keys.
//
// cost(s) = waves(s) * (tiles(s) + per_block) + per_partial * s, with
// waves(s) = ceil(work_items * s / slots) and tiles(s) = ceil(ceil(length / 64) / s): the form of
// flashinfer's multi-block model (flashinfer PR 4904), whose fit gave about 10 tiles a block and
// 0.22 a partial. Both are arguments because they belong to a GPU, not to the model.
#pragma once

#include <cstdint>
#include <vector>

namespace kvgauge::kernels {

inline constexpr int split_tile_keys = 64;
inline constexpr int split_min_keys = 256;  // below it partial results pass 6 % of the KV bytes
inline constexpr int split_max = 256;

struct SplitCosts {
    double per_block = 10.0;
    double per_partial = 0.22;
};

struct SplitInput {
    std::int64_t work_items = 1;  // batch * kv_heads * head groups: blocks of one split
    std::int64_t length = 0;      // longest sequence
    int slots = 1;                // blocks the device runs at once: multiprocessors * blocks each
};

struct Split {
    int splits = 1;           // pieces of the longest sequence, none of them empty
    int keys_per_split = 64;  // a multiple of 64
    double cost = 0.0;
};

// The piece length that `wanted` pieces come to, after rounding up to whole tiles.
Split make_split(const SplitInput& input, int wanted, const SplitCosts& costs = {});

// The `count` cheapest different splits, cheapest first, for trying on the device.
std::vector<Split> best_splits(const SplitInput& input, int count, const SplitCosts& costs = {});

Split choose_split(const SplitInput& input, const SplitCosts& costs = {});

}  // namespace kvgauge::kernels
