// SPDX-License-Identifier: MIT
// Owns: the bar above (name, scenario in words, search, link, theme, language) and the one below
// (what the basis marks mean, hints, rules in effect).
#pragma once
#include "ui/session.h"
#include "ui/ui.h"

namespace kvgauge::ui {

inline constexpr float kTopBar = 48, kStatusBar = 28;

enum class TopAction : std::uint8_t { none, palette, copy_link, theme, language, menu };
TopAction top_bar(Ui&, Session&, Rect, bool dark);
void status_bar(Ui&, Session&, Rect);

}  // namespace kvgauge::ui
