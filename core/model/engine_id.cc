// SPDX-License-Identifier: MIT
#include "model/engine_id.h"

namespace kvgauge {
namespace {

struct Names {
    std::string_view id, display;
};
constexpr std::array<Names, 8> kNames{{
    {"none", "plain arithmetic"},
    {"vllm", "vLLM"},
    {"sglang", "SGLang"},
    {"trtllm", "TensorRT-LLM"},
    {"llamacpp", "llama.cpp"},
    {"tgi", "TGI"},
    {"lmdeploy", "LMDeploy"},
    {"hf", "Hugging Face Transformers"},
}};

// Other spellings people write; compared without '-', '_', '.' and case.
struct Alias {
    std::string_view text;
    EngineId id;
};
constexpr std::array<Alias, 10> kAliases{{
    {"tensorrtllm", EngineId::trtllm},
    {"tensorrt", EngineId::trtllm},
    {"trt", EngineId::trtllm},
    {"llamaserver", EngineId::llamacpp},
    {"ollama", EngineId::llamacpp},
    {"textgenerationinference", EngineId::tgi},
    {"turbomind", EngineId::lmdeploy},
    {"transformers", EngineId::hf},
    {"huggingface", EngineId::hf},
    {"huggingfacetransformers", EngineId::hf},
}};

constexpr char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}
constexpr bool digit(char c) {
    return c >= '0' && c <= '9';
}

// Equal but for case and the separators '-', '_', '.' and ' '.
constexpr bool same_word(std::string_view a, std::string_view b) {
    const auto separator = [](char c) { return c == '-' || c == '_' || c == '.' || c == ' '; };
    std::size_t i = 0, j = 0;
    while (true) {
        while (i < a.size() && separator(a[i])) ++i;
        while (j < b.size() && separator(b[j])) ++j;
        if (i == a.size() || j == b.size()) return i == a.size() && j == b.size();
        if (lower(a[i++]) != lower(b[j++])) return false;
    }
}

}  // namespace

std::string_view name(EngineId id) {
    return kNames[static_cast<std::size_t>(id)].id;
}
std::string_view display_name(EngineId id) {
    return kNames[static_cast<std::size_t>(id)].display;
}

std::optional<EngineId> parse_engine(std::string_view text) {
    if (text.empty()) return std::nullopt;
    for (EngineId id : kEngineIds) {
        if (same_word(text, name(id))) return id;
    }
    for (const Alias& a : kAliases) {
        if (same_word(text, a.text)) return a.id;
    }
    return std::nullopt;
}

std::optional<Version> parse_version(std::string_view text) {
    Version v;
    if (!text.empty() && (lower(text[0]) == 'v' || lower(text[0]) == 'b')) {
        v.build = lower(text[0]) == 'b';
        text.remove_prefix(1);
    }
    std::uint32_t* part[3] = {&v.major, &v.minor, &v.patch};
    while (v.parts < 3) {
        if (text.empty() || !digit(text[0])) break;
        std::uint64_t n = 0;
        while (!text.empty() && digit(text[0])) {
            n = n * 10 + static_cast<std::uint64_t>(text[0] - '0');
            if (n > UINT32_MAX) return std::nullopt;
            text.remove_prefix(1);
        }
        *part[v.parts++] = static_cast<std::uint32_t>(n);
        if (text.size() < 2 || text[0] != '.' || !digit(text[1])) break;
        if (v.parts < 3) text.remove_prefix(1);
    }
    if (v.parts == 0) return std::nullopt;
    // What may follow: ".post1", "rc3", "-e6ab7c1", "+g5f55db35e", "dev0".
    for (char c : text) {
        const bool word = digit(c) || (lower(c) >= 'a' && lower(c) <= 'z');
        if (!word && c != '.' && c != '-' && c != '+' && c != '_') return std::nullopt;
    }
    return v;
}

std::string to_string(const Version& v) {
    if (v.parts == 0 && v == Version{}) return {};  // an engine whose rules name no version
    std::string s = v.build ? "b" : "";
    s += std::to_string(v.major);
    if (v.parts >= 2) s += '.' + std::to_string(v.minor);
    if (v.parts >= 3) s += '.' + std::to_string(v.patch);
    return s;
}

}  // namespace kvgauge
