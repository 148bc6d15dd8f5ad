// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "text/numbers.h"
#include "ui/number_text.h"
#include "ui/plan_map.h"
#include "ui/plot.h"
#include "ui/views.h"

namespace kvgauge::ui {
namespace {

constexpr float kSide = 236, kGap = 28;

// A frame leaves the rest of its 50 ms to drawing and input.
constexpr double kSlice = .02;

double share_of(const PlanPicture& m, double rate) {  // on the ramp, by logarithm
    if (rate <= 0 || m.high() <= m.low()) return 0;
    return std::log(rate / m.low()) / std::log(m.high() / m.low());
}

void draw_cells(const Ui& u, const Plot& p, const PlanPicture& m) {
    const auto color = [&](int c, int r) {
        return ramp(u.t, static_cast<float>(share_of(m, m.at(c, r).rate)));
    };
    for (int strip = 0; strip < m.strips(); ++strip) {
        const int left = strip * PlanPicture::kStrip, right = left + PlanPicture::kStrip;
        const auto& steps = m.steps(strip);
        for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
            const int low = steps[i], high = steps[i + 1];
            const ImVec2 a = p.at(m.ctx(left), m.batch(high));
            const ImVec2 b = p.at(m.ctx(right), m.batch(low));
            u.list->AddRectFilledMultiColor(a, b, color(left, high), color(right, high),
                                            color(right, low), color(left, low));
        }
    }
}

struct Borders {
    std::vector<ImVec2> capacity;  // what fits
    std::vector<ImVec2> limit;     // within tpot-max; empty: no limit
    std::optional<float> late;     // x from which the first token is later than ttft-max
    int by_memory = 0, by_seqs = 0, first_by_seqs = 0;  // columns, what binds them
};

Borders borders(const Session& s, const Plot& p, const PlanPicture& m) {
    Borders b;
    for (int c = 0; c < m.columns(); ++c) {
        const PlanRoom& room = m.room(c);
        const double ctx = m.ctx(c);
        const bool seqs = room.most() < room.requests;
        if (seqs && b.by_seqs == 0) b.first_by_seqs = c;
        ++(seqs ? b.by_seqs : b.by_memory);
        b.capacity.push_back(p.at(ctx, std::max(room.most(), 1e-3)));
        if (s.scenario.tpot_max) {
            b.limit.push_back(p.at(ctx, std::max(m.batch_at(c, *s.scenario.tpot_max), 1e-3)));
        }
        if (s.scenario.ttft_max && room.ttft > *s.scenario.ttft_max && !b.late) {
            b.late = p.at(ctx, 1).x;
        }
    }
    return b;
}

std::vector<ImVec2> top_edge(const std::vector<ImVec2>& line, float y) {
    std::vector<ImVec2> out = line;
    for (ImVec2& q : out) q.y = y;
    return out;
}

// Hatching above a border, each stroke cut where it crosses it. The border's points lie evenly in
// x.
void hatch_above(const Ui& u, const Plot& p, const std::vector<ImVec2>& border) {
    if (border.size() < 2) return;
    const Rect& b = p.box;
    const float step = (border.back().x - border.front().x) / static_cast<float>(border.size() - 1);
    const auto border_y = [&](float x) {
        const float at =
            std::clamp((x - border.front().x) / step, 0.0f, static_cast<float>(border.size() - 1));
        const auto i = std::min(static_cast<std::size_t>(at), border.size() - 2);
        return border[i].y + (border[i + 1].y - border[i].y) * (at - static_cast<float>(i));
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

// Where words beginning at a point lie, moved into the box.
Rect plate_rect(const Ui& u, ImVec2 at, const Rect& box, std::string_view text) {
    const float w = u.width(Face::c12b, text);
    const float x = std::clamp(at.x, box.x + 8, std::max(box.right() - w - 8, box.x + 8));
    const float y = std::clamp(at.y, box.y + 12, box.bottom() - 12);
    return {x - 6, y - 10, w + 12, 20};
}

Rect plate(const Ui& u, ImVec2 at, const Rect& box, std::string_view text, Color c) {
    const Rect r = plate_rect(u, at, box, text);
    u.fill(r, u.t.bg, 5);
    u.text_mid(r.x + 6, r.y + 10, Face::c12b, c, text);
    return r;
}

bool overlap(const Rect& a, const Rect& b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

// Words beside a mark, on the first side that no other words take: left, right, below, above.
void plate_beside(const Ui& u, ImVec2 mark, const Rect& box, std::string_view text,
                  const std::vector<Rect>& taken) {
    const float w = u.width(Face::c12b, text);
    const ImVec2 left{mark.x - 20 - w, mark.y};
    const ImVec2 right{mark.x + 16, mark.y};
    const ImVec2 below{mark.x - w / 2, mark.y + 24};
    const ImVec2 above{mark.x - w / 2, mark.y - 24};
    std::vector<ImVec2> sides = {right, below, above};
    if (left.x > box.x) sides.insert(sides.begin(), left);
    for (const ImVec2 at : sides) {
        const Rect r = plate_rect(u, at, box, text);
        const auto hit = [&r](const Rect& other) { return overlap(r, other); };
        if (std::any_of(taken.begin(), taken.end(), hit)) continue;
        plate(u, at, box, text, u.t.text);
        return;
    }
    // The mark itself stays; words over words would say nothing.
}

ImVec2 along(const std::vector<ImVec2>& line, float share) {
    if (line.empty()) return {0, 0};
    return line[static_cast<std::size_t>(share * static_cast<float>(line.size() - 1))];
}

// Words at the borders, each where its constraint binds; where they lie.
std::vector<Rect> name_borders(const Ui& u, const Session& s, const Plot& p, const Borders& b) {
    std::vector<Rect> taken;
    const auto name = [&](ImVec2 at, std::string_view text, Color c) {
        taken.push_back(plate(u, at, p.box, text, c));
    };
    const int all = std::max(b.by_memory + b.by_seqs, 1);
    const auto share = [all](int column) {
        return static_cast<float>(column) / static_cast<float>(all);
    };
    if (b.by_memory * 8 > all) {
        // Memory binds long contexts, so its columns are the last.
        const ImVec2 q = along(b.capacity, share(b.by_seqs) + share(b.by_memory) * .56f);
        name({q.x, q.y - 34}, u.tr(Str::ui_plan_full), u.t.text);
    }
    if (b.by_seqs * 8 > all) {
        const ImVec2 q = along(b.capacity, share(b.first_by_seqs));
        name({q.x + 8, q.y - 18}, u.tr(Str::ui_plan_seqs), u.t.text);
    }
    if (!b.limit.empty()) {
        const ImVec2 q = along(b.limit, .62f);
        name({q.x - 40, q.y + 30}, u.tr(Str::ui_plan_slow, {duration(*s.scenario.tpot_max)}),
             u.t.limit);
    }
    if (b.late) {
        name({*b.late + 10, p.box.bottom() - 40},
             u.tr(Str::ui_plan_late, {duration(*s.scenario.ttft_max)}), u.t.limit);
    }
    return taken;
}

void draw_borders(const Ui& u, const Plot& p, const Borders& b) {
    // Beyond capacity plain ground; over the limit dimmed, so that what is left to choose from
    // glows.
    u.band(top_edge(b.capacity, p.box.y - 1), b.capacity, u.t.bg);
    if (!b.limit.empty()) u.band(top_edge(b.limit, p.box.y - 1), b.limit, fade(u.t.bg, .5f));
    if (b.late) {
        u.fill({*b.late, p.box.y, p.box.right() - *b.late, p.box.h}, fade(u.t.bg, .5f));
    }
    hatch_above(u, p, b.capacity);
    u.polyline(b.capacity, u.t.text, 2.2f);
    if (!b.limit.empty()) {
        u.polyline(b.limit, u.t.bg, 4);
        u.polyline(b.limit, u.t.limit, 2, {9, 3});
    }
    if (b.late) {
        u.line({*b.late, p.box.y}, {*b.late, p.box.bottom()}, u.t.limit, 2);
    }
}

double highest_batch(Session& s) {
    const auto& curves = s.curves.by_context(s.scenario, s.catalog, s.estimate, s.revision);
    double most = 8;
    for (const CtxCurve& c : curves) {
        if (c.head.is_model && !c.points.empty()) most = std::max(most, c.points.front().requests);
    }
    if (s.estimate.plan && s.estimate.plan->max_seqs > 0) {
        most = std::min(most, static_cast<double>(s.estimate.plan->max_seqs) * 2);
    }
    double high = 16;
    while (high < most * 1.1 && high < 4096) high *= 2;
    while (high < static_cast<double>(s.scenario.batch) && high < 1e6) high *= 2;
    return high;
}

void draw_map(Ui& u, Session& s, Rect r) {
    const double batch_high = highest_batch(s);
    s.computing = s.plan_map.update(s.scenario, s.catalog, s.curves.ctx_low, s.curves.ctx_high,
                                    batch_high, kSlice);
    const PlanPicture& m = *s.plan_map.picture();

    Plot p;
    p.x = {s.curves.ctx_low, s.curves.ctx_high, true, u.tr(Str::ui_plot_ctx), axis_tokens};
    p.y = {1, batch_high, true, u.tr(Str::ui_plot_batch), axis_number};
    p.x_ticks = ticks_pow2(p.x);
    p.y_ticks = ticks_pow2(p.y);
    p.begin(u, r, 16);
    const Borders b = borders(s, p, m);
    u.clip(p.box);
    draw_cells(u, p, m);
    draw_borders(u, p, b);
    u.unclip();

    const Hit h = u.hit("plan-map", p.box, ItemKind::plot);
    if (h.focus) u.focus_ring(p.box, 4);
    const std::vector<Rect> taken = name_borders(u, s, p, b);
    const double ctx = static_cast<double>(s.scenario.ctx);
    const double batch = static_cast<double>(s.scenario.batch);
    const ImVec2 here = p.at(ctx, batch);
    draw_mark(u, here, Mark::dot, u.t.text, 5);
    plate_beside(u, here, p.box, u.tr(Str::ui_plan_here), taken);

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

float draw_scale(const Ui& u, const PlanPicture& m, Rect r) {
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
    return y + 40;
}

void draw_side(Ui& u, Session& s, Rect r) {
    float y = draw_scale(u, *s.plan_map.picture(), r);
    y = u.wrap(r.x, y, r.w, Face::b14b, u.t.text,
               u.tr(Str::ui_plan_best, {grouped(s.scenario.ctx)})) +
        6;
    if (s.plan_revision != s.revision) {
        s.plan_revision = s.revision;
        s.plan_choices = plan_choices(s.scenario, s.catalog);
    }
    const float requests_x = r.x + 112, ms_x = r.x + 164;
    const float rate_x = std::min(r.right(), r.x + kSide);
    if (s.plan_choices.empty()) {
        y = u.wrap(r.x, y, r.w, Face::b14, u.t.text2, u.tr(Str::ui_plan_none));
    } else {
        u.text(r.x, y, Face::c12, u.t.text3, "TP");
        u.text(requests_x, y, Face::c12, u.t.text3, u.tr(Str::ui_plan_requests), Align::right);
        u.text(ms_x, y, Face::c12, u.t.text3, "ms", Align::right);
        u.text(rate_x, y, Face::c12, u.t.text3, "tok/s/GPU", Align::right);
        y += 22;
    }
    for (std::size_t i = 0; i < s.plan_choices.size(); ++i) {
        const PlanChoice& c = s.plan_choices[i];
        const Rect row{r.x - 8, y - 4, rate_x - r.x + 16, 26};
        const Hit h = u.hit("choice-" + std::to_string(i), row);
        if (h.hover) u.fill(row, u.t.field_hover, 6);
        if (h.focus) u.focus_ring(row, 6);
        const Color ink = c.over ? u.t.text2 : u.t.text;
        u.text(r.x, y, Face::b14, ink, grouped(c.tp));
        u.text(requests_x, y, Face::b14, ink, grouped(c.batch), Align::right);
        u.text(ms_x, y, c.over ? Face::b14b : Face::b14, c.over ? u.t.warn : u.t.text,
               three_digits(c.seconds * 1e3), Align::right);
        u.text(rate_x, y, Face::b14b, ink, three_digits(c.per_gpu()), Align::right);
        if (h.click) {
            s.next.tp = c.tp;
            s.next.batch = c.batch;
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
