// SPDX-License-Identifier: MIT
// Owns: a reconciled log as the steps of a waterfall: from the memory of one GPU down to its KV
// cache. Bytes per GPU.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "text/reconcile.h"
#include "ui/theme.h"
#include "ui/ui.h"

namespace kvgauge::ui {

struct WaterStep {
    std::string label;
    Color color = 0;
    std::optional<double> observed;
    std::optional<Quantity> predicted;
    bool level = false;   // stands on the ground (the total, the KV cache); others fall
    bool strong = false;  // what the steps lead to
    bool inside = true;   // no figure lies outside its range
    double amount() const { return observed ? *observed : predicted ? predicted->value : 0; }
};

std::vector<WaterStep> water_steps(const Ui&, const Observation&, const Reconciliation&);

// What the printed parts leave unexplained of the printed share; empty where a part is missing.
std::optional<double> log_remainder(const Observation&, const Reconciliation&);

}  // namespace kvgauge::ui
