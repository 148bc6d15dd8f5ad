// SPDX-License-Identifier: MIT
#include "ui/memory_bar.h"

#include <algorithm>
#include <cmath>

#include "text/numbers.h"

namespace kvgauge::ui {
namespace {

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;

struct Scale {
    Rect r;
    double end;
    float x(double bytes) const { return r.x + r.w * static_cast<float>(bytes / end); }
    float px(double bytes) const { return r.w * static_cast<float>(bytes / end); }
};

// One cell a request: thin cuts, and a full one after every tenth, as long as they can be seen.
void cut_requests(const Ui& u, const Scale& at, double from, const MemoryParts& m) {
    const float cell = at.px(m.request);
    if (cell * 10 < 4) return;
    const Color thin = fade(u.t.bg, u.t.dark ? .34f : .30f);
    const int n = static_cast<int>(std::min(m.requests, 4000.0));
    for (int i = 1; i <= n; ++i) {
        const bool ten = i % 10 == 0;
        if (!ten && cell < 4) continue;
        const float x = std::floor(at.x(from + i * m.request) + .5f) - 1;
        u.vline(x, at.r.y + (ten ? 0 : 1), at.r.bottom() - (ten ? 0 : 1), ten ? u.t.bg : thin);
    }
}

void draw_fitting(const Ui& u, const Scale& at, const MemoryParts& m) {
    const Rect& r = at.r;
    u.fill(r, u.t.reserve, 5);
    const double kv0 = m.weights + m.overhead;
    const float x1 = at.x(m.weights);
    const float x2 = at.x(kv0);
    if (x1 - r.x > 1)
        u.fill({r.x, r.y, x1 - r.x - 1, r.h}, u.t.weights, 5, ImDrawFlags_RoundCornersLeft);
    const bool leftmost = x1 - r.x <= 1;
    if (x2 - x1 > 1) {
        u.fill({x1, r.y, x2 - x1 - 1, r.h}, u.t.overhead, leftmost ? 5.0f : 0.0f,
               ImDrawFlags_RoundCornersLeft);
    }
    // Less than one request: room, but no seat.
    u.fill({x2, r.y, at.px(m.kv), r.h}, fade(u.t.kv, .30f));
    const double seats = m.request > 0 ? std::min(m.requests * m.request, m.kv) : m.kv;
    u.fill({x2, r.y, at.px(seats), r.h}, u.t.kv);
    if (m.request > 0) cut_requests(u, at, kv0, m);
    if (m.overhead_high > m.overhead_low) {
        const float a = at.x(m.weights + m.overhead_low);
        const float b = std::min(at.x(m.weights + m.overhead_high), r.right());
        const Rect band{a, r.y, std::max(b - a, 2.0f), r.h};
        u.fill(band, fade(u.t.bg, u.t.dark ? .30f : .38f));
        u.hatch(band, u.t.hatch, 5, 1.2f);
        u.vline(x2, r.y - 3, r.bottom() + 3, u.t.text);
    }
}

void draw_too_big(const Ui& u, const Scale& at, const MemoryParts& m) {
    const Rect& r = at.r;
    u.fill({r.x, r.y, at.px(std::min(m.total, at.end)), r.h}, u.t.reserve, 5);
    const double solid = std::min(m.weights, m.usable);
    u.fill({r.x, r.y, at.px(solid), r.h}, u.t.weights, 5, ImDrawFlags_RoundCornersLeft);
    u.fill({at.x(solid), r.y, at.px(m.usable - solid), r.h}, u.t.overhead);
    const Rect lack{at.x(m.usable), r.y, at.px(m.missing), r.h};
    u.fill(lack, u.t.bad_soft);
    u.hatch(lack, fade(u.t.bad, .55f), 7, 1.4f);
    u.frame(lack, u.t.bad);
    u.fill({lack.x - 1, r.y - 6, 2, r.h + 12}, u.t.text);
}

void draw_scale(const Ui& u, const Scale& at, const MemoryParts& m) {
    const double end = at.end / kGiB;
    const Rect& r = at.r;
    double step = 1;  // GiB between numbers: 1, 2, 5, 10, 20, ... at least 60 px apart
    for (int i = 0; at.px(step * kGiB) < (r.w < 500 ? 70 : 60) && i < 40; ++i) {
        step *= i % 3 == 1 ? 2.5 : 2;
    }
    const float top = r.bottom() + 9;
    const std::string total = m.too_big() ? "GiB" : binary_size(m.total);
    const float total_x = r.right() - u.width(Face::c12, total);
    u.text(r.right(), top, Face::c12, u.t.text3, total, Align::right);
    for (int i = 0; i * step <= end; ++i) {
        const float x = at.x(i * step * kGiB);
        u.vline(std::min(x, r.right() - 1), r.bottom() + 3, r.bottom() + 7, u.t.line_strong);
        const std::string text = grouped(i * step);
        const float w = u.width(Face::c12, text);
        const float left = i == 0 ? x : x - w * .5f;
        if (left + w + 10 > total_x) continue;  // it would touch the total
        u.text(left, top, Face::c12, u.t.text3, text);
    }
}

}  // namespace

std::optional<MemoryParts> memory_parts(const Estimate& e) {
    if (!e.budget) return std::nullopt;
    const Budget& b = *e.budget;
    MemoryParts m;
    m.total = b.gpu_bytes.real();
    m.usable = b.usable_bytes.real();
    m.weights = b.weight_bytes.real();
    m.overhead = b.overhead.value;
    m.overhead_low = b.overhead.low.value_or(m.overhead);
    m.overhead_high = b.overhead.high.value_or(m.overhead);
    m.kv = b.kv.value;
    if (m.usable <= 0) m.usable = m.weights + m.overhead + m.kv;
    m.total = std::max({m.total, m.usable, 1.0});
    if (e.plan) {
        m.request = e.plan->reserved_per_request.real();
        m.requests = static_cast<double>(e.plan->max_requests);
    }
    // Weights alone are named when they alone are too big, as the sentence does.
    if (m.weights > m.usable)
        m.missing = m.weights - m.usable;
    else if (m.kv <= 0)
        m.missing = m.weights + m.overhead - m.usable;
    // A budget that was given replaces the arithmetic: it never overruns the picture.
    m.kv = std::min(m.kv, std::max(m.total - m.weights - m.overhead, 0.0));
    return m;
}

void memory_bar(const Ui& u, Rect r, const MemoryParts& m, bool scale) {
    const Scale at{r, m.end()};
    if (m.too_big())
        draw_too_big(u, at, m);
    else
        draw_fitting(u, at, m);
    if (scale) draw_scale(u, at, m);
}

void small_bar(const Ui& u, Rect r, const MemoryParts& m) {
    const Scale at{r, m.total};
    u.fill(r, u.t.reserve, 4);
    u.fill({r.x, r.y, at.px(std::min(m.weights, m.total)) - 1, r.h}, u.t.weights, 4,
           ImDrawFlags_RoundCornersLeft);
    u.fill({at.x(m.weights), r.y, at.px(m.overhead) - 1, r.h}, u.t.overhead);
    u.fill({at.x(m.weights + m.overhead), r.y, at.px(m.kv), r.h}, u.t.kv);
}

}  // namespace kvgauge::ui
