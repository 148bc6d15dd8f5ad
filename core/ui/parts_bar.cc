// SPDX-License-Identifier: MIT
#include "ui/parts_bar.h"

#include <algorithm>

namespace kvgauge::ui {

float PartLabel::width(const Ui& u) const {
    float w = 16 + u.width(Face::c12b, value);
    if (show_name) w += 6 + u.width(Face::c12, name);
    if (!note.empty()) w += 6 + u.width(Face::c12, note);
    return basis ? w + 18 : w;
}

void label_row(const Ui& u, Rect r, float cy, std::vector<PartLabel> v) {
    constexpr float gap = 18;
    const auto need = [&] {
        float w = -gap;
        for (const PartLabel& p : v) w += p.width(u) + gap;
        return w;
    };
    if (need() > r.w) {
        for (PartLabel& p : v) p.note.clear();
    }
    for (std::size_t i = v.size(); i-- > 0 && need() > r.w;) v[i].show_name = false;
    while (v.size() > 1 && need() > r.w) v.pop_back();
    std::vector<float> x;
    for (std::size_t i = 0; i < v.size(); ++i) {
        x.push_back(i == 0 ? v[i].at : std::max(v[i].at, x[i - 1] + v[i - 1].width(u) + gap));
    }
    for (std::size_t i = v.size(); i-- > 0;) {
        const float end = i + 1 < v.size() ? x[i + 1] - gap : r.right();
        x[i] = std::min(x[i], end - v[i].width(u));
    }
    for (std::size_t i = 0; i < v.size(); ++i) {
        const PartLabel& p = v[i];
        float at = draw_swatch(u, x[i], cy, p.color);
        if (p.show_name) at = u.text_mid(at, cy, Face::c12, u.t.text2, p.name) + 6;
        at = u.text_mid(at, cy, Face::c12b, u.t.text, p.value);
        if (!p.note.empty()) at = u.text_mid(at + 6, cy, Face::c12, u.t.text3, p.note);
        if (p.basis) draw_basis(u, at + 11, cy, *p.basis, basis_color(u.t, *p.basis));
    }
}

void parts_bar(const Ui& u, Rect r, const std::vector<BarPart>& all) {
    double sum = 0;
    for (const BarPart& p : all) sum += p.value;
    if (sum <= 0) return;
    std::vector<PartLabel> labels;
    float x = r.x;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const float w = r.w * static_cast<float>(all[i].value / sum);
        const bool first = i == 0, last = i + 1 == all.size();
        const ImDrawFlags corners =
            (first ? ImDrawFlags_RoundCornersLeft : ImDrawFlags_RoundCornersNone) |
            (last ? ImDrawFlags_RoundCornersRight : ImDrawFlags_RoundCornersNone);
        u.fill({x, r.y, w - (last ? 0 : 1), r.h}, all[i].color, first || last ? 5.0f : 0.0f,
               corners);
        labels.push_back({x, all[i].color, all[i].name, all[i].text, {}, {}});
        x += w;
    }
    label_row(u, r, r.y - 12, std::move(labels));
}

}  // namespace kvgauge::ui
