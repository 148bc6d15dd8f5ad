// SPDX-License-Identifier: MIT
// Owns: the texts that go between the page and the canvas.
#pragma once
#include <string>
#include <string_view>

#include "ui/app.h"

namespace kvgauge::web {

// What the application asks of a page.
ui::Host page_host();
// {"id","text","placeholder","rect":[x,y,w,h],"open"} of the text field of the last frame, CSS px of
// the canvas; open: its list is there. null: there is no field.
std::string canvas_field_json();
// {"frames","items":[{"id","kind","focused","stop","rect"}]} of the last frame, in tab order: for tests.
std::string canvas_state_json();
void canvas_text_input(std::string_view id, std::string_view text, bool composing);
// OpenType files of a language, copied.
void canvas_take_fonts(Lang, std::string_view regular, std::string_view semibold);
void canvas_paste(std::string_view text);

}  // namespace kvgauge::web
