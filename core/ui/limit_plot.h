// SPDX-License-Identifier: MIT
// Owns: requests that fit at once against context, for the model and its MHA, GQA and MQA forms,
// and the model's line within the service limits.
#pragma once
#include "ui/marks.h"
#include "ui/session.h"
#include "ui/ui.h"

namespace kvgauge::ui {

void limit_plot(Ui&, Session&, Rect, bool narrow);

// The series of a head variant: colour, dash, marker, thickness and name.
struct SeriesStyle {
    Color color;
    Mark mark;
    Dash dash;
    float thickness;
};
SeriesStyle series_style(const Theme&, const HeadVariant&);
std::string series_name(const Ui&, const HeadVariant&);  // "This model, GQA 8", "MQA"
std::string heads_note(const Ui&, const HeadVariant&);   // "32 KV heads"

}  // namespace kvgauge::ui
