// SPDX-License-Identifier: MIT
// Owns: the layout below 700 px: one column that scrolls as a page, controls of 44 px.
#pragma once
#include "ui/bars.h"
#include "ui/session.h"
#include "ui/ui.h"

namespace kvgauge::ui {

inline constexpr float kPhoneWidth = 700;

struct PhoneResult {
    TopAction action = TopAction::none;
    float height = 0;  // of the whole page
};
PhoneResult draw_phone(Ui&, Session&, Rect window);

}  // namespace kvgauge::ui
