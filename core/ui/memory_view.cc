// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "text/numbers.h"
#include "ui/choices.h"
#include "ui/layer_strip.h"
#include "ui/limit_plot.h"
#include "ui/number_text.h"
#include "ui/plot.h"
#include "ui/readout.h"
#include "ui/views.h"

namespace kvgauge::ui {
namespace {

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
constexpr float kSide = 272, kSideGap = 40;

double request_gib(const CtxPoint& p) {
    return p.request_bytes / kGiB;
}
double all_full_gib(const CtxPoint& p) {
    return p.all_full_bytes / kGiB;
}
// What the group reserves: the engine's figure is of one GPU and counts copies.
double reserved_gib(const CtxPoint& p) {
    return p.reserved_bytes / kGiB;
}

std::vector<ImVec2> curve(const Plot& p, const CtxCurve& c, double (*value)(const CtxPoint&)) {
    std::vector<ImVec2> out;
    for (const CtxPoint& q : c.points) {
        if (value(q) > 0) out.push_back(p.at(q.ctx, value(q)));
    }
    return out;
}

bool differs(const CtxCurve& c, double (*value)(const CtxPoint&)) {
    return std::any_of(c.points.begin(), c.points.end(), [&](const CtxPoint& p) {
        return p.request_bytes > 0 && value(p) > request_gib(p) * 1.03;
    });
}

struct Line {
    const CtxCurve* curve;
    double (*value)(const CtxPoint&);
    SeriesStyle style;
    std::string name, note;
    bool model = false;
    int series = 0;
};

std::vector<Line> lines_of(const Ui& u, const Session& s, const std::vector<CtxCurve>& curves) {
    std::vector<Line> out;
    for (const CtxCurve& c : curves) {
        const std::string note =
            c.head.is_model ? std::string(u.tr(Str::ui_mem_needed)) : heads_note(u, c.head);
        out.push_back({&c, request_gib, series_style(u.t, c.head), series_name(u, c.head), note,
                       c.head.is_model, static_cast<int>(c.head.variant)});
        if (!c.head.is_model) continue;
        if (s.scenario.tp == 1 && differs(c, reserved_gib)) {
            const std::string engine(display_name(s.estimate.engine));
            out.push_back({&c,
                           reserved_gib,
                           {u.t.gqa, Mark::square, {7, 4}, 1.7f},
                           u.tr(Str::ui_mem_reserves, {engine}),
                           {},
                           false,
                           9});
        }
        if (differs(c, all_full_gib)) {
            out.push_back({&c,
                           all_full_gib,
                           {u.t.text3, Mark::ring, {2, 3.5f}, 1.5f},
                           std::string(u.tr(Str::ui_mem_all_full)),
                           std::string(u.tr(Str::ui_mem_naive)),
                           false,
                           10});
        }
    }
    return out;
}

void request_plot(Ui& u, Session& s, Rect r) {
    u.text(r.x, r.y, Face::b14b, u.t.text, u.tr(Str::ui_mem_plot_title));
    r.cut_top(26);
    const auto& curves = s.curves.by_context(s.scenario, s.catalog, s.estimate, s.revision);
    const std::vector<Line> lines = lines_of(u, s, curves);
    double low = 1e300, high = 0;
    for (const Line& l : lines) {
        for (const CtxPoint& q : l.curve->points) {
            const double v = l.value(q);
            if (v > 0) low = std::min(low, v);
            high = std::max(high, v);
        }
    }
    if (high <= 0) {
        u.text(r.x, r.y, Face::b14, u.t.text2, u.tr(Str::ui_mem_no_kv));
        return;
    }
    Plot p;
    const Axis whole{s.curves.ctx_low, s.curves.ctx_high, true, u.tr(Str::ui_plot_seq),
                     axis_tokens};
    p.x = whole;
    if (s.kv_plot.zoom) std::tie(p.x.low, p.x.high) = *s.kv_plot.zoom;
    p.y = {step_below(low), std::max(step_above(high), step_below(low) * 10), true, {}, axis_gib};
    p.x_ticks = ticks_pow2(p.x);
    if (p.x_ticks.size() < 3) p.x_ticks.clear();
    p.begin(u, r, r.w < 380 ? 84 : r.w < 420 ? 124 : 140);
    const auto pointer = plot_pointer(u, "kv-plot", p, s.kv_plot, whole);
    if (pointer) s.cross_ctx.next = quarter_octave(*pointer);
    const double ctx = static_cast<double>(s.scenario.ctx);
    const auto cross = s.cross_ctx.now;
    const bool hover = cross && *cross >= p.x.low && *cross <= p.x.high;
    const double at = hover ? *cross : ctx;
    const auto hidden = [&](const Line& l) { return (s.kv_plot.hidden >> l.series & 1) != 0; };

    p.clip(u);
    for (const Line& l : lines) {
        if (!hidden(l))
            u.polyline(curve(p, *l.curve, l.value), l.style.color, l.style.thickness, l.style.dash);
    }
    p.unclip(u);
    u.vdash(p.at(ctx, 1).x, p.box.y, p.box.bottom(), u.t.text3);
    if (hover) u.vline(p.at(at, 1).x, p.box.y, p.box.bottom(), u.t.text2);

    std::vector<const Line*> order;
    for (const Line& l : lines) order.push_back(&l);
    const auto here = [&](const Line& l) { return l.value(l.curve->at(at)); };
    std::stable_sort(order.begin(), order.end(),
                     [&](const Line* a, const Line* b) { return here(*a) > here(*b); });
    std::vector<HoverValue> values;
    PointNumbers numbers(u, p.box, true);
    std::erase_if(order, [&](const Line* l) {
        return hidden(*l) || here(*l) <= 0 || at < p.x.low || at > p.x.high;
    });
    for (const Line* l : order) {
        const ImVec2 q = p.at(at, here(*l));
        draw_mark(u, q, l->style.mark, l->style.color, l->model ? 5.0f : 4.0f);
        numbers.avoid(q, 5);
        values.push_back({l->name, binary_size(here(*l) * kGiB), l->style.color});
    }
    for (const Line* l : order) numbers.avoid(curve(p, *l->curve, l->value), p.at(at, 1).x);
    // The model's own number first: it has the choice.
    std::stable_partition(order.begin(), order.end(), [](const Line* l) { return l->model; });
    for (const Line* l : order) {
        if (hover) break;
        numbers.draw(p.at(at, here(*l)), l->model ? Face::b14b : Face::c12b, l->style.color,
                     binary_size(here(*l) * kGiB), l->model);
    }
    if (hover) {
        hover_box(u, p, at, u.tr(Str::ui_plot_tokens, {grouped(static_cast<std::uint64_t>(at))}),
                  values);
    }
    std::vector<EndLabel> ends;
    for (const Line& l : lines) {
        const double v = l.value(l.curve->at(p.x.high));
        ends.push_back({p.at(p.x.high, std::max(v, 1e-9)).y, l.name, l.note, l.style.color, l.model,
                        l.series});
    }
    end_labels(u, "kv-series", std::move(ends), p.box.right(), p.box.y + 10, p.box.bottom() - 8, 32,
               &s.kv_plot);
}

std::string gib_text(double bytes) {
    return decimals(bytes / kGiB, bytes < 1e-2 * kGiB ? 4 : 2);
}

struct PartRow {
    std::string_view row;
    Str label;
    bool strong = false;
};

// The parts of one GPU from the report, in the order in which they are taken.
float parts_table(Ui& u, Session& s, Rect r) {
    u.text(r.x, r.y, Face::b14b, u.t.text,
           u.tr(s.scenario.tp > 1 ? Str::ui_mem_each_gpu : Str::ui_mem_this_gpu));
    float y = r.y + 30;
    const PartRow rows[] = {
        {"budget.gpu_bytes", Str::ui_mem_visible},
        {"budget.usable_bytes", Str::ui_mem_usable},
        {"weights.bytes_per_gpu", Str::ui_part_weights},
        {"budget.overhead_bytes", Str::ui_part_overhead},
        {"budget.kv_bytes", Str::ui_part_kv, true},
        {"kv.bytes_per_request_per_gpu", Str::ui_mem_request},
        {"kv.bytes_per_request_reserved_per_gpu", Str::ui_mem_reserved},
        {"kv.state_bytes_per_request", Str::ui_mem_state},
        {"batch.max", Str::ui_mem_requests, true},
    };
    for (const PartRow& p : rows) {
        const Row* row = s.row(p.row);
        if (row == nullptr) continue;
        const double v = number_of(*row);
        if (p.row == "kv.state_bytes_per_request" && v <= 0) continue;
        const bool hot = explain(u, s, p.row, {r.x - 8, y - 4, r.w + 16, 26});
        if (hot) u.fill({r.x - 8, y - 4, r.w + 16, 26}, u.t.field_hover, 6);
        const bool bytes = row->unit == "B";
        const Face face = p.strong ? Face::b14b : Face::b14;
        const std::string label = p.row == "budget.usable_bytes" ? u.tr(p.label, {util_text(s)})
                                                                 : std::string(u.tr(p.label));
        const float end = u.text(r.x, y, face, p.strong ? u.t.text : u.t.text2, label);
        draw_basis(u, end + 11, y + 9, row->basis, basis_color(u.t, row->basis));
        u.text(r.right() - 82, y, face, u.t.text, bytes ? gib_text(v) : grouped(v), Align::right);
        if (row->low && row->high && *row->low != *row->high) {
            const auto digits = [&](double q) { return bytes ? short_gib(q) : grouped(q); };
            u.text(r.right(), y + 2, Face::c12, u.t.text3,
                   digits(*row->low) + "–" + digits(*row->high), Align::right);
        }
        y += 26;
    }
    return y;
}

}  // namespace

void memory_view(Ui& u, Session& s, Rect r) {
    const float strip = layer_strip(u, s, r);
    r.cut_top(strip - r.y + 24);
    if (r.w >= 720) {
        const Rect side = r.cut_right(kSide);
        r.cut_right(kSideGap);
        r.h = std::min(r.h, 480.0f);
        request_plot(u, s, r);
        parts_table(u, s, side);
        return;
    }
    const float end = parts_table(u, s, r);
    r.cut_top(end - r.y + 20);
    r.h = std::clamp(r.h, 260.0f, 360.0f);
    request_plot(u, s, r);
}

}  // namespace kvgauge::ui
