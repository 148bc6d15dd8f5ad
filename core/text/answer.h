// SPDX-License-Identifier: MIT
// Owns: the way from a scenario as it was written, with what was wrong in it, to its report: rows
// that depend on a value that could not be used are left out, the others are given.
#pragma once
#include "estimate.h"
#include "text/report.h"

namespace kvgauge {

struct Answered {
    Scenario scenario;
    Estimate estimate;
    Report report;
    // At least one number of the asked scenario stands in the report.
    bool given() const { return !report.rows.empty(); }
};

// `written`: issues of reading the scenario, put before those of the estimate.
Answered answer(Scenario, Issues written, const Catalog&, Lang = Lang::en);

}  // namespace kvgauge
