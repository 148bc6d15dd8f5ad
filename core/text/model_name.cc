// SPDX-License-Identifier: MIT
#include "text/model_name.h"

#include <array>
#include <utility>

#include "text/words.h"

namespace kvgauge {
namespace {

struct Suffix {
    std::string_view text;
    WeightKind weights;
};
// Longer ones first. Lower case.
constexpr std::array<Suffix, 21> kSuffixes{{
    {"-fp8-dynamic", WeightKind::fp8},
    {"-fp8-kv", WeightKind::fp8},
    {"-fp8-block", WeightKind::fp8_block},
    {"-fp8", WeightKind::fp8},
    {"-gptq-int4", WeightKind::gptq},
    {"-gptq-int8", WeightKind::int8},
    {"-gptq", WeightKind::gptq},
    {"-awq-int4", WeightKind::awq},
    {"-awq", WeightKind::awq},
    {"-nvfp4", WeightKind::nvfp4},
    {"-fp4", WeightKind::nvfp4},
    {"-mxfp4", WeightKind::mxfp4},
    {"-w8a8", WeightKind::int8},
    {"-w4a16", WeightKind::gptq},
    {"-quantized.w8a8", WeightKind::int8},
    {"-quantized.w4a16", WeightKind::gptq},
    {"-int8", WeightKind::int8},
    {"-bnb-4bit", WeightKind::nf4},
    {"-bf16", WeightKind::bf16},
    {"-hf", WeightKind::automatic},
    {"-gguf", WeightKind::automatic},
}};

// "Q4_K_M", "UD-Q4_K_XL": a GGUF type, known or not.
bool gguf_type(std::string_view text, NamedModel& out) {
    if (text.starts_with("ud-")) text.remove_prefix(3);
    if (const auto kind = parse_weight_kind(text)) {
        out.weights = *kind;
        return true;
    }
    if (text.starts_with('i')) text.remove_prefix(1);
    const bool type = text.size() >= 3 && (text[0] == 'q' || text.starts_with("tq")) &&
                      text.find('_') != std::string_view::npos;
    out.quantised |= type;
    return type;
}

// Takes off the end of a GGUF file's name: extension, part of several, type.
void cut_file_name(std::string& base, NamedModel& out) {
    constexpr std::string_view kFile = ".gguf", kPart = "-00001-of-00001";
    if (!base.ends_with(kFile)) return;
    base.resize(base.size() - kFile.size());
    const std::size_t of = base.rfind("-of-");
    if (of != std::string::npos && of + 9 == base.size() && of >= 6) {
        base.resize(base.size() - kPart.size());
    }
    const std::size_t at = base.find_last_of("-.");
    if (at == std::string::npos || !gguf_type(std::string_view(base).substr(at + 1), out)) return;
    base.resize(at);
    if (base.ends_with("-ud")) base.resize(base.size() - 3);
}

bool find(std::string base, const Catalog& catalog, NamedModel& out) {
    for (int round = 0; round < 3; ++round) {
        if (const ModelEntry* m = catalog.model(base)) {
            out.id = m->spec->id;
            return true;
        }
        bool cut = false;
        for (const Suffix& s : kSuffixes) {
            if (!std::string_view(base).ends_with(s.text)) continue;
            base.resize(base.size() - s.text.size());
            if (out.weights == WeightKind::automatic) out.weights = s.weights;
            cut = true;
            break;
        }
        if (!cut) break;
    }
    return false;
}

}  // namespace

std::optional<NamedModel> model_by_name(std::string_view name, const Catalog& catalog) {
    if (const ModelEntry* m = catalog.model(name)) return NamedModel{m->spec->id};
    while (name.ends_with('/') || name.ends_with('\\')) name.remove_suffix(1);
    const std::size_t slash = name.find_last_of("/\\");
    if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
    NamedModel out;
    out.exact = false;
    std::string base = lower_case(name);
    // "repository:type" of llama.cpp, "model:size" of Ollama.
    if (const std::size_t at = base.find(':'); at != std::string::npos) {
        if (gguf_type(std::string_view(base).substr(at + 1), out)) {
            base.resize(at);
        } else {
            base[at] = '-';
        }
    }
    cut_file_name(base, out);
    if (find(base, catalog, out)) return out;
    // "Qwen_Qwen3-8B-GGUF": the organisation before the name.
    const std::size_t at = base.find('_');
    if (at != std::string::npos && find(base.substr(at + 1), catalog, out)) return out;
    return std::nullopt;
}

}  // namespace kvgauge
