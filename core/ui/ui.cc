// SPDX-License-Identifier: MIT
#include "ui/ui.h"

#include <algorithm>
#include <cstring>

#include <imgui.h>
#include <imgui_internal.h>

namespace kvgauge::ui {

void Editing::put(std::string_view s) {
    const std::size_t n = std::min(s.size(), sizeof text - 1);
    std::memcpy(text, s.data(), n);
    text[n] = 0;
}

Ui Ui::here() const {
    Ui u(ImGui::GetWindowDrawList(), t, fonts, state, lang, touch);
    u.trace = trace;
    u.dom_text = dom_text;
    u.topmost = topmost;
    return u;
}

Ui Ui::above() const {
    Ui u = here();
    u.topmost = true;
    return u;
}

Hit Ui::hit(std::string_view id, Rect r, ItemKind kind, bool stop) {
    ImGui::SetCursorScreenPos({r.x, r.y});
    ImGui::PushID(id.data(), id.data() + id.size());
    const bool pressed = ImGui::InvisibleButton("", {std::max(r.w, 1.0f), std::max(r.h, 1.0f)});
    Hit h;
    h.hover = ImGui::IsItemHovered();
    h.held = ImGui::IsItemActive();
    if (ImGui::IsItemActivated()) {
        if (editing(state.focus) && state.focus != id) edit_end(true);
        state.focus = stop ? std::string(id) : std::string();
        state.rested.clear();
        state.focus_shown = false;
    }
    ImGui::PopID();
    const bool here = stop && focused(id);
    h.click = pressed || (here && kind != ItemKind::text &&
                          (key(id, ImGuiKey_Enter, false) || key(id, ImGuiKey_KeypadEnter, false) ||
                           key(id, ImGuiKey_Space, false)));
    h.focus = here && state.focus_shown;
    state.items.push_back({std::string(id), kind, r.x, r.y, r.w, r.h, here, stop});
    return h;
}

bool Ui::key(std::string_view id, ImGuiKey k, bool repeat) const {
    if (!focused(id) || ImGui::GetIO().WantTextInput || state.overlay != topmost) return false;
    return ImGui::IsKeyPressed(k, repeat);
}

void Ui::focus_ring(Rect r, float radius) const {
    frame({r.x - 3, r.y - 3, r.w + 6, r.h + 6}, t.accent, radius + 3, 2);
}

void Ui::field_box(Rect r, const Hit& h, float radius, bool bad) const {
    fill(r, h.held ? t.line : h.hover ? t.field_hover : t.field, radius);
    frame(r, bad ? t.bad : h.hover ? t.line_strong : t.line, radius);
    if (h.focus) focus_ring(r, radius);
}

std::optional<std::string> Ui::answer(std::string_view id) const {
    if (!state.answered || state.answered->id != id) return std::nullopt;
    std::string text = std::move(state.answered->text);
    state.answered.reset();
    return text;
}

void Ui::edit(std::string_view id, std::string_view text) {
    Editing& e = state.editing;
    e.id = id;
    e.original = text;
    e.put(text);
    ++e.generation;
    e.opening = true;
}

void Ui::edit_box(Rect r, Face face, std::string_view hint) {
    Editing& e = state.editing;
    ImGui::PushFont(fonts[face]);
    const float lh = line_height(face);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0, (r.h - lh) * 0.5f});
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
    for (ImGuiCol c : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive}) {
        ImGui::PushStyleColor(c, 0u);
    }
    ImGui::SetCursorScreenPos({r.x, r.y});
    ImGui::SetNextItemWidth(r.w);
    ImGui::PushID(e.id.c_str());
    ImGui::PushID(e.generation);
    if (e.opening) ImGui::SetKeyboardFocusHere();
    const std::string hint_text(hint);
    const bool entered = ImGui::InputTextWithHint(
        "##text", hint_text.c_str(), e.text, sizeof e.text,
        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    const bool ended = ImGui::IsItemDeactivated();
    ImGui::PopID();
    ImGui::PopID();
    ImGui::PopStyleColor(3);
    ImGui::PopStyleVar(2);
    ImGui::PopFont();
    const bool escaped = ended && ImGui::IsKeyPressed(ImGuiKey_Escape, false);
    if (entered || (ended && !e.opening)) edit_end(!escaped);
    e.opening = false;
}

void Ui::search_box(Rect r, Face face, std::string_view hint) {
    if (dom_text)
        state.editing.opening = false;
    else
        edit_box(r, face, hint);
}

void Ui::edit_end(bool keep) {
    Editing& e = state.editing;
    if (e.id.empty()) return;
    if (keep && e.original != e.text) state.answered = Answered{e.id, e.text};
    state.rested = e.id;
    e.id.clear();
}

}  // namespace kvgauge::ui
