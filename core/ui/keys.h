// SPDX-License-Identifier: MIT
// Owns: the keyboard of the whole window: Tab order, shortcuts. Single letters act only when no
// text is being typed. Keys that a browser needs (Ctrl F R L + - 0, F5, F12) are not touched.
#pragma once
#include "ui/session.h"
#include "ui/ui.h"

namespace kvgauge::ui {

// Tab and Shift Tab over the controls of the last frame.
void move_focus(UiState&, const std::vector<Item>&);
void handle_keys(Session&, UiState&, bool dark);
// Keeps Tab and the arrows from ImGui's own navigation; once a frame.
void claim_keys();

void copy_link(Session&);

}  // namespace kvgauge::ui
