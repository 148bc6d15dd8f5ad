// SPDX-License-Identifier: MIT
#include "ui/number_field.h"

#include <imgui_internal.h>

namespace kvgauge::ui {
namespace {

double step_of_keys(const ImGuiIO& io) {
    double step = 0;
    if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) step += 1;
    if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) step -= 1;
    return io.KeyShift ? step * 10 : io.KeyAlt ? step / 10 : step;
}

}  // namespace

NumberEdit number_field(Ui& u, Rect r, const NumberField& f) {
    NumberEdit out;
    const bool bad = u.state.error_field == f.id;
    const bool editing = u.editing(f.id);
    ImGuiIO& io = ImGui::GetIO();
    if (editing) {
        u.field_box(r, Hit{.hover = true}, 6, bad);
        u.state.items.push_back(
            {std::string(f.id), ItemKind::text, r.x, r.y, r.w, r.h, true, true});
        u.edit_box(r.inset(10, 0), Face::b14);
        u.focus_ring(r, 6);
        out.step = step_of_keys(io);
        if (ImGui::IsMouseHoveringRect({r.x, r.y}, {r.right(), r.bottom()})) {
            ImGui::SetKeyOwner(ImGuiKey_MouseWheelY, kKeyOwner);
            out.step += io.MouseWheel > 0 ? 1 : io.MouseWheel < 0 ? -1 : 0;
        }
    } else {
        const Hit h = u.hit(f.id, r, ItemKind::text);
        const std::string shown = bad ? u.state.error_kept : std::string(f.text);
        u.field_box(r, h, 6, bad);
        const float end =
            u.text_mid(r.x + 10, r.mid_y(), Face::b14, f.soft ? u.t.text2 : u.t.text, shown);
        if (!f.unit.empty()) {
            const std::string unit = u.fit(Face::c12, f.unit, r.right() - end - 11);
            u.text_mid(end + 5, r.mid_y(), Face::c12, u.t.text3, unit);
        }
        if (h.hover) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
        // Reached by Tab or clicked: the text stands ready to be typed over, as in a page.
        const bool reached = h.focus && u.state.rested != f.id;
        if (h.click || reached || u.key(f.id, ImGuiKey_Enter, false))
            u.edit(f.id, f.placeholder ? std::string() : shown);
    }
    out.text = u.answer(f.id);
    return out;
}

}  // namespace kvgauge::ui
