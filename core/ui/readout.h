// SPDX-License-Identifier: MIT
// Owns: a number with its label, unit, basis mark and note, taken from a row of the report. Times
// add a small log scale: floor as a tick, range hatched, best as a dot. A click opens the
// derivation.
#pragma once
#include <optional>

#include "ui/marks.h"
#include "ui/session.h"
#include "ui/ui.h"

namespace kvgauge::ui {

struct Range {
    double floor = 0, low = 0, best = 0, high = 0;
};

struct Readout {
    std::string_view row;  // id in the report: what a click explains
    std::string_view label;
    std::string value, unit, note;
    Basis basis = Basis::exact;
    std::optional<Range> range;
};

struct Split {
    std::string value, unit;
};
Split split_unit(const std::string& text);  // "14.96 GiB" -> 14.96, GiB

double number_of(const Row&);  // 0 for a word

void readout(Ui&, Session&, Rect, const Readout&);
inline constexpr float kReadoutHeight = 92;

// Opens the derivation of a row below `anchor` when clicked; `width` is of the text to underline.
bool explain(Ui&, Session&, std::string_view row, Rect);

}  // namespace kvgauge::ui
