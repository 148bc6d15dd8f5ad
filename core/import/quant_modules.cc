// SPDX-License-Identifier: MIT
#include "import/quant_modules.h"

#include <algorithm>
#include <initializer_list>

namespace kvgauge {
namespace {

constexpr std::size_t kNoLayer = SIZE_MAX;
constexpr std::size_t kMostLayers = 8192;

bool has(std::string_view s, std::string_view part) {
    return s.find(part) != s.npos;
}

// A module's name cut at its layer number: "model.layers." 3 ".self_attn.q_proj".
struct Name {
    std::string_view before, after;  // without a number all is in `after`
    std::size_t layer = kNoLayer;
};

Name cut(std::string_view name) {
    for (const std::string_view word : {"layers.", "blocks.", ".h."}) {
        const std::size_t at = name.find(word);
        if (at == name.npos) continue;
        std::size_t i = at + word.size(), n = 0;
        bool digits = false;
        for (; i < name.size() && name[i] >= '0' && name[i] <= '9' && n < kMostLayers; ++i) {
            n = n * 10 + static_cast<std::size_t>(name[i] - '0');
            digits = true;
        }
        if (digits && n < kMostLayers) return {name.substr(0, at), name.substr(i), n};
    }
    return {{}, name, kNoLayer};
}

bool has_any(std::string_view s, std::initializer_list<std::string_view> parts) {
    return std::any_of(parts.begin(), parts.end(), [s](std::string_view p) { return has(s, p); });
}

bool has_class(const LayerSpec& l, MatrixClass c) {
    switch (c) {
        case MatrixClass::attention:
            return l.attn.kind != AttnKind::none;
        case MatrixClass::state:
            return l.state.kind != StateKind::none;
        case MatrixClass::dense_ffn:
            return l.ffn.inter != 0;
        case MatrixClass::expert:
            return l.ffn.experts != 0;
        case MatrixClass::shared_expert:
            return l.ffn.shared_inter != 0;
        default:
            return false;
    }
}

}  // namespace

void ModuleVotes::vote(MatrixClass c, std::size_t layer) {
    const auto i = static_cast<std::size_t>(c);
    if (layer == kNoLayer) {
        all_[i] = true;
        return;
    }
    if (layers_[i].size() <= layer) layers_[i].resize(layer + 1);
    layers_[i][layer] = true;
}

void ModuleVotes::add(std::string_view m) {
    if (m.empty() || m == "Linear") return;
    const Name name = cut(m);
    const std::string_view part = name.after;
    // Towers and prediction layers are not counted; without a layer their word is in `after`.
    const std::string_view owner = name.layer == kNoLayer ? part : name.before;
    if (has_any(owner, {"vision", "visual", "mm_projector", "multi_modal", "audio", "mtp"})) return;
    if (has(part, "shared_expert")) {
        if (!has(part, "shared_expert_gate")) vote(MatrixClass::shared_expert, name.layer);
        return;
    }
    if (has(part, "expert")) return vote(MatrixClass::expert, name.layer);
    if (has(part, "lm_head") || part == "head" || part == "output") {
        return vote(MatrixClass::head, kNoLayer);
    }
    if (has_any(part, {"norm", "embed", "bias", "indexer", "router"})) return;
    // "gate" alone is the router, "gate_proj" a linear.
    if (part.ends_with(".gate") || part.ends_with("gate$") || part == "gate") return;
    if (has_any(part, {"linear_attn", "mamba", "in_proj", "out_proj", "conv"})) {
        return vote(MatrixClass::state, name.layer);
    }
    if (has_any(part, {"attn", "attention", "q_proj", "k_proj", "v_proj", "o_proj", "qkv"})) {
        return vote(MatrixClass::attention, name.layer);
    }
    if (has_any(part, {"mlp", "ffn", "feed_forward", "down_proj", "up_proj", "gate_proj"})) {
        return vote(MatrixClass::dense_ffn, name.layer);
    }
    // "model.layers.3*": everything in it.
    if (name.layer == kNoLayer || part.find_first_not_of(".*") != part.npos) return;
    for (const MatrixClass c : {MatrixClass::attention, MatrixClass::state, MatrixClass::dense_ffn,
                                MatrixClass::expert, MatrixClass::shared_expert}) {
        vote(c, name.layer);
    }
}

bool ModuleVotes::most(MatrixClass c, const ModelSpec& m) const {
    const auto k = static_cast<std::size_t>(c);
    if (all_[k]) return true;
    std::size_t have = 0, named = 0, at = 0;
    for (const LayerRun& r : m.layers) {
        for (std::uint32_t i = 0; i < r.count; ++i, ++at) {
            if (!has_class(r.layer, c)) continue;
            ++have;
            if (at < layers_[k].size() && layers_[k][at]) ++named;
        }
    }
    return have != 0 && 2 * named > have;
}

}  // namespace kvgauge
