// SPDX-License-Identifier: MIT
// Owns: a row of choices of which one is chosen. One stop of the keyboard, arrows move inside;
// parts share the width in proportion to their text. A part may carry the sign of a verdict.
#pragma once
#include <optional>
#include <span>

#include "ui/marks.h"
#include "ui/ui.h"

namespace kvgauge::ui {

struct Segment {
    std::string label;
    std::optional<Sign> sign;
};

// Returns the chosen index, -1 when unchanged. `selected` may be -1.
int segmented(Ui&, std::string_view id, Rect, std::span<const Segment>, int selected);

}  // namespace kvgauge::ui
