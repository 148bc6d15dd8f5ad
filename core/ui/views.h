// SPDX-License-Identifier: MIT
// Owns: the views. Each draws into a rectangle that is at least as high as `view_height` asks; a
// window that is lower scrolls.
#pragma once
#include "ui/session.h"
#include "ui/ui.h"

namespace kvgauge::ui {

void overview(Ui&, Session&, Rect);
void memory_view(Ui&, Session&, Rect);
void batch_view(Ui&, Session&, Rect);
void parallel_view(Ui&, Session&, Rect);
void speed_view(Ui&, Session&, Rect);
void plan_view(Ui&, Session&, Rect);
void compare_view(Ui&, Session&, Rect);
void share_view(Ui&, Session&, Rect);
void measure_view(Ui&, Session&, Rect);
void log_view(Ui&, Session&, Rect);

// What the chosen view wants.
float view_height(const Session&, float width);
void draw_view(View, Ui&, Session&, Rect);

// In place of a view when nothing fits: the smallest changes that help.
void fitting_view(Ui&, Session&, Rect);

}  // namespace kvgauge::ui
