// SPDX-License-Identifier: MIT
// Owns: one quantity as a bar of its parts, with their labels above, for times and bytes.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ui/marks.h"
#include "ui/ui.h"

namespace kvgauge::ui {

struct PartLabel {
    float at;  // where its part begins
    Color color;
    std::string name, value, note;
    std::optional<Basis> basis;
    bool show_name = true;

    float width(const Ui&) const;
};

// Each label at its part; one pass pushes right, one pass pushes back from the right edge. Short of
// room the notes go first, then the names of the last parts, then whole labels.
void label_row(const Ui&, Rect, float cy, std::vector<PartLabel>);

struct BarPart {
    double value = 0;
    Color color = 0;
    std::string name, text;
};
// The parts side by side over the whole width, labels 12 px above.
void parts_bar(const Ui&, Rect, const std::vector<BarPart>&);

}  // namespace kvgauge::ui
