// SPDX-License-Identifier: MIT
// Owns: the scenario that a start-up log describes: its model found in the catalog by the names
// engines print, its GPU by name or memory, its settings under the keys of a scenario.
#pragma once
#include <string>
#include <vector>

#include "data/catalog.h"
#include "import/engine_log.h"
#include "model/issue.h"
#include "model/scenario.h"

namespace kvgauge {

struct LogScenario {
    Scenario scenario;
    std::vector<std::string> filled;  // keys that came from the log
    bool model_known = false;
    Issues issues;
};
// `known`: base names the log's model itself, whatever name the log prints.
LogScenario scenario_of_log(const Observation&, const Scenario& base, const Catalog&,
                            bool known = false);

// The catalog entry a printed name or path means: "meta-llama/Llama-3.3-70B-Instruct",
// ".../models--meta-llama--Llama-3.3-70B-Instruct/snapshots/6f60", "Gpt Oss 20b". nullptr: none.
const ModelEntry* model_of_log(std::string_view printed, const Catalog&);

}  // namespace kvgauge
