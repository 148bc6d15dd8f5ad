// SPDX-License-Identifier: MIT
#include "text/words.h"

#include <array>
#include <utility>

#include "model/limits.h"
#include "text/numbers.h"

namespace kvgauge {
namespace {

template <class T, std::size_t N>
std::optional<T> look_up(const std::array<std::pair<std::string_view, T>, N>& words,
                         std::string_view word) {
    for (const auto& [name, value] : words) {
        if (name == word) return value;
    }
    return std::nullopt;
}

// Spellings of engines' flags and of torch beside the contract's own words.
constexpr std::array<std::pair<std::string_view, DType>, 15> kDTypes{{
    {"bfloat16", DType::bf16},
    {"float16", DType::fp16},
    {"f16", DType::fp16},
    {"half", DType::fp16},
    {"float32", DType::fp32},
    {"float", DType::fp32},
    {"f32", DType::fp32},
    {"fp8_e4m3", DType::fp8},
    {"fp8_e5m2", DType::fp8},
    {"fp8_e4m3fn", DType::fp8},
    {"float8_e4m3fn", DType::fp8},
    {"float8_e5m2", DType::fp8},
    {"fp8_inc", DType::fp8},
    {"automatic", DType::automatic},
    {"iq4-nl", DType::iq4_nl},
}};

constexpr std::array<std::pair<std::string_view, WeightKind>, 37> kWeights{{
    {"bfloat16", WeightKind::bf16},
    {"float16", WeightKind::fp16},
    {"f16", WeightKind::fp16},
    {"half", WeightKind::fp16},
    {"float32", WeightKind::fp32},
    {"f32", WeightKind::fp32},
    {"w8a8_int8", WeightKind::int8},
    {"experts_int8", WeightKind::int8},
    {"w8a8", WeightKind::int8},
    {"awq_marlin", WeightKind::awq},
    {"gptq_marlin", WeightKind::gptq},
    {"w4a16", WeightKind::gptq},
    {"int4", WeightKind::gptq},
    {"modelopt", WeightKind::fp8},
    {"modelopt_fp4", WeightKind::nvfp4},
    {"fp4", WeightKind::nvfp4},
    {"w8a8_fp8", WeightKind::fp8},
    {"fp8_e4m3", WeightKind::fp8},
    {"bitsandbytes", WeightKind::nf4},
    {"bnb", WeightKind::nf4},
    {"bitsandbytes-nf4", WeightKind::nf4},
    {"eetq", WeightKind::int8},
    {"inc", WeightKind::fp8},
    {"ptpc_fp8", WeightKind::fp8},
    {"petit_nvfp4", WeightKind::nvfp4},
    {"ascend", WeightKind::int8},
    {"marlin", WeightKind::gptq},
    // Formats that only say "as the checkpoint is".
    {"compressed-tensors", WeightKind::automatic},
    {"quark", WeightKind::automatic},
    {"torchao", WeightKind::automatic},
    {"auto-round", WeightKind::automatic},
    {"moe_wna16", WeightKind::automatic},
    {"modelopt_mixed", WeightKind::automatic},
    {"none", WeightKind::automatic},
    {"hf", WeightKind::automatic},
    {"fbgemm_fp8", WeightKind::fp8},
    {"mxfp4_marlin", WeightKind::mxfp4},
}};

constexpr std::array<std::pair<std::string_view, SplitMode>, 4> kSplits{{
    {"none", SplitMode::none},
    {"layer", SplitMode::layer},
    {"row", SplitMode::row},
    {"tensor", SplitMode::tensor},
}};

constexpr std::array<std::pair<std::string_view, SpecKind>, 5> kSpecs{{
    {"mtp", SpecKind::mtp},
    {"eagle", SpecKind::eagle},
    {"eagle3", SpecKind::eagle},
    {"ngram", SpecKind::ngram},
    {"native", SpecKind::native},
}};

}  // namespace

std::string lower_case(std::string_view s) {
    std::string out(s);
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

std::optional<DType> read_dtype(std::string_view text) {
    const std::string w = lower_case(text);
    if (const auto t = parse_dtype(w)) return t;
    return look_up(kDTypes, w);
}

std::optional<WeightKind> read_weight_kind(std::string_view text) {
    const std::string w = lower_case(text);
    if (w == "auto") return WeightKind::automatic;
    if (const auto k = parse_weight_kind(w)) return k;
    return look_up(kWeights, w);
}

std::optional<EngineWord> read_engine(std::string_view text) {
    const std::string w = lower_case(text);
    const std::size_t at = w.find('@');
    const std::string engine = w.substr(0, at);
    const std::optional<EngineId> id = parse_engine(engine);
    if (!id) return std::nullopt;
    EngineWord out{*id, std::nullopt};
    if (at != std::string::npos) {
        out.version = parse_version(std::string_view(w).substr(at + 1));
        if (!out.version) return std::nullopt;
    }
    return out;
}

std::string engine_word(EngineId id, const std::optional<Version>& version) {
    std::string out(name(id));
    if (const std::string v = version ? to_string(*version) : ""; !v.empty()) out += '@' + v;
    return out;
}

std::optional<Speculation> read_speculation(std::string_view text) {
    const std::string w = lower_case(text);
    if (w == "none" || w == "off") return Speculation{};
    SpecKind kind = SpecKind::native;
    std::string_view number = w;
    if (const std::size_t colon = w.find(':'); colon != std::string::npos) {
        const auto k = look_up(kSpecs, std::string_view(w).substr(0, colon));
        if (!k) return std::nullopt;
        kind = *k;
        number.remove_prefix(colon + 1);
    }
    const auto n = parse_count(number);
    if (!n || !limits::spec_tokens.holds(*n)) return std::nullopt;
    if (*n == 0) return Speculation{};
    return Speculation{kind, static_cast<std::uint32_t>(*n)};
}

std::string speculation_word(const Speculation& s) {
    const std::string n = plain(std::uint64_t{s.tokens});
    switch (s.kind) {
        case SpecKind::none:
            return "0";
        case SpecKind::native:
            return n;
        case SpecKind::mtp:
            return "mtp:" + n;
        case SpecKind::eagle:
            return "eagle:" + n;
        case SpecKind::ngram:
            return "ngram:" + n;
    }
    return "0";
}

std::optional<SplitMode> read_split(std::string_view text) {
    return look_up(kSplits, lower_case(text));
}

std::string_view split_word(SplitMode m) {
    for (const auto& [word, value] : kSplits) {
        if (value == m) return word;
    }
    return "layer";
}

}  // namespace kvgauge
