// SPDX-License-Identifier: MIT
// Owns: drawing on one ImGui draw list: crisp hairlines, text on whole device pixels, hatching,
// dashed curves. Positions in CSS pixels. Hatching means "not certain" everywhere in the program.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <imgui.h>

#include "ui/rect.h"
#include "ui/theme.h"
#include "ui/type.h"

namespace kvgauge::ui {

enum class Align : std::uint8_t { left, mid, right };

// A piece of text as it was drawn, for tests: nothing may overlap or leave its place.
struct TextRun {
    std::string text;
    Rect box;
    Face face = Face::b14;
};

struct Dash {
    float on = 0, off = 0;  // 0: solid
};

class Ink {
  public:
    Ink(ImDrawList* draw_list, const Theme& theme, const Fonts& faces)
        : list(draw_list), t(theme), fonts(faces) {}

    float line_height(Face) const;
    float width(Face, std::string_view) const;

    // Top at y. Returns the x after the text.
    float text(float x, float y, Face, Color, std::string_view, Align = Align::left) const;
    // Centred on cy.
    float text_mid(float x, float cy, Face, Color, std::string_view, Align = Align::left) const;
    // Wraps at spaces only: ImGui's own rule also breaks after a full stop and cuts "0.54" in two.
    // Returns the y after the last line.
    float wrap(float x, float y, float w, Face, Color, std::string_view) const;
    float wrap_height(float w, Face, std::string_view) const;
    // Cut with an ellipsis to at most w.
    std::string fit(Face, std::string_view, float w) const;

    void fill(Rect, Color, float radius = 0,
              ImDrawFlags corners = ImDrawFlags_RoundCornersAll) const;
    void frame(Rect, Color, float radius = 0, float thickness = 1) const;
    void hline(float x0, float x1, float y, Color) const;
    void vline(float x, float y0, float y1, Color) const;
    void hdash(float x0, float x1, float y, Color, Dash = {3, 3}) const;
    void vdash(float x, float y0, float y1, Color, Dash = {3, 3}) const;
    void hatch(Rect, Color, float step = 5, float thickness = 1.3f) const;
    void circle(float x, float y, float r, Color) const;
    void ring(float x, float y, float r, Color, float thickness) const;
    void line(ImVec2 a, ImVec2 b, Color, float thickness) const;
    void polyline(std::span<const ImVec2>, Color, float thickness, Dash = {}) const;
    // The area between two curves of equal length.
    void band(std::span<const ImVec2> low, std::span<const ImVec2> high, Color) const;
    void chevron(float x, float cy, Color) const;
    void shadow(Rect, float radius) const;
    void clip(Rect) const;
    void unclip() const;

    ImDrawList* list;
    const Theme& t;
    const Fonts& fonts;
    std::vector<TextRun>* trace = nullptr;

  private:
    float snap(float v) const;
    float lay(float x, float y, float w, Face, Color, std::string_view, bool draw) const;
};

}  // namespace kvgauge::ui
