// SPDX-License-Identifier: MIT
// Owns: a shell command as words: quotes, backslashes, comments, line ends, redirections, here-
// documents. Nothing is executed or expanded but ${VAR:-default} and variables that the text itself
// sets to a plain value before; a word that holds another variable, a command substitution or a
// <placeholder> is marked, because its value cannot be known here.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace kvgauge {

struct ShellWord {
    std::string text;
    bool unresolved = false;  // $VAR, $(command), `command`, <placeholder>, ${{ expression }}
};
using ShellCommand = std::vector<ShellWord>;

struct ShellText {
    std::vector<ShellCommand> commands;  // parted by ; && || | & and line ends
    std::vector<std::string> documents;  // bodies of here-documents
};

ShellText read_shell(std::string_view);
// One word's variables: defaults put in, the rest marked.
ShellWord resolve_word(std::string_view);

}  // namespace kvgauge
