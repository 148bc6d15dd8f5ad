// SPDX-License-Identifier: MIT
#include "ui/palette.h"

#include <algorithm>
#include <cmath>

#include <imgui.h>
#include <imgui_internal.h>

#include "text/numbers.h"
#include "text/words.h"
#include "ui/choices.h"
#include "ui/inputs.h"
#include "ui/keys.h"
#include "ui/palette_items.h"

namespace kvgauge::ui {
namespace {

constexpr float kWidth = 600, kTop = 112, kHead = 52, kRow = 42;
constexpr int kRowsMost = 8;

}  // namespace

void open_palette(Session& s, UiState& ui) {
    s.palette.open = s.palette.opening = true;
    s.palette.search.clear();
    s.palette.cursor = 0;
    ui.list.id.clear();
    s.derivation = {};
}

void close_palette(Session& s, UiState& ui) {
    s.palette.open = false;
    s.palette.search.clear();
    ui.editing.id.clear();
    ui.answered.reset();
    ui.focus = kSearchField;
    ui.focus_shown = false;
}

void palette_input(Session& s, UiState& ui, std::string_view text, bool) {
    if (!s.palette.open) {
        if (text.empty()) return;
        open_palette(s, ui);
    }
    s.palette.search = text;
    s.palette.cursor = 0;
    ui.editing.put(text);
}

std::optional<TextField> search_field(const Session& s, const UiState& ui) {
    const bool list = !s.palette.open && !ui.list.id.empty();
    const std::string_view at = s.palette.open ? "palette" : list ? kListSearch : kSearchField;
    for (const Item& i : ui.items) {
        if (i.id != at) continue;
        TextField f{.id = std::string(list ? kListSearch : kSearchField),
                    .x = i.x,
                    .y = i.y,
                    .w = i.w,
                    .h = i.h};
        f.text = list ? ui.list.search : s.palette.search;
        f.placeholder = tr(s.lang(), list ? Str::ui_list_search : Str::ui_top_search);
        f.open = s.palette.open || list;
        return f;
    }
    return std::nullopt;
}

TopAction draw_palette(Ui& base, Session& s, Rect window) {
    PaletteState& p = s.palette;
    const bool opening = p.opening;
    p.opening = false;
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({window.w, window.h});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, 0u);
    ImGui::Begin("##palette", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleColor();
    ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    base.state.items.clear();
    Ui u = base.above();

    if (u.editing("palette")) p.search = u.state.editing.text;
    const std::vector<PaletteItem> items = palette_items(s, p.search, kRowsMost);
    const int n = static_cast<int>(items.size());
    if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) ++p.cursor;
    if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) --p.cursor;
    p.cursor = std::clamp(p.cursor, 0, std::max(n - 1, 0));

    u.fill(window, u.t.scrim);
    const float w = std::min(kWidth, window.w - 24);
    const float rows = static_cast<float>(std::max(n, 1)) * (kRow + 1);
    const Rect box{window.mid_x() - w * .5f, std::min(kTop, window.h * .1f + 16), w,
                   kHead + rows + 18};
    u.shadow(box, 12);
    u.fill(box, u.t.raised, 12);
    u.frame(box, u.t.line_strong, 12);
    const Rect field{box.x, box.y, box.w - 50, kHead};
    if (opening) u.edit("palette", p.search);
    u.state.items.push_back(
        {"palette", ItemKind::text, field.x, field.y, field.w, field.h, true, true});
    if (u.editing("palette")) {
        u.search_box(field.inset(20, 0), Face::t16b, u.tr(Str::ui_top_search));
    }
    u.text_mid(box.right() - 20, field.mid_y(), Face::c12, u.t.text3, "Esc", Align::right);
    u.hline(box.x, box.right(), field.bottom(), u.t.line);

    float y = field.bottom() + 10;
    int chosen = -1;
    for (int i = 0; i < n; ++i) {
        const PaletteItem& item = items[static_cast<std::size_t>(i)];
        const Rect r{box.x + 8, y, box.w - 16, kRow};
        const Hit h = u.hit("palette-" + std::to_string(i), r, ItemKind::button, false);
        const ImVec2 moved = ImGui::GetIO().MouseDelta;
        if (h.hover && (moved.x != 0 || moved.y != 0)) p.cursor = i;
        const bool on = i == p.cursor;
        if (on) u.fill(r, u.t.accent_soft, 8);
        u.text_mid(r.x + 12, r.mid_y(), Face::c12, u.t.text3, u.tr(item.kind));
        const float key_w = u.width(Face::c12, item.key);
        const Face face = on ? Face::b14b : Face::b14;
        const float end = u.text_mid(r.x + 76, r.mid_y(), face, u.t.text,
                                     u.fit(face, item.label, r.right() - r.x - 110 - key_w));
        const float room = r.right() - 24 - key_w - end - 12;
        if (room > 40) {
            u.text_mid(end + 12, r.mid_y(), Face::c12, u.t.text3,
                       u.fit(Face::c12, item.note, room));
        }
        u.text_mid(r.right() - 12, r.mid_y(), Face::c12, u.t.text3,
                   on && item.key.empty() ? "Enter" : item.key, Align::right);
        if (h.click) chosen = i;
        y += kRow + 1;
    }
    if (n == 0)
        u.text_mid(box.x + 20, y + kRow * .5f, Face::b14, u.t.text3, u.tr(Str::ui_list_none));

    const bool enter = ImGui::IsKeyPressed(ImGuiKey_Enter, false) ||
                       ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
    if (enter && !opening && n > 0) chosen = p.cursor;
    bool close = ImGui::IsKeyPressed(ImGuiKey_Escape, false);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (!opening && ImGui::IsMouseClicked(0) && !box.has(mouse.x, mouse.y)) close = true;
    ImGui::End();

    TopAction action = TopAction::none;
    if (chosen >= 0) {
        const PaletteItem& item = items[static_cast<std::size_t>(chosen)];
        action = item.action;
        if (item.scenario) {
            if (ImGui::GetIO().KeyCtrl) {
                s.compare.push_back(*item.scenario);
                s.presentation.view = view_id(View::compare);
            } else {
                s.next = *item.scenario;
            }
        }
        if (item.view) s.presentation.view = view_id(*item.view);
        std::erase(p.recent, item.label);
        p.recent.insert(p.recent.begin(), item.label);
        if (p.recent.size() > 8) p.recent.pop_back();
        close = true;
    }
    if (close) close_palette(s, u.state);
    return action;
}

}  // namespace kvgauge::ui
