// SPDX-License-Identifier: MIT
// Owns: a slider over a share 0..1, for what also has a number field.
#pragma once
#include "ui/ui.h"

namespace kvgauge::ui {

// Returns true while the pointer or an arrow key changes `share`; `step` is one key press.
bool slider(Ui&, std::string_view id, Rect, float& share, float step);

}  // namespace kvgauge::ui
