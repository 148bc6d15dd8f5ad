// SPDX-License-Identifier: MIT
#include "ui/segmented.h"

#include <algorithm>

namespace kvgauge::ui {

int segmented(Ui& u, std::string_view id, Rect r, std::span<const Segment> all, int selected) {
    u.fill(r, u.t.dark ? u.t.field : u.t.field_hover, 6);
    if (u.t.dark) u.frame(r, u.t.line, 6);
    const Hit whole = u.hit(id, r);
    const ImVec2 mouse = ImGui::GetIO().MousePos;

    float need = 0;
    const auto room = [&](const Segment& s) {
        return u.width(Face::b14b, s.label) + (s.sign ? 34.0f : 18.0f);
    };
    for (const Segment& s : all) need += room(s);

    int chosen = -1;
    float at = r.x;
    for (int i = 0; i < static_cast<int>(all.size()); ++i) {
        const Segment& s = all[static_cast<std::size_t>(i)];
        const Rect cell{at, r.y, r.w * room(s) / need, r.h};
        at += cell.w;
        const bool on = i == selected;
        const bool under = whole.hover && cell.has(mouse.x, mouse.y);
        if (on) {
            const Rect k = cell.inset(2, 2);
            u.fill(k, u.t.segment, 5);
            if (!u.t.dark) u.frame(k, u.t.line_strong, 5);
        } else if (under) {
            u.fill(cell.inset(2, 2), u.t.line, 5);
        }
        const Face face = on ? Face::b14b : Face::b14;
        const Color ink = on || under ? u.t.text : u.t.text2;
        if (!s.sign) {
            u.text_mid(cell.mid_x(), cell.mid_y(), face, ink, s.label, Align::mid);
        } else {
            const float x = cell.mid_x() - (u.width(face, s.label) + 15) * 0.5f;
            const float end = u.text_mid(x, cell.mid_y(), face, ink, s.label);
            draw_sign(u, end + 10, cell.mid_y(), *s.sign, sign_color(u.t, *s.sign), 3.6f, 1.5f);
        }
        if (whole.click && under) chosen = i;
    }
    if (whole.focus) u.focus_ring(r, 6);
    const int step = u.key(id, ImGuiKey_RightArrow) ? 1 : u.key(id, ImGuiKey_LeftArrow) ? -1 : 0;
    if (step != 0) {
        const int last = static_cast<int>(all.size()) - 1;
        chosen = selected < 0 ? 0 : std::clamp(selected + step, 0, last);
    }
    return chosen == selected ? -1 : chosen;
}

}  // namespace kvgauge::ui
