// SPDX-License-Identifier: MIT
// Owns: the read-outs of the first screen, filled from the report's rows.
#pragma once
#include <vector>

#include "ui/readout.h"

namespace kvgauge::ui {

std::vector<Readout> main_readouts(const Ui&, const Session&, bool short_notes);
void readout_row(Ui&, Session&, Rect);
float readouts_height(float width);  // two rows where one would be too narrow

}  // namespace kvgauge::ui
