// SPDX-License-Identifier: MIT
// Owns: the dict that vLLM prints as "non-default args: {...}", and an engine made as an object:
// LLM(model="...", tensor_parallel_size=2). Python, not JSON.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/engine_id.h"

namespace kvgauge {

struct PythonArg {
    std::string name;
    std::string value;      // text of a string, number or True/False; a nested value as written
    bool variable = false;  // a name or a call stands in its place
};
// The first dict in the text, top level only. A cut text gives what was whole.
std::vector<PythonArg> read_python_args(std::string_view);
// The arguments of a call, from behind its opening bracket; a first plain value is the model.
std::vector<PythonArg> read_python_call(std::string_view);

struct PythonEngine {
    EngineId engine = EngineId::vllm;
    std::vector<PythonArg> arguments;  // those of nested configuration objects too
};
// The first engine object of a script; names that the script sets to a literal are put in.
std::optional<PythonEngine> read_python_engine(std::string_view script);

}  // namespace kvgauge
