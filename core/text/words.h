// SPDX-License-Identifier: MIT
// Owns: the words of choices as people and engines write them: dtypes, weight formats, engines with
// versions, speculation, split modes. Reading is tolerant (bfloat16, fp8_e4m3, llama.cpp); writing
// is the one canonical word.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "model/scenario.h"

namespace kvgauge {

std::string lower_case(std::string_view);

std::optional<DType> read_dtype(std::string_view);
std::optional<WeightKind> read_weight_kind(std::string_view);

struct EngineWord {
    EngineId engine = EngineId::vllm;
    std::optional<Version> version;
};
// Empty: not a known engine, or a version that has no number.
std::optional<EngineWord> read_engine(std::string_view);
std::string engine_word(EngineId, const std::optional<Version>&);  // "vllm@0.20"

std::optional<Speculation> read_speculation(std::string_view);
std::string speculation_word(const Speculation&);  // "0", "2", "eagle:3"

std::optional<SplitMode> read_split(std::string_view);
std::string_view split_word(SplitMode);

}  // namespace kvgauge
