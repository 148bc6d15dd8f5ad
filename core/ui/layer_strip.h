// SPDX-License-Identifier: MIT
// Owns: what each layer of the model keeps: one cell a layer, kind by height and tint, and under it
// one sentence a kind.
#pragma once
#include "ui/session.h"
#include "ui/ui.h"

namespace kvgauge::ui {

// Returns the y after it.
float layer_strip(Ui&, Session&, Rect);

}  // namespace kvgauge::ui
