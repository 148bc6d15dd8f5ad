// SPDX-License-Identifier: MIT
#include <algorithm>

#include "text/numbers.h"
#include "ui/button.h"
#include "ui/limit_plot.h"
#include "ui/memory_bar.h"
#include "ui/readout.h"
#include "ui/readouts.h"
#include "ui/tp_list.h"
#include "ui/views.h"

namespace kvgauge::ui {
namespace {

constexpr float kSide = 248, kSideGap = 32, kPlotMost = 480;

float change_list(Ui& u, Session& s, Rect r) {
    u.text(r.x, r.y, Face::b14b, u.t.text, u.tr(Str::ui_change_title));
    float y = r.y + 30;
    const auto& all = s.changes.best(s.scenario, s.estimate, s.catalog, s.revision);
    if (all.empty()) return u.wrap(r.x, y, r.w, Face::b14, u.t.text3, u.tr(Str::ui_change_none));
    // Columns from the right: after, arrow, before.
    float after_w = 0, before_w = 0;
    for (const Change& c : all) {
        after_w =
            std::max(after_w, u.width(Face::b14b, grouped(static_cast<std::uint64_t>(c.after))));
        before_w = u.width(Face::b14, grouped(static_cast<std::uint64_t>(c.before)));
    }
    const float arrow = r.right() - 8 - after_w - 10;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Change& c = all[i];
        const Rect row{r.x - 8, y - 5, r.w + 8, 27};
        const Hit h = u.hit("change-" + std::to_string(i), row);
        if (h.hover) u.fill(row, u.t.field_hover, 6);
        if (h.focus) u.focus_ring(row, 6);
        const float room = arrow - 22 - before_w - 8 - r.x;
        u.text(r.x, y, Face::b14, h.hover ? u.t.text : u.t.text2,
               u.fit(Face::b14, change_label(c, u.lang), room));
        u.text(r.right() - 8, y, Face::b14b, u.t.text, grouped(static_cast<std::uint64_t>(c.after)),
               Align::right);
        const std::string before = grouped(static_cast<std::uint64_t>(c.before)) + "  →";
        u.text(arrow, y, Face::b14, u.t.text3, before, Align::right);
        if (h.click) {
            s.next = c.scenario;
            s.edited_by.clear();
        }
        y += 27;
    }
    return y;
}

void plot_block(Ui& u, Session& s, Rect r) {
    u.text(r.x, r.y, Face::b14b, u.t.text, u.tr(Str::ui_plot_limit_title));
    r.cut_top(26);
    r.h = std::min(r.h, kPlotMost);
    limit_plot(u, s, r, false);
}

}  // namespace

void overview(Ui& u, Session& s, Rect r) {
    readout_row(u, s, r.cut_top(readouts_height(r.w)));
    if (r.w >= 860) {
        Rect side = r.cut_right(kSide);
        r.cut_right(kSideGap);
        plot_block(u, s, r);
        const float y = tp_list(u, s, side);
        side.cut_top(y - side.y + 14);
        change_list(u, s, side);
        return;
    }
    // Too narrow for two columns: the lists go below the plot, side by side.
    Rect lists = r.cut_bottom(200);
    r.cut_bottom(24);
    plot_block(u, s, r);
    const Rect left = lists.cut_left((lists.w - 40) * .5f);
    lists.cut_left(40);
    tp_list(u, s, left);
    change_list(u, s, lists);
}

void fitting_view(Ui& u, Session& s, Rect r) {
    u.text(r.x, r.y, Face::b14b, u.t.text, u.tr(Str::ui_fit_title));
    r.cut_top(32);
    const auto& all = s.changes.fitting(s.scenario, s.estimate, s.catalog, s.revision);
    if (all.empty()) {
        u.wrap(r.x, r.y, std::min(r.w, 640.0f), Face::b14, u.t.text2, u.tr(Str::ui_fit_none));
        return;
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Change& c = all[i];
        const Rect row = r.cut_top(72);
        u.hline(row.x, row.right(), row.y, u.t.line);
        u.text(row.x, row.y + 16, Face::t16b, u.t.text, change_label(c, u.lang));
        const auto parts = memory_parts(c.estimate);
        std::string note;
        if (c.estimate.weights_per_gpu) {
            note = u.tr(Str::ui_fit_note, {std::string(name(c.estimate.weights.kind)),
                                           binary_size(c.estimate.weights_per_gpu->real())});
        }
        u.text(row.x, row.y + 40, Face::c12, u.t.text3, note);
        const std::string_view apply = u.tr(Str::ui_fit_apply);
        const float apply_x = row.right() - button_width(u, apply);
        const std::string of = u.tr(Str::ui_fit_requests, {grouped(c.scenario.ctx)});
        const float of_x = apply_x - 40 - u.width(Face::b14, of);
        u.text_mid(of_x, row.mid_y() + 2, Face::b14, u.t.text2, of);
        u.text_mid(of_x - 8, row.mid_y(), Face::v20b, u.t.text,
                   grouped(static_cast<std::uint64_t>(c.after)), Align::right);
        const float bar_x = row.x + 270;
        const float bar_w = std::min(330.0f, of_x - 80 - bar_x);
        if (parts && bar_w > 60) small_bar(u, {bar_x, row.mid_y() - 9, bar_w, 18}, *parts);
        if (button(u, "fit-" + std::to_string(i), apply_x, row.mid_y(), apply)) {
            s.next = c.scenario;
            s.edited_by.clear();
        }
    }
    u.hline(r.x, r.right(), r.y, u.t.line);
}

}  // namespace kvgauge::ui
