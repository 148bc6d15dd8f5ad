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
constexpr std::array<Suffix, 20> kSuffixes{{
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
}};

}  // namespace

std::optional<NamedModel> model_by_name(std::string_view name, const Catalog& catalog) {
    if (const ModelEntry* m = catalog.model(name)) return NamedModel{m->spec->id};
    while (name.ends_with('/') || name.ends_with('\\')) name.remove_suffix(1);
    const std::size_t slash = name.find_last_of("/\\");
    if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
    NamedModel out;
    out.exact = false;
    std::string base = lower_case(name);
    for (int round = 0; round < 3; ++round) {
        if (const ModelEntry* m = catalog.model(base)) {
            out.id = m->spec->id;
            return out;
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
    return std::nullopt;
}

}  // namespace kvgauge
