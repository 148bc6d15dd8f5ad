// SPDX-License-Identifier: MIT
// Owns: an engine's command put into a scenario that stands: its engine, its options and its model
// where the catalog has it. The GPU and the workload stay, for a command names neither.
#pragma once
#include "data/catalog.h"
#include "import/command_line.h"
#include "model/issue.h"
#include "model/scenario.h"

namespace kvgauge {

struct CommandScenario {
    Scenario scenario;
    bool model_known = false;  // the scenario's model is the command's
    Issues issues;             // what was not taken, and what was taken by its name
};
// The command has an engine. An option it does not give gets the engine's default, not `base`'s.
CommandScenario scenario_of_command(const CommandLine&, const Scenario& base, const Catalog&);

}  // namespace kvgauge
