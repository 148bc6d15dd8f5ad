// SPDX-License-Identifier: MIT
// Owns: the roofline of the GPU with this model's attention and weight products on it: what is
// bound by memory and what by arithmetic, and at which batch that changes.
#pragma once
#include "ui/session.h"
#include "ui/ui.h"

namespace kvgauge::ui {

void roofline(Ui&, Session&, Rect);

}  // namespace kvgauge::ui
