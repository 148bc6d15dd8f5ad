// SPDX-License-Identifier: MIT
#include "ui/inputs.h"

#include <algorithm>
#include <cmath>

#include "text/numbers.h"
#include "text/words.h"
#include "ui/choices.h"
#include "ui/number_field.h"
#include "ui/number_text.h"
#include "ui/segmented.h"
#include "ui/select.h"
#include "ui/slider.h"

namespace kvgauge::ui {
namespace {

constexpr float kLabel = 96, kRow = 32, kGap = 6;

// Rows run down `c`; each hands out the rectangle of its control.
struct Form {
    Ui& u;
    Session& s;
    Rect c;

    bool differs(std::string_view key) const {
        const Field* f = find_field(key);
        return f != nullptr && !f->get(s.scenario).empty();
    }
    void head(Str key) {
        u.text(c.x, c.y, Face::b14b, u.t.text, u.tr(key));
        c.y += 26;
    }
    Rect row(Str label, std::string_view key) {
        const float cy = c.y + kRow * .5f;
        u.text_mid(c.x, cy, Face::b14, u.t.text2, u.tr(label));
        if (differs(key)) u.circle(c.x - 9, cy, 2.5f, u.t.accent);
        const Rect out{c.x + kLabel, c.y, c.w - kLabel, kRow};
        c.y += kRow + kGap;
        error(key);
        return out;
    }
    Rect tall(std::string_view key) {
        if (differs(key)) u.circle(c.x - 9, c.y + 18, 2.5f, u.t.accent);
        const Rect out{c.x, c.y, c.w, 36};
        c.y += 42;
        error(key);
        return out;
    }
    void caption(std::string_view text) {
        u.text(c.x + 1, c.y - 1, Face::c12, u.t.text3, u.fit(Face::c12, text, c.w));
        c.y += 24;
    }
    void part() { c.y += 8; }
    // What a field refused, under it.
    void error(std::string_view key) {
        if (u.state.error_field != key) return;
        c.y = u.wrap(c.x + 1, c.y - 3, c.w, Face::c12, u.t.bad, u.state.error_text) + 4;
    }
};

void type(Session& s, Ui& u, std::string_view key, const NumberEdit& edit) {
    if (edit.text)
        type_field(s, u.state, key, *edit.text);
    else if (edit.step != 0)
        step_field(s, u.state, key, edit.step);
}

void number(Form& f, Str label, std::string_view key, const std::string& text,
            std::string_view unit, bool soft = false, bool placeholder = false) {
    const Rect r = f.row(label, key);
    type(f.s, f.u, key, number_field(f.u, r, {key, text, unit, soft, placeholder}));
}

void choose(Form& f, Rect r, const Select& what, std::vector<Option> (*options)(const Session&)) {
    const auto chosen = select(f.u, r, what, [&] { return options(f.s); });
    if (chosen) type_field(f.s, f.u.state, what.id, *chosen);
}

void kv_heads_row(Form& f) {
    const Rect r = f.row(Str::ui_in_kv_heads, "kv-heads");
    Session& s = f.s;
    const AttentionSpec* attn = s.estimate.model ? first_attention(*s.estimate.model) : nullptr;
    const bool heads = attn != nullptr && attn->q_heads > 0 && attn->kind != AttnKind::mla &&
                       attn->kind != AttnKind::compressed && attn->kv_heads > 0;
    if (!heads) {
        f.u.text_mid(r.x + 2, r.mid_y(), Face::b14, f.u.t.text3, f.u.tr(Str::ui_in_kv_heads_none));
        return;
    }
    // The model's own number, MHA and MQA; a value in between stands in the list by its number.
    const std::uint64_t own = own_kv_heads(s);
    const std::uint64_t now = s.scenario.kv_heads.value_or(own);
    std::vector<std::uint64_t> values{attn->q_heads};
    if (own != attn->q_heads && own != 1) values.push_back(own);
    const bool other = now != attn->q_heads && now != own && now != 1;
    if (other) values.push_back(now);
    values.push_back(1);
    std::sort(values.rbegin(), values.rend());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    std::vector<Segment> parts;
    int selected = -1;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint64_t v = values[i];
        if (v == now) selected = static_cast<int>(i);
        parts.push_back({other                ? grouped(v)
                         : v == attn->q_heads ? "MHA"
                         : v == 1             ? "MQA"
                                              : "GQA " + grouped(v),
                         {}});
    }
    const int chosen = segmented(f.u, "kv-heads", r, parts, selected);
    if (chosen < 0) return;
    const std::uint64_t v = values[static_cast<std::size_t>(chosen)];
    s.next.kv_heads = v;
    if (v == own) s.next.kv_heads.reset();
    s.edited_by = "kv-heads";
}

void context_row(Form& f) {
    Session& s = f.s;
    number(f, Str::ui_in_ctx, "ctx", grouped(s.scenario.ctx), f.u.tr(Str::ui_unit_tokens));
    // 512 to 128k, or to the model's own maximum where that is longer.
    const double high =
        std::max(131072.0, s.estimate.model ? static_cast<double>(s.estimate.model->max_ctx) : 0.0);
    const double octaves = std::log2(high / 512);
    float share =
        static_cast<float>(std::log2(static_cast<double>(s.scenario.ctx) / 512) / octaves);
    const Rect r{f.c.x + kLabel + 8, f.c.y - 6, f.c.w - kLabel - 16, 20};
    f.c.y += 20;
    if (!slider(f.u, "ctx-slider", r, share, static_cast<float>(.25 / octaves))) return;
    // Eighths of an octave, in whole blocks of 16 tokens.
    const double tokens = 512 * std::exp2(std::round(share * octaves * 8) / 8);
    s.next.ctx = static_cast<std::uint64_t>(std::max(16.0, std::round(tokens / 16) * 16));
    s.edited_by = "ctx-slider";
}

}  // namespace

void tp_row(Ui& u, Session& s, Rect r) {
    std::vector<std::uint64_t> sizes{1, 2, 4, 8};
    if (u.touch) sizes.push_back(16);
    if (std::find(sizes.begin(), sizes.end(), s.scenario.tp) == sizes.end()) {
        sizes.push_back(s.scenario.tp);
        std::sort(sizes.begin(), sizes.end());
        if (!u.touch && sizes.size() > 4 && s.scenario.tp > 8) sizes.erase(sizes.begin() + 1);
    }
    std::vector<Segment> parts;
    int selected = -1;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        Segment part{grouped(sizes[i]), {}};
        const auto v = tp_verdict(s.scenario, s.catalog, s.scenario.engine, sizes[i]);
        if (v) part.sign = sign_of(v->verdict);
        parts.push_back(part);
        if (sizes[i] == s.scenario.tp) selected = static_cast<int>(i);
    }
    const int chosen = segmented(u, "tp", r, parts, selected);
    if (chosen < 0) return;
    set_tp(s.next, sizes[static_cast<std::size_t>(chosen)]);
    s.edited_by = "tp";
}

void inputs(Ui& u, Session& s, Rect r) {
    Form f{u, s, r.inset(20, 0)};
    f.c.y += 14;
    const Scenario& now = s.scenario;
    const Estimate& e = s.estimate;

    f.head(Str::ui_in_model);
    choose(f, f.tall("model"), {"model", now.model, model_name(s), {}, true, true}, model_options);
    f.caption(e.model ? model_caption(u, *e.model) : std::string(u.tr(Str::ui_in_model_unknown)));
    kv_heads_row(f);
    {
        const std::string size = e.checkpoint ? binary_size(e.checkpoint->real()) : std::string();
        choose(f, f.row(Str::ui_in_weights, "weights"),
               {"weights", name(now.weights), name(e.weights.kind), size}, weight_options);
    }

    f.part();
    f.head(Str::ui_in_hardware);
    choose(f, f.tall("gpu"),
           {"gpu", now.gpu, e.gpu.name.empty() ? now.gpu : e.gpu.name, {}, true, true},
           gpu_options);
    f.caption(gpu_caption(u, e.gpu));
    number(f, Str::ui_in_gpus, "gpus", grouped(now.gpus.value_or(now.tp * now.pp * now.dp)), {});
    tp_row(u, s, f.row(Str::ui_in_tp, "tp"));

    f.part();
    f.head(Str::ui_in_engine);
    choose(f, f.tall("engine"),
           {"engine", engine_word(now.engine, now.engine_version), engine_name(e), {}, true, true},
           engine_options);
    number(f, Str::ui_in_util, "util", util_text(s), u.tr(Str::ui_in_util_unit), !now.util);
    choose(f, f.row(Str::ui_in_kv, "kv"),
           {"kv", name(now.kv), name(now.kv), now.kv == DType::automatic ? name(e.kv_types.k) : ""},
           kv_options);

    f.part();
    f.head(Str::ui_in_workload);
    context_row(f);
    number(f, Str::ui_in_batch, "batch", grouped(now.batch), u.tr(Str::ui_unit_requests));
    {
        Rect o = f.row(Str::ui_in_in_out, "in");
        const Rect a = o.cut_left(o.w * .5f - 4);
        o.cut_left(8);
        type(s, u, "in", number_field(u, a, {"in", grouped(now.in), {}, false}));
        type(s, u, "out", number_field(u, o, {"out", grouped(now.out), {}, false}));
        f.error("out");
    }
    number(f, Str::ui_in_tpot_max, "tpot-max",
           now.tpot_max ? general(*now.tpot_max * 1e3, 4) : std::string(u.tr(Str::ui_in_no_limit)),
           now.tpot_max ? "ms" : "", !now.tpot_max, !now.tpot_max);
}

std::string model_name(const Session& s) {
    if (s.estimate.model && !s.estimate.model->name.empty()) return s.estimate.model->name;
    return s.scenario.model;
}

std::string engine_name(const Estimate& e) {
    std::string out(display_name(e.engine));
    const std::string version = to_string(e.version);
    if (e.engine != EngineId::none && !version.empty()) out += " " + version;
    return out;
}

std::string model_caption(const Ui& u, const ModelSpec& m) {
    const std::string layers = grouped(std::uint64_t{layer_count(m)});
    const AttentionSpec* a = first_attention(m);
    std::uint64_t windows = 0, states = 0, window = 0;
    for (const LayerRun& run : m.layers) {
        const AttnKind k = run.layer.attn.kind;
        if (k == AttnKind::sliding || k == AttnKind::chunked) {
            windows += run.count;
            window = run.layer.attn.window;
        }
        if (k == AttnKind::none) states += run.count;
    }
    if (a == nullptr) return u.tr(Str::ui_model_no_attention, {layers});
    if (states > 0) return u.tr(Str::ui_model_with_state, {layers, grouped(states)});
    if (a->kind == AttnKind::mla || a->kind == AttnKind::compressed) {
        return u.tr(Str::ui_model_latent,
                    {layers, grouped(std::uint64_t{a->mla_rank} + a->mla_rope)});
    }
    if (windows > 0) return u.tr(Str::ui_model_window, {layers, grouped(windows), grouped(window)});
    return u.tr(Str::ui_model_heads,
                {layers, grouped(std::uint64_t{a->q_heads}), grouped(std::uint64_t{a->kv_heads}),
                 grouped(std::uint64_t{a->k_dim})});
}

std::string gpu_caption(const Ui& u, const GpuSpec& g) {
    if (g.visible_bytes == 0) return std::string(u.tr(Str::ui_in_gpu_unknown));
    std::string out = u.tr(Str::ui_gpu_caption, {binary_size(static_cast<double>(g.visible_bytes)),
                                                 bandwidth(g.bandwidth)});
    if (g.flops16 > 0) out += ", " + flop_rate(g.flops16);
    return out;
}

std::string short_words(const Session& s) {
    const Scenario& n = s.scenario;
    const std::uint64_t gpus = n.gpus.value_or(n.tp * n.pp * n.dp);
    std::string out = model_name(s) + ", ";
    if (gpus > 1) out += grouped(gpus) + " × ";
    out += s.estimate.gpu.name.empty() ? n.gpu : s.estimate.gpu.name;
    return out + ", " + engine_name(s.estimate);
}

std::string scenario_words(const Ui&, const Session& s, std::string_view dot) {
    const Scenario& n = s.scenario;
    std::string out = model_name(s);
    out += dot;
    out += grouped(n.gpus.value_or(n.tp * n.pp * n.dp)) + " × ";
    out += s.estimate.gpu.name.empty() ? n.gpu : s.estimate.gpu.name;
    out += dot;
    out += engine_name(s.estimate);
    out += dot;
    out += "TP " + grouped(n.tp);
    return out;
}

}  // namespace kvgauge::ui
