// SPDX-License-Identifier: MIT
// Owns: flags of serving engines that say something a scenario has a key for, one table per engine,
// and how a program or image name tells the engine.
// Sources: vllm/engine/arg_utils.py and config/ (0.6 to 0.28), sglang/srt/server_args.py (0.5),
// tensorrt_llm/commands/serve.py and llmapi/llm_args.py (1.x), text-generation-inference
// launcher/src/main.rs (3.x), llama.cpp common/arg.cpp (b11118), lmdeploy/cli/utils.py (0.16).
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/engine_id.h"

namespace kvgauge {

enum class FlagKind : std::uint8_t {
    value,         // the text of the key
    on,            // a switch that turns the key on; true/false may follow
    off,           // a switch that turns the key off
    size_on,       // a number: above 1 turns the key on (expert-parallel size)
    tokens,        // a number with k (1000) or K (1024), as vLLM reads it
    quant_policy,  // LMDeploy: 4 and 8 are int4 and int8
    spec_config,   // JSON with num_speculative_tokens
    note,          // kept beside the scenario, no key of its own
    flag_note,     // the same, a switch without a value
};

struct FlagRule {
    std::string_view flag;  // without leading dashes, '-' for '_'
    std::string_view key;
    FlagKind kind = FlagKind::value;
};

std::span<const FlagRule> flag_rules(EngineId);
// By its name, or an unambiguous beginning of at least five letters, as argparse accepts it.
const FlagRule* find_flag(EngineId, std::string_view flag);
// Switches without a value, so that the word after them is not taken for one.
bool is_bare_switch(std::string_view flag);

struct NamedEngine {
    EngineId engine = EngineId::vllm;
    std::string version;  // of an image tag, may be empty
};
// A container image: "vllm/vllm-openai:v0.6.6", "lmsysorg/sglang:v0.5.5.post3-cu129".
std::optional<NamedEngine> engine_of_image(std::string_view image);

std::string flag_name(std::string_view written);  // leading dashes off, '_' to '-'

}  // namespace kvgauge
