// SPDX-License-Identifier: MIT
// Owns: strips at the lower end of the view: keys of a link that need a look, issues of the
// scenario, what a dropped file did. At most two, never over content.
#pragma once
#include "ui/session.h"
#include "ui/ui.h"

namespace kvgauge::ui {

void link_notices(Session&, const Issues&);
float notices_height(const Ui&, const Session&, float width);
void draw_notices(Ui&, Session&, Rect);
void draw_drop_target(const Ui&, Rect window);

}  // namespace kvgauge::ui
