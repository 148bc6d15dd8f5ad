// SPDX-License-Identifier: MIT
// Owns: the command palette: models, GPUs, engines, views and actions by a few words in any order.
#pragma once
#include <optional>

#include "ui/bars.h"
#include "ui/session.h"
#include "ui/ui.h"

namespace kvgauge::ui {

inline constexpr std::string_view kSearchField = "search";

void open_palette(Session&, UiState&);
void close_palette(Session&, UiState&);
void palette_input(Session&, UiState&, std::string_view text, bool composing);
TopAction draw_palette(Ui&, Session&, Rect window);
// The text field that a page may lay an input over: the palette's, or the box that opens it.
std::optional<TextField> search_field(const Session&, const UiState&);

}  // namespace kvgauge::ui
