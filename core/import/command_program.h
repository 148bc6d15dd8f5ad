// SPDX-License-Identifier: MIT
// Owns: which engine a shell command starts, of which release, and where the engine's own words
// begin; environment variables that stand for flags.
// Sources: as engine_flags.h; TGI launcher/src/main.rs and llama.cpp common/arg.cpp name the
// variable of every option, Ollama's are in envconfig/config.go.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "import/shell_words.h"
#include "model/engine_id.h"

namespace kvgauge {

struct CommandStart {
    EngineId engine = EngineId::vllm;
    std::string version;
    std::size_t first = 0;    // of the engine's own words
    bool positional = false;  // the model may stand without a flag
};

// A program or module of an engine among the words.
std::optional<CommandStart> find_program(const ShellCommand&);
// The same, or the image of `docker run`.
std::optional<CommandStart> find_start(const ShellCommand&);

// The release that pip, uv or uvx is asked for: "vllm==0.10.2", "sglang[all]==0.5.2"; may be empty.
std::string required_version(const std::vector<ShellCommand>&, EngineId);

using Environment = std::vector<std::pair<std::string, ShellWord>>;
// NAME=value before a program, after export or Environment=, and of docker's -e and --env.
void collect_environment(const ShellCommand&, Environment&);

// A flag that a variable stands for.
struct EnvironmentFlag {
    std::string_view variable;
    EngineId engine;
    std::string_view flag;
};
std::span<const EnvironmentFlag> environment_flags();

// The engine that a variable's name gives away: OLLAMA_..., LLAMA_ARG_....
std::optional<EngineId> engine_of_variable(std::string_view);

}  // namespace kvgauge
