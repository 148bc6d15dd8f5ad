// SPDX-License-Identifier: MIT
// Owns: buttons, links and tabs. Widths follow the text.
#pragma once
#include <initializer_list>
#include <span>

#include "ui/ui.h"

namespace kvgauge::ui {

enum class Weight : std::uint8_t { plain, primary };

float button_width(const Ui&, std::string_view label, std::string_view key = {});
// Left edge at x, centred on cy, 32 px high (44 on touch).
bool button(Ui&, std::string_view id, float x, float cy, std::string_view label,
            std::string_view key = {}, Weight = Weight::plain, bool enabled = true);
// Text in the accent that acts when clicked. Returns its right edge in `end` when given.
bool link(Ui&, std::string_view id, float x, float y, Face, std::string_view label,
          Align = Align::left, float* end = nullptr);

struct Tab {
    std::string_view id, label;
};
// Returns the chosen index, -1 when unchanged. One stop of the keyboard; arrows move inside.
int tabs(Ui&, Rect, std::span<const Tab>, int selected);

}  // namespace kvgauge::ui
