// SPDX-License-Identifier: MIT
#include "ui/changes.h"

#include <algorithm>

#include "text/numbers.h"
#include "ui/curves.h"

namespace kvgauge::ui {
namespace {

double requests(const Estimate& e) {
    return e.batch ? e.batch->max.value : 0;
}

bool is_16bit(DType t) {
    return t == DType::bf16 || t == DType::fp16 || t == DType::fp32;
}
bool is_16bit(WeightKind k) {
    return k == WeightKind::bf16 || k == WeightKind::fp16;
}

Change tried(Edit edit, const Scenario& s, const Scenario& after, const Estimate& before,
             const Catalog& catalog) {
    Change c{edit, after, estimate(after, catalog, kWithoutTraffic), requests(before), 0};
    const bool refused = c.estimate.tp && c.estimate.tp->verdict == Verdict::error;
    c.after = refused || has_error(c.estimate.issues) ? 0 : requests(c.estimate);
    (void)s;
    return c;
}

std::vector<Change> candidates(const Scenario& s, const Estimate& now, const Catalog& catalog,
                               bool to_fit) {
    std::vector<Change> out;
    const auto add = [&](Edit edit, const Scenario& after) {
        out.push_back(tried(edit, s, after, now, catalog));
    };
    if (is_16bit(now.kv_types.k) && !s.kv_k) {
        Scenario a = s;
        a.kv = s.engine == EngineId::llamacpp ? DType::q8_0 : DType::fp8;
        add(Edit::kv_fp8, a);
    }
    if (to_fit && now.plan && now.plan->longest_ctx > 0 && now.plan->longest_ctx < s.ctx) {
        Scenario a = s;
        const std::uint64_t longest = now.plan->longest_ctx;
        a.ctx = longest > 1024 ? longest / 1024 * 1024 : longest;
        add(Edit::longest_ctx, a);
    } else if (!to_fit && s.ctx >= 1024) {
        Scenario a = s;
        a.ctx = s.ctx / 2;
        add(Edit::half_ctx, a);
    }
    if (is_16bit(now.weights.kind)) {
        Scenario a = s;
        a.weights = s.engine == EngineId::llamacpp ? WeightKind::q8_0 : WeightKind::fp8;
        add(Edit::weights_fp8, a);
        a.weights = s.engine == EngineId::llamacpp ? WeightKind::q4_k_m : WeightKind::awq;
        add(Edit::weights_int4, a);
    }
    for (const std::uint64_t times : {2u, 4u, 8u}) {
        Scenario a = s;
        a.tp = s.tp * times;
        if (a.tp > 64) break;
        if (s.gpus) a.gpus = *s.gpus * times;
        add(Edit::more_gpus, a);
        if (!to_fit) break;
    }
    // The next GPUs up: the two smallest memories of the same maker that are larger by a tenth.
    std::vector<const GpuSpec*> larger;
    for (const GpuEntry& g : catalog.gpus()) {
        // Of the same maker, and in no way slower.
        if (g.spec.vendor != now.gpu.vendor || g.spec.bandwidth < now.gpu.bandwidth ||
            g.spec.flops16 < now.gpu.flops16) {
            continue;
        }
        const double more = static_cast<double>(now.gpu.visible_bytes) * 1.1;
        if (static_cast<double>(g.spec.visible_bytes) > more) larger.push_back(&g.spec);
    }
    std::stable_sort(larger.begin(), larger.end(), [](const GpuSpec* a, const GpuSpec* b) {
        return a->visible_bytes < b->visible_bytes;
    });
    double last = 0;
    for (int found = 0; const GpuSpec* g : larger) {
        const double memory = static_cast<double>(g->visible_bytes);
        if (memory < last * 1.1) continue;  // the same class again
        last = memory;
        Scenario a = s;
        a.gpu = g->id;
        a.gpu_own = {};
        add(Edit::larger_gpu, a);
        if (++found == 2) break;
    }
    return out;
}

}  // namespace

const std::vector<Change>& Changes::best(const Scenario& s, const Estimate& e, const Catalog& c,
                                         std::uint64_t revision) {
    if (best_revision_ == revision) return best_;
    best_revision_ = revision;
    best_.clear();
    if (!e.batch) return best_;
    std::vector<Change> all = candidates(s, e, c, false);
    std::stable_sort(all.begin(), all.end(),
                     [](const Change& a, const Change& b) { return a.after > b.after; });
    for (Change& change : all) {
        if (best_.size() == 4) break;
        if (change.after <= change.before) continue;
        const bool seen = std::any_of(best_.begin(), best_.end(),
                                      [&](const Change& b) { return b.edit == change.edit; });
        if (!seen) best_.push_back(std::move(change));
    }
    return best_;
}

const std::vector<Change>& Changes::fitting(const Scenario& s, const Estimate& e, const Catalog& c,
                                            std::uint64_t revision) {
    if (fitting_revision_ == revision) return fitting_;
    fitting_revision_ = revision;
    fitting_.clear();
    if (!e.model || e.gpu.visible_bytes == 0) return fitting_;
    for (Change& change : candidates(s, e, c, true)) {
        if (fitting_.size() == 4) break;
        if (change.after >= 1) fitting_.push_back(std::move(change));
    }
    return fitting_;
}

std::string change_label(const Change& c, Lang lang) {
    const auto word = [&](Str s) { return std::string(kvgauge::text(lang, s)); };
    switch (c.edit) {
        case Edit::kv_fp8:
            return word(c.scenario.kv == DType::q8_0 ? Str::ui_change_kv_q8
                                                     : Str::ui_change_kv_fp8);
        case Edit::half_ctx:
        case Edit::longest_ctx:
            return kvgauge::say(lang, Str::ui_change_ctx, {grouped(c.scenario.ctx)});
        case Edit::weights_fp8:
            return word(c.scenario.weights == WeightKind::q8_0 ? Str::ui_change_w_q8
                                                               : Str::ui_change_w_fp8);
        case Edit::weights_int4:
            return word(c.scenario.weights == WeightKind::q4_k_m ? Str::ui_change_w_q4
                                                                 : Str::ui_change_w_int4);
        case Edit::more_gpus: {
            const std::uint64_t all =
                c.scenario.gpus.value_or(c.scenario.tp * c.scenario.pp * c.scenario.dp);
            return kvgauge::say(lang, Str::ui_change_gpus, {grouped(all), grouped(c.scenario.tp)});
        }
        case Edit::larger_gpu:
            return c.estimate.gpu.name;
    }
    return {};
}

}  // namespace kvgauge::ui
