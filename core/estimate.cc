// SPDX-License-Identifier: MIT
#include "estimate.h"

#include <array>

#include "estimate_input.h"
#include "estimate_traffic.h"
#include "estimator.h"

namespace kvgauge {

std::string_view name(Limit l) {
    constexpr std::array<std::string_view, 7> kNames{"memory",  "max_seqs",    "tpot",   "ttft",
                                                     "weights", "one_request", "refused"};
    return kNames[static_cast<std::size_t>(l)];
}

EngineInput engine_input(const Scenario& s, const Estimate& e) {
    return {*e.model, e.gpu, s, e.engine, e.version, e.weights, e.kv_types};
}

Estimate estimate(const Scenario& s, const Catalog& catalog, Part parts) {
    Estimate e;
    Estimator(catalog, e, parts).run(s);
    if (s.calibration && e.speed) {
        Scenario without = s;
        without.calibration.reset();
        e.speed_default = estimate(without, catalog, Part::speed).speed;
    }
    const auto of_traffic = static_cast<std::uint32_t>(Part::traffic);
    if (s.mix.given() && (static_cast<std::uint32_t>(parts) & of_traffic) != 0) {
        add_traffic(s, catalog, e, e.issues);
    }
    add_notes(s, e, e.issues);
    return e;
}

void stop(Estimate& e, const Scenario& s, std::string_view key) {
    const std::uint32_t stops = stopped_by(key, s.kv_budget.has_value());
    if (stops & kStopParams) {
        e.params.reset();
        e.checkpoint.reset();
    }
    if (stops & kStopTp) e.tp.reset();
    if (stops & kStopWeights) e.weights_per_gpu.reset();
    if (stops & kStopBudget) e.budget.reset();
    if (stops & kStopPlan) {
        e.plan.reset();
        e.plan_low.reset();
        e.plan_high.reset();
    }
    if (stops & kStopBatch) e.batch.reset();
    if (stops & kStopSpeed) e.speed.reset();
    if (stops & kStopSpeed) e.speed_default.reset();
    if (stops & kStopTraffic) e.traffic.reset();
    if (stops & kStopKv) e.kv.reset();
    if (stops & kStopRequest) e.ctx = 0;
    if ((stops & kStopTargets) && e.batch) e.batch->max_slo.reset();
    if (key == "gpu") e.gpu = {};
    if (stops == kStopAll) e.model = nullptr;
}

std::optional<TpVerdict> tp_verdict(const Scenario& s, const Catalog& catalog, EngineId engine,
                                    std::uint64_t tp) {
    Scenario other = s;
    other.engine = engine;
    if (engine != s.engine) other.engine_version.reset();
    other.tp = tp;
    const Estimate e = estimate(other, catalog, Part::tp);
    return e.tp;
}

}  // namespace kvgauge
