// SPDX-License-Identifier: MIT
// Owns: --from: what a command line or manifest says, put into a scenario, with what was ignored
// and what could not be resolved as issues.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "import/command_line.h"
#include "native/cli.h"

namespace kvgauge {

struct FromCommand {
    Scenario scenario;
    CommandLine command;
    Issues issues;
    // Keys that keep the engine's own word in the output: weights=gptq_marlin.
    std::vector<std::pair<std::string, std::string>> as_written;
};
// `model_given`: the command line of kvgauge names the model itself.
FromCommand read_from(const std::string& from, bool model_given, const Catalog&);

}  // namespace kvgauge
