// SPDX-License-Identifier: MIT
// Owns: estimates of many scenarios that differ in a few keys, as a sweep or a drag asks them: what
// the changed keys do not touch is kept from one to the next. estimate() is one run of it.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "estimate.h"

namespace kvgauge {

// What a change of some keys makes stale. Bits; the parts of an estimate and what lies before them.
using Stale = std::uint32_t;
inline constexpr Stale kAllStale = ~Stale{0};
Stale stale_by(std::string_view key);

class Estimator {
  public:
    // Writes into `into`, an empty estimate that outlives this object.
    Estimator(const Catalog&, Estimate& into, Part parts = Part::all);

    // Estimates `s`. `stale`: what may differ from the scenario of the last run. Leaves out the
    // notes, which make text.
    void run(const Scenario& s, Stale stale = kAllStale);
    // The speed model of the last run, for single numbers at other batches; null: it had none.
    const SpeedModel* speed_model() const { return e_.speed && speed_ ? &*speed_ : nullptr; }

  private:
    void read_inputs(const Scenario&);
    void set_types(const Scenario&);
    void geometry(const Scenario&);
    void sums();
    void tensor_parallel(const Scenario&);
    void budget(const Scenario&);
    void plan(const Scenario&);
    void batch(const Scenario&);
    void speed_sums(const Scenario&);
    void within_targets(const Scenario&);
    void gather_issues();
    bool does(Part, std::uint32_t stops) const;
    bool refused() const { return e_.tp && e_.tp->verdict == Verdict::error; }

    const Catalog& catalog_;
    Part parts_;
    std::uint32_t stops_ = 0;  // what wrong inputs take away
    Estimate& e_;
    bool fresh_ = true;
    const WeightSums* known_sums_ = nullptr;
    std::optional<StreamBytes> stream_;
    std::optional<SpeedModel> speed_;
    // Issues of each stage, so that a stage can be run again by itself.
    Issues of_inputs_, of_request_, of_sums_, of_weights_, of_plan_;
    bool gather_ = true;
};

// Warnings that compare finished numbers with what was asked.
void add_notes(const Scenario&, const Estimate&, Issues&);

}  // namespace kvgauge
