// SPDX-License-Identifier: MIT
// Owns: which tensor-parallel sizes the engine takes for this model, as a short list, and the few
// words of a verdict that fit a line.
#pragma once
#include "engine/engine.h"
#include "ui/session.h"
#include "ui/ui.h"

namespace kvgauge::ui {

// "4 KV heads per GPU", "1 head, stored twice", "32 query heads do not split".
std::string tp_words(const Ui&, const TpVerdict&);
// Returns the y after the list.
float tp_list(Ui&, Session&, Rect);

}  // namespace kvgauge::ui
