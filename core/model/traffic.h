// SPDX-License-Identifier: MIT
// Owns: how many requests of mixed lengths a paged cache serves at once, in place of the maximum
// length for all. Counts in tokens and blocks.
// The expected number is arithmetic: blocks over the mean blocks of a request under way, each
// request counted as long as it runs (one token a step). The number at a preemption rate is a
// simulation of the allocator: a fixed number of requests under way, each starting with its prompt
// and growing by a token a step; when no block is free the youngest gives all of its blocks back
// and starts again with what it had, as vLLM does (v1/core/sched/scheduler.py, preemption by
// recompute). The same seed gives the same numbers.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "model/lengths.h"
#include "model/quantity.h"

namespace kvgauge {

// 400 pairs that stand for two independent shapes, in and out. Empty: a shape says nothing, or its
// numbers contradict each other (p95 below p50, mean below p50).
std::vector<LengthPair> pairs_of(const LengthShape& in, const LengthShape& out, std::uint64_t seed);

struct TrafficInput {
    std::uint64_t blocks = 0, block_tokens = 16;
    std::uint64_t max_seqs = 0;  // requests at once at most; 0: no limit
    std::vector<LengthPair> lengths;
    std::uint64_t seed = 1;
};

struct Traffic {
    double mean_in = 0, mean_out = 0;
    double blocks_per_request = 0;  // of one under way, in the mean
    Quantity expected;              // requests at once
    Quantity at_one_per_cent;       // of which 1 % are preempted; low..high: 95 % interval
    std::uint64_t longest_blocks = 0;
};

// Empty: no lengths, or the longest request alone does not fit.
std::optional<Traffic> traffic(const TrafficInput&);

// The same put to a scenario.
struct TrafficAnswer {
    std::uint64_t block_tokens = 1;  // tokens a block holds
    std::uint64_t blocks = 0;        // usable
    double cut = 0;    // share of requests longer than ctx, which an engine cuts there
    bool even = true;  // false: the cache does not grow by equal blocks (windows, states)
    Traffic traffic;
};

// Share of requests preempted at least once with `concurrency` under way, over `requests` of them.
double preempted_share(const TrafficInput&, std::uint64_t concurrency, std::uint64_t requests,
                       std::uint64_t seed);

}  // namespace kvgauge
