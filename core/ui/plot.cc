// SPDX-License-Identifier: MIT
#include "ui/plot.h"

#include <algorithm>
#include <cmath>

#include <imgui_internal.h>

#include "text/numbers.h"
#include "ui/number_text.h"

namespace kvgauge::ui {

double Axis::share(double v) const {
    return log ? std::log(v / low) / std::log(high / low) : (v - low) / (high - low);
}

double Axis::at(double share) const {
    return log ? low * std::pow(high / low, share) : low + (high - low) * share;
}

std::vector<double> ticks_125(const Axis& a, int most) {
    std::vector<double> out;
    if (!(a.high > a.low)) return out;
    if (a.log) {
        // Decades alone when 1-2-5 would be too many.
        const double decades = std::log10(a.high / a.low);
        const bool all = decades * 3 <= most;
        const int first = static_cast<int>(std::floor(std::log10(a.low)));
        const int last = static_cast<int>(std::ceil(std::log10(a.high)));
        for (int k = first; k <= last; ++k) {
            for (double m : {1.0, 2.0, 5.0}) {
                if (!all && m != 1) continue;
                const double v = m * std::pow(10.0, k);
                if (v >= a.low * 0.999 && v <= a.high * 1.001) out.push_back(v);
            }
        }
        return out;
    }
    const double raw = (a.high - a.low) / most;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    const double f = raw / power;
    const double step = (f < 1.5 ? 1 : f < 3.5 ? 2 : f < 7.5 ? 5 : 10) * power;
    const double first = std::ceil(a.low / step - 1e-9);
    for (int i = 0; i <= 2 * most; ++i) {
        const double v = (first + i) * step;
        if (v > a.high + step * 1e-6) break;
        out.push_back(v);
    }
    return out;
}

std::vector<double> ticks_pow2(const Axis& a) {
    std::vector<double> out;
    for (double v = 1; v <= a.high * 1.001; v *= 2) {
        if (v >= a.low * 0.999) out.push_back(v);
    }
    return out;
}

std::string axis_tokens(double v) {
    if (v >= 1048576) return general(v / 1048576) + "M";
    return v >= 1024 ? general(v / 1024) + "k" : general(v);
}
std::string axis_number(double v) {
    return v >= 1000 && v < 1e15 ? grouped(static_cast<std::uint64_t>(v)) : general(v);
}
std::string axis_ms(double seconds) {
    const double ms = seconds * 1e3;
    return ms >= 1000 ? general(seconds) + " s" : general(ms) + " ms";
}
std::string axis_gib(double gib) {
    return axis_number(gib);
}

double quarter_octave(double v) {
    return std::exp2(std::round(std::log2(v) * 4) / 4);
}

void Plot::begin(const Ui& u, Rect r, float right) {
    if (x_ticks.empty()) x_ticks = ticks_125(x, 10);
    if (y_ticks.empty()) y_ticks = ticks_125(y, static_cast<int>(r.h / 24));
    const float top = y.title.empty() ? 8 : 26;
    float gutter = 28;
    for (double v : y_ticks) gutter = std::max(gutter, u.width(Face::c12, y.label(v)) + 10);
    if (left > 0) gutter = left;
    const float below = bare_x ? 10.0f : 46.0f;
    box = {r.x + gutter, r.y + top, r.w - gutter - right, std::max(r.h - top - below, 40.0f)};
    if (!y.title.empty()) u.text(r.x, r.y, Face::c12, u.t.text2, y.title);
    for (double v : y_ticks) {
        const float py = std::floor(at(x.low, v).y);
        u.hline(box.x, box.right(), py, u.t.line);
        u.text_mid(box.x - 8, py, Face::c12, u.t.text3, y.label(v), Align::right);
    }
    u.hline(box.x, box.right(), box.bottom(), u.t.line_strong);
    float last = -1e9f;
    for (double v : x_ticks) {
        const float px = at(v, y.low).x;
        u.vline(px, box.bottom(), box.bottom() + 4, u.t.line_strong);
        if (bare_x) continue;
        const std::string label = x.label(v);
        if (px - u.width(Face::c12, label) * 0.5f < last + 8) continue;
        last = u.text(px, box.bottom() + 7, Face::c12, u.t.text3, label, Align::mid);
    }
    if (!bare_x) {
        u.text(box.right(), box.bottom() + 24, Face::c12, u.t.text2, x.title, Align::right);
    }
}

ImVec2 Plot::at(double vx, double vy) const {
    // A value far outside still needs a finite place.
    const double sx = std::clamp(x.share(std::max(vx, 1e-300)), -4.0, 5.0);
    const double sy = std::clamp(y.share(y.log ? std::max(vy, 1e-300) : vy), -4.0, 5.0);
    return {box.x + static_cast<float>(sx) * box.w, box.bottom() - static_cast<float>(sy) * box.h};
}

void Plot::clip(const Ui& u) const {
    u.clip({box.x - 1, box.y - 7, box.w + 2, box.h + 8});
}
void Plot::unclip(const Ui& u) const {
    u.unclip();
}

std::optional<double> plot_pointer(Ui& u, std::string_view id, const Plot& p, PlotState& state,
                                   const Axis& whole) {
    const Hit h = u.hit(id, p.box, ItemKind::plot);
    if (h.focus) u.focus_ring(p.box, 4);
    const ImGuiIO& io = ImGui::GetIO();
    const float mx = std::clamp(io.MousePos.x, p.box.x, p.box.right());
    if (h.hover && ImGui::IsMouseDoubleClicked(0)) state.zoom.reset();
    if (u.focused(id) && !io.WantTextInput && ImGui::IsKeyPressed(ImGuiKey_Home, false)) {
        state.zoom.reset();
    }
    if (h.held && !state.drag_from) state.drag_from = io.MouseClickedPos[0].x;
    if (state.drag_from) {
        const float from = std::clamp(*state.drag_from, p.box.x, p.box.right());
        const float a = std::min(from, mx);
        const float b = std::max(from, mx);
        if (h.held) {
            if (b - a > 3) u.fill({a, p.box.y, b - a, p.box.h}, u.t.accent_soft);
        } else {
            if (b - a > 12) state.zoom = std::pair{p.x_of(a), p.x_of(b)};
            state.drag_from.reset();
        }
    }
    if (u.focused(id) && h.hover && io.MouseWheel != 0) {
        ImGui::SetKeyOwner(ImGuiKey_MouseWheelY, kKeyOwner);
        const double center = p.x_of(mx);
        const double factor = io.MouseWheel > 0 ? 0.8 : 1.25;
        double low = center * std::pow(p.x.low / center, factor);
        double high = center * std::pow(p.x.high / center, factor);
        low = std::max(low, whole.low);
        high = std::min(high, whole.high);
        if (high / low > 1.5) state.zoom = std::pair{low, high};
        if (low <= whole.low * 1.001 && high >= whole.high * 0.999) state.zoom.reset();
    }
    if (!h.hover || h.held) return std::nullopt;
    return p.x_of(mx);
}

void end_labels(Ui& u, std::string_view id, std::vector<EndLabel> v, float x, float low, float high,
                float pitch, PlotState* state) {
    if (v.empty()) return;
    std::stable_sort(v.begin(), v.end(),
                     [](const EndLabel& a, const EndLabel& b) { return a.y < b.y; });
    std::vector<float> own;
    for (const EndLabel& e : v) own.push_back(e.y);
    for (int round = 0; round < 60; ++round) {
        bool moved = false;
        for (std::size_t i = 0; i + 1 < v.size(); ++i) {
            const float d = pitch - (v[i + 1].y - v[i].y);
            if (d <= 0.01f) continue;
            v[i].y -= d * 0.5f;
            v[i + 1].y += d * 0.5f;
            moved = true;
        }
        if (!moved) break;
    }
    const float over = v.back().y - high;
    const float under = low - v.front().y;
    for (EndLabel& e : v) e.y += over > 0 ? -over : under > 0 ? under : 0;
    const float lh = u.line_height(Face::c12);
    for (std::size_t i = 0; i < v.size(); ++i) {
        const EndLabel& e = v[i];
        const bool hidden = state != nullptr && e.series >= 0 && (state->hidden >> e.series & 1);
        const Color c = hidden ? u.t.text3 : e.color;
        if (!hidden && std::fabs(e.y - own[i]) > 3) {
            u.line({x + 2, own[i]}, {x + 12, e.y}, fade(e.color, 0.6f), 1);
        }
        const float top = e.note.empty() ? e.y - lh * 0.5f : e.y - lh;
        const Face face = e.strong ? Face::c12b : Face::c12;
        const float end = u.text(x + 16, top, face, c, e.name);
        if (hidden) u.hline(x + 16, end, top + lh * 0.5f, c);
        if (!e.note.empty()) u.text(x + 16, e.y + 1, Face::c12, u.t.text3, e.note);
        if (state == nullptr || e.series < 0) continue;
        const std::string item = std::string(id) + "-" + std::to_string(e.series);
        const Rect r{x + 12, top - 2, end - x - 8, (e.note.empty() ? lh : 2 * lh) + 4};
        const Hit h = u.hit(item, r, ItemKind::button);
        if (h.hover) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        if (h.focus) u.focus_ring(r, 4);
        if (h.click) state->hidden ^= 1u << e.series;
    }
}

void PointNumbers::avoid(ImVec2 p, float radius) {
    taken_.push_back({{p.x - radius, p.y - radius, 2 * radius, 2 * radius}, 20});
}

void PointNumbers::avoid(std::span<const ImVec2> curve, float near_x) {
    for (std::size_t i = 0; i + 1 < curve.size(); ++i) {
        if (std::fabs(curve[i].x - near_x) > 80) continue;
        for (int k = 0; k < 3; ++k) {  // close enough that no text slips between
            const float t = static_cast<float>(k) / 3;
            const ImVec2 q{curve[i].x + (curve[i + 1].x - curve[i].x) * t,
                           curve[i].y + (curve[i + 1].y - curve[i].y) * t};
            taken_.push_back({{q.x - 1, q.y - 1, 2, 2}, 1});
        }
    }
}

void PointNumbers::draw(ImVec2 p, Face face, Color c, std::string_view text, bool below) {
    const float w = u_.width(face, text);
    const float h = u_.line_height(face);
    // Right above, left below, right below, left above; or the mirror image. Then farther off.
    constexpr float sides[4][2] = {{1, -1}, {-1, 1}, {1, 1}, {-1, -1}};
    Rect best;
    int least = -1;
    for (int i = 0; i < 8 && least != 0; ++i) {
        const float* side = sides[below ? (i & 3) ^ 1 : i & 3];
        const float dx = side[0] * (rising_ ? -1.0f : 1.0f), dy = i < 4 ? 12.0f : 26.0f;
        const Rect r{dx > 0 ? p.x + 10 : p.x - 10 - w, p.y + side[1] * dy - h * .5f, w, h};
        const bool inside = r.x >= bounds_.x - 4 && r.right() <= bounds_.right() + 4 &&
                            r.y >= bounds_.y - 8 && r.bottom() <= bounds_.bottom() + 2;
        int cost = (inside ? 0 : 1000) + (i < 4 ? 0 : 5);
        for (const Taken& t : taken_) {
            if (t.box.overlaps(r)) cost += t.weight;
        }
        if (least >= 0 && cost >= least) continue;
        least = cost;
        best = r;
    }
    taken_.push_back({best, 400});
    u_.text(best.x, best.y, face, c, text);
}

double step_below(double v) {
    const double power = std::pow(10.0, std::floor(std::log10(v)));
    const double f = v / power * 1.0000001;
    return (f >= 5 ? 5 : f >= 2 ? 2 : 1) * power;
}

double step_above(double v) {
    const double power = std::pow(10.0, std::floor(std::log10(v)));
    const double f = v / power * 0.9999999;
    return (f <= 1 ? 1 : f <= 2 ? 2 : f <= 5 ? 5 : 10) * power;
}

void hover_box(const Ui& u, const Plot& p, double x, std::string_view title,
               const std::vector<HoverValue>& values) {
    float w = u.width(Face::c12b, title) + 24;
    for (const HoverValue& v : values) {
        w = std::max(w, u.width(Face::c12, v.name) + u.width(Face::c12b, v.value) + 48);
    }
    Rect b{p.at(x, p.y.low).x + 14, p.box.y + 6, w, 18.0f * static_cast<float>(values.size()) + 38};
    if (b.right() > p.box.right()) b.x -= b.w + 28;
    u.fill(b, u.t.raised, 8);
    u.frame(b, u.t.line_strong, 8);
    float y = b.y + 10;
    u.text(b.x + 12, y, Face::c12b, u.t.text, title);
    y += 22;
    for (const HoverValue& v : values) {
        u.text(b.x + 12, y, Face::c12, v.color, v.name);
        u.text(b.right() - 12, y, Face::c12b, u.t.text, v.value, Align::right);
        y += 18;
    }
}

}  // namespace kvgauge::ui
