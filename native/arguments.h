// SPDX-License-Identifier: MIT
// Owns: the words of the command line: @FILE among them stands for the words of that file.
#pragma once
#include <string>
#include <vector>

namespace kvgauge {

// Words without the program's name. False: a file could not be read, said on standard error.
// The word after --from is a value and stays as it is.
bool expand_arguments(int argc, char** argv, std::vector<std::string>& words);

}  // namespace kvgauge
