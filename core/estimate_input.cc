// SPDX-License-Identifier: MIT
#include "estimate_input.h"

#include <algorithm>
#include <array>
#include <string>

#include "model/limits.h"

namespace kvgauge {
namespace {

struct KeyStops {
    std::string_view key;
    std::uint32_t stops;
};
constexpr std::uint32_t kAfterKv = kStopPlan | kStopBatch | kStopTraffic;
constexpr std::uint32_t kServing = kStopTp | kStopWeights | kStopBudget | kAfterKv | kStopSpeed;
constexpr std::uint32_t kSizes = kStopParams | kStopWeights | kStopBudget | kAfterKv | kStopSpeed;
// Keys that are not listed (presentation, gpus) take nothing away.
constexpr std::array<KeyStops, 68> kKeyStops{{
    {"model", kStopAll},
    {"model-config", kStopAll},
    {"gguf", kStopAll},
    {"model-dir", kStopAll},
    {"kv-heads", kStopAll},
    {"layers", kStopAll},
    {"head-dim", kStopAll},
    {"window", kStopAll},
    {"window-layers", kStopAll},
    {"mla-rank", kStopAll},
    {"mla-rope", kStopAll},
    {"q-heads", kSizes | kStopTp},
    {"hidden", kSizes},
    {"inter", kSizes | kStopTp},
    {"vocab", kSizes | kStopTp},
    {"params", kSizes},
    {"experts", kSizes | kStopTp},
    {"experts-active", kStopParams | kStopSpeed},
    {"gpu", kStopBudget | kAfterKv | kStopSpeed},
    {"gpu-mem", kStopBudget | kAfterKv},
    {"gpu-bw", kStopSpeed},
    {"gpu-flops", kStopSpeed},
    {"gpu-flops8", kStopSpeed},
    {"gpu-flops4", kStopSpeed},
    {"gpu-link", kStopSpeed},
    {"engine", kServing},
    {"tp", kServing},
    {"pp", kServing},
    {"dp", kServing},
    {"dcp", kServing},
    {"ep", kServing},
    {"weights", kSizes | kStopTp},
    {"kv", kStopKv | kStopRequest | kAfterKv | kStopSpeed},
    {"kv-k", kStopKv | kStopRequest | kAfterKv | kStopSpeed},
    {"kv-v", kStopKv | kStopRequest | kAfterKv | kStopSpeed},
    {"state-dtype", kStopKv | kStopRequest | kAfterKv | kStopSpeed},
    {"ctx", kStopRequest | kAfterKv},
    {"cross-tokens", kStopRequest | kAfterKv | kStopSpeed},
    {"batch", kStopSpeed},
    {"in", kStopSpeed | kStopTraffic},
    {"out", kStopSpeed | kStopTraffic},
    {"util", kStopBudget | kAfterKv},
    {"overhead", kStopBudget | kAfterKv},
    {"kv-budget", kStopBudget | kAfterKv},
    {"block", kAfterKv},
    {"max-batched", kStopBudget | kAfterKv},
    {"max-seqs", kAfterKv},
    {"spec", kStopWeights | kStopBudget | kAfterKv | kStopSpeed},
    {"prefix-caching", kAfterKv},
    {"hybrid", kAfterKv},
    {"eager", kStopBudget | kAfterKv},
    {"slots", kAfterKv},
    {"ubatch", kStopBudget | kAfterKv},
    {"unified", kAfterKv},
    {"swa-full", kAfterKv},
    {"split", kServing},
    {"ngl", kServing},
    {"dp-attention", kServing},
    {"tpot-max", kStopTargets},
    {"ttft-max", kStopTargets},
    {"in-mean", kStopTraffic},
    {"in-p50", kStopTraffic},
    {"in-p95", kStopTraffic},
    {"out-mean", kStopTraffic},
    {"out-p50", kStopTraffic},
    {"out-p95", kStopTraffic},
    {"lengths", kStopTraffic},
    {"seed", kStopTraffic},
}};

std::string joined(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& n : names) {
        if (!out.empty()) out += ", ";
        out += n;
    }
    return out;
}

struct Checker {
    Issues& issues;
    std::uint32_t stops = 0;
    bool budget_given = false;

    void bad(std::string_view key, std::string value, std::string low, std::string high) {
        std::string text = std::string(key) + ": " + value + " is out of range; accepted are " +
                           low + " to " + high + ".";
        issues.push_back({Severity::error,
                          std::string(key),
                          std::move(text),
                          "out_of_range",
                          {std::string(key), std::move(value), std::move(low), std::move(high)}});
        stops |= stopped_by(key, budget_given);
    }
    void check(std::string_view key, std::uint64_t v, limits::Range r) {
        if (r.holds(v)) return;
        bad(key, std::to_string(v), std::to_string(r.min), std::to_string(r.max));
    }
    void check(std::string_view key, const std::optional<std::uint64_t>& v, limits::Range r) {
        if (v) check(key, *v, r);
    }
    void check(std::string_view key, const std::optional<double>& v, limits::RealRange r) {
        if (!v || r.holds(*v)) return;
        bad(key, std::to_string(*v), std::to_string(r.min), std::to_string(r.max));
    }
};

}  // namespace

std::uint32_t stopped_by(std::string_view key, bool kv_budget_given) {
    for (const KeyStops& k : kKeyStops) {
        if (k.key != key) continue;
        const bool geometry = (k.stops & kStopKv) != 0;
        const bool budget = (k.stops & kStopBudget) != 0;
        const bool replaced = key == "util" || key == "overhead" || key == "gpu" ||
                              key == "gpu-mem" || key == "hidden" || key == "params" ||
                              key == "max-batched" || key == "eager";
        if (kv_budget_given && budget && !geometry && replaced) {
            return k.stops & ~static_cast<std::uint32_t>(kAfterKv);
        }
        return k.stops;
    }
    return 0;
}

ResolvedModel resolve_model(const Scenario& s, const Catalog& c, Issues& issues) {
    ResolvedModel out;
    if (s.imported) {
        out.model = s.imported;
        const ModelSpec& m = *s.imported;
        if (!m.params_known && m.stated_params == 0) {
            // A header still knows the bytes of the weights, without the parameters behind them.
            out.stops |= m.weight_bytes != 0 ? kStopParams | kStopSpeed
                                             : stopped_by("params", s.kv_budget.has_value());
            issues.push_back(
                {Severity::error, "params",
                 "params: the model's file does not state all sizes, so its parameters "
                 "cannot be counted.",
                 "params_unknown"});
        }
    } else if (s.model == "custom") {
        return custom_model(s, issues);
    } else if (s.model.empty() && !s.model_source.empty()) {
        out.stops = kStopAll;  // a file that could not be read as a model: its import said why
        return out;
    } else if (const ModelEntry* m = c.model(s.model)) {
        out.model = m->spec;
        out.sums = &m->sums;
    } else {
        const std::string near = joined(c.nearest_models(s.model, 3));
        issues.push_back({Severity::error,
                          "model",
                          "model: \"" + s.model + "\" is no model of the catalog." +
                              (near.empty() ? "" : " Nearest: " + near + "."),
                          near.empty() ? "unknown_model" : "unknown_model_near",
                          {s.model, near}});
        out.stops = kStopAll;
        return out;
    }
    if (!s.kv_heads || !limits::heads.holds(*s.kv_heads)) return out;
    const AttentionSpec* a = first_attention(*out.model);
    const auto heads = static_cast<std::uint32_t>(*s.kv_heads);
    if (a == nullptr || a->kind == AttnKind::mla || a->kind == AttnKind::compressed) {
        issues.push_back({Severity::warning,
                          "kv-heads",
                          "kv-heads changes nothing here: " + out.model->name +
                              " caches a latent or a state, not heads.",
                          "kv_heads_unused",
                          {out.model->name}});
        return out;
    }
    if (heads == a->kv_heads) return out;
    if (a->q_heads != 0 && heads > a->q_heads) {
        issues.push_back({Severity::error,
                          "kv-heads",
                          "kv-heads: " + std::to_string(heads) +
                              " is out of range; accepted are 1 to " + std::to_string(a->q_heads) +
                              ", the query heads of " + out.model->name + ".",
                          "kv_heads_range",
                          {std::to_string(heads), std::to_string(a->q_heads), out.model->name}});
        out.stops = kStopAll;
        return out;
    }
    if (a->q_heads % heads != 0) {
        issues.push_back({Severity::warning,
                          "kv-heads",
                          "kv-heads: " + std::to_string(a->q_heads) +
                              " query heads do not group evenly over " + std::to_string(heads) +
                              " KV heads.",
                          "kv_heads_uneven",
                          {std::to_string(a->q_heads), std::to_string(heads)}});
    }
    out.sums = nullptr;
    out.model = std::make_shared<const ModelSpec>(with_kv_heads(*out.model, heads));
    return out;
}

bool resolve_gpu(const Scenario& s, const Catalog& c, GpuSpec& gpu, Issues& issues) {
    const GpuOverrides& own = s.gpu_own;
    if (s.gpu == "custom") {
        gpu.id = "custom";
        gpu.name = "GPU";
        gpu.assumed = true;
        if (!own.memory) {
            issues.push_back(
                {Severity::error,
                 "gpu-mem",
                 "gpu-mem is missing: gpu=custom needs the memory a process sees, such "
                 "as 80GiB.",
                 "missing_field",
                 {"gpu-mem", "gpu=custom"}});
        }
        if (!own.bandwidth || !own.flops16) {
            const std::string key = own.bandwidth ? "gpu-flops" : "gpu-bw";
            issues.push_back({Severity::warning,
                              key,
                              key + " is missing: without it a custom GPU has no speed.",
                              "missing_speed_field",
                              {key}});
        }
    } else if (const GpuEntry* g = c.gpu(s.gpu)) {
        gpu = g->spec;
    } else {
        const std::string near = joined(c.nearest_gpus(s.gpu, 3));
        issues.push_back({Severity::error,
                          "gpu",
                          "gpu: \"" + s.gpu + "\" is no GPU of the catalog." +
                              (near.empty() ? "" : " Nearest: " + near + "."),
                          near.empty() ? "unknown_gpu" : "unknown_gpu_near",
                          {s.gpu, near}});
        return false;
    }
    if (own.memory) {
        // What the driver counts beyond a process's view stays as it is for this GPU.
        const std::uint64_t kept = gpu.driver_bytes - std::min(gpu.visible_bytes, gpu.driver_bytes);
        gpu.visible_bytes = *own.memory;
        const Count driver = Count(*own.memory) + kept;
        gpu.driver_bytes = driver.overflow() ? *own.memory : driver.value();
        gpu.visible_assumed = false;
    }
    if (own.bandwidth) gpu.bandwidth = *own.bandwidth;
    if (own.flops16) gpu.flops16 = *own.flops16;
    if (own.flops8) {
        gpu.flops8 = *own.flops8;
        if (s.gpu == "custom") gpu.fp8 = true;
    }
    if (own.flops4) gpu.flops4 = *own.flops4;
    if (own.link) gpu.link = *own.link;
    if (!(own == GpuOverrides{})) gpu.assumed = true;
    return true;
}

std::uint32_t check_ranges(const Scenario& s, Issues& issues) {
    namespace l = limits;
    Checker c{issues, 0, s.kv_budget.has_value()};
    c.check("kv-heads", s.kv_heads, l::heads);
    c.check("gpus", s.gpus, l::gpus);
    c.check("gpu-mem", s.gpu_own.memory, l::bytes);
    c.check("gpu-bw", s.gpu_own.bandwidth, l::rate);
    c.check("gpu-flops", s.gpu_own.flops16, l::rate);
    c.check("gpu-flops8", s.gpu_own.flops8, l::rate);
    c.check("gpu-flops4", s.gpu_own.flops4, l::rate);
    c.check("gpu-link", s.gpu_own.link, l::rate);
    c.check("tp", s.tp, l::tp);
    c.check("pp", s.pp, l::parallel);
    c.check("dp", s.dp, l::parallel);
    c.check("dcp", s.dcp, l::parallel);
    c.check("ctx", s.ctx, l::tokens);
    c.check("batch", s.batch, l::batch);
    c.check("in", s.in, l::tokens);
    c.check("out", s.out, l::tokens);
    c.check("util", s.util, l::fraction);
    c.check("overhead", s.overhead, l::bytes_or_none);
    c.check("kv-budget", s.kv_budget, l::bytes_or_none);
    c.check("block", s.block, l::block);
    c.check("max-batched", s.max_batched, l::tokens);
    c.check("max-seqs", s.max_seqs, l::batch);
    c.check("spec", std::uint64_t{s.spec.tokens}, l::spec_tokens);
    c.check("slots", s.slots, l::slots);
    c.check("ubatch", s.ubatch, l::tokens);
    c.check("ngl", s.ngl, l::Range{0, 65536});
    c.check("cross-tokens", s.cross_tokens, l::tokens_or_none);
    c.check("tpot-max", s.tpot_max, l::target_s);
    c.check("ttft-max", s.ttft_max, l::target_s);
    c.check("in-mean", s.mix.in.mean, l::length);
    c.check("in-p50", s.mix.in.p50, l::length);
    c.check("in-p95", s.mix.in.p95, l::length);
    c.check("out-mean", s.mix.out.mean, l::length);
    c.check("out-p50", s.mix.out.p50, l::length);
    c.check("out-p95", s.mix.out.p95, l::length);
    c.check("seed", s.mix.seed, l::seed);
    return c.stops;
}

}  // namespace kvgauge
