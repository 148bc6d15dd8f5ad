// SPDX-License-Identifier: MIT
// Owns: the points of a sweep: every combination of the values of its axes, estimated one after
// another. What a point does not share with the one before is computed, the rest kept, so that the
// axes run in an order of their own: keys that touch much (model, GPU) slowest, the batch fastest.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "estimator.h"
#include "text/sweep_axes.h"

namespace kvgauge {

class Sweep {
  public:
    // No axis may be without values; the product of their sizes must fit in 64 bits.
    // `traffic`: its rows are asked too.
    Sweep(Scenario base, std::vector<Axis> axes, const Catalog&, bool traffic = false);
    Sweep(const Sweep&) = delete;
    Sweep& operator=(const Sweep&) = delete;

    std::uint64_t size() const { return size_; }
    const std::vector<Axis>& axes() const { return axes_; }  // slowest first

    // Estimates point `index`; the next one after the last costs least.
    void go(std::uint64_t index);
    const Scenario& scenario() const { return scenario_; }
    const Estimate& estimate() const { return estimate_; }
    std::uint32_t value_of(std::size_t axis) const { return digits_[axis]; }

  private:
    // The values of an axis, ready to be put in place.
    struct Values {
        Slot slot;
        Stale stale = kAllStale;
        std::vector<std::uint64_t> whole;
        std::vector<double> real;
    };
    Values prepare(const Axis&);
    void apply(std::size_t axis);

    const Catalog& catalog_;
    Scenario scenario_;
    std::vector<Axis> axes_;
    std::vector<Values> values_;
    std::vector<std::uint32_t> digits_;
    std::uint64_t size_ = 1, at_ = 0;
    Estimate estimate_;
    Estimator estimator_;
    bool started_ = false, traffic_ = false;
};

// Points of the product of these axes; empty: more than 64 bits hold.
std::optional<std::uint64_t> points_of(const std::vector<Axis>&);

}  // namespace kvgauge
