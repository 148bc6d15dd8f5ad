// SPDX-License-Identifier: MIT
#include "text/sweep_front.h"

#include <algorithm>
#include <map>
#include <utility>

namespace kvgauge {
namespace {

// Plans in falling tokens per second; each must need less time per token than all before.
class Front {
  public:
    // Whether a plan of the front is at least as good in both.
    bool covers(double tokens_per_s, double tpot) const {
        // The last plan with at least as many tokens has the least time of all of these.
        const auto after = std::partition_point(
            plans_.begin(), plans_.end(),
            [&](const PlanPoint* p) { return p->tokens_per_s >= tokens_per_s; });
        return after != plans_.begin() && (*(after - 1))->tpot <= tpot;
    }
    void push(const PlanPoint* p) { plans_.push_back(p); }
    const std::vector<const PlanPoint*>& plans() const { return plans_; }

  private:
    std::vector<const PlanPoint*> plans_;
};

}  // namespace

std::vector<std::uint64_t> pareto_front(std::vector<PlanPoint> points) {
    std::sort(points.begin(), points.end(), [](const PlanPoint& a, const PlanPoint& b) {
        if (a.tokens_per_s != b.tokens_per_s) return a.tokens_per_s > b.tokens_per_s;
        if (a.tpot != b.tpot) return a.tpot < b.tpot;
        return a.index < b.index;
    });
    std::map<std::pair<double, double>, Front> fronts;  // by GPUs, then cost
    for (const PlanPoint& p : points) {
        Front& own = fronts[{p.gpus, p.cost}];
        if (!own.covers(p.tokens_per_s, p.tpot)) own.push(&p);
    }
    std::vector<std::uint64_t> kept;
    for (const auto& [size, front] : fronts) {
        for (const PlanPoint* p : front.plans()) {
            bool beaten = false;
            for (const auto& [other, better] : fronts) {
                if (other == size) continue;
                if (other.first > size.first || other.second > size.second) continue;
                if (better.covers(p->tokens_per_s, p->tpot)) {
                    beaten = true;
                    break;
                }
            }
            if (!beaten) kept.push_back(p->index);
        }
    }
    std::sort(kept.begin(), kept.end());
    return kept;
}

}  // namespace kvgauge
