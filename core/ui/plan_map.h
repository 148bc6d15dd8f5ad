// SPDX-License-Identifier: MIT
// Owns: decode throughput over context and concurrency, every request at the given context, with
// the borders that memory and the TPOT limit draw in it. The cells do not depend on the scenario's
// own context and batch, so that moving through the map computes nothing again. Filled some rows a
// frame.
#pragma once
#include <cstdint>
#include <vector>

#include "data/catalog.h"
#include "model/scenario.h"

namespace kvgauge::ui {

struct PlanPoint {
    double rate = 0;     // tokens/s
    double seconds = 0;  // per token
};

class PlanMap {
  public:
    static constexpr int kColumns = 57, kRows = 37;  // corners, so one more than cells

    // Starts again when the scenario differs in more than context, batch and limits. Returns true
    // while rows are missing.
    bool update(const Scenario&, const Catalog&, double ctx_low, double ctx_high,
                double batch_high);
    bool done() const { return filled_ == kRows; }
    int rows() const { return filled_; }
    const PlanPoint& at(int column, int row) const {
        return points_[static_cast<std::size_t>(row * kColumns + column)];
    }
    double ctx(int column) const;
    double batch(int row) const;
    double low() const { return low_; }
    double high() const { return high_; }
    // The batch at which a token takes `seconds` in a column; 0 below the map, beyond it at the
    // top.
    double batch_at(int column, double seconds) const;
    // One point, not rounded to the grid.
    static PlanPoint point(const Scenario&, const Catalog&, double ctx, double batch);

  private:
    Scenario key_;
    bool started_ = false;
    int filled_ = 0;
    double ctx_low_ = 1024, ctx_high_ = 131072, batch_high_ = 512;
    double low_ = 0, high_ = 0;
    std::vector<PlanPoint> points_;
};

}  // namespace kvgauge::ui
