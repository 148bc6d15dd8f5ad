// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "text/numbers.h"
#include "ui/number_text.h"
#include "ui/plan_map.h"
#include "ui/plot.h"
#include "ui/views.h"

namespace kvgauge::ui {
namespace {

constexpr float kSide = 236, kGap = 28;

double share_of(const PlanMap& m, double rate) {  // on the ramp, by logarithm
    if (rate <= 0 || m.high() <= m.low()) return 0;
    return std::log(rate / m.low()) / std::log(m.high() / m.low());
}

void draw_cells(const Ui& u, const Plot& p, const PlanMap& m) {
    const int rows = m.rows();
    const auto color = [&](int c, int r) {
        return ramp(u.t, static_cast<float>(share_of(m, m.at(c, r).rate)));
    };
    for (int r = 0; r + 1 < rows; ++r) {
        for (int c = 0; c + 1 < PlanMap::kColumns; ++c) {
            const ImVec2 a = p.at(m.ctx(c), m.batch(r + 1));
            const ImVec2 b = p.at(m.ctx(c + 1), m.batch(r));
            u.list->AddRectFilledMultiColor(a, b, color(c, r + 1), color(c + 1, r + 1),
                                            color(c + 1, r), color(c, r));
        }
    }
}

struct Borders {
    std::vector<ImVec2> capacity, limit;
};

Borders borders(Session& s, const Plot& p, const PlanMap& m) {
    Borders b;
    const auto& curves = s.curves.by_context(s.scenario, s.catalog, s.estimate, s.revision);
    const double cap = s.estimate.plan ? static_cast<double>(s.estimate.plan->max_seqs) : 0;
    for (const CtxCurve& c : curves) {
        if (!c.head.is_model) continue;
        for (const CtxPoint& q : c.points) {
            double n = q.requests;
            if (cap > 0) n = std::min(n, cap);
            b.capacity.push_back(p.at(q.ctx, std::max(n, 1e-3)));
        }
    }
    if (s.scenario.tpot_max && m.done()) {
        for (int c = 0; c < PlanMap::kColumns; ++c) {
            b.limit.push_back(p.at(m.ctx(c), std::max(m.batch_at(c, *s.scenario.tpot_max), 1e-3)));
        }
    }
    return b;
}

std::vector<ImVec2> top_edge(const std::vector<ImVec2>& line, float y) {
    std::vector<ImVec2> out = line;
    for (ImVec2& q : out) q.y = y;
    return out;
}

// Hatching above a border, each stroke cut where it crosses it.
void hatch_above(const Ui& u, const Plot& p, const std::vector<ImVec2>& border) {
    const Rect& b = p.box;
    const auto border_y = [&](float x) {
        for (std::size_t i = 0; i + 1 < border.size(); ++i) {
            if (x > border[i + 1].x) continue;
            const float w = border[i + 1].x - border[i].x;
            const float t = w > 0 ? (x - border[i].x) / w : 0;
            return border[i].y + (border[i + 1].y - border[i].y) * t;
        }
        return border.empty() ? b.bottom() : border.back().y;
    };
    constexpr int kSteps = 60;
    for (float x = b.x - b.h; x < b.right(); x += 7) {
        std::optional<ImVec2> from;
        ImVec2 last{};
        for (int k = 0; k <= kSteps; ++k) {
            const float t = static_cast<float>(k) / kSteps;
            const ImVec2 q{x + b.h * t, b.bottom() - b.h * t};
            const bool in = q.x >= b.x && q.x <= b.right() && q.y < border_y(q.x);
            if (in && !from) from = q;
            if (from && (!in || k == kSteps)) {
                u.line(*from, in ? q : last, u.t.line, 1.2f);
                from.reset();
            }
            last = q;
        }
    }
}

void plate(const Ui& u, ImVec2 at, const Rect& box, std::string_view text, Color c) {
    const float w = u.width(Face::c12b, text);
    const float x = std::clamp(at.x, box.x + 8, std::max(box.right() - w - 8, box.x + 8));
    const float y = std::clamp(at.y, box.y + 12, box.bottom() - 12);
    u.fill({x - 6, y - 10, w + 12, 20}, u.t.bg, 5);
    u.text_mid(x, y, Face::c12b, c, text);
}

ImVec2 along(const std::vector<ImVec2>& line, float share) {
    if (line.empty()) return {0, 0};
    return line[static_cast<std::size_t>(share * static_cast<float>(line.size() - 1))];
}

void draw_map(Ui& u, Session& s, Rect r) {
    const auto& curves = s.curves.by_context(s.scenario, s.catalog, s.estimate, s.revision);
    double most = 8;
    for (const CtxCurve& c : curves) {
        if (c.head.is_model && !c.points.empty()) most = std::max(most, c.points.front().requests);
    }
    if (s.estimate.plan && s.estimate.plan->max_seqs > 0) {
        most = std::min(most, static_cast<double>(s.estimate.plan->max_seqs) * 2);
    }
    double batch_high = 16;
    while (batch_high < most * 1.1 && batch_high < 4096) batch_high *= 2;
    while (batch_high < static_cast<double>(s.scenario.batch) && batch_high < 1e6) batch_high *= 2;
    PlanMap& m = s.plan_map;
    s.computing = m.update(s.scenario, s.catalog, s.curves.ctx_low, s.curves.ctx_high, batch_high);

    Plot p;
    p.x = {s.curves.ctx_low, s.curves.ctx_high, true, u.tr(Str::ui_plot_ctx), axis_tokens};
    p.y = {1, batch_high, true, u.tr(Str::ui_plot_batch), axis_number};
    p.x_ticks = ticks_pow2(p.x);
    p.y_ticks = ticks_pow2(p.y);
    p.begin(u, r, 16);
    const Borders b = borders(s, p, m);
    u.clip(p.box);
    draw_cells(u, p, m);
    // Beyond capacity plain ground; over the limit dimmed, so that what is left to choose from
    // glows.
    u.band(top_edge(b.capacity, p.box.y - 1), b.capacity, u.t.bg);
    if (!b.limit.empty()) u.band(top_edge(b.limit, p.box.y - 1), b.limit, fade(u.t.bg, .5f));
    hatch_above(u, p, b.capacity);
    u.polyline(b.capacity, u.t.text, 2.2f);
    if (!b.limit.empty()) {
        u.polyline(b.limit, u.t.bg, 4);
        u.polyline(b.limit, u.t.limit, 2, {9, 3});
    }
    u.unclip();

    const Hit h = u.hit("plan-map", p.box, ItemKind::plot);
    if (h.focus) u.focus_ring(p.box, 4);
    const ImVec2 above = along(b.capacity, .56f);
    plate(u, {above.x, above.y - 34}, p.box, u.tr(Str::ui_plan_full), u.t.text);
    if (!b.limit.empty()) {
        const ImVec2 q = along(b.limit, .62f);
        plate(u, {q.x - 40, q.y + 30}, p.box,
              u.tr(Str::ui_plan_slow, {duration(*s.scenario.tpot_max)}), u.t.limit);
    }
    const double ctx = static_cast<double>(s.scenario.ctx);
    const double batch = static_cast<double>(s.scenario.batch);
    const ImVec2 here = p.at(ctx, batch);
    const std::string_view word = u.tr(Str::ui_plan_here);
    const float w = u.width(Face::c12b, word);
    draw_mark(u, here, Mark::dot, u.t.text, 5);
    plate(u, {here.x - 20 - w > p.box.x ? here.x - 20 - w : here.x + 16, here.y}, p.box, word,
          u.t.text);

    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (!h.hover) return;
    const double at_ctx = std::max(quarter_octave(p.x_of(mouse.x)), 1.0);
    const double at_batch = std::max(std::round(p.y_of(mouse.y)), 1.0);
    const PlanPoint q = PlanMap::point(s.scenario, s.catalog, at_ctx, at_batch);
    hover_box(u, p, at_ctx,
              u.tr(Str::ui_plan_cell, {grouped(std::round(at_ctx)), grouped(at_batch)}),
              {{"tok/s", three_digits(q.rate), u.t.gqa},
               {std::string(u.tr(Str::ui_ro_tpot)), duration(q.seconds), u.t.text2}});
    if (h.click) {
        s.next.ctx = static_cast<std::uint64_t>(std::llround(at_ctx));
        s.next.batch = static_cast<std::uint64_t>(at_batch);
        s.edited_by.clear();
    }
}

struct Choice {
    double batch, rate, seconds;
    bool over;
};

std::vector<Choice> choices(const Session& s) {
    std::vector<double> batches;
    const double most = s.estimate.batch ? s.estimate.batch->max.value : 0;
    for (double b = 1; b <= most; b *= 2) batches.push_back(b);
    if (most >= 1) batches.push_back(most);
    batches.push_back(static_cast<double>(s.scenario.batch));
    std::sort(batches.begin(), batches.end());
    batches.erase(std::unique(batches.begin(), batches.end()), batches.end());
    std::vector<Choice> out;
    for (const double b : batches) {
        if (b > most) continue;
        const PlanPoint p =
            PlanMap::point(s.scenario, s.catalog, static_cast<double>(s.scenario.ctx), b);
        const bool over = s.scenario.tpot_max && p.seconds > *s.scenario.tpot_max;
        if (p.rate > 0) out.push_back({b, p.rate, p.seconds, over});
    }
    // What keeps the limit first, then by throughput.
    std::stable_sort(out.begin(), out.end(), [](const Choice& a, const Choice& b) {
        return a.over != b.over ? !a.over : a.rate > b.rate;
    });
    if (out.size() > 6) out.resize(6);
    return out;
}

void draw_side(Ui& u, Session& s, Rect r) {
    const PlanMap& m = s.plan_map;
    float y = r.y;
    u.text(r.x, y, Face::c12, u.t.text2, "tok/s");
    y += 20;
    const float w = std::min(r.w, 200.0f);
    for (int i = 0; i < 100; ++i) {
        const float x = r.x + w * static_cast<float>(i) / 100;
        u.fill({x, y, w / 100 + .5f, 10}, ramp(u.t, static_cast<float>(i) / 99));
    }
    y += 16;
    if (m.high() > 0) {
        u.text(r.x, y, Face::c12, u.t.text3, three_digits(m.low()));
        u.text(r.x + w * .5f, y, Face::c12, u.t.text3, three_digits(std::sqrt(m.low() * m.high())),
               Align::mid);
        u.text(r.x + w, y, Face::c12, u.t.text3, three_digits(m.high()), Align::right);
    }
    y += 40;
    y = u.wrap(r.x, y, r.w, Face::b14b, u.t.text,
               u.tr(Str::ui_plan_best, {grouped(s.scenario.ctx)})) +
        6;
    if (s.plan_revision != s.revision) {
        s.plan_revision = s.revision;
        s.plan_choices.clear();
        for (const Choice& c : choices(s))
            s.plan_choices.push_back({c.batch, c.rate, c.seconds, c.over});
    }
    const float ms_x = r.right() - 74;
    u.text(ms_x, y, Face::c12, u.t.text3, "ms", Align::right);
    u.text(r.right(), y, Face::c12, u.t.text3, "tok/s", Align::right);
    y += 22;
    if (s.plan_choices.empty())
        y = u.wrap(r.x, y, r.w, Face::b14, u.t.text2, u.tr(Str::ui_plan_none));
    for (std::size_t i = 0; i < s.plan_choices.size(); ++i) {
        const PlanChoice& c = s.plan_choices[i];
        const Rect row{r.x - 8, y - 4, r.w + 16, 26};
        const Hit h = u.hit("choice-" + std::to_string(i), row);
        if (h.hover) u.fill(row, u.t.field_hover, 6);
        if (h.focus) u.focus_ring(row, 6);
        const bool one = c.batch == 1;
        u.text(r.x, y, Face::b14, c.over ? u.t.text2 : u.t.text,
               u.tr(one ? Str::ui_plan_request : Str::ui_plot_requests, {grouped(c.batch)}));
        u.text(ms_x, y, c.over ? Face::b14b : Face::b14, c.over ? u.t.warn : u.t.text,
               three_digits(c.seconds * 1e3), Align::right);
        u.text(r.right(), y, Face::b14b, c.over ? u.t.text2 : u.t.text, three_digits(c.rate),
               Align::right);
        if (h.click) {
            s.next.batch = static_cast<std::uint64_t>(c.batch);
            s.edited_by.clear();
        }
        y += 26;
    }
    u.wrap(r.x, y + 14, r.w, Face::c12, u.t.text3, u.tr(Str::ui_plan_note));
}

}  // namespace

void plan_view(Ui& u, Session& s, Rect r) {
    u.text(r.x, r.y, Face::b14b, u.t.text, u.tr(Str::ui_plan_title));
    r.cut_top(30);
    if (!s.estimate.speed || s.estimate.speed->tpot.value <= 0) {
        u.wrap(r.x, r.y, std::min(r.w, 560.0f), Face::b14, u.t.text2, u.tr(Str::ui_speed_none));
        return;
    }
    if (r.w >= 640) {
        const Rect side = r.cut_right(kSide);
        r.cut_right(kGap);
        r.h = std::min(r.h, 620.0f);
        draw_map(u, s, r);
        draw_side(u, s, side);
        return;
    }
    draw_map(u, s, r.cut_top(340));
    r.cut_top(20);
    draw_side(u, s, r);
}

}  // namespace kvgauge::ui
