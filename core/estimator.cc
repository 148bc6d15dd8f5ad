// SPDX-License-Identifier: MIT
// Composition only: every formula lives in model/ and engine/.
#include "estimator.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "data/speed_constants.h"
#include "engine/shards.h"
#include "estimate_input.h"

namespace kvgauge {
namespace {

// Beside the bits of Stops: inputs made definite, and the speed at one batch.
constexpr Stale kStaleInputs = 1u << 16;
constexpr Stale kStaleAtBatch = 1u << 17;
// Weights and overhead may depend on the lengths and limits a plan depends on.
constexpr Stale kStalePlan = kStopWeights | kStopBudget | kStopPlan | kStopBatch;

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
    add(Part::traffic, {Part::batch});
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
std::uint64_t largest_batch(double max, Good&& good) {
    std::uint64_t low = 0, high = static_cast<std::uint64_t>(std::max(0.0, max));
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

Limit memory_limit(const Estimate& e) {
    if (e.batch->max.value >= 1) {
        const std::uint64_t seqs = e.plan->max_seqs;
        return seqs != 0 && e.plan->max_requests > seqs ? Limit::max_seqs : Limit::memory;
    }
    if (e.budget && !(e.budget->kv.value > 0)) return Limit::weights;
    return Limit::one_request;
}

Cut cut_of(const Scenario& s, const Estimate& e) {
    Cut cut;
    cut.tp = s.tp;
    cut.pp = s.pp;
    cut.dcp = std::max<std::uint64_t>(1, s.dcp);
    cut.ep = s.ep;
    cut.attention_tp = engine::attention_tp(engine_input(s, e));
    // llama.cpp deals layers out unless told otherwise: its GPUs work one after another.
    cut.serial =
        e.engine == EngineId::llamacpp && s.split.value_or(SplitMode::layer) == SplitMode::layer;
    return cut;
}

DraftKind draft_of(const Speculation& s) {
    if (s.tokens == 0 || s.kind == SpecKind::none) return DraftKind::none;
    return s.kind == SpecKind::ngram ? DraftKind::lookup : DraftKind::layers;
}

void warn(Issues& issues, std::string_view key, std::string_view code, std::string text,
          std::vector<std::string> args) {
    issues.push_back({Severity::warning, std::string(key), std::move(text), code, std::move(args)});
}

}  // namespace

Stale stale_by(std::string_view key) {
    // Traffic is not an Estimator's.
    constexpr std::string_view kFree[] = {"gpus",    "lang",    "theme",   "view",
                                          "in-mean", "in-p50",  "in-p95",  "out-mean",
                                          "out-p50", "out-p95", "lengths", "seed"};
    if (std::find(std::begin(kFree), std::end(kFree), key) != std::end(kFree)) return 0;
    if (key == "batch") return kStaleAtBatch;
    if (key == "in" || key == "out") return kStopSpeed | kStaleAtBatch;
    if (key == "tpot-max" || key == "ttft-max") return kStopTargets;
    constexpr std::string_view kLater[] = {
        "ctx",      "tp",       "pp",          "dp",    "dcp",   "ep",
        "util",     "overhead", "kv-budget",   "block", "split", "max-batched",
        "max-seqs", "spec",     "hybrid",      "eager", "slots", "prefix-caching",
        "ubatch",   "unified",  "swa-full",    "ngl",   "kv",    "dp-attention",
        "kv-k",     "kv-v",     "state-dtype",
    };
    if (std::find(std::begin(kLater), std::end(kLater), key) == std::end(kLater)) return kAllStale;
    const std::uint32_t stops = stopped_by(key, false);
    return (stops & kStopPlan) != 0 ? stops | kStalePlan : stops;
}

Estimator::Estimator(const Catalog& catalog, Estimate& into, Part parts)
    : catalog_(catalog), parts_(closed(parts)), e_(into) {}

bool Estimator::does(Part part, std::uint32_t stops) const {
    return wants(parts_, part) && (stops_ & stops) == 0;
}

void Estimator::run(const Scenario& s, Stale stale) {
    if ((stale & kStaleInputs) != 0) read_inputs(s);
    if (!e_.model) return gather_issues();
    if ((stale & kStopKv) != 0) set_types(s);
    if ((stale & (kStopKv | kStopRequest)) != 0) geometry(s);
    if ((stale & kStopParams) != 0) sums();
    if ((stale & kStopTp) != 0) tensor_parallel(s);
    if ((stale & kStopBudget) != 0) budget(s);
    if ((stale & kStopPlan) != 0) plan(s);
    if ((stale & kStopSpeed) != 0) speed_sums(s);
    // Targets bind the batch by speed.
    if ((stale & (kStopBatch | kStopTargets)) != 0 ||
        ((stale & kStopSpeed) != 0 && (s.tpot_max || s.ttft_max))) {
        batch(s);
    }
    if ((stale & (kStopSpeed | kStaleAtBatch)) != 0) {
        e_.speed.reset();
        if (speed_ && wants(parts_, Part::speed)) e_.speed = speed_->at(s.batch);
    }
    if (gather_) gather_issues();
}

void Estimator::read_inputs(const Scenario& s) {
    if (!fresh_) {
        e_ = {};
        for (Issues* i : {&of_inputs_, &of_request_, &of_sums_, &of_weights_, &of_plan_}) {
            i->clear();
        }
    }
    fresh_ = false;
    gather_ = true;
    stops_ = check_ranges(s, of_inputs_);
    e_.engine = s.engine;
    e_.version = s.engine_version.value_or(rules(s.engine).newest);
    ResolvedModel model = resolve_model(s, catalog_, of_inputs_);
    e_.model = std::move(model.model);
    stops_ |= model.stops;
    known_sums_ = model.sums;
    const bool given = s.kv_budget.has_value();
    const bool gpu = resolve_gpu(s, catalog_, e_.gpu, of_inputs_);
    if (!gpu) stops_ |= stopped_by("gpu", given);
    if (gpu && e_.gpu.visible_bytes == 0) stops_ |= stopped_by("gpu-mem", given);
    if (!(e_.gpu.bandwidth > 0) || !(e_.gpu.flops16 > 0)) stops_ |= kStopSpeed;
    if (!e_.model) return;
    e_.cross_tokens = s.cross_tokens.value_or(e_.model->cross_tokens);
    e_.weights = effective_format(*e_.model, s.weights);
}

void Estimator::set_types(const Scenario& s) {
    e_.kv_types = asked_types(s, *e_.model);
    if (s.kv != DType::automatic) return;
    const DType all = rules(e_.engine).kv_auto(engine_input(s, e_));
    e_.kv_types.k = s.kv_k.value_or(all);
    e_.kv_types.v = s.kv_v.value_or(all);
}

void Estimator::geometry(const Scenario& s) {
    gather_ |= !of_request_.empty();
    of_request_.clear();
    const bool request = (stops_ & kStopRequest) == 0;
    e_.ctx = request ? s.ctx : 0;
    e_.kv.reset();
    if (!wants(parts_, Part::geometry) || (stops_ & kStopKv) != 0) return;
    e_.kv = kv_sizes(*e_.model, asked_types(s, *e_.model), request ? s.ctx : 1, e_.cross_tokens);
    if (request &&
        (e_.kv->bytes_per_request.overflow() || e_.kv->bytes_per_request_all_full.overflow())) {
        const double per_token = std::max(1.0, e_.kv->bytes_per_token);
        const auto most =
            static_cast<std::uint64_t>(std::floor(18446744073709551615.0 / per_token));
        overflowed(of_request_, "ctx", "one request", "up to " + std::to_string(most) + " tokens");
        e_.ctx = 0;
        gather_ = true;
    }
}

void Estimator::sums() {
    e_.params.reset();
    e_.checkpoint.reset();
    stream_.reset();
    if (!does(Part::geometry, kStopParams)) return;
    const bool known = known_sums_ != nullptr && e_.weights == e_.model->weights;
    const WeightSums& sums = known ? *known_sums_ : weight_sums(*e_.model, e_.weights);
    if (sums.params.total.overflow() || sums.checkpoint.overflow()) {
        overflowed(of_sums_, "params", "the weights", "a smaller model");
        gather_ = true;
        return;
    }
    e_.params = sums.params;
    e_.checkpoint = sums.checkpoint;
    stream_ = sums.stream;
}

void Estimator::tensor_parallel(const Scenario& s) {
    e_.tp.reset();
    if (does(Part::tp, kStopTp)) e_.tp = rules(e_.engine).tp(engine_input(s, e_), s.tp);
}

void Estimator::budget(const Scenario& s) {
    gather_ |= !of_weights_.empty();
    of_weights_.clear();
    e_.budget.reset();
    e_.weights_per_gpu.reset();
    if (refused()) return;
    const EngineInput in = engine_input(s, e_);
    if (does(Part::budget, kStopBudget)) {
        e_.budget = rules(e_.engine).budget(in);
        if ((stops_ & kStopWeights) == 0) e_.weights_per_gpu = e_.budget->weight_bytes;
    } else if (does(Part::weights, kStopWeights)) {
        e_.weights_per_gpu = rules(e_.engine).weights_per_gpu(in);
    }
    if (e_.weights_per_gpu && e_.weights_per_gpu->overflow()) {
        overflowed(of_weights_, "params", "the weights", "a smaller model");
        gather_ = true;
        e_.weights_per_gpu.reset();
        e_.budget.reset();
    }
}

void Estimator::plan(const Scenario& s) {
    gather_ |= !of_plan_.empty();
    of_plan_.clear();
    e_.plan.reset();
    e_.plan_low.reset();
    e_.plan_high.reset();
    if (refused() || !does(Part::plan, kStopPlan) || e_.ctx == 0) return;
    if (!e_.budget && !s.kv_budget) return;
    const EngineInput in = engine_input(s, e_);
    const EngineRules& r = rules(e_.engine);
    if (s.kv_budget || !e_.budget->kv.low || !e_.budget->kv.high) {
        e_.plan = r.plan(in, s.kv_budget ? Bytes(*s.kv_budget) : whole_bytes(e_.budget->kv.value));
    } else {
        const Bytes kv = whole_bytes(e_.budget->kv.value);
        const Bytes low = whole_bytes(*e_.budget->kv.low), high = whole_bytes(*e_.budget->kv.high);
        if (r.plans != nullptr) {
            const auto three = r.plans(in, {kv, low, high});
            e_.plan = three[0];
            e_.plan_low = three[1];
            e_.plan_high = three[2];
        } else {
            e_.plan = r.plan(in, kv);
            e_.plan_low = r.plan(in, low);
            e_.plan_high = r.plan(in, high);
        }
    }
    if (e_.plan->request_bytes_per_gpu.overflow() || e_.plan->reserved_per_request.overflow()) {
        overflowed(of_plan_, "ctx", "one request", "a shorter context");
        gather_ = true;
        e_.plan.reset();
        e_.plan_low.reset();
        e_.plan_high.reset();
    }
}

void Estimator::batch(const Scenario& s) {
    e_.batch.reset();
    if (!does(Part::batch, kStopBatch)) return;
    if (refused()) {
        e_.batch = Batch{{}, {}, Limit::refused};
    } else if (e_.plan) {
        e_.batch = Batch{requests(e_), {}, Limit::memory};
        e_.batch->limit = memory_limit(e_);
        const bool targets = (s.tpot_max || s.ttft_max) && (stops_ & kStopTargets) == 0;
        if (targets && speed_) within_targets(s);
    }
}

void Estimator::speed_sums(const Scenario& s) {
    speed_.reset();
    if (!wants(parts_, Part::speed) && !s.tpot_max && !s.ttft_max) return;
    if ((stops_ & kStopSpeed) != 0 || !e_.params || !stream_) return;
    SpeedConstants constants =
        speed_constants(e_.engine, e_.gpu, e_.weights.kind, e_.kv_types.k, s.tp);
    if (s.calibration) constants = calibrated(constants, *s.calibration, e_.kv_types.k);
    const Cut cut = cut_of(s, e_);
    // Of llama.cpp only single GPUs and layers dealt out were measured.
    if (e_.engine == EngineId::llamacpp && cut.tp > 1 && !cut.serial) constants.checked_batch = 0;
    const std::uint64_t drafted = s.spec.kind == SpecKind::none ? 0 : s.spec.tokens;
    speed_.emplace(SpeedInput{*e_.model, e_.gpu, *e_.params, *stream_, e_.weights, e_.kv_types,
                              constants, cut, s.in, s.out, drafted, draft_of(s.spec),
                              e_.cross_tokens});
}

// Batch within the service targets, by the best estimate; low and high by the ends of its band.
void Estimator::within_targets(const Scenario& s) {
    const auto find = [&](double bound, End end) {
        return static_cast<double>(largest_batch(bound, [&](std::uint64_t n) {
            const double b = static_cast<double>(n);
            return (!s.tpot_max || speed_->tpot(b, end) <= *s.tpot_max) &&
                   (!s.ttft_max || speed_->ttft(b, end) <= *s.ttft_max);
        }));
    };
    const Quantity& max = e_.batch->max;
    Quantity slo;
    slo.value = find(max.value, End::best);
    slo.low = find(max.low.value_or(max.value), End::high);
    slo.high = find(max.high.value_or(max.value), End::low);
    slo.basis = weaker(max.basis, speed_->basis(slo.value));
    if (slo.value < max.value) {
        const bool tpot_holds = !s.tpot_max || speed_->tpot(slo.value + 1) <= *s.tpot_max;
        e_.batch->limit = tpot_holds ? Limit::ttft : Limit::tpot;
    }
    e_.batch->max_slo = slo;
}

void Estimator::gather_issues() {
    gather_ = false;
    e_.issues.clear();
    for (const Issues* i : {&of_inputs_, &of_request_, &of_sums_, &of_weights_, &of_plan_}) {
        e_.issues.insert(e_.issues.end(), i->begin(), i->end());
    }
}

void add_notes(const Scenario& s, const Estimate& e, Issues& issues) {
    const Count need = Count(s.tp) * s.pp * s.dp;
    if (s.gpus && !need.overflow() && need.value() > *s.gpus) {
        warn(issues, "gpus", "more_gpus",
             "gpus: tp " + std::to_string(s.tp) + " x pp " + std::to_string(s.pp) + " x dp " +
                 std::to_string(s.dp) + " needs " + std::to_string(need.value()) +
                 " GPUs; there are " + std::to_string(*s.gpus) + ".",
             {std::to_string(s.tp), std::to_string(s.pp), std::to_string(s.dp),
              std::to_string(need.value()), std::to_string(*s.gpus)});
    }
    if ((s.kv_k || s.kv_v) && s.engine != EngineId::llamacpp && s.engine != EngineId::none) {
        warn(issues, s.kv_k ? "kv-k" : "kv-v", "kv_parts_engine",
             "kv-k and kv-v are options of llama.cpp; " + std::string(display_name(s.engine)) +
                 " keeps K and V in one dtype.",
             {std::string(display_name(s.engine))});
    }
    if (e.model && e.model->max_ctx != 0 && s.ctx > e.model->max_ctx) {
        const std::uint64_t most = e.model->max_ctx;
        warn(issues, "ctx", "ctx_above_model",
             "ctx: " + std::to_string(s.ctx) + " is above the " + std::to_string(most) +
                 " tokens that " + e.model->name + " is made for.",
             {std::to_string(s.ctx), std::to_string(most), e.model->name});
    }
    if (!e.batch || e.batch->limit == Limit::refused) return;
    const double most = e.batch->max.value;
    if (static_cast<double>(s.batch) > most && most >= 1) {
        const auto n = static_cast<std::uint64_t>(most);
        warn(issues, "batch", "batch_above_max",
             "batch: " + std::to_string(s.batch) + " is above the " + std::to_string(n) +
                 " requests of ctx tokens that fit at once.",
             {std::to_string(s.batch), std::to_string(n)});
    }
}

}  // namespace kvgauge
