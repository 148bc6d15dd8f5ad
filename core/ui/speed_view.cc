// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "text/numbers.h"
#include "ui/number_text.h"
#include "ui/parts_bar.h"
#include "ui/plot.h"
#include "ui/readout.h"
#include "ui/roofline.h"
#include "ui/views.h"

namespace kvgauge::ui {
namespace {

constexpr float kPlotHeight = 300;

// One token as the parts that run one after another, with the floor marked in it.
void token_bar(Ui& u, Session& s, Rect r) {
    const Scenario& n = s.scenario;
    const Speed& v = *s.estimate.speed;
    u.text(r.x, r.y, Face::b14b, u.t.text,
           u.tr(Str::ui_speed_token, {grouped(n.batch), grouped(n.in), grouped(n.out)}));
    const Rect bar{r.x, r.y + 50, r.w, 28};
    std::vector<BarPart> parts;
    const auto add = [&](double seconds, Color c, Str name) {
        if (seconds <= 0) return;
        parts.push_back({seconds, c, std::string(u.tr(name)), three_digits(seconds * 1e3)});
    };
    add(v.step.linear, u.t.weights, Str::ui_speed_weights);
    add(v.step.kv, u.t.kv, Str::ui_speed_kv);
    add(v.step.all_reduce, u.t.accent, Str::ui_speed_all_reduce);
    add(v.step.fixed, u.t.overhead, Str::ui_speed_fixed);
    add(v.prefill_share, u.t.other, Str::ui_speed_prefill);
    parts_bar(u, bar, parts);
    const double sum = v.step.total() + v.prefill_share;
    const std::string total = duration(v.tpot.value);
    const float total_w = u.width(Face::c12b, total);
    u.text(bar.right(), bar.bottom() + 9, Face::c12b, u.t.text, total, Align::right);
    if (sum <= 0 || v.floor.value <= 0) return;
    const float x = bar.x + bar.w * static_cast<float>(std::min(v.floor.value / sum, 1.0));
    u.vline(x, bar.y - 2, bar.bottom() + 6, u.t.text);
    const std::string floor = u.tr(Str::ui_speed_floor, {duration(v.floor.value)});
    const float w = u.width(Face::c12, floor);
    const float left = std::min(x, bar.right() - total_w - 18 - w);
    u.text(std::max(left, bar.x), bar.bottom() + 9, Face::c12, u.t.text2, floor);
}

std::vector<ImVec2> curve(const Plot& p, const std::vector<BatchPoint>& points,
                          double BatchPoint::*value) {
    std::vector<ImVec2> out;
    for (const BatchPoint& q : points) {
        if (q.*value > 0) out.push_back(p.at(q.batch, q.*value));
    }
    return out;
}

Plot batch_plot(const Ui& u, Session& s, const PlotState& state, double low, double high) {
    Plot p;
    p.x = {1, s.curves.batch_high, true, u.tr(Str::ui_plot_batch), axis_number};
    if (state.zoom) std::tie(p.x.low, p.x.high) = *state.zoom;
    p.x_ticks = ticks_pow2(p.x);
    if (p.x_ticks.size() < 3) p.x_ticks.clear();
    p.y = {step_below(low), step_above(high), true, {}, axis_number};
    return p;
}

struct Pointer {
    bool hover = false;
    double batch = 1;
};

Pointer batch_pointer(Ui& u, Session& s, std::string_view id, const Plot& p, PlotState& state) {
    Axis whole = p.x;
    whole.low = 1;
    whole.high = s.curves.batch_high;
    if (const auto at = plot_pointer(u, id, p, state, whole)) {
        s.cross_batch.next = std::max(std::round(*at), 1.0);
    }
    const auto cross = s.cross_batch.now;
    const bool hover = cross && *cross >= p.x.low && *cross <= p.x.high;
    const double here = static_cast<double>(s.scenario.batch);
    u.vdash(p.at(here, 1).x, p.box.y, p.box.bottom(), u.t.text3);
    if (hover) u.vline(p.at(*cross, 1).x, p.box.y, p.box.bottom(), u.t.text2);
    return {hover, hover ? *cross : here};
}

void time_plot(Ui& u, Session& s, Rect r) {
    u.text(r.x, r.y, Face::b14b, u.t.text, u.tr(Str::ui_ro_tpot));
    r.cut_top(24);
    const auto& points = s.curves.by_batch(s.scenario, s.catalog, s.revision);
    double low = 1e300, high = 0;
    for (const BatchPoint& q : points) {
        if (q.floor > 0) low = std::min(low, q.floor);
        high = std::max(high, q.tpot_high);
    }
    if (high <= 0) return;
    const auto limit = s.scenario.tpot_max;
    if (limit && *limit < 100 * high) high = std::max(high, *limit * 1.2);
    Plot p = batch_plot(u, s, s.time_plot, low, high);
    p.y.label = axis_ms;
    p.begin(u, r, 84);
    const Pointer at = batch_pointer(u, s, "time-plot", p, s.time_plot);
    const bool line = (s.time_plot.hidden & 1) == 0, floor = (s.time_plot.hidden & 2) == 0;
    p.clip(u);
    if (line) {
        u.band(curve(p, points, &BatchPoint::tpot_low), curve(p, points, &BatchPoint::tpot_high),
               fade(u.t.gqa, .16f));
    }
    if (floor) u.polyline(curve(p, points, &BatchPoint::floor), u.t.text3, 1.4f, {2, 3});
    if (line) u.polyline(curve(p, points, &BatchPoint::tpot), u.t.gqa, 2.4f);
    if (limit) u.hdash(p.box.x, p.box.right(), p.at(1, *limit).y, u.t.limit, {6, 3});
    p.unclip(u);
    const BatchPoint here = s.curves.batch_at(s.scenario, s.catalog, at.batch);
    PointNumbers numbers(u, p.box, true);
    if (limit) {
        const float y = p.at(1, *limit).y;
        for (float x = p.box.x; x < p.box.right(); x += 8) numbers.avoid({x, y}, 1);
        const std::string text = u.tr(Str::ui_speed_limit, {duration(*limit)});
        u.text(p.box.x + 6, p.at(1, *limit).y - 18, Face::c12, u.t.limit, text);
    }
    if (floor && here.floor > 0)
        draw_mark(u, p.at(at.batch, here.floor), Mark::ring, u.t.text3, 3.5f);
    if (line && here.tpot > 0) draw_mark(u, p.at(at.batch, here.tpot), Mark::dot, u.t.gqa, 5);
    if (at.hover) {
        hover_box(u, p, at.batch, u.tr(Str::ui_plot_requests, {grouped(at.batch)}),
                  {{std::string(u.tr(Str::ui_speed_predicted)), duration(here.tpot), u.t.gqa},
                   {std::string(u.tr(Str::ui_speed_range)),
                    duration(here.tpot_low) + "–" + duration(here.tpot_high), u.t.text2},
                   {std::string(u.tr(Str::ui_speed_floor_word)), duration(here.floor), u.t.text3}});
    } else if (here.tpot > 0) {
        numbers.draw(p.at(at.batch, here.tpot), Face::b14b, u.t.gqa, three_digits(here.tpot * 1e3));
        numbers.draw(p.at(at.batch, here.floor), Face::c12b, u.t.text3,
                     three_digits(here.floor * 1e3));
    }
    const BatchPoint& end = points.back();
    end_labels(u, "time-series",
               {{p.at(p.x.high, end.tpot).y, std::string(u.tr(Str::ui_speed_predicted)), "±20%",
                 u.t.gqa, true, 0},
                {p.at(p.x.high, end.floor).y,
                 std::string(u.tr(Str::ui_speed_floor_word)),
                 {},
                 u.t.text3,
                 false,
                 1}},
               p.box.right(), p.box.y + 16, p.box.bottom(), 32, &s.time_plot);
}

void rate_plot(Ui& u, Session& s, Rect r) {
    u.text(r.x, r.y, Face::b14b, u.t.text, u.tr(Str::ui_speed_rate));
    r.cut_top(24);
    const auto& points = s.curves.by_batch(s.scenario, s.catalog, s.revision);
    double low = 1e300, high = 0;
    for (const BatchPoint& q : points) {
        if (q.rate_low > 0) low = std::min(low, q.rate_low);
        high = std::max(high, q.rate_high);
    }
    if (high <= 0) return;
    Plot p = batch_plot(u, s, s.rate_plot, low, high);
    p.begin(u, r, 16);
    const Pointer at = batch_pointer(u, s, "rate-plot", p, s.rate_plot);
    p.clip(u);
    u.band(curve(p, points, &BatchPoint::rate_low), curve(p, points, &BatchPoint::rate_high),
           fade(u.t.gqa, .16f));
    u.polyline(curve(p, points, &BatchPoint::rate), u.t.gqa, 2.4f);
    // What memory holds ends the curve that can be had.
    const double most = s.estimate.batch ? s.estimate.batch->max.value : 0;
    if (most >= p.x.low && most < p.x.high) {
        const float x = p.at(most, p.y.low).x;
        u.fill({x, p.box.y, p.box.right() - x, p.box.h}, fade(u.t.bg, .55f));
        u.vline(x, p.box.y, p.box.bottom(), u.t.limit);
    }
    p.unclip(u);
    if (most >= p.x.low && most < p.x.high) {
        const float x = p.at(most, p.y.low).x;
        const std::string text = u.tr(Str::ui_speed_holds, {grouped(most)});
        const float w = u.width(Face::c12, text);
        const bool right = x + 8 + w < p.box.right();
        // The curve and its number are low on the left: there the words stand above them.
        const float y = x < p.box.x + p.box.w * .4f ? p.box.y + 4 : p.box.bottom() - 20;
        u.text(right ? x + 6 : x - 6, y, Face::c12, u.t.limit, text,
               right ? Align::left : Align::right);
    }
    const BatchPoint here = s.curves.batch_at(s.scenario, s.catalog, at.batch);
    if (here.rate <= 0) return;
    draw_mark(u, p.at(at.batch, here.rate), Mark::dot, u.t.gqa, 5);
    if (at.hover) {
        hover_box(u, p, at.batch, u.tr(Str::ui_plot_requests, {grouped(at.batch)}),
                  {{"tok/s", three_digits(here.rate), u.t.gqa},
                   {std::string(u.tr(Str::ui_speed_each)), three_digits(here.rate / at.batch),
                    u.t.text2}});
    } else {
        PointNumbers numbers(u, p.box, true);
        numbers.draw(p.at(at.batch, here.rate), Face::b14b, u.t.gqa, three_digits(here.rate));
    }
}

}  // namespace

void speed_view(Ui& u, Session& s, Rect r) {
    if (!s.estimate.speed || s.estimate.speed->tpot.value <= 0) {
        u.wrap(r.x, r.y, std::min(r.w, 560.0f), Face::b14, u.t.text2, u.tr(Str::ui_speed_none));
        return;
    }
    token_bar(u, s, r.cut_top(128));
    const bool beside = r.w >= 640;
    if (beside) {
        Rect left = r.cut_top(kPlotHeight);
        Rect right = left.cut_right(left.w * .5f - 12);
        left.cut_right(24);
        time_plot(u, s, left);
        rate_plot(u, s, right);
    } else {
        time_plot(u, s, r.cut_top(kPlotHeight));
        r.cut_top(20);
        rate_plot(u, s, r.cut_top(kPlotHeight));
    }
    r.cut_top(24);
    r.h = std::clamp(r.h, 240.0f, 380.0f);
    roofline(u, s, r);
}

}  // namespace kvgauge::ui
