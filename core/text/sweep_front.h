// SPDX-License-Identifier: MIT
// Owns: the Pareto front of plans: those that no other plan matches or beats in everything. A plan
// is better with more tokens per second, less time per token, fewer GPUs and less cost.
// Tokens and times take any value, pairs of GPUs and cost only a few, so that each pair has a front
// of its own in two dimensions, and a plan is compared with the fronts of all pairs no worse.
#pragma once
#include <cstdint>
#include <vector>

namespace kvgauge {

struct PlanPoint {
    std::uint64_t index = 0;  // of the sweep
    double tokens_per_s = 0;
    double tpot = 0;
    double gpus = 0, cost = 0;
};

// Indices of the front, in the order of the points. Of equal plans the first stands.
std::vector<std::uint64_t> pareto_front(std::vector<PlanPoint> points);

}  // namespace kvgauge
