// SPDX-License-Identifier: MIT
#include "ui/readout.h"

#include <algorithm>
#include <cmath>

namespace kvgauge::ui {
namespace {

void draw_range(const Ui& u, Rect r, const Range& v) {
    const double best = std::max(v.best, 1e-12);
    const double low =
        std::min({v.floor > 0 ? v.floor : best, v.low > 0 ? v.low : best, best}) / 1.25;
    const double high = std::max(v.high, best) * 1.12;
    const auto x = [&](double q) {
        return std::floor(r.x + r.w * static_cast<float>(std::log(q / low) / std::log(high / low)) +
                          .5f);
    };
    u.fill({r.x, r.y + 5, r.w, 2}, u.t.line, 1);
    if (v.high > v.low && v.low > 0) {
        u.hatch({x(v.low), r.y + 2, x(v.high) - x(v.low), 8}, fade(u.t.accent, .75f), 4, 1.2f);
    }
    if (v.floor > 0) u.fill({x(v.floor) - 1, r.y - 1, 2, 14}, u.t.text2);
    u.circle(x(best), r.y + 6, 5.5f, u.t.bg);
    u.circle(x(best), r.y + 6, 4, u.t.accent);
}

}  // namespace

Split split_unit(const std::string& text) {
    const std::size_t space = text.rfind(' ');
    if (space == std::string::npos) return {text, {}};
    return {text.substr(0, space), text.substr(space + 1)};
}

double number_of(const Row& row) {
    if (const auto* n = std::get_if<std::uint64_t>(&row.value)) return static_cast<double>(*n);
    if (const auto* d = std::get_if<double>(&row.value)) return *d;
    return 0;
}

bool explain(Ui& u, Session& s, std::string_view row, Rect r) {
    const Hit h = u.hit("row-" + std::string(row), r);
    if (h.focus) u.focus_ring(r, 6);
    if (h.click) {
        const bool same = s.derivation.row == row;
        s.derivation = {};
        if (!same) s.derivation = {std::string(row), r, true};
    }
    return h.hover || s.derivation.row == row;
}

void readout(Ui& u, Session& s, Rect r, const Readout& o) {
    const bool hot = explain(u, s, o.row, {r.x - 6, r.y - 4, r.w, std::min(r.h, kReadoutHeight)});
    float y = r.y;
    float x = u.text(r.x, y, Face::c12, u.t.text2, u.fit(Face::c12, o.label, r.w - 24));
    draw_basis(u, x + 10, y + u.line_height(Face::c12) * .5f, o.basis, basis_color(u.t, o.basis));
    y += 20;
    const float lh = u.line_height(Face::v20b);
    x = u.text(r.x, y, Face::v20b, u.t.text, o.value);
    if (!o.unit.empty()) {
        const float base = (lh - u.line_height(Face::b14)) * .5f + 2.5f;
        x = u.text(x + 5, y + base, Face::b14, u.t.text2, o.unit);
    }
    if (hot) u.hdash(r.x, x, y + lh + 1, u.t.text3, {2, 2});
    y += 30;
    if (o.range) {
        draw_range(u, {r.x, y, std::min(r.w - 8, 124.0f), 12}, *o.range);
        y += 18;
    }
    // A narrow column gives its note a second line.
    if (u.width(Face::c12, o.note) > r.w)
        u.wrap(r.x, y, r.w, Face::c12, u.t.text3, o.note);
    else
        u.text(r.x, y, Face::c12, u.t.text3, o.note);
}

}  // namespace kvgauge::ui
