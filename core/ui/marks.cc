// SPDX-License-Identifier: MIT
#include "ui/marks.h"

#include <cmath>

namespace kvgauge::ui {

Sign sign_of(Verdict v) {
    switch (v) {
        case Verdict::ok:
            return Sign::tick;
        case Verdict::ok_replicated:
            return Sign::copies;
        case Verdict::ok_uneven:
        case Verdict::ok_fallback:
            return Sign::uneven;
        case Verdict::error:
            return Sign::cross;
        case Verdict::unsafe:
            return Sign::warning;
    }
    return Sign::unknown;
}

Color sign_color(const Theme& t, Sign s) {
    switch (s) {
        case Sign::tick:
            return t.ok;
        case Sign::cross:
            return t.bad;
        case Sign::unknown:
            return t.text3;
        default:
            return t.warn;
    }
}

Color sign_plate(const Theme& t, Sign s) {
    switch (s) {
        case Sign::tick:
        case Sign::unknown:
            return 0;
        case Sign::cross:
            return t.bad_soft;
        default:
            return t.warn_soft;
    }
}

void draw_sign(const Ink& ink, float x, float y, Sign sign, Color c, float s, float thickness) {
    ImDrawList* d = ink.list;
    switch (sign) {
        case Sign::tick: {
            const ImVec2 p[3] = {
                {x - s, y + .2f}, {x - s * .25f, y + s * .75f}, {x + s, y - s * .75f}};
            d->AddPolyline(p, 3, c, 0, thickness);
            break;
        }
        case Sign::cross: {
            const float k = s * .8f;
            d->AddLine({x - k, y - k}, {x + k, y + k}, c, thickness);
            d->AddLine({x - k, y + k}, {x + k, y - k}, c, thickness);
            break;
        }
        case Sign::copies: {  // one square in front of another
            const float w = std::fmin(thickness, 1.4f);
            d->AddRect({x - s, y - s * .35f}, {x + s * .35f, y + s}, c, 1.5f, 0, w);
            const ImVec2 p[3] = {{x - s * .3f, y - s}, {x + s, y - s}, {x + s, y + s * .3f}};
            d->AddPolyline(p, 3, c, 0, w);
            break;
        }
        case Sign::uneven:  // three bars of unequal height
            for (int i = 0; i < 3; ++i) {
                const float h = i == 1 ? s : s * 1.8f;
                const float at = x - s + static_cast<float>(i) * s * .85f;
                d->AddRectFilled({at, y + s - h}, {at + s * .55f, y + s}, c);
            }
            break;
        case Sign::warning: {
            const float w = std::fmin(thickness, 1.8f);
            d->AddTriangle({x, y - s}, {x + s * 1.1f, y + s * .9f}, {x - s * 1.1f, y + s * .9f}, c,
                           w);
            d->AddLine({x, y - s * .3f}, {x, y + s * .25f}, c, w);
            d->AddRectFilled({x - w * .5f, y + s * .45f}, {x + w * .5f, y + s * .45f + w}, c);
            break;
        }
        case Sign::unknown:
            d->AddCircle({x, y}, s * .9f, c, 24, thickness);
            break;
    }
}

Color basis_color(const Theme& t, Basis b) {
    return b == Basis::measured ? t.accent : t.text3;
}

void draw_basis(const Ink& ink, float x, float cy, Basis b, Color c) {
    ImDrawList* d = ink.list;
    x = std::floor(x) + .5f;
    cy = std::floor(cy) + .5f;
    switch (b) {
        case Basis::exact:
            d->AddCircleFilled({x, cy}, 3.5f, c, 20);
            break;
        case Basis::derived:
            d->AddCircle({x, cy}, 3.2f, c, 20, 1.2f);
            d->PathArcTo({x, cy}, 3.2f, 1.5708f, 4.7124f, 12);
            d->PathFillConvex(c);
            break;
        case Basis::assumed:
            d->AddCircle({x, cy}, 3.2f, c, 20, 1.2f);
            break;
        case Basis::measured:
            d->AddQuadFilled({x, cy - 4.5f}, {x + 4.5f, cy}, {x, cy + 4.5f}, {x - 4.5f, cy}, c);
            break;
    }
}

void draw_mark(const Ink& ink, ImVec2 p, Mark m, Color c, float s) {
    ImDrawList* d = ink.list;
    const Color halo = ink.t.bg;
    switch (m) {
        case Mark::dot:
        case Mark::ring:
            d->AddCircleFilled(p, s + 2, halo, 24);
            if (m == Mark::dot)
                d->AddCircleFilled(p, s, c, 24);
            else
                d->AddCircle(p, s, c, 24, 1.6f);
            break;
        case Mark::square:
            d->AddRectFilled({p.x - s - 1.5f, p.y - s - 1.5f}, {p.x + s + 1.5f, p.y + s + 1.5f},
                             halo);
            d->AddRectFilled({p.x - s + .5f, p.y - s + .5f}, {p.x + s - .5f, p.y + s - .5f}, c);
            break;
        case Mark::triangle:
            d->AddTriangleFilled({p.x, p.y - s - 4}, {p.x + s + 4, p.y + s + 2},
                                 {p.x - s - 4, p.y + s + 2}, halo);
            d->AddTriangleFilled({p.x, p.y - s - .5f}, {p.x + s + .5f, p.y + s - .5f},
                                 {p.x - s - .5f, p.y + s - .5f}, c);
            break;
        case Mark::diamond:
            for (const auto& [reach, color] : {std::pair{s + 3, halo}, std::pair{s + .5f, c}}) {
                d->AddQuadFilled({p.x, p.y - reach}, {p.x + reach, p.y}, {p.x, p.y + reach},
                                 {p.x - reach, p.y}, color);
            }
            break;
    }
}

float draw_swatch(const Ink& ink, float x, float cy, Color c) {
    ink.fill({x, std::floor(cy) - 4, 10, 10}, c, 2);
    return x + 16;
}

float draw_range_swatch(const Ink& ink, float x, float cy) {
    const Rect r{x, std::floor(cy) - 4, 10, 10};
    ink.hatch(r, ink.t.text3, 4, 1);
    ink.frame(r, ink.t.text3, 2);
    return x + 16;
}

void draw_logo(const Ink& ink, float x, float cy) {
    for (int i = 0; i < 4; ++i) {
        const Color c = i < 3 ? ink.t.accent : fade(ink.t.accent, .3f);
        ink.fill({x + static_cast<float>(i) * 5, cy - 7, 3.5f, 14}, c, 1);
    }
}

}  // namespace kvgauge::ui
