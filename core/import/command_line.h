// SPDX-License-Identifier: MIT
// Owns: how an engine is started -> keys of a scenario. Read are shell command lines (vLLM, SGLang,
// TensorRT-LLM, TGI, llama-server, LMDeploy), docker run, compose, Kubernetes and Helm snippets
// that hold one, and vLLM's "non-default args" log line. Flags that say nothing about memory are
// listed by name, never with their values: those may be secrets. Nothing is executed.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/engine_id.h"

namespace kvgauge {

struct CommandSetting {
    std::string key;   // contract key; of a note: the flag
    std::string text;  // value as the key's reader takes it
    std::string flag;  // as written: "--max-model-len"
};

struct CommandLine {
    std::optional<EngineId> engine;        // empty: no engine was recognised
    std::string version;                   // of the image tag, may be empty
    std::vector<CommandSetting> settings;  // in order; a later one of the same key wins
    std::vector<CommandSetting> notes;     // understood, but no key has it: dtype, overrides
    std::vector<std::string> ignored;      // flags
    std::vector<std::string> unresolved;   // flags whose value is a variable; "(model)"
    std::size_t others = 0;                // further engine commands in the text, not read
};

CommandLine read_command_line(std::string_view);

}  // namespace kvgauge
