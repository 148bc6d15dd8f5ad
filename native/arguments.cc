// SPDX-License-Identifier: MIT
#include "native/arguments.h"

#include <cstdio>

#include "import/shell_words.h"
#include "native/files.h"

namespace kvgauge {

bool expand_arguments(int argc, char** argv, std::vector<std::string>& words) {
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        const bool value = i > 1 && std::string_view(argv[i - 1]) == "--from";
        if (value || word.size() < 2 || word[0] != '@') {
            words.push_back(word);
            continue;
        }
        std::string why;
        const auto text = read_file(word.substr(1), why);
        if (!text) {
            std::fprintf(stderr, "kvgauge: %s: %s.\n", word.c_str() + 1, why.c_str());
            return false;
        }
        for (const ShellCommand& line : read_shell(*text).commands) {
            for (const ShellWord& w : line) words.push_back(w.text);
        }
    }
    return true;
}

}  // namespace kvgauge
