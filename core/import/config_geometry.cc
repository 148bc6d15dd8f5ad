// SPDX-License-Identifier: MIT
// Decoders whose layers differ in heads, windows or sharing. Each function names the rule's source
// in transformers (modeling_*.py, configuration_*.py) or in the model's own repository.
#include <algorithm>
#include <string>

#include "import/config_draft.h"

namespace kvgauge {
namespace {

std::uint32_t narrow(std::uint64_t n) {
    return static_cast<std::uint32_t>(n);
}

}  // namespace

void attention_chunked(Draft& d) {
    // Llama 4: layers with RoPE attend inside chunks; no_rope_layers holds 1 for them, and where it
    // is empty every no_rope_layer_interval-th layer is global (configuration_llama4.py).
    if (const auto words = layer_words(d); !words.empty() || d.failed) {
        if (!d.failed) read_attention(d);
        return;
    }
    const auto chunk = d.f.count_or_none({"attention_chunk_size"}, kMaxTokens);
    const auto list = d.f.counts({"no_rope_layers"}, 1);
    const bool by_list = list && !list->empty();
    if (by_list && list->size() < d.layers.size()) {
        d.fail("no_rope_layers", "no_rope_layers has " + std::to_string(list->size()) +
                                     " entries for " + std::to_string(d.layers.size()) + " layers");
        return;
    }
    const std::uint64_t every = d.f.count({"no_rope_layer_interval"}, kMaxLayers).value_or(4);
    const std::uint64_t window = chunk.value_or(d.f.written("attention_chunk_size") ? 0 : 8192);
    for (std::size_t i = 0; i < d.layers.size(); ++i) {
        AttentionSpec a = plain_attention(d);
        const bool local = by_list ? (*list)[i] != 0 : (i + 1) % every != 0;
        if (local && window != 0) set_window(a, AttnKind::chunked, window);
        d.layers[i].attn = a;
    }
}

void attention_shared(Draft& d) {
    // Gemma 3n and 4: the last num_kv_shared_layers layers read the cache of an earlier one. Gemma
    // 4 gives full layers head dimension global_head_dim, and with attention_k_eq_v also
    // num_global_key_value_heads heads and no V projection; V is cached all the same.
    const bool four = d.family.name == "gemma4";
    const std::size_t n = d.layers.size();
    const auto words = layer_words(d);
    if (d.failed) return;
    const std::uint64_t window = read_window(d, true);
    if (d.failed) return;
    const std::uint64_t every =
        d.f.count({"sliding_window_pattern"}, kMaxLayers).value_or(four ? 6 : 5);
    const std::uint64_t shared_default = four || !d.nested ? 0 : 15;
    std::uint64_t shared = shared_default;
    if (d.f.written("num_kv_shared_layers")) {
        shared = d.f.count_or_none({"num_kv_shared_layers"}, kMaxLayers).value_or(0);
    }
    if (shared >= n && shared != 0) {
        d.fail("num_kv_shared_layers", "num_kv_shared_layers is " + std::to_string(shared) +
                                           "; accepted are whole numbers below the " +
                                           std::to_string(n) + " layers");
        return;
    }
    const std::uint64_t wide =
        four ? d.f.count_or_none({"global_head_dim"}, kMaxHeadDim).value_or(0) : 0;
    const bool k_is_v = four && d.f.flag({"attention_k_eq_v"}, false);
    const std::uint64_t wide_heads =
        k_is_v ? d.f.count_or_none({"num_global_key_value_heads"}, kMaxHeads).value_or(0) : 0;
    for (std::size_t i = 0; i < n; ++i) {
        AttentionSpec a = plain_attention(d);
        bool full = words.empty() ? (i + 1) % every == 0 || (four && i + 1 == n)
                                  : words[i] == "full_attention";
        if (!words.empty() && !full && words[i] != "sliding_attention") {
            d.fail("layer_types", "layer_types has \"" + std::string(words[i].substr(0, 40)) +
                                      "\"; accepted are full_attention and sliding_attention");
            return;
        }
        if (full) {
            if (wide != 0) a.k_dim = a.v_dim = narrow(wide);
            if (wide_heads != 0) a.kv_heads = narrow(wide_heads);
            a.v_proj = !k_is_v;
        } else {
            set_window(a, AttnKind::sliding, window);
        }
        if (i + shared >= n) {
            a.owns_cache = false;
            if (four) a.k_proj = a.v_proj = false;
        }
        d.layers[i].attn = a;
    }
}

void attention_cross(Draft& d) {
    // Llama 3.2 Vision: listed layers attend to image tokens only (modeling_mllama.py).
    const auto list = d.f.counts({"cross_attention_layers"}, kMaxLayers);
    for (LayerSpec& l : d.layers) l.attn = plain_attention(d);
    if (!list) {
        d.fail("cross_attention_layers",
               "cross_attention_layers is missing; accepted is a list of "
               "layer numbers");
        return;
    }
    for (const std::uint64_t i : *list) {
        if (i >= d.layers.size()) {
            d.fail("cross_attention_layers", "cross_attention_layers names layer " +
                                                 std::to_string(i) + " of " +
                                                 std::to_string(d.layers.size()));
            return;
        }
        LayerSpec& l = d.layers[static_cast<std::size_t>(i)];
        l.attn.kind = AttnKind::cross;
        l.attn.norm_params = 2 * std::uint64_t{l.attn.k_dim};  // q and k norms
        l.other_params = 2;                                    // the two gates
    }
}

void attention_falcon(Draft& d) {
    // configuration_falcon.py: new_decoder_architecture has num_kv_heads, multi_query one, else
    // MHA. The first releases (model_type RefinedWeb) have n_head_kv in place of the switch.
    const auto heads = d.f.count({"num_kv_heads", "n_head_kv"}, kMaxHeads);
    const bool fresh =
        d.f.flag({"new_decoder_architecture"}, heads.has_value() && d.f.has({"n_head_kv"}));
    const bool parallel = d.f.flag({"parallel_attn"}, true);
    if (fresh) {
        d.kv_heads = narrow(heads.value_or(d.q_heads));
    } else {
        d.kv_heads = d.f.flag({"multi_query"}, true) ? 1 : d.q_heads;
    }
    if (d.q_heads % d.kv_heads != 0) {
        d.fail("num_kv_heads", "num_kv_heads is " + std::to_string(d.kv_heads) + " for " +
                                   std::to_string(d.q_heads) +
                                   " query heads; accepted are divisors of the latter");
        return;
    }
    const bool one_norm = fresh ? d.f.find({"num_ln_in_parallel_attn"}).whole() == 1u : parallel;
    for (LayerSpec& l : d.layers) {
        l.attn = plain_attention(d);
        l.norm_params = one_norm ? 2 * d.m.hidden : 4 * d.m.hidden;
    }
}

void attention_nas(Draft& d) {
    // Nemotron NAS (modeling_decilm.py): block_configs says for every layer whether attention and
    // FFN are there, replaced by one linear, and how wide. DeciLM-7B lists KV heads per layer.
    const std::size_t n = d.layers.size();
    if (const auto heads = d.f.counts({"num_key_value_heads_per_layer"}, kMaxHeads)) {
        if (heads->size() < n) {
            d.fail("num_key_value_heads_per_layer",
                   "num_key_value_heads_per_layer has " + std::to_string(heads->size()) +
                       " entries for " + std::to_string(n) + " layers");
            return;
        }
        for (std::size_t i = 0; i < n; ++i) {
            d.layers[i].attn = plain_attention(d);
            d.layers[i].attn.kv_heads = narrow((*heads)[i]);
        }
        return;
    }
    const JsonValue blocks = d.f.find({"block_configs"});
    if (!blocks.is_array() || blocks.size() < n) {
        d.fail("block_configs",
               "block_configs is missing or has fewer entries than layers; accepted "
               "is a list of objects, one a layer");
        return;
    }
    for (std::size_t i = 0; i < n; ++i) {
        const JsonValue attention = blocks.at(i)["attention"];
        const auto on = [](JsonValue v, std::string_view key) {
            return v[key].boolean().value_or(false);
        };
        LayerSpec& l = d.layers[i];
        if (on(attention, "no_op")) continue;
        if (on(attention, "replace_with_linear")) {
            l.other_params = d.m.hidden * d.m.hidden;
            continue;
        }
        AttentionSpec a = plain_attention(d);
        if (const auto group = attention["n_heads_in_group"].whole(); group && *group != 0) {
            if (d.q_heads % *group != 0) {
                d.fail("block_configs",
                       "block_configs." + std::to_string(i) + ".attention.n_heads_in_group is " +
                           std::to_string(*group) + "; accepted are divisors of the " +
                           std::to_string(d.q_heads) + " query heads");
                return;
            }
            a.kv_heads = narrow(d.q_heads / *group);
        } else if (const auto heads = attention["num_key_value_heads"].whole();
                   heads && *heads != 0 && *heads <= kMaxHeads) {
            a.kv_heads = narrow(*heads);
        } else {
            d.fail("block_configs", "block_configs." + std::to_string(i) +
                                        ".attention says neither n_heads_in_group nor "
                                        "num_key_value_heads nor no_op");
            return;
        }
        if (const auto window = attention["window_length"].whole(); window && *window != 0) {
            set_window(a, AttnKind::sliding, std::min<std::uint64_t>(*window, kMaxTokens));
        }
        l.attn = a;
    }
}

void attention_openelm(Draft& d) {
    // OpenELM (configuration_openelm.py): heads and FFN multipliers by layer, one head dimension.
    const auto q = d.f.counts({"num_query_heads"}, kMaxHeads);
    const auto kv = d.f.counts({"num_kv_heads"}, kMaxHeads);
    const auto dim = d.f.required({"head_dim"}, kMaxHeadDim);
    const std::size_t n = d.layers.size();
    if (!q || !kv || q->size() < n || kv->size() < n || !dim) {
        d.fail("num_kv_heads",
               "num_query_heads, num_kv_heads and head_dim are needed; accepted are "
               "two lists with one whole number a layer, and a number");
        return;
    }
    for (std::size_t i = 0; i < n; ++i) {
        AttentionSpec& a = d.layers[i].attn;
        a.kind = AttnKind::full;
        a.q_heads = narrow((*q)[i]);
        a.kv_heads = narrow((*kv)[i]);
        a.k_dim = a.v_dim = narrow(*dim);
    }
}

void attention_sparse_index(Draft& d) {
    // MiniMax-M3: full KV, and on sparse layers one index key of sparse_index_dim 16-bit elements.
    for (LayerSpec& l : d.layers) l.attn = plain_attention(d);
    const Fields s = d.f.inside("sparse_attention_config");
    if (!s.flag({"use_sparse_attention"}, false)) return;
    const auto dim = s.required({"sparse_index_dim"}, kMaxHeadDim);
    const auto on = s.counts({"sparse_attention_freq"}, 1);
    if (!dim || !on || on->size() < d.layers.size()) {
        d.fail("sparse_attention_config",
               "sparse_attention_config needs sparse_index_dim and "
               "sparse_attention_freq with 0 or 1 for every layer");
        return;
    }
    const auto heads = s.count_or_none({"sparse_num_index_heads"}, kMaxHeads);
    for (std::size_t i = 0; i < d.layers.size(); ++i) {
        if ((*on)[i] == 0) continue;
        AttentionSpec& a = d.layers[i].attn;
        a.index_bytes = narrow(*dim * 2);
        a.index_dim = narrow(*dim);
        a.index_heads = narrow(heads.value_or(0));
    }
    d.assume("the sparse-attention index keeps its keys in 16 bit");
}

void attention_gpt_neo(Draft& d) {
    // configuration_gpt_neo.py: attention_layers, or attention_types [[["global","local"], 12]].
    std::vector<std::string_view> kinds;
    if (const auto words = d.f.words({"attention_layers"})) kinds = *words;
    const JsonValue types = d.f.find({"attention_types"});
    const std::size_t n = d.layers.size();
    for (std::size_t i = 0; kinds.size() < n && i < types.size(); ++i) {
        const JsonValue pattern = types.at(i).at(0);
        const std::uint64_t times = types.at(i).at(1).whole().value_or(0);
        for (std::uint64_t r = 0; r < times && pattern.size() != 0 && kinds.size() < n; ++r) {
            for (std::size_t k = 0; k < pattern.size() && kinds.size() < n; ++k) {
                kinds.push_back(pattern.at(k).string().value_or(""));
            }
        }
    }
    if (kinds.size() < d.layers.size()) {
        d.fail("attention_types",
               "attention_types is missing or names fewer layers than there are");
        return;
    }
    const std::uint64_t window = d.f.count_or_none({"window_size"}, kMaxTokens).value_or(256);
    for (std::size_t i = 0; i < d.layers.size(); ++i) {
        AttentionSpec a = plain_attention(d);
        if (kinds[i] == "local") {
            set_window(a, AttnKind::sliding, window);
        } else if (kinds[i] != "global") {
            d.fail("attention_types", "attention_types has \"" +
                                          std::string(kinds[i].substr(0, 40)) +
                                          "\"; accepted are global and local");
            return;
        }
        d.layers[i].attn = a;
    }
}

void attention_two_shapes(Draft& d) {
    // MiMo-V2 (configuration_mimo_v2_flash.py): hybrid_layer_pattern 1 = window layer, whose heads
    // and dimensions have names of their own; V may be narrower than K. attention_chunk_size in the
    // file is not used.
    const std::size_t n = d.layers.size();
    const auto pattern = d.f.counts({"hybrid_layer_pattern"}, 1);
    if (!pattern || pattern->size() < n) {
        d.fail("hybrid_layer_pattern",
               "hybrid_layer_pattern is missing or has fewer entries than "
               "layers; accepted is a list of 0 and 1");
        return;
    }
    const std::uint64_t window = read_window(d, true);
    if (d.failed) return;
    d.v_dim = narrow(d.f.count_or_none({"v_head_dim"}, kMaxHeadDim).value_or(d.k_dim));
    const AttentionSpec full = plain_attention(d);
    AttentionSpec local = full;
    local.q_heads =
        narrow(d.f.count_or_none({"swa_num_attention_heads"}, kMaxHeads).value_or(d.q_heads));
    local.kv_heads =
        narrow(d.f.count_or_none({"swa_num_key_value_heads"}, kMaxHeads).value_or(d.kv_heads));
    local.k_dim = narrow(d.f.count_or_none({"swa_head_dim"}, kMaxHeadDim).value_or(d.k_dim));
    local.v_dim = narrow(d.f.count_or_none({"swa_v_head_dim"}, kMaxHeadDim).value_or(d.v_dim));
    set_window(local, AttnKind::sliding, window);
    if (d.f.flag({"add_swa_attention_sink_bias"}, false)) local.norm_params = local.q_heads;
    for (std::size_t i = 0; i < n; ++i) d.layers[i].attn = (*pattern)[i] != 0 ? local : full;
}

void attention_baichuan_m1(Draft& d) {
    // configuration_baichuan.py of Baichuan-M1: sliding_window_layers with heads of their own; K
    // and V pass a convolution of conv_window tokens, whose history is a constant state.
    const auto list = d.f.counts({"sliding_window_layers"}, kMaxLayers);
    const std::uint64_t window = list && !list->empty() ? read_window(d, true) : 0;
    if (d.failed) return;
    const std::uint64_t conv = d.f.count_or_none({"conv_window"}, 1024).value_or(2);
    const AttentionSpec full = plain_attention(d);
    AttentionSpec local = full;
    local.q_heads =
        narrow(d.f.count_or_none({"num_swa_attention_heads"}, kMaxHeads).value_or(d.q_heads));
    local.kv_heads =
        narrow(d.f.count_or_none({"num_swa_key_value_heads"}, kMaxHeads).value_or(d.kv_heads));
    if (d.m.hidden != 0 && local.q_heads != 0)
        local.k_dim = local.v_dim = narrow(d.m.hidden / local.q_heads);
    set_window(local, AttnKind::sliding, window);
    for (std::size_t i = 0; i < d.layers.size(); ++i) {
        const bool slides = list && std::find(list->begin(), list->end(), i) != list->end();
        LayerSpec& l = d.layers[i];
        l.attn = slides ? local : full;
        const std::uint64_t width = std::uint64_t{l.attn.kv_heads} * (l.attn.k_dim + l.attn.v_dim);
        l.state.kind = StateKind::short_conv;
        l.state.conv = narrow(conv);
        l.state.conv_elements = width * (conv - 1);
        l.state.params = 2 * std::uint64_t{l.attn.kv_heads} * conv;
    }
}

void attention_uncached(Draft& d) {
    for (LayerSpec& l : d.layers) {
        l.attn = plain_attention(d);
        l.attn.owns_cache = false;
    }
    d.f.note("architectures",
             "a diffusion language model reads the whole text at every step: it "
             "has no KV cache");
}

void attention_cla(Draft& d) {
    // Hunyuan (configuration_hunyuan.py): with use_cla, groups of cla_share_factor layers share the
    // cache of their first. The factor alone means nothing.
    for (LayerSpec& l : d.layers) l.attn = plain_attention(d);
    if (d.f.flag({"use_mla"}, false)) {
        d.fail("use_mla",
               "use_mla is true for this architecture; its latent cache is not supported");
        return;
    }
    if (!d.f.flag({"use_cla"}, false)) return;
    const auto factor = d.f.required({"cla_share_factor"}, kMaxLayers);
    if (!factor) {
        d.failed = true;
        return;
    }
    for (std::size_t i = 0; i < d.layers.size(); ++i) {
        if (i % *factor == 0) continue;
        AttentionSpec& a = d.layers[i].attn;
        a.owns_cache = a.k_proj = a.v_proj = false;
    }
}

void attention_encoder_decoder(Draft& d) {
    // T5, BART and their kin: every decoder layer caches its own tokens and, fixed per request, the
    // encoder's. Two entries of the program per layer.
    const auto decoder = d.f.count({"num_decoder_layers", "decoder_layers"}, kMaxLayers);
    const auto n = static_cast<std::size_t>(decoder.value_or(d.layers.size()));
    d.layers.assign(2 * n, {});
    for (std::size_t i = 0; i < n; ++i) {
        d.layers[2 * i].attn = plain_attention(d);
        d.layers[2 * i + 1].attn = plain_attention(d);
        d.layers[2 * i + 1].attn.kind = AttnKind::cross;
    }
}

}  // namespace kvgauge
