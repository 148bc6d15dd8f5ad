// SPDX-License-Identifier: MIT
#include "ui/bars.h"

#include "ui/button.h"
#include "ui/inputs.h"
#include "ui/marks.h"

namespace kvgauge::ui {
namespace {

// A word at the right end that acts. Returns its left edge.
bool word(Ui& u, std::string_view id, float& right, float cy, std::string_view label) {
    const float w = u.width(Face::b14, label);
    const Rect r{right - w - 8, cy - 16, w + 16, 32};
    const Hit h = u.hit(id, r);
    if (h.focus) u.focus_ring(r, 6);
    u.text_mid(right, cy, Face::b14, h.hover ? u.t.text : u.t.text2, label, Align::right);
    right -= w + 20;
    return h.click;
}

}  // namespace

TopAction top_bar(Ui& u, Session& s, Rect r, bool dark) {
    u.fill(r, u.t.side);
    u.hline(r.x, r.right(), r.bottom() - 1, u.t.line);
    const float cy = r.mid_y();
    draw_logo(u, r.x + 20, cy);
    const float name_end = u.text_mid(r.x + 50, cy, Face::t16b, u.t.text, "kvgauge");
    TopAction action = TopAction::none;
    if (r.w < 700) {
        const Rect menu{r.right() - 54, r.y + 4, 44, r.h - 8};
        const Hit h = u.hit("menu", menu);
        for (int i = -1; i <= 1; ++i) {
            u.fill({menu.mid_x() - 10, cy + static_cast<float>(i) * 6 - 1, 20, 2}, u.t.text2, 1);
        }
        if (h.focus) u.focus_ring(menu, 6);
        return h.click ? TopAction::menu : TopAction::none;
    }
    // Laid out from the right, but the keyboard goes left to right: search, link, theme, language.
    const std::string_view language = u.lang == Lang::ko ? "English" : "한국어";
    const std::string_view theme = u.tr(dark ? Str::ui_top_light : Str::ui_top_dark);
    const std::string_view copy = u.tr(Str::ui_top_copy_link);
    float right = r.right() - 20;
    const float theme_right = right - u.width(Face::b14, language) - 20;
    const float copy_left = theme_right - u.width(Face::b14, theme) - 20 - button_width(u, copy);
    const Rect search{copy_left - 12 - 268, cy - 16, 268, 32};
    const float room = search.x - 24 - 324;
    if (r.w >= 1180) {
        u.text_mid(324, cy, Face::b14, u.t.text2,
                   u.fit(Face::b14, scenario_words(u, s, "  ·  "), room));
    }
    (void)name_end;
    // The page's own input lies over it, and has its own place in the order of Tab.
    const Hit h = u.hit("search", search, ItemKind::button, !u.dom_text);
    u.field_box(search, h);
    const float hint_room = search.w - 34 - u.width(Face::c12, "Ctrl K");
    u.text_mid(search.x + 12, cy, Face::b14, u.t.text3,
               u.fit(Face::b14, u.tr(Str::ui_top_search), hint_room));
    u.text_mid(search.right() - 12, cy, Face::c12, u.t.text3, "Ctrl K", Align::right);
    if (h.click) action = TopAction::palette;
    if (button(u, "copy-link", copy_left, cy, copy)) action = TopAction::copy_link;
    float x = theme_right;
    if (word(u, "theme", x, cy, theme)) action = TopAction::theme;
    if (word(u, "language", right, cy, language)) action = TopAction::language;
    return action;
}

void status_bar(Ui& u, Session& s, Rect r) {
    u.fill(r, u.t.side);
    u.hline(r.x, r.right(), r.y, u.t.line);
    const float cy = r.mid_y();
    float x = r.x + 24;
    constexpr std::pair<Basis, Str> marks[] = {{Basis::exact, Str::ui_basis_exact},
                                               {Basis::derived, Str::ui_basis_derived},
                                               {Basis::assumed, Str::ui_basis_assumed},
                                               {Basis::measured, Str::ui_basis_measured}};
    for (const auto& [basis, key] : marks) {
        draw_basis(u, x, cy, basis, basis_color(u.t, basis));
        x = u.text_mid(x + 10, cy, Face::c12, u.t.text3, u.tr(key)) + 18;
    }
    x = draw_range_swatch(u, x - 3, cy);
    x = u.text_mid(x, cy, Face::c12, u.t.text3, u.tr(Str::ui_basis_range));
    // From the right; a hint that has no room is dropped.
    float right = r.right() - 20;
    const std::string parts[] = {
        u.tr(Str::ui_status_rules, {engine_name(s.estimate), s.catalog.revision()}),
        std::string(u.tr(Str::ui_status_keys)), std::string(u.tr(Str::ui_status_click))};
    bool first = true;
    for (const std::string& part : parts) {
        const float w = u.width(Face::c12, part);
        if (right - w - 30 < x) break;
        if (!first) {
            u.text_mid(right - 12, cy, Face::c12, u.t.text3, "·", Align::mid);
            right -= 24;
        }
        u.text_mid(right, cy, Face::c12, u.t.text3, part, Align::right);
        right -= w;
        first = false;
    }
}

}  // namespace kvgauge::ui
