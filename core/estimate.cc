// SPDX-License-Identifier: MIT
// Composition only: every formula lives in model/ and engine/.
#include "estimate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "data/speed_constants.h"
#include "estimate_input.h"

namespace kvgauge {
namespace {

bool wants(Part all, Part one) {
    return (static_cast<std::uint32_t>(all) & static_cast<std::uint32_t>(one)) != 0;
}

// Every part brings what it is computed from.
Part closed(Part p) {
    auto bits = static_cast<std::uint32_t>(p);
    const auto add = [&bits](Part when, std::initializer_list<Part> also) {
        if ((bits & static_cast<std::uint32_t>(when)) == 0) return;
        for (Part a : also) bits |= static_cast<std::uint32_t>(a);
    };
    add(Part::batch, {Part::plan});
    add(Part::plan, {Part::budget, Part::tp});
    add(Part::budget, {Part::weights, Part::tp});
    add(Part::speed, {Part::tp, Part::geometry});
    return static_cast<Part>(bits);
}

Bytes whole_bytes(double v) {
    if (!(v > 0)) return 0;
    if (v >= 18446744073709549568.0) return Bytes::overflowed();
    return static_cast<std::uint64_t>(v);
}

void warn(Issues& issues, std::string_view key, std::string_view code, std::string text,
          std::vector<std::string> args) {
    issues.push_back({Severity::warning, std::string(key), std::move(text), code, std::move(args)});
}

// A sum of bytes that does not fit in 64 bits.
void overflowed(Issues& issues, std::string_view key, std::string_view what, std::string accepted) {
    issues.push_back({Severity::error,
                      std::string(key),
                      std::string(key) + ": " + std::string(what) +
                          " would take more than 16 EiB; accepted is " + accepted + ".",
                      "overflow",
                      {std::string(key), std::string(what), accepted}});
}

KvTypes asked_types(const Scenario& s, const ModelSpec& m) {
    const DType all = s.kv == DType::automatic ? m.kv : s.kv;
    return {s.kv_k.value_or(all), s.kv_v.value_or(all), s.state_dtype};
}

Quantity requests(const Estimate& e) {
    const auto cap = [&e](std::uint64_t n) {
        const std::uint64_t seqs = e.plan->max_seqs;
        return static_cast<double>(seqs != 0 ? std::min(n, seqs) : n);
    };
    Quantity q{cap(e.plan->fits ? e.plan->max_requests : 0), {}, {}, Basis::exact};
    q.basis = weaker(e.budget ? e.budget->kv.basis : Basis::exact,
                     e.plan->assumed ? Basis::assumed : Basis::exact);
    if (e.plan_low && e.plan_high) {
        q.low = cap(e.plan_low->fits ? e.plan_low->max_requests : 0);
        q.high = cap(e.plan_high->fits ? e.plan_high->max_requests : 0);
    }
    return q;
}

// The largest batch in 1..max for which `good` holds; `good` holds up to some batch. 0: none.
template <class Good>
std::uint64_t largest_batch(std::uint64_t max, Good&& good) {
    std::uint64_t low = 0, high = max;
    while (low < high) {
        const std::uint64_t mid = low + (high - low + 1) / 2;
        if (good(mid)) {
            low = mid;
        } else {
            high = mid - 1;
        }
    }
    return low;
}

SpeedInput speed_input(const Scenario& s, const Estimate& e) {
    SpeedConstants constants = speed_constants(e.engine, e.gpu, e.weights.kind, s.tp);
    if (s.calibration) constants = calibrated(constants, *s.calibration, e.kv_types.k);
    SpeedInput in{.model = *e.model,
                  .gpu = e.gpu,
                  .params = *e.params,
                  .weights = e.weights,
                  .kv = e.kv_types,
                  .constants = constants};
    in.tp = s.tp;
    in.pp = s.pp;
    in.batch = s.batch;
    in.in = s.in;
    in.out = s.out;
    in.verify_tokens = 1 + std::uint64_t{s.spec.tokens};
    in.cross_tokens = e.cross_tokens;
    in.ep = s.ep;
    return in;
}

// Batch within the service targets, by the best estimate; low and high by the ends of its band.
void apply_targets(const Scenario& s, Estimate& e) {
    SpeedInput in = speed_input(s, e);
    enum class End { best, slow, fast };
    const auto within = [&](std::uint64_t b, End end, bool tpot, bool ttft) {
        in.batch = b;
        const Speed v = speed(in);
        const auto at = [end](const Quantity& q) {
            return end == End::best   ? q.value
                   : end == End::slow ? q.high.value_or(q.value)
                                      : q.low.value_or(q.value);
        };
        return (!tpot || !s.tpot_max || at(v.tpot) <= *s.tpot_max) &&
               (!ttft || !s.ttft_max || at(v.ttft) <= *s.ttft_max);
    };
    const auto most = [](double v) { return static_cast<std::uint64_t>(std::max(0.0, v)); };
    const Quantity& max = e.batch->max;
    const auto find = [&](double bound, End end) {
        return largest_batch(most(bound),
                             [&](std::uint64_t b) { return within(b, end, true, true); });
    };
    Quantity slo;
    slo.basis = weaker(max.basis, Basis::derived);
    slo.value = static_cast<double>(find(max.value, End::best));
    slo.low = static_cast<double>(find(max.low.value_or(max.value), End::slow));
    slo.high = static_cast<double>(find(max.high.value_or(max.value), End::fast));
    if (slo.value < max.value) {
        const auto next = static_cast<std::uint64_t>(slo.value) + 1;
        e.batch->limit = within(next, End::best, true, false) ? Limit::ttft : Limit::tpot;
    }
    e.batch->max_slo = slo;
}

Limit memory_limit(const Estimate& e) {
    if (e.batch->max.value >= 1) {
        const std::uint64_t seqs = e.plan->max_seqs;
        return seqs != 0 && e.plan->max_requests > seqs ? Limit::max_seqs : Limit::memory;
    }
    if (e.budget && !(e.budget->kv.value > 0)) return Limit::weights;
    return Limit::one_request;
}

void make_plan(const Scenario& s, const EngineInput& in, Estimate& e) {
    const EngineRules& r = rules(e.engine);
    const Bytes kv = s.kv_budget ? Bytes(*s.kv_budget) : whole_bytes(e.budget->kv.value);
    if (!s.kv_budget && e.budget->kv.low && e.budget->kv.high) {
        const Bytes low = whole_bytes(*e.budget->kv.low), high = whole_bytes(*e.budget->kv.high);
        if (r.plans != nullptr) {
            const auto three = r.plans(in, {kv, low, high});
            e.plan = three[0];
            e.plan_low = three[1];
            e.plan_high = three[2];
        } else {
            e.plan = r.plan(in, kv);
            e.plan_low = r.plan(in, low);
            e.plan_high = r.plan(in, high);
        }
    } else {
        e.plan = r.plan(in, kv);
    }
    if (e.plan->request_bytes_per_gpu.overflow() || e.plan->reserved_per_request.overflow()) {
        overflowed(e.issues, "ctx", "one request", "a shorter context");
        e.plan.reset();
        e.plan_low.reset();
        e.plan_high.reset();
    }
}

void check_context(const Scenario& s, Estimate& e) {
    const std::uint64_t most = e.model->max_ctx;
    if (most != 0 && s.ctx > most) {
        warn(e.issues, "ctx", "ctx_above_model",
             "ctx: " + std::to_string(s.ctx) + " is above the " + std::to_string(most) +
                 " tokens that " + e.model->name + " is made for.",
             {std::to_string(s.ctx), std::to_string(most), e.model->name});
    }
}

void check_gpus(const Scenario& s, Estimate& e) {
    const Count need = Count(s.tp) * s.pp * s.dp;
    if (!s.gpus || need.overflow() || need.value() <= *s.gpus) return;
    warn(e.issues, "gpus", "more_gpus",
         "gpus: tp " + std::to_string(s.tp) + " x pp " + std::to_string(s.pp) + " x dp " +
             std::to_string(s.dp) + " needs " + std::to_string(need.value()) + " GPUs; there are " +
             std::to_string(*s.gpus) + ".",
         {std::to_string(s.tp), std::to_string(s.pp), std::to_string(s.dp),
          std::to_string(need.value()), std::to_string(*s.gpus)});
}

void check_batch(const Scenario& s, Estimate& e) {
    const double most = e.batch->max.value;
    if (static_cast<double>(s.batch) <= most || most < 1) return;
    const auto n = static_cast<std::uint64_t>(most);
    warn(e.issues, "batch", "batch_above_max",
         "batch: " + std::to_string(s.batch) + " is above the " + std::to_string(n) +
             " requests of ctx tokens that fit at once.",
         {std::to_string(s.batch), std::to_string(n)});
}

void check_llamacpp_types(const Scenario& s, Estimate& e) {
    if ((!s.kv_k && !s.kv_v) || s.engine == EngineId::llamacpp || s.engine == EngineId::none)
        return;
    warn(e.issues, s.kv_k ? "kv-k" : "kv-v", "kv_parts_engine",
         "kv-k and kv-v are options of llama.cpp; " + std::string(display_name(s.engine)) +
             " keeps K and V in one dtype.",
         {std::string(display_name(s.engine))});
}

void geometry(const Scenario& s, Estimate& e, std::uint32_t stops) {
    if ((stops & kStopKv) == 0) {
        const bool request = (stops & kStopRequest) == 0;
        e.kv = kv_sizes(*e.model, asked_types(s, *e.model), request ? s.ctx : 1, e.cross_tokens);
        if (request &&
            (e.kv->bytes_per_request.overflow() || e.kv->bytes_per_request_all_full.overflow())) {
            const double per_token = e.kv->bytes_per_token;
            overflowed(e.issues, "ctx", "one request",
                       "up to " +
                           std::to_string(static_cast<std::uint64_t>(
                               std::floor(18446744073709551615.0 / std::max(1.0, per_token)))) +
                           " tokens");
            e.ctx = 0;
        }
    }
    if ((stops & kStopParams) == 0) {
        e.params = params(*e.model);
        e.checkpoint = checkpoint_bytes(*e.model, e.weights);
        if (e.params->total.overflow() || e.checkpoint->overflow()) {
            overflowed(e.issues, "params", "the weights", "a smaller model");
            e.params.reset();
            e.checkpoint.reset();
        }
    }
}

}  // namespace

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
    parts = closed(parts);
    std::uint32_t stops = check_ranges(s, e.issues);
    e.engine = s.engine;
    const EngineRules& r = rules(s.engine);
    e.version = s.engine_version.value_or(r.newest);
    ResolvedModel model = resolve_model(s, catalog, e.issues);
    e.model = std::move(model.model);
    stops |= model.stops;
    const bool gpu = resolve_gpu(s, catalog, e.gpu, e.issues);
    if (!gpu) stops |= stopped_by("gpu", s.kv_budget.has_value());
    if (gpu && e.gpu.visible_bytes == 0) stops |= stopped_by("gpu-mem", s.kv_budget.has_value());
    if (!(e.gpu.bandwidth > 0) || !(e.gpu.flops16 > 0)) stops |= kStopSpeed;
    check_gpus(s, e);
    check_llamacpp_types(s, e);
    if (!e.model) return e;

    check_context(s, e);
    e.ctx = (stops & kStopRequest) == 0 ? s.ctx : 0;
    e.cross_tokens = s.cross_tokens.value_or(e.model->cross_tokens);
    e.weights = effective_format(*e.model, s.weights);
    e.kv_types = asked_types(s, *e.model);
    const EngineInput in = engine_input(s, e);
    if (s.kv == DType::automatic) {
        const DType all = r.kv_auto(in);
        e.kv_types.k = s.kv_k.value_or(all);
        e.kv_types.v = s.kv_v.value_or(all);
    }
    // `in` was made before the KV dtype was known.
    const EngineInput input = engine_input(s, e);

    const auto runs = [&](Part p, std::uint32_t stop) {
        return wants(parts, p) && !(stops & stop);
    };
    if (wants(parts, Part::geometry)) geometry(s, e, stops);
    if (runs(Part::tp, kStopTp)) e.tp = r.tp(input, s.tp);
    const bool refused = e.tp && e.tp->verdict == Verdict::error;
    if (!refused) {
        if (runs(Part::budget, kStopBudget)) {
            e.budget = r.budget(input);
            if ((stops & kStopWeights) == 0) e.weights_per_gpu = e.budget->weight_bytes;
        } else if (runs(Part::weights, kStopWeights)) {
            e.weights_per_gpu = r.weights_per_gpu(input);
        }
        if (e.weights_per_gpu && e.weights_per_gpu->overflow()) {
            overflowed(e.issues, "params", "the weights", "a smaller model");
            e.weights_per_gpu.reset();
            e.budget.reset();
        }
        if (runs(Part::plan, kStopPlan) && e.ctx != 0 && (e.budget || s.kv_budget)) {
            make_plan(s, input, e);
        }
    }
    if (runs(Part::batch, kStopBatch)) {
        if (refused) {
            e.batch = Batch{{}, {}, Limit::refused};
        } else if (e.plan) {
            e.batch = Batch{requests(e), {}, Limit::memory};
            e.batch->limit = memory_limit(e);
            const bool targets = (s.tpot_max || s.ttft_max) && (stops & kStopTargets) == 0;
            if (targets && e.params && (stops & kStopSpeed) == 0) apply_targets(s, e);
            check_batch(s, e);
        }
    }
    if (runs(Part::speed, kStopSpeed) && e.params) e.speed = speed(speed_input(s, e));
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
