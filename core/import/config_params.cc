// SPDX-License-Identifier: MIT
// What a family holds beside its large matrices, and multi-token-prediction layers.
#include <string>

#include "import/config_draft.h"

namespace kvgauge {
namespace {

bool bias(const Draft& d, const Bias& b) {
    return b.key.empty() ? b.fallback : d.f.flag({b.key}, b.fallback);
}

std::uint64_t norm_width(const Draft& d) {
    switch (d.family.norm) {
        case Norm::none:
            return 0;
        case Norm::weight:
            return d.m.hidden;
        case Norm::weight_bias:
            return 2 * d.m.hidden;
    }
    return 0;
}

std::uint64_t qk_norm_params(const Draft& d, const AttentionSpec& a) {
    const bool flag = d.f.flag({"use_qk_norm", "qk_layernorm", "normalize_qk_projections"}, false);
    switch (d.family.qk_norm) {
        case QkNorm::none:
            return 0;
        case QkNorm::per_head:
            break;
        case QkNorm::flagged:
            if (!flag) return 0;
            break;
        case QkNorm::full:
            return std::uint64_t{a.q_heads} * a.k_dim + std::uint64_t{a.kv_heads} * a.k_dim;
        case QkNorm::flagged_heads:
            if (!flag) return 0;
            return std::uint64_t{a.q_heads} * a.k_dim + std::uint64_t{a.kv_heads} * a.k_dim;
    }
    return 2 * std::uint64_t{a.k_dim};
}

}  // namespace

namespace {

// Classifiers and reward models score a sequence in place of a head over the vocabulary: one matrix
// hidden x labels (modeling_llama.py, ForSequenceClassification; InternLM2's v_head), in Qwen2's
// reward models behind a layer of `hidden` with biases (vLLM: qwen2_rm.py).
void read_scores(Draft& d) {
    const auto is = [&](std::string_view part) { return d.m.architecture.ends_with(part); };
    const bool process = is("ForProcessRewardModel"), reward = process || is("ForRewardModel");
    if (!reward && !is("ForSequenceClassification") && !is("ForTokenClassification")) return;
    const std::uint64_t names = d.outer.find({"id2label"}).size();
    const std::uint64_t labels =
        names != 0
            ? names
            : d.outer.count_or_none({"num_labels"}, kMaxVocab).value_or(reward && !process ? 1 : 2);
    const std::uint64_t h = d.m.hidden;
    d.m.tied_embeddings = true;  // no head of its own
    d.m.head_bias = false;
    d.m.position_params += h * labels;
    if (reward && d.family.name == "qwen2") d.m.position_params += h * h + h + labels;
}

}  // namespace

void read_parameters(Draft& d) {
    const std::uint64_t width = norm_width(d);
    for (LayerSpec& l : d.layers) {
        l.norm_params += d.family.norms * width;
        AttentionSpec& a = l.attn;
        if (a.kind == AttnKind::none) continue;
        if (a.kind == AttnKind::mla || a.kind == AttnKind::compressed) continue;
        a.qkv_bias = bias(d, d.family.qkv);
        a.o_bias = bias(d, d.family.o);
        a.norm_params += qk_norm_params(d, a);
    }
    if (d.family.final_norm) d.m.final_norm_params = width;

    const Names tie = {"tie_word_embeddings", "share_input_output_layers", "tie_embeddings",
                       "tie_lm_head", "weight_tying"};
    d.m.tied_embeddings = d.f.flag(tie, d.outer.flag(tie, d.family.tied));
    d.m.head_bias = d.family.head_bias;
    if (d.family.positions >= 0) {
        const auto n = d.f.count({"max_position_embeddings", "n_positions", "n_ctx"}, kMaxTokens);
        d.m.position_params =
            (n.value_or(0) + static_cast<std::uint64_t>(d.family.positions)) * d.m.hidden;
    }
    read_scores(d);
}

void read_mtp(Draft& d) {
    const auto n = d.f.find({"num_nextn_predict_layers", "mtp_num_hidden_layers", "mtp_num_layers",
                             "num_mtp_modules", "_num_mtp_layers", "num_mtp_layers"})
                       .whole();
    if (!n || *n == 0 || *n > 64 || d.layers.empty()) return;
    // The last layer that keeps every token is what a prediction layer is made like; without one,
    // the last with attention.
    const LayerSpec* like = nullptr;
    for (const LayerSpec& l : d.layers) {
        if (l.attn.kind == AttnKind::none || l.attn.kind == AttnKind::cross) continue;
        const bool full = l.attn.kind == AttnKind::full || l.attn.kind == AttnKind::mla;
        const bool had = like != nullptr &&
                         (like->attn.kind == AttnKind::full || like->attn.kind == AttnKind::mla);
        if (full || !had) like = &l;
    }
    if (like == nullptr) return;
    LayerRun run{static_cast<std::uint32_t>(*n), *like};
    run.layer.attn.owns_cache = true;
    // One block per prediction step in Nemotron-H: attention, then the experts of a later block.
    if (run.layer.ffn.inter == 0 && run.layer.ffn.experts == 0) run.layer.ffn = d.layers.back().ffn;
    // Norms of embedding and hidden state, and their joint projection (DeepSeek-V3, section 2.2).
    run.layer.other_params += 2 * d.m.hidden * d.m.hidden + 3 * d.m.hidden;
    d.m.mtp.push_back(run);
}

}  // namespace kvgauge
