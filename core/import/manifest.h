// SPDX-License-Identifier: MIT
// Owns: the commands inside YAML snippets: compose, Kubernetes, Helm values, llama-swap. A snippet
// may begin and end anywhere, so this is no YAML parser: it reads keys, scalars and lists line by
// line with their indentation, and knows the few keys that hold commands, images and sizes.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "import/command_program.h"
#include "import/engine_flags.h"
#include "import/shell_words.h"

namespace kvgauge {

struct YamlEntry {
    std::size_t indent = 0;
    std::string key, parent;         // parent: the key that holds this one, may be empty
    std::string scalar;              // text of a scalar, quotes and folding undone
    std::vector<std::string> items;  // of a list
    bool list = false;
};
std::vector<YamlEntry> read_yaml_entries(std::string_view);

// One container or service that starts something.
struct ManifestCommand {
    std::optional<NamedEngine> image;
    std::vector<ShellCommand> commands;
    Environment environment;
};

bool looks_like_manifest(std::string_view);
std::vector<ManifestCommand> read_manifest(std::string_view);

}  // namespace kvgauge
