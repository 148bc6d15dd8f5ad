// SPDX-License-Identifier: MIT
#include <algorithm>

#include "ui/views.h"

namespace kvgauge::ui {

// No importer of logs is part of this build: the view says so, and what helps instead.
void log_view(Ui& u, Session&, Rect r) {
    const float w = std::min(r.w, 640.0f);
    u.text(r.x, r.y, Face::t16b, u.t.text, u.tr(Str::ui_log_title));
    float y = u.wrap(r.x, r.y + 34, w, Face::b14, u.t.text2, u.tr(Str::ui_log_missing));
    u.wrap(r.x, y + 8, w, Face::b14, u.t.text2, u.tr(Str::ui_log_instead));
}

}  // namespace kvgauge::ui
