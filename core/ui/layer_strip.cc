// SPDX-License-Identifier: MIT
#include "ui/layer_strip.h"

#include <algorithm>
#include <cmath>

#include "model/kv_cache.h"
#include "text/numbers.h"
#include "ui/marks.h"

namespace kvgauge::ui {
namespace {

enum class Keeps : std::uint8_t { everything, window, latent, state, shared, cross, nothing };

struct Kind {
    Keeps keeps = Keeps::nothing;
    std::uint64_t window = 0;
    std::uint64_t layers = 0;
    double token_bytes = 0;    // of all its layers
    double request_bytes = 0;  // of all its layers at the scenario's context
    double state_bytes = 0;
};

constexpr float kHigh = 44;

Keeps keeps(const LayerSpec& l) {
    switch (l.attn.kind) {
        case AttnKind::none:
            return l.state.kind == StateKind::none ? Keeps::nothing : Keeps::state;
        case AttnKind::full:
            return l.attn.owns_cache ? Keeps::everything : Keeps::shared;
        case AttnKind::sliding:
        case AttnKind::chunked:
            return l.attn.owns_cache ? Keeps::window : Keeps::shared;
        case AttnKind::mla:
            return l.attn.owns_cache ? Keeps::latent : Keeps::shared;
        case AttnKind::compressed:
            return Keeps::latent;
        case AttnKind::cross:
            return Keeps::cross;
    }
    return Keeps::nothing;
}

std::vector<Kind> kinds_of(const Estimate& e) {
    std::vector<Kind> out;
    for (const LayerRun& run : e.model->layers) {
        const Keeps k = keeps(run.layer);
        auto at = std::find_if(out.begin(), out.end(), [&](const Kind& kind) {
            return kind.keeps == k && kind.window == run.layer.attn.window;
        });
        if (at == out.end()) {
            out.push_back({k, run.layer.attn.window});
            at = out.end() - 1;
        }
        const double n = run.count;
        at->layers += run.count;
        at->token_bytes += n * layer_token_bytes(run.layer, e.kv_types).real();
        at->request_bytes +=
            n * layer_request_bytes(run.layer, e.kv_types, e.ctx, e.cross_tokens).real();
        at->state_bytes += n * layer_state_bytes(run.layer, e.kv_types).real();
    }
    return out;
}

void draw_cell(const Ui& u, Rect c, Keeps k, bool hover) {
    const float radius = c.w >= 6 ? 2.0f : 0.0f;
    const auto from_bottom = [&](float h) { return Rect{c.x, c.bottom() - h, c.w, h}; };
    switch (k) {
        case Keeps::everything:
            u.fill(c, hover ? fade(u.t.kv, .85f) : u.t.kv, radius);
            break;
        case Keeps::window:
            u.fill(from_bottom(22), fade(u.t.kv, hover ? .7f : .45f), radius);
            break;
        case Keeps::latent:
            u.fill(from_bottom(30), fade(u.t.kv, hover ? .9f : .7f), radius);
            break;
        case Keeps::cross:
            u.fill(from_bottom(30), hover ? u.t.other : fade(u.t.other, .8f), radius);
            break;
        case Keeps::state: {
            const Rect r = from_bottom(16);
            u.fill(r, fade(u.t.overhead, hover ? .8f : .55f), radius);
            break;
        }
        case Keeps::shared:
            u.frame(from_bottom(22), u.t.text3, radius);
            break;
        case Keeps::nothing:
            u.fill(from_bottom(2), u.t.line_strong);
            break;
    }
}

void draw_kind_swatch(const Ui& u, float x, float cy, Keeps k) {
    const Rect r{x, std::floor(cy) - 4, 10, 10};
    switch (k) {
        case Keeps::everything:
            u.fill(r, u.t.kv, 2);
            break;
        case Keeps::window:
            u.fill(r, fade(u.t.kv, .45f), 2);
            break;
        case Keeps::latent:
            u.fill(r, fade(u.t.kv, .7f), 2);
            break;
        case Keeps::cross:
            u.fill(r, u.t.other, 2);
            break;
        case Keeps::state:
            u.fill(r, fade(u.t.overhead, .55f), 2);
            break;
        case Keeps::shared:
            u.frame(r, u.t.text3, 2);
            break;
        case Keeps::nothing:
            u.fill({r.x, r.bottom() - 2, 10, 2}, u.t.line_strong);
            break;
    }
}

struct Sentence {
    std::string text, value;
};

Sentence sentence(const Ui& u, const Kind& k) {
    const std::string n = grouped(k.layers);
    switch (k.keeps) {
        case Keeps::everything:
            return {u.tr(Str::ui_layer_full, {n}),
                    u.tr(Str::ui_layer_per_token, {binary_size(k.token_bytes)})};
        case Keeps::window:
            return {u.tr(Str::ui_layer_window, {n, grouped(k.window)}),
                    u.tr(Str::ui_layer_then_nothing, {binary_size(k.request_bytes)})};
        case Keeps::latent:
            return {u.tr(Str::ui_layer_latent, {n}),
                    u.tr(Str::ui_layer_per_token, {binary_size(k.token_bytes)})};
        case Keeps::state:
            return {u.tr(Str::ui_layer_state, {n}),
                    u.tr(Str::ui_layer_per_request, {binary_size(k.state_bytes)})};
        case Keeps::shared:
            return {u.tr(Str::ui_layer_shared, {n}), std::string(u.tr(Str::ui_layer_no_bytes))};
        case Keeps::cross:
            return {u.tr(Str::ui_layer_cross, {n}),
                    u.tr(Str::ui_layer_per_request, {binary_size(k.request_bytes)})};
        case Keeps::nothing:
            return {u.tr(Str::ui_layer_nothing, {n}), {}};
    }
    return {};
}

}  // namespace

float layer_strip(Ui& u, Session& s, Rect r) {
    u.text(r.x, r.y, Face::b14b, u.t.text, u.tr(Str::ui_layer_title));
    const Estimate& e = s.estimate;
    if (!e.model || layer_count(*e.model) == 0) {
        return u.wrap(r.x, r.y + 30, r.w, Face::b14, u.t.text2, u.tr(Str::ui_layer_unknown));
    }
    const float top = r.y + 30;
    const int n = static_cast<int>(std::min<std::uint32_t>(layer_count(*e.model), 1024));
    const float cell = r.w / static_cast<float>(n);
    const float gap = cell >= 8 ? 3.0f : cell >= 4 ? 1.0f : 0.0f;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const Hit strip = u.hit("layers", {r.x, top, r.w, kHigh}, ItemKind::plot, false);
    int index = 0;
    for (const LayerRun& run : e.model->layers) {
        const Keeps k = keeps(run.layer);
        for (std::uint32_t i = 0; i < run.count && index < n; ++i, ++index) {
            const float x0 = std::floor(r.x + static_cast<float>(index) * cell);
            const float x1 = std::floor(r.x + static_cast<float>(index + 1) * cell);
            const Rect c{x0, top, std::max(x1 - x0 - gap, 1.0f), kHigh};
            const bool under = strip.hover && mouse.x >= x0 && mouse.x < x1;
            draw_cell(u, c, k, under);
            if (!under) continue;
            const double token = layer_token_bytes(run.layer, e.kv_types).real();
            const double request =
                layer_request_bytes(run.layer, e.kv_types, e.ctx, e.cross_tokens).real() +
                layer_state_bytes(run.layer, e.kv_types).real();
            const std::string tip =
                u.tr(Str::ui_layer_tip,
                     {grouped(index + 1.0), binary_size(token), binary_size(request)});
            u.text(r.right(), r.y + 2, Face::c12, u.t.text2, tip, Align::right);
        }
    }
    // Numbers: the first, every tenth where there is room, the last.
    const float y = top + kHigh + 6;
    float last = -1e9f;
    const float end_left = r.right() - gap - u.width(Face::c12, grouped(std::uint64_t(n)));
    u.text(r.right() - gap, y, Face::c12, u.t.text3, grouped(std::uint64_t(n)), Align::right);
    const int step = n > 200 ? 50 : 10;
    for (int i = 0; i < n - 1; i = i == 0 ? step - 1 : i + step) {
        const std::string text = grouped(std::uint64_t(i + 1));
        const float w = u.width(Face::c12, text);
        const float left =
            i == 0 ? r.x : r.x + (static_cast<float>(i) + .5f) * cell - w * .5f - gap * .5f;
        if (left < last + 10 || left + w + 18 > end_left) continue;
        last = u.text(left, y, Face::c12, u.t.text3, text);
    }
    // One sentence a kind, wrapped to the next line when the row is full.
    float x = r.x;
    float cy = y + 32;
    std::vector<Kind> kinds = kinds_of(e);
    std::stable_sort(kinds.begin(), kinds.end(),
                     [](const Kind& a, const Kind& b) { return a.keeps < b.keeps; });
    for (const Kind& k : kinds) {
        const Sentence t = sentence(u, k);
        const float w = 16 + u.width(Face::c12, t.text) + 5 + u.width(Face::c12b, t.value) + 28;
        if (x > r.x && x + w - 28 > r.right()) {
            x = r.x;
            cy += 20;
        }
        draw_kind_swatch(u, x, cy, k.keeps);
        const float end = u.text_mid(x + 16, cy, Face::c12, u.t.text2, t.text);
        if (w - 28 > r.w) {  // wider than the row by itself: the value below
            cy += 18;
            u.text_mid(x + 16, cy, Face::c12b, u.t.text, t.value);
        } else {
            u.text_mid(end + 5, cy, Face::c12b, u.t.text, t.value);
        }
        x += w;
    }
    return cy + 8;
}

}  // namespace kvgauge::ui
