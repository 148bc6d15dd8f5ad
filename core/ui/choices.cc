// SPDX-License-Identifier: MIT
#include "ui/choices.h"

#include <algorithm>
#include <cmath>

#include "text/numbers.h"
#include "text/words.h"
#include "ui/inputs.h"
#include "ui/number_text.h"

namespace kvgauge::ui {
namespace {

std::string model_note(const ModelSpec& m, Lang lang) {
    const std::string layers = grouped(std::uint64_t{layer_count(m)});
    const AttentionSpec* a = first_attention(m);
    if (a == nullptr) return kvgauge::say(lang, Str::ui_list_layers, {layers});
    return kvgauge::say(
        lang, Str::ui_list_layers_heads,
        {layers, grouped(std::uint64_t{a->q_heads}), grouped(std::uint64_t{a->kv_heads})});
}

double value_of(const Session& s, std::string_view key) {
    const Scenario& n = s.scenario;
    if (key == "ctx") return static_cast<double>(n.ctx);
    if (key == "batch") return static_cast<double>(n.batch);
    if (key == "in") return static_cast<double>(n.in);
    if (key == "out") return static_cast<double>(n.out);
    if (key == "gpus") return static_cast<double>(n.gpus.value_or(n.tp * n.pp * n.dp));
    if (key == "util") return n.util.value_or(s.estimate.budget ? s.estimate.budget->util : .9);
    if (key == "tpot-max") return n.tpot_max.value_or(.03) * 1e3;
    return 0;
}

}  // namespace

std::vector<Option> model_options(const Session& s) {
    std::vector<Option> out;
    if (s.scenario.imported) {
        out.push_back(
            {s.scenario.model, s.scenario.imported->name, s.scenario.model_source, false});
    }
    for (const ModelEntry& m : s.catalog.models()) {
        out.push_back({m.spec->id, m.spec->name, model_note(*m.spec, s.lang()), false});
    }
    return out;
}

std::vector<Option> gpu_options(const Session& s) {
    std::vector<Option> out;
    for (const GpuEntry& g : s.catalog.gpus()) {
        std::string note = bandwidth(g.spec.bandwidth);
        if (g.spec.flops16 > 0) note += ", " + flop_rate(g.spec.flops16);
        out.push_back({g.spec.id, g.spec.name, note, false});
    }
    return out;
}

std::vector<Option> engine_options(const Session& s) {
    std::vector<Option> out;
    for (const EngineId id : kEngineIds) {
        const bool now = id == s.scenario.engine;
        const std::string version =
            id == EngineId::none ? std::string() : to_string(rules(id).newest);
        out.push_back(
            {engine_word(id, now ? s.scenario.engine_version : std::nullopt),
             std::string(display_name(id)),
             now && s.scenario.engine_version ? to_string(*s.scenario.engine_version) : version,
             false});
        if (now && s.scenario.engine_version) {  // the way back to the newest rules
            out.push_back(
                {engine_word(id, std::nullopt), std::string(display_name(id)), version, false});
        }
    }
    return out;
}

std::vector<Option> weight_options(const Session& s) {
    std::vector<Option> out;
    out.push_back({"auto", "auto", std::string(tr(s.lang(), Str::ui_list_as_checkpoint)), false});
    for (const WeightKindInfo& k : weight_kinds()) {
        const std::string bits = general(k.bits, 3);
        out.push_back({std::string(k.name), std::string(k.name),
                       kvgauge::say(s.lang(), Str::ui_list_bits, {bits}), false});
    }
    return out;
}

std::vector<Option> kv_options(const Session& s) {
    std::vector<Option> out;
    out.push_back({"auto", "auto", std::string(name(s.estimate.kv_types.k)), false});
    for (const DTypeInfo& d : dtypes()) {
        if (d.type == DType::fp32) continue;
        const std::string bytes = general(bytes_per_element(d.type), 3);
        out.push_back({std::string(d.name), std::string(d.name),
                       kvgauge::say(s.lang(), Str::ui_list_bytes, {bytes}), false});
    }
    return out;
}

std::uint64_t own_kv_heads(const Session& s) {
    const Scenario& n = s.scenario;
    if (n.model == "custom") return n.kv_heads.value_or(1);
    const ModelEntry* entry = n.imported ? nullptr : s.catalog.model(n.model);
    const ModelSpec* m = n.imported         ? n.imported.get()
                         : entry != nullptr ? entry->spec.get()
                                            : nullptr;
    const AttentionSpec* a = m != nullptr ? first_attention(*m) : nullptr;
    return a != nullptr ? a->kv_heads : 1;
}

std::string util_text(const Session& s) {
    return general(value_of(s, "util"), 4);
}

void set_tp(Scenario& s, std::uint64_t tp) {
    s.tp = tp;
    if (s.gpus && *s.gpus < s.tp * s.pp * s.dp) s.gpus.reset();
    if (s.dcp > 1 && tp % s.dcp != 0) s.dcp = 1;
}

void set_gpus(Scenario& s, std::uint64_t gpus) {
    const std::uint64_t others = s.pp * s.dp;
    if (others > 0 && gpus % others == 0 && gpus / others <= 1024) {
        s.tp = gpus / others;
        s.gpus.reset();
    } else {
        s.gpus = gpus;
    }
}

void step_field(Session& s, UiState& state, std::string_view key, double step) {
    double size = 1;
    if (key == "ctx") size = 256;
    if (key == "in" || key == "out") size = 16;
    if (key == "util") size = .01;
    double v = value_of(s, key) + step * size;
    const bool whole = key != "util" && key != "tpot-max";
    if (whole) v = std::max(std::round(v), 1.0);
    const std::string text = whole ? decimals(v, 0) : general(v, 4);
    if (!type_field(s, state, key, text)) return;
    s.edited_by = std::string(key) + "-step";
    // The text being typed follows.
    if (state.editing.id == key) {
        state.editing.original = text;
        state.editing.put(text);
        ++state.editing.generation;
        state.editing.opening = true;
    }
}

}  // namespace kvgauge::ui
