// SPDX-License-Identifier: MIT
// Owns: the small signs. All are drawn, not glyphs: the same weight at any size, nothing to subset.
// Basis: the more ink, the more is known. Verdict and series marks are the second cue beside
// colour.
#pragma once
#include "engine/engine.h"
#include "model/quantity.h"
#include "ui/ink.h"

namespace kvgauge::ui {

enum class Mark : std::uint8_t { dot, ring, square, triangle, diamond };

enum class Sign : std::uint8_t { tick, copies, uneven, cross, warning, unknown };

// The sign of an engine's verdict on a tensor-parallel size.
Sign sign_of(Verdict);
Color sign_color(const Theme&, Sign);
Color sign_plate(const Theme&, Sign);  // the soft ground under it; clear for a tick

void draw_sign(const Ink&, float x, float y, Sign, Color, float size = 4.5f,
               float thickness = 1.8f);

// 7 px, measured 9 px; centred on x, cy.
void draw_basis(const Ink&, float x, float cy, Basis, Color);
Color basis_color(const Theme&, Basis);

// A point of a series, with a halo of ground.
void draw_mark(const Ink&, ImVec2, Mark, Color, float size = 4);

// A square of 10 px before a label. Returns the x after it and its gap.
float draw_swatch(const Ink&, float x, float cy, Color);
float draw_range_swatch(const Ink&, float x, float cy);

// The program's own sign: a gauge of four bars.
void draw_logo(const Ink&, float x, float cy);

}  // namespace kvgauge::ui
