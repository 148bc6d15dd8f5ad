// SPDX-License-Identifier: MIT
// Latent attention. DeepSeek-V2/V3, Kimi K2, GLM-5, MiniCPM3, LongCat: a vector of kv_lora_rank +
// qk_rope_head_dim per token (arXiv 2405.04434); DeepSeek-V3.2 and GLM-5 add an index of
// index_head_dim fp8 elements and one fp32 scale; DeepSeek-V4 keeps a window and compressed
// entries.
#include <algorithm>
#include <string>

#include "import/config_draft.h"

namespace kvgauge {
namespace {

bool uses_latent(const Draft& d) {
    return d.f.flag({"use_mla"}, true) &&
           d.f.count_or_none({"kv_lora_rank"}, kMaxWidth).has_value();
}

// fp8 key and its fp32 scale (vLLM: DeepseekV32IndexerCache, 128 + 4 bytes).
std::uint32_t fp8_index_bytes(std::uint64_t dim) {
    return static_cast<std::uint32_t>(dim + (dim + 127) / 128 * 4);
}

// Layers that own an index: all, or those that indexer_types calls "full" (GLM-5.2).
std::vector<bool> index_owners(Draft& d) {
    std::vector<bool> own(d.layers.size(), true);
    const auto types = d.f.words({"indexer_types"});
    if (!types) return own;
    if (types->size() < own.size()) {
        d.fail("indexer_types", "indexer_types has " + std::to_string(types->size()) +
                                    " entries for " + std::to_string(own.size()) + " layers");
        return own;
    }
    for (std::size_t i = 0; i < own.size(); ++i) {
        const std::string_view t = (*types)[i];
        if (t != "full" && t != "shared") {
            d.fail("indexer_types", "indexer_types has \"" + std::string(t.substr(0, 40)) +
                                        "\"; accepted are full and shared");
            return own;
        }
        own[i] = t == "full";
    }
    return own;
}

// The latent attention of one layer, without index. Empty kind: a field was wrong.
AttentionSpec latent_attention(Draft& d) {
    AttentionSpec a;
    const auto rank = d.f.required({"kv_lora_rank"}, kMaxWidth);
    const auto rope = d.f.required({"qk_rope_head_dim"}, kMaxHeadDim);
    const auto nope = d.f.count_or_none({"qk_nope_head_dim"}, kMaxHeadDim);
    auto v = d.f.count_or_none({"v_head_dim"}, kMaxHeadDim);
    if (!rank || !rope) {
        d.failed = true;
        return a;
    }
    if (!v && d.family.name == "minicpm3" && d.m.hidden % d.q_heads == 0)
        v = d.m.hidden / d.q_heads;
    if (!nope || !v) {
        d.m.params_known = false;
        d.f.warn(nope ? "v_head_dim" : "qk_nope_head_dim",
                 "qk_nope_head_dim or v_head_dim is missing: parameters cannot be counted");
    }
    a.kind = AttnKind::mla;
    a.q_heads = d.q_heads;
    a.kv_heads = d.q_heads;  // of the expanded form
    a.mla_rank = static_cast<std::uint32_t>(*rank);
    a.mla_rope = static_cast<std::uint32_t>(*rope);
    a.k_dim = static_cast<std::uint32_t>(nope.value_or(0) + *rope);
    a.v_dim = static_cast<std::uint32_t>(v.value_or(0));
    a.q_rank =
        static_cast<std::uint32_t>(d.f.count_or_none({"q_lora_rank"}, kMaxWidth).value_or(0));
    a.norm_params = std::uint64_t{a.mla_rank} + a.q_rank;
    // attention_bias puts one on q_a, kv_a and o (modeling_deepseek.py).
    if (d.f.flag({"attention_bias"}, false)) {
        a.o_bias = true;
        a.norm_params += a.q_rank + std::uint64_t{a.mla_rank} + a.mla_rope;
    }
    return a;
}

}  // namespace

AttentionSpec read_latent(Draft& d) {
    return latent_attention(d);
}

void attention_latent(Draft& d) {
    if (!uses_latent(d)) {  // DeepSeek-VL2-tiny: the same family without the latent
        for (LayerSpec& l : d.layers) l.attn = plain_attention(d);
        return;
    }
    const AttentionSpec base = latent_attention(d);
    if (d.failed) return;
    for (LayerSpec& l : d.layers) l.attn = base;

    // Some latent models mix in window layers; only the two names are known.
    if (const auto words = layer_words(d); !words.empty()) {
        std::uint64_t window = 0;
        for (std::size_t i = 0; i < d.layers.size(); ++i) {
            if (words[i] == "sliding_attention") {
                if (window == 0) window = read_window(d, true);
                if (d.failed) return;
                d.fail(
                    "layer_types",
                    "layer_types has sliding_attention beside kv_lora_rank; a latent cache with a "
                    "window is not supported");
                return;
            }
        }
    }
    if (d.failed || !d.f.has({"index_topk"})) return;
    const auto dim = d.f.required({"index_head_dim"}, kMaxHeadDim);
    if (!dim) {
        d.failed = true;
        return;
    }
    const auto heads = d.f.count_or_none({"index_n_heads"}, kMaxHeads);
    const std::vector<bool> own = index_owners(d);
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (!own[i]) continue;
        AttentionSpec& a = d.layers[i].attn;
        a.index_bytes = fp8_index_bytes(*dim);
        a.index_dim = static_cast<std::uint32_t>(*dim);
        a.index_heads = static_cast<std::uint32_t>(heads.value_or(0));
    }
}

void attention_double(Draft& d) {
    // LongCat-Flash: every layer holds two latent attentions with a dense FFN each; the experts run
    // beside them (arXiv 2509.01322, shortcut-connected MoE). Two entries of the program per layer.
    const AttentionSpec base = latent_attention(d);
    if (d.failed) return;
    d.layers.resize(d.layers.size() * 2);
    for (LayerSpec& l : d.layers) l.attn = base;
}

void attention_compressed(Draft& d) {
    // DeepSeek-V4: K and V are one vector of head_dim (rope part qk_rope_head_dim); each layer
    // keeps a window of them and one compressed entry per `ratio` tokens; ratio-4 layers an index
    // beside.
    if (d.f.has({"kv_source_layer_ids"})) {
        d.fail("kv_source_layer_ids",
               "kv_source_layer_ids shares compressed caches between layers, "
               "which is not supported");
        return;
    }
    const auto ratios = d.f.counts({"compress_ratios"}, std::uint64_t{1} << 20);
    if (!ratios || ratios->size() < d.layers.size()) {
        d.fail("compress_ratios",
               "compress_ratios is missing or has fewer entries than layers; "
               "accepted is a list of whole numbers, one a layer");
        return;
    }
    const auto dim = d.f.required({"head_dim"}, kMaxHeadDim);
    const auto window = d.f.required({"sliding_window"}, kMaxTokens);
    const auto rope = d.f.count_or_none({"qk_rope_head_dim"}, kMaxHeadDim);
    const auto index = d.f.count_or_none({"index_head_dim"}, kMaxHeadDim);
    if (!dim || !window) {
        d.failed = true;
        return;
    }
    AttentionSpec base;
    base.kind = AttnKind::compressed;
    base.q_heads = d.q_heads;
    base.kv_heads = 1;
    base.k_dim = base.v_dim = static_cast<std::uint32_t>(*dim);
    base.window = *window;
    base.mla_rope = static_cast<std::uint32_t>(std::min(rope.value_or(0), *dim));
    base.mla_rank = static_cast<std::uint32_t>(*dim) - base.mla_rope;
    base.q_rank =
        static_cast<std::uint32_t>(d.f.count_or_none({"q_lora_rank"}, kMaxWidth).value_or(0));
    for (std::size_t i = 0; i < d.layers.size(); ++i) {
        AttentionSpec a = base;
        const std::uint64_t ratio = (*ratios)[i];
        a.compress_ratio = static_cast<std::uint32_t>(ratio);
        // Index rows: index_head_dim of 4 bit and a scale byte per 32 (mxfp4), on overlapping
        // (ratio 4) layers. Compressor state: two fp32 buffers (value and score) of the tokens of
        // an unfinished entry, twice as many where entries overlap, the index's own among them.
        const bool indexed = ratio != 0 && ratio <= 4 && index;
        if (indexed) {
            a.index_dim = static_cast<std::uint32_t>(*index);
            a.index_bytes = static_cast<std::uint32_t>(*index / 2 + (*index + 31) / 32);
        }
        const std::uint64_t rows = indexed ? 2 * ratio : ratio;
        a.compress_state_bytes = 2 * rows * (*dim + (indexed ? *index : 0)) * 4;
        d.layers[i].attn = a;
    }
}

}  // namespace kvgauge
