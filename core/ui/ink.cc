// SPDX-License-Identifier: MIT
#include "ui/ink.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace kvgauge::ui {
namespace {

constexpr float kLead = 4;  // between wrapped lines

ImVec2 low(Rect r) {
    return {r.x, r.y};
}
ImVec2 high(Rect r) {
    return {r.right(), r.bottom()};
}

}  // namespace

float Ink::snap(float v) const {
    return std::floor(v * fonts.dpr + 0.5f) / fonts.dpr;
}

float Ink::line_height(Face f) const {
    return fonts[f]->FontSize / fonts.dpr;
}

float Ink::width(Face f, std::string_view s) const {
    if (s.empty()) return 0;
    const ImFont* font = fonts[f];
    return font
        ->CalcTextSizeA(font->FontSize / fonts.dpr, FLT_MAX, 0, s.data(), s.data() + s.size())
        .x;
}

float Ink::text(float x, float y, Face f, Color c, std::string_view s, Align a) const {
    if (s.empty()) return x;
    const float w = width(f, s);
    if (a == Align::mid) x -= w * 0.5f;
    if (a == Align::right) x -= w;
    const ImVec2 at{snap(x), snap(y)};
    list->AddText(fonts[f], fonts[f]->FontSize / fonts.dpr, at, c, s.data(), s.data() + s.size());
    if (trace != nullptr) {  // only what can be seen
        const ImVec2 low_clip = list->GetClipRectMin(), high_clip = list->GetClipRectMax();
        const float x0 = std::max(at.x, low_clip.x), y0 = std::max(at.y, low_clip.y);
        const float x1 = std::min(at.x + w, high_clip.x),
                    y1 = std::min(at.y + line_height(f), high_clip.y);
        if (x1 > x0 && y1 > y0) trace->push_back({std::string(s), {x0, y0, x1 - x0, y1 - y0}, f});
    }
    return x + w;
}

float Ink::text_mid(float x, float cy, Face f, Color c, std::string_view s, Align a) const {
    return text(x, cy - line_height(f) * 0.5f, f, c, s, a);
}

float Ink::lay(float x, float y, float w, Face f, Color c, std::string_view s, bool draw) const {
    std::size_t begin = 0;
    while (begin <= s.size()) {
        std::size_t end = begin;  // the line so far ends here
        std::size_t at = begin;
        while (at < s.size()) {
            std::size_t space = s.find(' ', at == begin ? at : at + 1);
            if (space == std::string_view::npos) space = s.size();
            if (end > begin && width(f, s.substr(begin, space - begin)) > w) break;
            end = space;
            at = space;
            if (space == s.size()) break;
        }
        if (draw) text(x, y, f, c, s.substr(begin, end - begin));
        y += line_height(f) + kLead;
        if (end >= s.size()) break;
        begin = end + 1;
    }
    return y;
}

float Ink::wrap(float x, float y, float w, Face f, Color c, std::string_view s) const {
    return lay(x, y, w, f, c, s, true);
}

float Ink::wrap_height(float w, Face f, std::string_view s) const {
    return lay(0, 0, w, f, 0, s, false);
}

std::string Ink::fit(Face f, std::string_view s, float w) const {
    if (width(f, s) <= w) return std::string(s);
    std::string out(s);
    while (!out.empty()) {
        // A whole UTF-8 character at a time.
        while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xC0) == 0x80) {
            out.pop_back();
        }
        if (!out.empty()) out.pop_back();
        while (!out.empty() && out.back() == ' ') out.pop_back();
        if (width(f, out + "…") <= w) break;
    }
    return out + "…";
}

void Ink::fill(Rect r, Color c, float radius, ImDrawFlags corners) const {
    if (r.w <= 0 || r.h <= 0) return;
    list->AddRectFilled(low(r), high(r), c, radius,
                        radius > 0 ? corners : ImDrawFlags_RoundCornersNone);
}

void Ink::frame(Rect r, Color c, float radius, float thickness) const {
    const float d = (thickness - 1) * 0.5f;
    list->AddRect({r.x + d, r.y + d}, {r.right() - d, r.bottom() - d}, c, radius, 0, thickness);
}

void Ink::hline(float x0, float x1, float y, Color c) const {
    const float top = std::floor(y);
    list->AddRectFilled({x0, top}, {x1, top + 1}, c);
}

void Ink::vline(float x, float y0, float y1, Color c) const {
    const float left = std::floor(x);
    list->AddRectFilled({left, y0}, {left + 1, y1}, c);
}

void Ink::hdash(float x0, float x1, float y, Color c, Dash d) const {
    for (float x = x0; x < x1; x += d.on + d.off) hline(x, std::min(x + d.on, x1), y, c);
}

void Ink::vdash(float x, float y0, float y1, Color c, Dash d) const {
    for (float y = y0; y < y1; y += d.on + d.off) vline(x, y, std::min(y + d.on, y1), c);
}

void Ink::hatch(Rect r, Color c, float step, float thickness) const {
    if (r.w <= 0 || r.h <= 0) return;
    clip(r);
    // The phase follows the screen, so that neighbouring hatched parts continue each other.
    for (float x = r.x - r.h - std::fmod(r.x, step); x < r.right(); x += step) {
        list->AddLine({x, r.bottom()}, {x + r.h, r.y}, c, thickness);
    }
    unclip();
}

void Ink::circle(float x, float y, float r, Color c) const {
    list->AddCircleFilled({x, y}, r, c, 24);
}

void Ink::ring(float x, float y, float r, Color c, float thickness) const {
    list->AddCircle({x, y}, r, c, 24, thickness);
}

void Ink::line(ImVec2 a, ImVec2 b, Color c, float thickness) const {
    list->AddLine(a, b, c, thickness);
}

void Ink::polyline(std::span<const ImVec2> p, Color c, float thickness, Dash d) const {
    if (p.size() < 2) return;
    if (d.on <= 0) {
        list->AddPolyline(p.data(), static_cast<int>(p.size()), c, 0, thickness);
        return;
    }
    // A dash runs through the corners of the curve; the phase goes on from segment to segment.
    const float period = d.on + d.off;
    float phase = 0;
    ImVec2 dash[64];
    int n = 0;
    const auto flush = [&] {
        if (n > 1) list->AddPolyline(dash, n, c, 0, thickness);
        n = 0;
    };
    for (std::size_t i = 0; i + 1 < p.size(); ++i) {
        const ImVec2 a = p[i];
        const ImVec2 b = p[i + 1];
        const float length = std::hypot(b.x - a.x, b.y - a.y);
        const auto at = [&](float s) {
            return ImVec2{a.x + (b.x - a.x) * s / length, a.y + (b.y - a.y) * s / length};
        };
        float done = 0;
        while (done < length) {
            const bool ink = phase < d.on;
            const float step = std::min((ink ? d.on : period) - phase, length - done);
            if (ink) {
                if (n == 0) dash[n++] = at(done);
                if (n == 63) flush();
                dash[n++] = at(done + step);
            }
            // Below any visible length; without it a rounding error could stand still.
            phase += std::max(step, 1e-3f);
            done += std::max(step, 1e-3f);
            if (ink && phase >= d.on) flush();
            if (phase >= period) phase = 0;
        }
    }
    flush();
}

void Ink::band(std::span<const ImVec2> lo, std::span<const ImVec2> hi, Color c) const {
    // Neighbouring anti-aliased quads leave visible seams.
    const ImDrawListFlags old = list->Flags;
    list->Flags &= ~ImDrawListFlags_AntiAliasedFill;
    const std::size_t n = std::min(lo.size(), hi.size());
    for (std::size_t i = 0; i + 1 < n; ++i) {
        list->AddQuadFilled(lo[i], lo[i + 1], hi[i + 1], hi[i], c);
    }
    list->Flags = old;
}

void Ink::chevron(float x, float cy, Color c) const {
    const ImVec2 p[3] = {{x - 3.5f, cy - 1.75f}, {x, cy + 1.75f}, {x + 3.5f, cy - 1.75f}};
    list->AddPolyline(p, 3, c, 0, 1.4f);
}

void Ink::shadow(Rect r, float radius) const {
    for (int i = 8; i >= 1; --i) {
        const float d = static_cast<float>(i) * 2;
        fill({r.x - d, r.y - d + 6, r.w + 2 * d, r.h + 2 * d}, t.shadow, radius + d);
    }
}

void Ink::clip(Rect r) const {
    list->PushClipRect(low(r), high(r), true);
}
void Ink::unclip() const {
    list->PopClipRect();
}

}  // namespace kvgauge::ui
