// SPDX-License-Identifier: MIT
#include "ui/limit_plot.h"

#include <algorithm>
#include <cmath>

#include "text/numbers.h"
#include "ui/plot.h"

namespace kvgauge::ui {
namespace {

constexpr int kLimitSeries = 8;

struct Line {
    HeadVariant head;
    bool limit = false;  // the model's line within the service limits
    CtxPoint here, end;  // at the scenario or pointer, and at the right edge
    double here_value() const { return value(here); }
    double value(const CtxPoint& p) const {
        return limit ? p.within_limit.value_or(0) : p.requests;
    }
    int series() const { return limit ? kLimitSeries : static_cast<int>(head.variant); }
};

std::vector<ImVec2> curve(const Plot& p, const CtxCurve& c, double (*value)(const CtxPoint&)) {
    std::vector<ImVec2> out;
    out.reserve(c.points.size());
    for (const CtxPoint& q : c.points) {
        const double v = value(q);
        if (v > 0) out.push_back(p.at(q.ctx, v));
    }
    return out;
}

std::string limit_name(const Ui& u, const Scenario& s, bool narrow) {
    const bool tpot = s.tpot_max.has_value();
    const std::string text = duration(tpot ? *s.tpot_max : s.ttft_max.value_or(0));
    if (narrow) return text;
    return u.tr(tpot ? Str::ui_plot_within_tpot : Str::ui_plot_within_ttft, {text});
}

// Whole requests, as the answer counts them.
std::string whole(double v) {
    return grouped(static_cast<std::uint64_t>(std::max(v, 0.0)));
}

}  // namespace

SeriesStyle series_style(const Theme& t, const HeadVariant& h) {
    SeriesStyle s{t.gqa, Mark::dot, {}, 2.6f};
    if (h.variant == Variant::mha) s = {t.mha, Mark::square, {7, 4}, 1.7f};
    if (h.variant == Variant::mqa) s = {t.mqa, Mark::triangle, {2, 3.5f}, 1.9f};
    if (h.is_model) {
        s.dash = {};
        s.thickness = 2.6f;
        s.mark = Mark::dot;
    }
    return s;
}

std::string series_name(const Ui& u, const HeadVariant& h) {
    std::string name;
    if (h.variant == Variant::mha) name = "MHA";
    if (h.variant == Variant::mqa) name = "MQA";
    if (h.variant == Variant::gqa) name = "GQA " + grouped(h.kv_heads);
    if (!h.is_model) return name;
    if (name.empty()) return std::string(u.tr(Str::ui_plot_model));
    return u.tr(Str::ui_plot_model_kind, {name});
}

std::string heads_note(const Ui& u, const HeadVariant& h) {
    if (h.kv_heads == 0) return {};
    return u.tr(h.kv_heads == 1 ? Str::ui_plot_head : Str::ui_plot_heads, {grouped(h.kv_heads)});
}

void limit_plot(Ui& u, Session& s, Rect r, bool narrow) {
    const auto& curves = s.curves.by_context(s.scenario, s.catalog, s.estimate, s.revision);
    const double ctx = static_cast<double>(s.scenario.ctx);
    double low = 1e300, high = 0;
    for (const CtxCurve& c : curves) {
        for (const CtxPoint& q : c.points) {
            if (q.requests > 0) low = std::min(low, q.requests);
            high = std::max(high, q.requests);
        }
    }
    if (high <= 0) {
        u.wrap(r.x, r.y + 8, std::min(r.w, 520.0f), Face::b14, u.t.text2,
               u.tr(Str::ui_plot_nothing_fits));
        return;
    }
    Plot p;
    const Axis whole_x{s.curves.ctx_low, s.curves.ctx_high, true, u.tr(Str::ui_plot_ctx),
                       axis_tokens};
    p.x = whole_x;
    if (s.limit_plot.zoom) std::tie(p.x.low, p.x.high) = *s.limit_plot.zoom;
    p.y = {std::clamp(step_below(low), 0.5, 1e6),
           std::max(step_above(high * 1.05), 2.0),
           true,
           {},
           axis_number};
    p.x_ticks = ticks_pow2(p.x);
    if (p.x_ticks.size() < 3) p.x_ticks.clear();
    if (narrow) p.y_ticks = ticks_125(p.y, 5);
    p.begin(u, r, narrow ? 62 : 140);

    const std::optional<double> pointer = plot_pointer(u, "limit-plot", p, s.limit_plot, whole_x);
    if (pointer) s.cross_ctx.next = quarter_octave(*pointer);
    const std::optional<double> cross = s.cross_ctx.now;
    const bool hover = cross && *cross >= p.x.low && *cross <= p.x.high;
    const double at = hover ? *cross : ctx;

    std::vector<Line> lines;
    for (const CtxCurve& c : curves) {
        lines.push_back({c.head, false, c.at(at), c.at(p.x.high)});
        if (c.head.is_model && c.points.front().within_limit) {
            lines.push_back({c.head, true, c.at(at), c.at(p.x.high)});
        }
    }
    if (!hover) {  // the numbers at rest are those of the answer, not of the curve
        for (Line& l : lines) {
            l.here = s.curves.context_at(s.scenario, s.catalog, l.head, ctx);
        }
    }
    const auto hidden = [&](const Line& l) { return (s.limit_plot.hidden >> l.series() & 1) != 0; };

    p.clip(u);
    // The limit lies under the model's own line, so that where they coincide the colour stays.
    for (const CtxCurve& c : curves) {
        if (!c.head.is_model || (s.limit_plot.hidden >> kLimitSeries & 1) != 0) continue;
        u.polyline(curve(p, c, [](const CtxPoint& q) { return q.within_limit.value_or(0); }),
                   u.t.limit, 1.2f);
    }
    for (const CtxCurve& c : curves) {
        const SeriesStyle style = series_style(u.t, c.head);
        if ((s.limit_plot.hidden >> static_cast<int>(c.head.variant) & 1) == 0) {
            if (c.head.is_model) {
                u.band(curve(p, c, [](const CtxPoint& q) { return q.low; }),
                       curve(p, c, [](const CtxPoint& q) { return q.high; }),
                       fade(style.color, .3f));
            }
            u.polyline(curve(p, c, [](const CtxPoint& q) { return q.requests; }), style.color,
                       style.thickness, style.dash);
        }
    }
    p.unclip(u);

    u.vdash(p.at(ctx, 1).x, p.box.y, p.box.bottom(), u.t.text3);
    if (hover) u.vline(p.at(at, 1).x, p.box.y, p.box.bottom(), u.t.text2);
    std::stable_sort(lines.begin(), lines.end(),
                     [](const Line& a, const Line& b) { return a.here_value() > b.here_value(); });
    double model_here = 0;
    for (const Line& l : lines) {
        if (l.head.is_model && !l.limit) model_here = l.here_value();
    }
    const auto shown = [&](const Line& l) {
        return !hidden(l) && l.here_value() >= p.y.low && at >= p.x.low && at <= p.x.high;
    };
    for (const Line& l : lines) {
        if (!shown(l) || (l.limit && l.here_value() >= model_here)) continue;
        const double v = l.here_value();
        const SeriesStyle style = series_style(u.t, l.head);
        draw_mark(u, p.at(at, v), l.limit ? Mark::diamond : style.mark,
                  l.limit ? u.t.limit : style.color, l.head.is_model && !l.limit ? 5.0f : 4.0f);
    }
    if (hover) {
        std::vector<HoverValue> values;
        for (const Line& l : lines) {
            if (hidden(l)) continue;
            values.push_back({l.limit ? limit_name(u, s.scenario, false) : series_name(u, l.head),
                              whole(l.here_value()),
                              l.limit ? u.t.limit : series_style(u.t, l.head).color});
        }
        hover_box(u, p, at, u.tr(Str::ui_plot_tokens, {grouped(static_cast<std::uint64_t>(at))}),
                  values);
    } else {
        PointNumbers numbers(u, p.box, false);
        for (const CtxCurve& c : curves) {
            numbers.avoid(curve(p, c, [](const CtxPoint& q) { return q.requests; }),
                          p.at(ctx, 1).x);
        }
        for (const Line& l : lines) {
            if (shown(l)) numbers.avoid(p.at(ctx, l.here_value()), 5);
        }
        for (const Line& l : lines) {
            const bool strong = l.head.is_model && !l.limit;
            if (!shown(l) || (narrow && !strong)) continue;
            // A limit that does not bind says nothing new.
            if (l.limit && l.here_value() >= model_here) continue;
            numbers.draw(p.at(ctx, l.here_value()), strong ? Face::b14b : Face::c12b,
                         l.limit ? u.t.limit : series_style(u.t, l.head).color,
                         whole(l.here_value()));
        }
    }
    std::vector<EndLabel> ends;
    for (const Line& l : lines) {
        const float y =
            std::clamp(p.at(p.x.high, std::max(l.value(l.end), 1e-9)).y, p.box.y, p.box.bottom());
        EndLabel e{y, {}, {}, u.t.limit, false, l.series()};
        if (l.limit) {
            e.name = limit_name(u, s.scenario, narrow);
        } else {
            HeadVariant head = l.head;
            if (narrow && head.kv_heads > 0) head.is_model = false;
            e.name = series_name(u, head);
            e.color = series_style(u.t, l.head).color;
            e.strong = l.head.is_model;
            if (!narrow) {
                e.note = l.head.is_model ? std::string(u.tr(Str::ui_plot_capacity))
                                         : heads_note(u, l.head);
            }
        }
        ends.push_back(std::move(e));
    }
    end_labels(u, "limit-series", std::move(ends), p.box.right(), p.box.y + 8, p.box.bottom() - 6,
               narrow ? 15 : 32, &s.limit_plot);
}

}  // namespace kvgauge::ui
