// SPDX-License-Identifier: MIT
#include "text/reconcile.h"

#include <algorithm>
#include <cmath>

#include "engine/engine.h"
#include "text/log_scenario.h"

namespace kvgauge {
namespace {

constexpr double kGib = 1073741824.0;
// Engines print two decimals of GiB: what was printed lies half a hundredth either side.
constexpr double kPrint = 0.0051 * kGib;
// llama.cpp and Ollama print one or two decimals of MiB, and up to three caches.
constexpr double kMibPrint = 0.16 * 1048576.0;

Quantity exact(double v) {
    return {v, {}, {}, Basis::exact};
}

class Builder {
  public:
    Builder(Reconciliation& r) : r_(r) {}

    // `slack`: how far the print's rounding reaches.
    ReconcileRow& row(LogStep step, std::optional<Quantity> predicted,
                      std::optional<double> observed, double slack, bool count = false) {
        ReconcileRow row;
        row.step = step;
        row.count = count;
        row.predicted = predicted;
        row.observed = observed;
        if (predicted && observed) {
            const double low = predicted->low.value_or(predicted->value) - slack;
            const double high = predicted->high.value_or(predicted->value) + slack;
            row.inside = *observed >= low && *observed <= high;
            ++r_.compared;
            r_.inside += row.inside;
            if (row.inside && predicted->value != *observed && !predicted->low)
                row.cause = Cause::rounding;
            if (!row.inside) row.cause = Cause::unexplained;
        }
        r_.rows.push_back(row);
        return r_.rows.back();
    }

  private:
    Reconciliation& r_;
};

double sum_on_gpus(const std::vector<DeviceBytes>& buffers) {
    double sum = 0;
    for (const DeviceBytes& b : buffers) {
        if (!b.device.starts_with("CPU")) sum += b.bytes;
    }
    return sum;
}

// KV bytes of one rank: what the pool was cut from.
std::optional<double> observed_kv(const Observation& o) {
    if (!o.kv_available.empty())
        return *std::min_element(o.kv_available.begin(), o.kv_available.end());
    return o.kv_bytes;
}

std::optional<double> observed_weights(const Observation& o) {
    if (o.weights) return o.weights;
    if (o.engine == EngineId::llamacpp && !o.model_buffers.empty()) {
        const double gpus = sum_on_gpus(o.model_buffers);
        if (gpus > 0 && o.model_buffers.size() <= 2) return gpus;
    }
    return std::nullopt;
}

// llama.cpp's cache is as long as asked: its bytes are a prediction, not what memory leaves. All
// devices together, as the cache lines count them.
Quantity whole_cache(const Scenario& s, const Estimate& e) {
    Scenario one = s;
    one.tp = 1;
    one.ngl.reset();
    return exact(rules(EngineId::llamacpp).plan(engine_input(one, e), 0).pool_bytes.real());
}

// How the plan of the logged budget may differ from the print: the budget itself is rounded.
void compare_plan(const Observation& o, const EngineInput& in, double kv, Builder& b) {
    const auto plan = [&](double bytes) {
        return rules(in.engine).plan(in, static_cast<std::uint64_t>(std::max(0.0, bytes)));
    };
    const CachePlan best = plan(kv), low = plan(kv - kPrint), high = plan(kv + kPrint);
    const auto range = [](double v, double l, double h) { return Quantity{v, l, h, Basis::exact}; };
    const bool several = o.kv_available.size() > 1 || in.scenario.tp > 1;
    if (o.kv_tokens) {
        const auto tokens = static_cast<double>(*o.kv_tokens);
        ReconcileRow& row =
            b.row(LogStep::tokens_of_budget,
                  range(static_cast<double>(best.tokens), static_cast<double>(low.tokens),
                        static_cast<double>(high.tokens)),
                  tokens, static_cast<double>(best.block_tokens), true);
        if (row.inside) {
            const bool by_length = o.engine == EngineId::vllm &&
                                   in.version >= Version{0, 21, 0, false, 2} &&
                                   best.block_tokens * best.blocks != best.tokens;
            if (in.scenario.dcp > 1) {
                row.cause = Cause::dcp_multiplied;
            } else if (by_length) {
                row.cause = Cause::length_times;
            } else if (o.engine == EngineId::sglang && best.block_tokens > 1) {
                row.cause = Cause::extra_page;
            }
        } else if (several && tokens < static_cast<double>(low.tokens) &&
                   tokens > 0.97 * static_cast<double>(low.tokens)) {
            row.cause = Cause::smallest_rank;
        }
    }
    if (o.blocks && o.engine != EngineId::llamacpp) {
        ReconcileRow& row =
            b.row(LogStep::blocks_of_budget,
                  range(static_cast<double>(best.blocks), static_cast<double>(low.blocks),
                        static_cast<double>(high.blocks)),
                  static_cast<double>(*o.blocks), 1, true);
        if (row.inside && o.engine == EngineId::trtllm) row.cause = Cause::block_rounding;
    }
    if (o.concurrency) {
        ReconcileRow& row =
            b.row(LogStep::concurrency_of_budget,
                  range(best.max_concurrency, low.max_concurrency, high.max_concurrency),
                  *o.concurrency, 0.006, true);
        if (!row.inside && several &&
            *o.concurrency<low.max_concurrency&& * o.concurrency> 0.97 * low.max_concurrency) {
            row.cause = Cause::smallest_rank;
        }
    }
}

}  // namespace

Reconciliation reconcile(const Observation& o, const Scenario& base, const Catalog& catalog,
                         bool known) {
    Reconciliation r;
    LogScenario from = scenario_of_log(o, base, catalog, known);
    r.scenario = std::move(from.scenario);
    r.filled = std::move(from.filled);
    r.model_known = from.model_known;
    r.issues = std::move(from.issues);

    // The prediction knows nothing of the memory the log reports.
    const Estimate e = estimate(r.scenario, catalog, Part::batch);
    r.issues.insert(r.issues.end(), e.issues.begin(), e.issues.end());
    Builder b(r);
    const auto when = [&](bool ok, Quantity q) { return ok ? std::optional(q) : std::nullopt; };
    const bool budget = e.budget.has_value() && r.model_known;

    if (o.total || e.budget) {
        b.row(LogStep::total,
              when(e.budget.has_value(), exact(e.budget ? e.budget->gpu_bytes.real() : 0)), o.total,
              0.002 * o.total.value_or(0));
    }
    // TensorRT-LLM's, LMDeploy's and TGI's fractions are of what is free after loading, not of the
    // GPU.
    const bool of_total = o.engine == EngineId::vllm || o.engine == EngineId::sglang;
    const std::optional<double> usable = o.usable ? o.usable
                                         : o.total && o.util && of_total
                                             ? std::optional(*o.total * *o.util)
                                             : std::nullopt;
    const double share = e.budget ? e.budget->usable_bytes.real() : 0;
    b.row(LogStep::usable, when(e.budget.has_value(), exact(share)), usable,
          kPrint + 0.003 * usable.value_or(0));

    const std::optional<double> weights = observed_weights(o);
    ReconcileRow& w =
        b.row(LogStep::weights, when(budget, exact(e.budget ? e.budget->weight_bytes.real() : 0)),
              weights, kPrint + 0.01 * weights.value_or(0));
    if (w.cause == Cause::unexplained && weights && e.model) {
        if (e.gpu.vendor == "AMD" && *weights > w.predicted->value) {
            w.cause = Cause::padded_weights;
        } else if (e.model->vision_heads != 0 || e.model->vision_params != 0) {
            w.cause = Cause::towers;
        }
    }

    const OverheadParts parts = e.budget && e.budget->parts ? *e.budget->parts : OverheadParts{};
    const bool split = budget && e.budget->parts.has_value();
    std::optional<double> activation = o.activation;
    if (!activation && o.peak_torch && o.weights) activation = *o.peak_torch - *o.weights;
    if (activation || split) {
        b.row(LogStep::activation, when(split, parts.activation), activation, kPrint);
    }
    if (o.non_torch || split) b.row(LogStep::other, when(split, parts.other), o.non_torch, kPrint);
    const bool reserved = parts.graphs.high.has_value();
    if (o.graphs || o.graphs_estimated || reserved) {
        ReconcileRow& g = b.row(LogStep::graphs, when(split && reserved, parts.graphs),
                                o.graphs_estimated ? o.graphs_estimated : o.graphs, kPrint);
        g.cause = !reserved ? Cause::graphs_later : g.inside ? Cause::none : Cause::graphs_counted;
    }

    const std::optional<double> kv = observed_kv(o);
    // The engine's share comes from the log, or from its GPU where that is known from the log.
    const bool gpu_said =
        std::find(r.filled.begin(), r.filled.end(), "gpu") != r.filled.end() && o.util && of_total;
    std::optional<double> taken = usable;
    if (!taken && gpu_said && e.budget) taken = share;
    std::optional<double> beside;
    if (taken && weights && kv && *taken > *weights + *kv) beside = *taken - *weights - *kv;
    if (beside || budget) {
        b.row(LogStep::beside, when(budget, e.budget ? e.budget->overhead : Quantity{}), beside,
              2 * kPrint);
    }
    const bool by_length = o.engine == EngineId::llamacpp;
    const Quantity room = !budget     ? Quantity{}
                          : by_length ? whole_cache(r.scenario, e)
                                      : e.budget->kv;
    ReconcileRow& k = b.row(LogStep::kv, when(budget, room), kv, by_length ? kMibPrint : kPrint);
    if (o.wrapper == "AutoDeploy" && !kv) k.cause = Cause::stand_in;
    if (k.cause == Cause::none && o.kv_available.size() > 1) {
        const auto [least, most] =
            std::minmax_element(o.kv_available.begin(), o.kv_available.end());
        if (*most - *least > kPrint) k.cause = Cause::smallest_rank;
    }

    if (r.model_known && e.plan && e.model) {
        if (kv && *kv > 0) compare_plan(o, engine_input(r.scenario, e), *kv, b);
        if (o.kv_tokens && !r.scenario.kv_budget) {
            const auto tokens = [](const std::optional<CachePlan>& p) {
                return p ? static_cast<double>(p->tokens) : 0.0;
            };
            Quantity q{tokens(e.plan), {}, {}, Basis::derived};
            if (e.plan_low && e.plan_high) {
                q.low = tokens(e.plan_low);
                q.high = tokens(e.plan_high);
            }
            b.row(LogStep::tokens, q, static_cast<double>(*o.kv_tokens),
                  static_cast<double>(e.plan->block_tokens), true);
        }
    }

    // What depends on the GPU's memory says nothing where the log does not name the GPU.
    const bool gpu_known =
        std::any_of(r.filled.begin(), r.filled.end(),
                    [](const std::string& key) { return key == "gpu" || key == "gpu-mem"; });
    for (ReconcileRow& row : r.rows) {
        const bool depends = (row.step == LogStep::kv && !by_length) ||
                             row.step == LogStep::beside || row.step == LogStep::tokens ||
                             row.step == LogStep::activation;
        if (!gpu_known && depends && row.cause == Cause::unexplained) row.cause = Cause::other_gpu;
    }

    if (beside) r.overhead = static_cast<std::uint64_t>(*beside);
    if (kv && *kv > 0) r.kv_budget = static_cast<std::uint64_t>(*kv);
    return r;
}

std::string_view name(LogStep s) {
    constexpr std::string_view names[] = {"log.total",
                                          "log.usable",
                                          "log.weights",
                                          "log.activation",
                                          "log.other",
                                          "log.graphs",
                                          "log.beside",
                                          "log.kv",
                                          "log.bytes_per_token",
                                          "log.tokens_of_budget",
                                          "log.blocks_of_budget",
                                          "log.concurrency_of_budget",
                                          "log.tokens",
                                          "log.state",
                                          "log.window_tokens"};
    return names[static_cast<std::size_t>(s)];
}

}  // namespace kvgauge
