// SPDX-License-Identifier: MIT
// Owns: what a shell offers after a half-typed command line: subcommands, options, ids of the
// catalogs, values of a key. `kvgauge complete WORD...` prints it for the completion scripts.
#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace kvgauge {

// words: what follows the program's name, the last one unfinished (may be empty). Sorted.
std::vector<std::string> completions(const CLI::App&, const std::vector<std::string>& words);

}  // namespace kvgauge
