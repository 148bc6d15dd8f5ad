// SPDX-License-Identifier: MIT
// Owns: requests whose lengths differ: the form of their distribution, the picture of it, and how
// many are served at once, in the mean and at 1 % preempted, beside all of them at full length.
#pragma once
#include "ui/session.h"
#include "ui/ui.h"

namespace kvgauge::ui {

// 0 while every request has the scenario's own length.
float traffic_height(const Session&, float width);
void traffic_block(Ui&, Session&, Rect);
// A link, right-aligned at (right, y), that gives both lengths a spread to begin with.
void traffic_begin(Ui&, Session&, float right, float y);

// How the total lengths are spread, in equal steps of their logarithm.
struct LengthBins {
    double low = 1, high = 1;    // tokens
    std::vector<double> weight;  // of each bin, the largest is 1; empty: no lengths
};
LengthBins length_bins(const Scenario&, std::size_t bins);

}  // namespace kvgauge::ui
