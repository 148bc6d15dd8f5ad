// SPDX-License-Identifier: MIT
// Owns: the question "how many requests of these lengths at once" put to a scenario: its lengths
// cut at ctx, the engine's own blocks, and the band of its budget.
#pragma once
#include "estimate.h"

namespace kvgauge {

// Fills `traffic` of an estimate whose plan is made. Where there is no answer an issue says why,
// unless the estimate's own rows do (refused, does not fit).
void add_traffic(const Scenario&, const Catalog&, Estimate&, Issues&);

}  // namespace kvgauge
