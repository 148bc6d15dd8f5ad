// SPDX-License-Identifier: MIT
#include "ui/log_steps.h"

#include <cmath>

#include "ui/number_text.h"

namespace kvgauge::ui {
namespace {

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
// What is smaller than this is print rounding, not a part.
constexpr double kSmall = 0.03 * kGiB;

const ReconcileRow* find(const Reconciliation& r, LogStep step) {
    for (const ReconcileRow& row : r.rows) {
        if (row.step == step) return &row;
    }
    return nullptr;
}

bool has_observed(const ReconcileRow* row) {
    return row != nullptr && row->observed.has_value();
}

// Graphs fall only where the release takes them from the budget.
bool graphs_fall(const ReconcileRow* row) {
    return row != nullptr && row->cause != Cause::graphs_later && (row->observed || row->predicted);
}

WaterStep part(const Ui& u, const ReconcileRow& row, Color color) {
    WaterStep w;
    w.label = label(row.step, u.lang);
    w.color = color;
    w.observed = row.observed;
    w.predicted = row.predicted;
    w.inside = row.inside || !row.observed || !row.predicted;
    return w;
}

// The part of the GPU that the engine leaves alone.
std::optional<WaterStep> kept_free(const Ui& u, const Observation& o, const ReconcileRow* total,
                                   const ReconcileRow* usable) {
    if (total == nullptr || usable == nullptr) return std::nullopt;
    WaterStep w;
    w.color = u.t.reserve;
    double share = 0;
    if (total->observed && usable->observed) {
        w.observed = std::max(0.0, *total->observed - *usable->observed);
        share = *usable->observed / *total->observed;
    }
    if (total->predicted && usable->predicted) {
        w.predicted = Quantity{std::max(0.0, total->predicted->value - usable->predicted->value)};
        if (share == 0 && total->predicted->value > 0)
            share = usable->predicted->value / total->predicted->value;
    }
    if (!w.observed && !w.predicted) return std::nullopt;
    w.label = u.tr(Str::ui_log_kept_free, {decimals(o.util.value_or(share), 2)});
    return w;
}

}  // namespace

std::optional<double> log_remainder(const Observation& o, const Reconciliation& r) {
    const ReconcileRow *usable = find(r, LogStep::usable), *weights = find(r, LogStep::weights),
                       *activation = find(r, LogStep::activation), *other = find(r, LogStep::other),
                       *graphs = find(r, LogStep::graphs), *kv = find(r, LogStep::kv);
    if (!has_observed(usable) || !has_observed(weights) || !has_observed(activation) ||
        !has_observed(other) || !has_observed(kv))
        return std::nullopt;
    double left = *usable->observed - *weights->observed - *activation->observed -
                  *other->observed - *kv->observed;
    if (graphs_fall(graphs) && o.graphs_estimated) left -= *o.graphs_estimated;
    return left;
}

std::vector<WaterStep> water_steps(const Ui& u, const Observation& o, const Reconciliation& r) {
    std::vector<WaterStep> out;
    const ReconcileRow *total = find(r, LogStep::total), *usable = find(r, LogStep::usable);
    if (total != nullptr && (total->observed || total->predicted)) {
        WaterStep w = part(u, *total, u.t.reserve);
        w.level = true;
        out.push_back(w);
    }
    if (const auto kept = kept_free(u, o, total, usable)) out.push_back(*kept);
    if (const ReconcileRow* w = find(r, LogStep::weights); w && (w->observed || w->predicted))
        out.push_back(part(u, *w, u.t.weights));

    // Parts by name where the log prints them; else what is left of its share as one.
    const ReconcileRow* parts[] = {find(r, LogStep::other), find(r, LogStep::activation),
                                   find(r, LogStep::graphs)};
    const ReconcileRow* beside = find(r, LogStep::beside);
    double named = 0;
    bool any = false;
    for (const ReconcileRow* p : parts) any |= p != parts[2] && has_observed(p);
    if (any) {
        for (const ReconcileRow* p : parts) {
            if (p == nullptr || (!p->observed && !p->predicted)) continue;
            if (p == parts[2] && !graphs_fall(p)) continue;
            out.push_back(part(u, *p, u.t.overhead));
            named += p->observed.value_or(0);
        }
        if (has_observed(beside) && *beside->observed - named > kSmall) {
            WaterStep rest;
            rest.label = u.tr(Str::ui_log_not_printed);
            rest.color = u.t.other;
            rest.observed = *beside->observed - named;
            out.push_back(rest);
        }
    } else if (beside != nullptr) {
        out.push_back(part(u, *beside, u.t.overhead));
    }
    const ReconcileRow* k = find(r, LogStep::kv);
    // llama.cpp allocates what it was asked for; engines with a pool leave nothing.
    if (o.engine == EngineId::llamacpp && !out.empty() && out[0].observed && has_observed(k)) {
        double left = *out[0].observed - *k->observed;
        for (std::size_t i = 1; i < out.size(); ++i) left -= out[i].amount();
        if (left > kSmall) {
            WaterStep free;
            free.label = u.tr(Str::ui_part_free);
            free.color = u.t.reserve;
            free.observed = left;
            out.push_back(free);
        }
    }
    if (k != nullptr && (k->observed || k->predicted)) {
        WaterStep w = part(u, *k, u.t.kv);
        w.level = w.strong = true;
        out.push_back(w);
    }
    return out;
}

}  // namespace kvgauge::ui
