// SPDX-License-Identifier: MIT
#include "ui/plan_map.h"

#include <algorithm>
#include <cmath>

#include "estimate.h"

namespace kvgauge::ui {
namespace {

constexpr int kRowsPerFrame = 6;

}  // namespace

double PlanMap::ctx(int column) const {
    return ctx_low_ * std::pow(ctx_high_ / ctx_low_, column / double{kColumns - 1});
}

double PlanMap::batch(int row) const {
    return std::pow(batch_high_, row / double{kRows - 1});
}

namespace {

// Seconds of one decode step with every request at `ctx`.
double step_seconds(Scenario at, const Catalog& catalog, double ctx, double batch) {
    // The speed model takes the prompt and half of the output as the cache that a step reads.
    at.in = static_cast<std::uint64_t>(std::max(std::llround(ctx) - 1, 1LL));
    at.out = 2;
    at.ctx = std::max<std::uint64_t>(at.ctx, at.in + at.out);
    at.batch = static_cast<std::uint64_t>(std::max(std::llround(batch), 1LL));
    const Estimate e = estimate(at, catalog, Part::speed);
    // Decode alone: the share of other requests' prefill depends on how they arrive.
    return e.speed ? e.speed->step.total() : 0;
}

}  // namespace

PlanPoint PlanMap::point(const Scenario& s, const Catalog& catalog, double ctx, double batch) {
    const double whole = std::max(std::floor(batch), 1.0);
    double seconds = step_seconds(s, catalog, ctx, whole);
    // Between whole batches a straight line, so that the picture has no steps where they are few.
    if (batch > whole && batch < 32) {
        const double next = step_seconds(s, catalog, ctx, whole + 1);
        seconds += (next - seconds) * (batch - whole);
    }
    return {seconds > 0 ? std::max(batch, 1.0) / seconds : 0, seconds};
}

bool PlanMap::update(const Scenario& s, const Catalog& catalog, double ctx_low, double ctx_high,
                     double batch_high) {
    Scenario key = s;
    key.ctx = key.batch = key.in = key.out = 1;
    key.tpot_max.reset();
    key.ttft_max.reset();
    if (!started_ || !(key == key_) || ctx_low != ctx_low_ || ctx_high != ctx_high_ ||
        batch_high != batch_high_) {
        started_ = true;
        key_ = std::move(key);
        ctx_low_ = ctx_low;
        ctx_high_ = ctx_high;
        batch_high_ = batch_high;
        filled_ = 0;
        low_ = high_ = 0;
        points_.assign(std::size_t{kColumns} * kRows, {});
    }
    for (int n = 0; n < kRowsPerFrame && filled_ < kRows; ++n, ++filled_) {
        for (int c = 0; c < kColumns; ++c) {
            const PlanPoint p = point(s, catalog, ctx(c), batch(filled_));
            points_[static_cast<std::size_t>(filled_ * kColumns + c)] = p;
            if (p.rate <= 0) continue;
            low_ = low_ > 0 ? std::min(low_, p.rate) : p.rate;
            high_ = std::max(high_, p.rate);
        }
    }
    return filled_ < kRows;
}

double PlanMap::batch_at(int column, double seconds) const {
    if (filled_ == 0 || at(column, 0).seconds > seconds) return 0;
    for (int row = 1; row < filled_; ++row) {
        const double a = at(column, row - 1).seconds, b = at(column, row).seconds;
        if (b <= seconds) continue;
        const double share = b > a ? (seconds - a) / (b - a) : 0;
        return batch(row - 1) * std::pow(batch(row) / batch(row - 1), share);
    }
    return batch_high_ * 2;
}

}  // namespace kvgauge::ui
