// SPDX-License-Identifier: MIT
// Owns: the rectangle that all layout is made of. CSS pixels, y down. Layout cuts a rectangle into
// parts; nothing flows, so that columns and baselines stay on the grid.
#pragma once

namespace kvgauge::ui {

struct Rect {
    float x = 0, y = 0, w = 0, h = 0;

    float right() const { return x + w; }
    float bottom() const { return y + h; }
    float mid_x() const { return x + w * 0.5f; }
    float mid_y() const { return y + h * 0.5f; }
    bool has(float px, float py) const {
        return px >= x && px < right() && py >= y && py < bottom();
    }
    bool overlaps(const Rect& o) const {
        return x < o.right() && o.x < right() && y < o.bottom() && o.y < bottom();
    }
    Rect inset(float dx, float dy) const { return {x + dx, y + dy, w - 2 * dx, h - 2 * dy}; }

    // Each takes a strip off this rectangle and returns it.
    Rect cut_top(float n) {
        const Rect strip{x, y, w, n};
        y += n;
        h -= n;
        return strip;
    }
    Rect cut_bottom(float n) {
        h -= n;
        return {x, y + h, w, n};
    }
    Rect cut_left(float n) {
        const Rect strip{x, y, n, h};
        x += n;
        w -= n;
        return strip;
    }
    Rect cut_right(float n) {
        w -= n;
        return {x + w, y, n, h};
    }
};

}  // namespace kvgauge::ui
