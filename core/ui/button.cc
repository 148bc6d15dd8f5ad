// SPDX-License-Identifier: MIT
#include "ui/button.h"

#include <algorithm>

namespace kvgauge::ui {

float button_width(const Ui& u, std::string_view label, std::string_view key) {
    return u.width(Face::b14b, label) + 24 + (key.empty() ? 0 : u.width(Face::c12, key) + 10);
}

bool button(Ui& u, std::string_view id, float x, float cy, std::string_view label,
            std::string_view key, Weight weight, bool enabled) {
    const bool primary = weight == Weight::primary;
    const Rect r{x, cy - u.control() * 0.5f, button_width(u, label, key), u.control()};
    const Hit h = u.hit(id, r, ItemKind::button, enabled);
    if (primary && enabled) {
        u.fill(r, h.hover ? fade(u.t.accent, 0.88f) : u.t.accent, 6);
        if (h.focus) u.focus_ring(r, 6);
    } else {
        u.field_box(r, enabled ? h : Hit{});
    }
    const Color ink = !enabled ? u.t.text3 : primary ? u.t.on_accent : u.t.text;
    // Centred: the width is that of the semibold, so that both weights keep their place.
    const Face face = primary ? Face::b14b : Face::b14;
    const float extra = key.empty() ? 0 : u.width(Face::c12, key) + 10;
    const float left = r.x + (r.w - u.width(face, label) - extra) * 0.5f;
    const float end = u.text_mid(left, cy, face, ink, label);
    if (!key.empty()) u.text_mid(end + 10, cy, Face::c12, primary ? ink : u.t.text3, key);
    return enabled && h.click;
}

bool link(Ui& u, std::string_view id, float x, float y, Face face, std::string_view label, Align a,
          float* end) {
    const float w = u.width(face, label);
    if (a == Align::right) x -= w;
    const float lh = u.line_height(face);
    const Hit h = u.hit(id, {x - 4, y - 4, w + 8, lh + 8}, ItemKind::link);
    if (h.hover) {
        u.hline(x, x + w, y + lh, u.t.accent);
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    }
    if (h.focus) u.focus_ring({x - 2, y, w + 4, lh}, 4);
    u.text(x, y, face, u.t.accent, label);
    if (end != nullptr) *end = x + w;
    return h.click;
}

int tabs(Ui& u, Rect r, std::span<const Tab> all, int selected) {
    int chosen = -1;
    float need = 0;
    for (const Tab& tab : all) need += u.width(Face::b14b, tab.label);
    const float n = static_cast<float>(all.size() - 1);
    const float gap = std::clamp((r.w - need) / std::max(n, 1.0f), 10.0f, 24.0f);
    u.hline(r.x, r.right(), r.bottom(), u.t.line);
    // Where all do not fit, the row stands so that the chosen one and what follows it are seen;
    // dots tell of the others.
    constexpr float kDots = 18;
    const bool over = need + gap * n > r.w;
    std::size_t first = 0;
    if (over) {
        float to_next = 0;  // right end of the tab behind the chosen one
        const auto last =
            static_cast<std::size_t>(std::clamp(selected + 1, 0, static_cast<int>(n)));
        for (std::size_t i = 0; i <= last; ++i) to_next += u.width(Face::b14b, all[i].label) + gap;
        while (first < last && to_next - gap + (first > 0 ? kDots : 0) + kDots > r.w)
            to_next -= u.width(Face::b14b, all[first++].label) + gap;
    }
    float x = r.x;
    if (first > 0) {
        u.text_mid(x, r.mid_y(), Face::b14, u.t.text3, "…");
        x += kDots;
    }
    for (int i = static_cast<int>(first); i < static_cast<int>(all.size()); ++i) {
        const Tab& tab = all[static_cast<std::size_t>(i)];
        const bool ends = i + 1 == static_cast<int>(all.size());
        if (over && x + u.width(Face::b14b, tab.label) + (ends ? 0 : kDots) > r.right() + 1) {
            u.text_mid(x, r.mid_y(), Face::b14, u.t.text3, "…");
            break;
        }
        const bool on = i == selected;
        // The place of the semibold, so that choosing a tab moves nothing.
        const float w = u.width(Face::b14b, tab.label);
        const Hit h =
            u.hit(tab.id, {x - gap * 0.4f, r.y, w + gap * 0.8f, r.h}, ItemKind::button, on);
        u.text_mid(x, r.mid_y(), on ? Face::b14b : Face::b14, on || h.hover ? u.t.text : u.t.text2,
                   tab.label);
        if (on) u.fill({x - 2, r.bottom() - 2, w + 4, 2}, u.t.accent, 1);
        if (h.focus) u.focus_ring({x - 5, r.y + 7, w + 10, r.h - 14}, 6);
        if (h.click) {
            chosen = i;
            u.state.focus = tab.id;
        }
        if (on) {
            const int step = u.key(tab.id, ImGuiKey_RightArrow)  ? 1
                             : u.key(tab.id, ImGuiKey_LeftArrow) ? -1
                                                                 : 0;
            const int next = std::clamp(i + step, 0, static_cast<int>(all.size()) - 1);
            if (next != i) {
                chosen = next;
                u.state.focus = all[static_cast<std::size_t>(next)].id;
            }
        }
        x += w + gap;
    }
    return chosen;
}

}  // namespace kvgauge::ui
