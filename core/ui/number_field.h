// SPDX-License-Identifier: MIT
// Owns: a field for a number with its unit behind it. Click or Tab to type, Enter or Tab to keep,
// Escape to give up; arrows up and down step by one, with Shift ten, with Alt a tenth; the wheel
// steps only while the field is edited. The text is read by the key table, so 8k, 40GiB and 90% are
// accepted.
#pragma once
#include "ui/ui.h"

namespace kvgauge::ui {

struct NumberField {
    std::string_view id;    // the key
    std::string_view text;  // the value in effect
    std::string_view unit;
    bool soft = false;         // the value is a default that was not typed: lighter
    bool placeholder = false;  // the text is a word for "none": typing begins empty
};

struct NumberEdit {
    std::optional<std::string> text;  // what was typed
    double step = 0;                  // or how far to step
};

NumberEdit number_field(Ui&, Rect, const NumberField&);

}  // namespace kvgauge::ui
