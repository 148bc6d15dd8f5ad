// SPDX-License-Identifier: MIT
#include "ui/keys.h"

#include <algorithm>

#include <imgui.h>
#include <imgui_internal.h>

#include "text/link.h"
#include "ui/palette.h"

namespace kvgauge::ui {
namespace {

bool plain(ImGuiKey k) {
    return ImGui::IsKeyPressed(k, false);
}

void view_keys(Session& s) {
    for (int i = 0; i < kViewCount; ++i) {  // 1 to 9, then 0
        const ImGuiKey key = i == 9 ? ImGuiKey_0 : static_cast<ImGuiKey>(ImGuiKey_1 + i);
        if (plain(key)) s.presentation.view = view_id(static_cast<View>(i));
    }
}

}  // namespace

void move_focus(UiState& ui, const std::vector<Item>& items) {
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyCtrl || io.KeyAlt) return;
    if (!ImGui::IsKeyPressed(ImGuiKey_Tab, kKeyOwner, ImGuiInputFlags_Repeat)) return;
    std::vector<const Item*> stops;
    for (const Item& i : items) {
        if (i.stop) stops.push_back(&i);
    }
    if (stops.empty()) return;
    const bool back = io.KeyShift;
    const auto at =
        std::find_if(stops.begin(), stops.end(), [&](const Item* i) { return i->id == ui.focus; });
    const std::ptrdiff_t n = static_cast<std::ptrdiff_t>(stops.size());
    std::ptrdiff_t to = at - stops.begin();
    if (at == stops.end())
        to = back ? n - 1 : 0;
    else
        to = (to + (back ? n - 1 : 1)) % n;  // a page asks tab_stays() first and leaves at the ends
    if (!ui.editing.id.empty()) {
        if (ui.editing.original != ui.editing.text) {
            ui.answered = Answered{ui.editing.id, ui.editing.text};
        }
        ui.editing.id.clear();
    }
    ui.focus = stops[static_cast<std::size_t>(to)]->id;
    ui.rested.clear();
    ui.focus_shown = true;
}

void handle_keys(Session& s, UiState& ui, bool dark) {
    const ImGuiIO& io = ImGui::GetIO();
    const bool command = io.KeyCtrl || io.KeySuper;
    const bool typing = io.WantTextInput || !ui.editing.id.empty();
    if (command && plain(ImGuiKey_K)) {
        if (s.palette.open)
            close_palette(s, ui);
        else
            open_palette(s, ui);
        return;
    }
    if (s.palette.open) return;
    if (!typing && command) {
        if (plain(ImGuiKey_Z)) s.next_history = io.KeyShift ? "redo" : "undo";
        if (plain(ImGuiKey_Y)) s.next_history = "redo";
    }
    if (plain(ImGuiKey_Escape) && !typing && ui.list.id.empty()) {
        if (!s.derivation.row.empty()) {
            ui.focus = "row-" + s.derivation.row;
            s.derivation = {};
        } else {
            ui.focus_shown = false;
        }
    }
    if (typing || command || io.KeyAlt || !ui.list.id.empty()) return;
    view_keys(s);
    if (plain(ImGuiKey_L)) copy_link(s);
    if (plain(ImGuiKey_T)) s.presentation.theme = dark ? "light" : "dark";
    if (plain(ImGuiKey_K)) s.presentation.lang = s.lang() == Lang::ko ? "en" : "ko";
    // By the character, not the key: layouts differ.
    for (const ImWchar c : io.InputQueueCharacters) {
        if (c == '/') open_palette(s, ui);
        if (c == '?') {
            open_palette(s, ui);
            s.palette.search = "?";
        }
    }
}

void claim_keys() {
    ImGui::SetKeyOwner(ImGuiKey_Tab, kKeyOwner);
}

void copy_link(Session& s) {
    const std::string link = format_link(s.scenario, s.presentation, s.unknown_keys);
    if (s.host.copy_text) s.host.copy_text(s.host.page_url + "#" + link);
}

}  // namespace kvgauge::ui
