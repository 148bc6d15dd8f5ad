// SPDX-License-Identifier: MIT
// Owns: the answer in words: "<Verdict>. <the number that decides>." and one line on what binds.
#pragma once
#include "text/report.h"

namespace kvgauge {

// Fills answer, sentence, range and second of a report.
void write_sentence(Report&, const Scenario&, const Estimate&, Lang);

}  // namespace kvgauge
