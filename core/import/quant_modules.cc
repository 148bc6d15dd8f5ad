// SPDX-License-Identifier: MIT
#include "import/quant_modules.h"

#include <algorithm>

namespace kvgauge {
namespace {

constexpr std::size_t kNoLayer = SIZE_MAX;
constexpr std::size_t kMostLayers = 8192;

bool has(std::string_view s, std::string_view part) {
    return s.find(part) != s.npos;
}

// The number behind "layers.", "h." or "blocks.", and what follows it.
std::size_t layer_of(std::string_view name, std::string_view& rest) {
    for (const std::string_view word : {"layers.", "blocks.", ".h."}) {
        const std::size_t at = name.find(word);
        if (at == name.npos) continue;
        std::size_t i = at + word.size(), n = 0;
        bool digits = false;
        for (; i < name.size() && name[i] >= '0' && name[i] <= '9' && n < kMostLayers; ++i) {
            n = n * 10 + static_cast<std::size_t>(name[i] - '0');
            digits = true;
        }
        if (!digits || n >= kMostLayers) continue;
        rest = name.substr(i);
        return n;
    }
    rest = name;
    return kNoLayer;
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
    if (has(m, "vision") || has(m, "visual") || has(m, "mm_projector") || has(m, "multi_modal") ||
        has(m, "audio") || has(m, "mtp")) {
        return;
    }
    if (has(m, "lm_head") || m == "head" || m == "output") return vote(MatrixClass::head, kNoLayer);
    if (has(m, "norm") || has(m, "embed") || has(m, "bias")) return;
    std::string_view rest;
    const std::size_t layer = layer_of(m, rest);
    // "gate" alone is the router, "gate_proj" a linear.
    if (has(m, "router") || rest.ends_with(".gate") || rest.ends_with("gate$") || rest == "gate" ||
        has(rest, "shared_expert_gate")) {
        return;
    }
    if (has(rest, "indexer")) return;
    if (has(rest, "shared_expert")) return vote(MatrixClass::shared_expert, layer);
    if (has(rest, "expert")) return vote(MatrixClass::expert, layer);
    if (has(rest, "linear_attn") || has(rest, "mamba") || has(rest, "in_proj") ||
        has(rest, "out_proj") || has(rest, "conv")) {
        return vote(MatrixClass::state, layer);
    }
    if (has(rest, "attn") || has(rest, "attention") || has(rest, "q_proj") || has(rest, "k_proj") ||
        has(rest, "v_proj") || has(rest, "o_proj") || has(rest, "qkv")) {
        return vote(MatrixClass::attention, layer);
    }
    if (has(rest, "mlp") || has(rest, "ffn") || has(rest, "feed_forward") ||
        has(rest, "down_proj") || has(rest, "up_proj") || has(rest, "gate_proj")) {
        return vote(MatrixClass::dense_ffn, layer);
    }
    // "model.layers.3*": everything in it.
    if (layer != kNoLayer && rest.find_first_not_of(".*") == rest.npos) {
        for (const MatrixClass c :
             {MatrixClass::attention, MatrixClass::state, MatrixClass::dense_ffn,
              MatrixClass::expert, MatrixClass::shared_expert}) {
            vote(c, layer);
        }
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
