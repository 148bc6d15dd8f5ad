// SPDX-License-Identifier: MIT
// Owns: the dict that vLLM prints as "non-default args: {...}": Python, not JSON.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace kvgauge {

struct PythonArg {
    std::string name;
    std::string value;  // text of a string, number or True/False; a nested value as written
};
// The first dict in the text, top level only. A cut text gives what was whole.
std::vector<PythonArg> read_python_args(std::string_view);
// The arguments of a call, from behind its opening bracket; those that hold a variable are left
// out.
std::vector<PythonArg> read_python_call(std::string_view);

}  // namespace kvgauge
