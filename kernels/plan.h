// SPDX-License-Identifier: MIT
// How a decode problem is laid on a GPU: heads a block, splits, scratch bytes. Plain arithmetic, no
// device needed.
#pragma once

#include <cstdint>

#include "kernels/cuda/params.h"
#include "kernels/problem.h"
#include "kernels/split.h"

namespace kvgauge::kernels {

struct DecodePlan {
    int head_tiles = 1;   // tiles of 8 query heads a block keeps in registers: 1 or 2
    int head_blocks = 1;  // blocks a kv head's group needs
    int splits = 1;
    int keys_per_split = 64;
    std::uint64_t workspace_bytes = 0;  // partial results; 0 with one split
};

// Two head tiles at head_dim 256 spill registers, so groups above 8 take more blocks there; the
// blocks of one kv head are neighbours in the grid and share its bytes through L2.
constexpr int head_tiles_for(int group, int head_dim) {
    return group > dev::kHeadsPerTile && head_dim <= 128 ? 2 : 1;
}

DecodePlan plan_decode(const DecodeProblem& problem, const Split& split);

// What choose_split() needs to know about the problem; `slots` is the device's part.
SplitInput split_input(const DecodeProblem& problem, int slots);

dev::DecodeParams decode_params(const DecodeProblem& problem, const DecodePlan& plan,
                                void* workspace);

}  // namespace kvgauge::kernels
