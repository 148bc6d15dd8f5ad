// SPDX-License-Identifier: MIT
#include "ui/slider.h"

#include <algorithm>
#include <cmath>

namespace kvgauge::ui {

bool slider(Ui& u, std::string_view id, Rect r, float& share, float step) {
    const Hit h = u.hit(id, {r.x - 8, r.y, r.w + 16, r.h}, ItemKind::slider);
    const float before = share;
    if (h.held) share = std::clamp((ImGui::GetIO().MousePos.x - r.x) / r.w, 0.0f, 1.0f);
    if (u.key(id, ImGuiKey_RightArrow)) share = std::min(share + step, 1.0f);
    if (u.key(id, ImGuiKey_LeftArrow)) share = std::max(share - step, 0.0f);
    const float cy = std::floor(r.mid_y());
    const float x = r.x + std::clamp(share, 0.0f, 1.0f) * r.w;
    const float knob = h.hover || h.held ? 8.0f : 7.0f;
    u.fill({r.x, cy - 2, r.w, 4}, u.t.line, 2);
    u.fill({r.x, cy - 2, x - r.x, 4}, u.t.accent, 2);
    u.circle(x, cy, knob, u.t.dark ? u.t.text : u.t.bg);
    u.ring(x, cy, knob, u.t.accent, 2);
    if (h.focus) u.focus_ring({x - 8, cy - 8, 16, 16}, 8);
    return share != before;
}

}  // namespace kvgauge::ui
