// SPDX-License-Identifier: MIT
// Owns: the answer: mark, sentence, what binds, and the bar that proves it. It has the same height
// in every state, so that the tabs below never move.
#pragma once
#include "ui/session.h"
#include "ui/ui.h"

namespace kvgauge::ui {

// The height on a wide window; the narrow form returns its own.
inline constexpr float kAnswerHeight = 158;
void answer(Ui&, Session&, Rect);
float answer_narrow(Ui&, Session&, Rect);

}  // namespace kvgauge::ui
