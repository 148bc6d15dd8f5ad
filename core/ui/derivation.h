// SPDX-License-Identifier: MIT
// Owns: the explanation of one number: its formula with the values put in, what it counts and how
// well it is known. Opens below the number, flips to stay inside; Escape closes it.
#pragma once
#include "ui/session.h"
#include "ui/ui.h"

namespace kvgauge::ui {

void draw_derivation(Ui&, Session&, Rect window);

}  // namespace kvgauge::ui
