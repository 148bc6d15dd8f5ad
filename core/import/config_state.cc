// SPDX-License-Identifier: MIT
// Layers that keep a constant state in place of, or beside, a growing cache. Shapes as vLLM's
// mamba_utils.py states them: convolution history of width - 1 columns, and the recurrent matrix.
#include <algorithm>
#include <string>

#include "import/config_draft.h"
#include "import/config_mixers.h"

namespace kvgauge {
namespace {

bool is_one_of(std::string_view w, std::initializer_list<std::string_view> list) {
    return std::find(list.begin(), list.end(), w) != list.end();
}

// An attention layer of a hybrid by index list or period.
bool listed(const std::vector<std::uint64_t>& list, std::size_t i) {
    return std::find(list.begin(), list.end(), i) != list.end();
}

// Zamba: every hybrid layer has a cache of its own, and a few blocks hold the matrices of all.
void shared_blocks(Draft& d) {
    d.m.params_known = false;
    d.f.warn("num_mem_blocks",
             "hybrid layers share the matrices of their attention: parameters cannot be counted");
}

AttentionSpec latent_or_plain(Draft& d) {
    return d.f.count_or_none({"kv_lora_rank"}, kMaxWidth) ? read_latent(d) : plain_attention(d);
}

}  // namespace

void state_pure(Draft& d) {
    const bool second = d.family.name == "mamba2";
    const StateSpec s = second ? mamba2_mixer(d) : mamba1_mixer(d, false);
    if (d.failed) return;
    for (LayerSpec& l : d.layers) l.state = s;
}

void state_rwkv(Draft& d) {
    const StateSpec s = rwkv_mixer(d);
    if (d.failed) return;
    for (LayerSpec& l : d.layers) l.state = s;
}

void state_jamba(Draft& d) {
    // configuration_jamba.py: attention where i % attn_layer_period == attn_layer_offset.
    const std::uint64_t period = d.f.count({"attn_layer_period"}, kMaxLayers).value_or(8);
    const std::uint64_t offset = d.f.find({"attn_layer_offset"}).whole().value_or(4);
    const StateSpec s = mamba1_mixer(d, true);
    if (d.failed) return;
    for (std::size_t i = 0; i < d.layers.size(); ++i) {
        if (i % period == offset) {
            d.layers[i].attn = plain_attention(d);
        } else {
            d.layers[i].state = s;
        }
    }
}

void state_pattern(Draft& d) {
    // Nemotron-H (configuration_nemotron_h.py): a block is one thing: M Mamba 2, * attention, -
    // FFN, E experts; newer files list words in layers_block_type.
    const std::size_t n = d.layers.size();
    std::string letters;
    if (const auto words = d.f.words({"layers_block_type"})) {
        for (const std::string_view w : *words) {
            letters += w == "mamba"       ? 'M'
                       : w == "attention" ? '*'
                       : w == "mlp"       ? '-'
                       : w == "moe"       ? 'E'
                                          : '?';
        }
    } else {
        for (const char c : d.f.word({"hybrid_override_pattern"})) {
            if (c != '|') letters += c;
        }
    }
    if (letters.size() < n || letters.substr(0, n).find_first_not_of("M*-E") != std::string::npos) {
        d.fail(
            d.f.has({"layers_block_type"}) ? "layers_block_type" : "hybrid_override_pattern",
            "hybrid_override_pattern or layers_block_type must name every layer; accepted are M, "
            "*, -, E and mamba, attention, mlp, moe");
        return;
    }
    StateSpec s;
    if (letters.substr(0, n).find('M') != std::string::npos) s = mamba2_mixer(d);
    if (d.failed) return;
    for (std::size_t i = 0; i < n; ++i) {
        if (letters[i] == 'M') d.layers[i].state = s;
        if (letters[i] == '*') d.layers[i].attn = plain_attention(d);
    }
    d.blocks = std::move(letters);
}

void state_zamba(Draft& d) {
    // configuration_zamba.py: every layer is a Mamba layer; hybrid ones have an attention of twice
    // the hidden width beside it, by layers_block_type or attn_layer_offset and attn_layer_period.
    const auto words = layer_words(d);
    if (d.failed) return;
    const std::uint64_t period = d.f.count({"attn_layer_period"}, kMaxLayers).value_or(6);
    const std::uint64_t offset = d.f.find({"attn_layer_offset"}).whole().value_or(4);
    StateSpec s = mamba1_mixer(d, true);
    if (d.failed) return;
    AttentionSpec a = plain_attention(d);
    if (!d.f.has({"attention_head_dim", "head_dim"})) {
        a.k_dim = a.v_dim = static_cast<std::uint32_t>(2 * d.m.hidden / d.q_heads);
    }
    for (std::size_t i = 0; i < d.layers.size(); ++i) {
        const bool hybrid = words.empty() ? i > 1 && i % period == offset : words[i] == "hybrid";
        if (hybrid) d.layers[i].attn = a;
        d.layers[i].state = s;
    }
    shared_blocks(d);
}

void state_plamo2(Draft& d) {
    // modeling_plamo.py of PLaMo 2: of each mamba_step layers one has attention, in a window unless
    // full_attention_idx names it. The convolution runs over the inner channels alone.
    const std::uint64_t step = d.f.count({"mamba_step"}, kMaxLayers).value_or(2);
    const auto full = d.f.counts({"full_attention_idx"}, kMaxLayers);
    const bool mamba = d.f.flag({"mamba_enabled"}, true);
    const std::uint64_t window =
        d.f.count_or_none({"attention_window_size"}, kMaxTokens).value_or(0);
    StateSpec s;
    if (mamba) s = mamba2_mixer(d);
    if (d.failed) return;
    const std::size_t n = d.layers.size();
    for (std::size_t i = 0; i < n; ++i) {
        const bool state = mamba && (n <= step / 2 ? i + 1 != n : i % step != step / 2);
        if (state) {
            d.layers[i].state = s;
            continue;
        }
        AttentionSpec a = plain_attention(d);
        if (window != 0 && !(full && listed(*full, i))) set_window(a, AttnKind::sliding, window);
        d.layers[i].attn = a;
    }
}

void state_parallel(Draft& d) {
    const StateSpec s = mamba2_mixer(d);
    if (d.failed) return;
    for (LayerSpec& l : d.layers) {
        l.attn = plain_attention(d);
        l.state = s;
    }
}

void state_listed(Draft& d) {
    // Bamba: attn_layer_indices; Granite 4: layer_types of attention and mamba; Zamba 2: hybrid
    // blocks hold a Mamba layer and an attention that shares weights, not caches.
    const std::size_t n = d.layers.size();
    auto words = layer_words(d);
    if (d.failed) return;
    const auto indices = d.f.counts({"attn_layer_indices", "hybrid_layer_ids"}, kMaxLayers);
    const bool zamba = d.family.name == "zamba2";
    // Zamba 2's attention is twice the hidden width (configuration_zamba2.py).
    if (zamba && !d.f.has({"attention_head_dim"})) {
        d.k_dim = d.v_dim = static_cast<std::uint32_t>(2 * d.m.hidden / d.q_heads);
    }
    if (words.empty() && !indices) {
        d.fail("layer_types",
               "neither layer_types nor attn_layer_indices says which layers have "
               "attention");
        return;
    }
    bool mamba = false;
    std::vector<int> kind(n);  // 0 state, 1 attention, 2 both
    for (std::size_t i = 0; i < n; ++i) {
        if (!words.empty()) {
            const std::string_view w = words[i];
            kind[i] = is_one_of(w, {"attention", "full_attention"}) ? 1
                      : w == "hybrid"                               ? 2
                      : is_one_of(w, {"mamba", "mamba2"})           ? 0
                                                                    : 3;
            if (kind[i] == 3) {
                d.fail("layer_types", "layer_types has \"" + std::string(w.substr(0, 40)) +
                                          "\"; accepted are attention, mamba and hybrid");
                return;
            }
        } else {
            kind[i] = !listed(*indices, i) ? 0 : zamba ? 2 : 1;
        }
        mamba = mamba || kind[i] != 1;
    }
    StateSpec s;
    if (mamba) s = mamba2_mixer(d);
    if (d.failed) return;
    if (zamba) shared_blocks(d);
    for (std::size_t i = 0; i < n; ++i) {
        if (kind[i] != 0) d.layers[i].attn = plain_attention(d);
        if (kind[i] != 1) d.layers[i].state = s;
    }
}

void state_gdn(Draft& d) {
    // configuration_qwen3_next.py: layer_types, else every full_attention_interval-th layer is
    // full.
    const auto words = layer_words(d);
    if (d.failed) return;
    const std::uint64_t every = d.f.count({"full_attention_interval"}, kMaxLayers).value_or(4);
    const StateSpec s = gdn_mixer(d);
    if (d.failed) return;
    for (std::size_t i = 0; i < d.layers.size(); ++i) {
        const bool full = words.empty() ? (i + 1) % every == 0 : words[i] == "full_attention";
        if (!words.empty() && !full && words[i] != "linear_attention") {
            d.fail("layer_types", "layer_types has \"" + std::string(words[i].substr(0, 40)) +
                                      "\"; accepted are full_attention and linear_attention");
            return;
        }
        if (full) {
            d.layers[i].attn = plain_attention(d);
        } else {
            d.layers[i].state = s;
        }
    }
}

void state_kda(Draft& d) {
    // Kimi Linear (configuration_kimi.py): linear_attn_config lists layers counted from 1. Either
    // list tells the other.
    const Fields c = d.f.inside("linear_attn_config");
    const auto linear = c.counts({"kda_layers"}, kMaxLayers);
    const auto full = c.counts({"full_attn_layers"}, kMaxLayers);
    if (!linear && !full) {
        d.fail("linear_attn_config",
               "linear_attn_config needs kda_layers or full_attn_layers, a list "
               "of layer numbers counted from 1");
        return;
    }
    const auto heads = c.count({"num_heads"}, kMaxHeads);
    const auto dim = c.count({"head_dim"}, kMaxHeadDim);
    if (!heads || !dim) {
        d.fail("linear_attn_config", "linear_attn_config needs num_heads and head_dim");
        return;
    }
    const StateSpec s =
        kda_mixer(d, *heads, *dim, c.count_or_none({"short_conv_kernel_size"}, 1024).value_or(4),
                  c.flag({"use_full_rank_gate"}, false));
    const AttentionSpec a = latent_or_plain(d);
    if (d.failed) return;
    for (std::size_t i = 0; i < d.layers.size(); ++i) {
        const bool is_linear = linear ? listed(*linear, i + 1) : !listed(*full, i + 1);
        const bool is_full = full ? listed(*full, i + 1) : !is_linear;
        if (is_linear == is_full) {
            d.fail("linear_attn_config", "linear_attn_config names layer " + std::to_string(i + 1) +
                                             (is_full ? " in both lists" : " in neither list"));
            return;
        }
        if (is_linear) {
            d.layers[i].state = s;
        } else {
            d.layers[i].attn = a;
        }
    }
}

void state_bailing_hybrid(Draft& d) {
    // Ring 2.5 (lightning) and Ling 3 (KDA, it has a short convolution): the last layer of each
    // layer_group_size, and those behind the last whole group, are latent attention.
    const std::uint64_t group = d.f.count({"layer_group_size"}, kMaxLayers).value_or(0);
    if (group == 0) {
        d.fail("layer_group_size",
               "layer_group_size is missing; accepted are whole numbers from 1");
        return;
    }
    const auto conv = d.f.count_or_none({"short_conv_kernel_size"}, 1024);
    const StateSpec s =
        conv ? kda_mixer(d, d.q_heads, d.k_dim, *conv, d.f.flag({"no_kda_lora"}, false))
             : lightning_mixer(d);
    const AttentionSpec a = latent_or_plain(d);
    if (d.failed) return;
    const std::size_t n = d.layers.size();
    for (std::size_t i = 0; i < n; ++i) {
        if ((i + 1) % group == 0 || i >= n / group * group) {
            d.layers[i].attn = a;
        } else {
            d.layers[i].state = s;
        }
    }
}

void state_lightning(Draft& d) {
    // MiniMax-Text-01: attn_type_list 0 = lightning, 1 = softmax; its transformers form
    // layer_types, and without either every second layer is full (configuration_minimax.py).
    // Bailing linear: the last layer of each layer_group_size, and those behind the last whole
    // group.
    const std::size_t n = d.layers.size();
    const auto words = layer_words(d);
    if (d.failed) return;
    const auto list = d.f.counts({"attn_type_list"}, 2);
    const auto group = d.f.count({"layer_group_size"}, kMaxLayers);
    if (list && list->size() < n) {
        d.fail("attn_type_list", "attn_type_list has " + std::to_string(list->size()) +
                                     " entries for " + std::to_string(n) + " layers");
        return;
    }
    const StateSpec s = lightning_mixer(d);
    const AttentionSpec a = latent_or_plain(d);
    if (d.failed) return;
    for (std::size_t i = 0; i < n; ++i) {
        bool full = (i + 1) % 2 != 0;
        if (group) full = (i + 1) % *group == 0 || i >= n / *group * *group;
        if (!words.empty()) full = is_one_of(words[i], {"full_attention", "attention"});
        if (list) full = (*list)[i] == 1;
        if (full) {
            d.layers[i].attn = a;
        } else {
            d.layers[i].state = s;
        }
    }
}

void state_conv(Draft& d) {
    // LFM2 (configuration_lfm2.py): layer_types, or full_attn_idxs.
    const auto words = layer_words(d);
    if (d.failed) return;
    const auto full = d.f.counts({"full_attn_idxs"}, kMaxLayers);
    if (words.empty() && !full) {
        d.fail("layer_types",
               "neither layer_types nor full_attn_idxs says which layers have attention");
        return;
    }
    const StateSpec s = conv_mixer(d);
    if (d.failed) return;
    for (std::size_t i = 0; i < d.layers.size(); ++i) {
        const bool attention = words.empty() ? listed(*full, i) : words[i] == "full_attention";
        if (!words.empty() && !attention && words[i] != "conv") {
            d.fail("layer_types", "layer_types has \"" + std::string(words[i].substr(0, 40)) +
                                      "\"; accepted are full_attention and conv");
            return;
        }
        if (attention) {
            d.layers[i].attn = plain_attention(d);
        } else {
            d.layers[i].state = s;
        }
    }
}

void state_griffin(Draft& d) {
    // RecurrentGemma (configuration_recurrent_gemma.py): block_types repeats over the layers.
    auto pattern =
        d.f.words({"block_types", "_block_types"}).value_or(std::vector<std::string_view>{});
    if (pattern.empty()) pattern = {"recurrent", "recurrent", "attention"};
    const std::uint64_t window =
        d.f.count_or_none({"attention_window_size"}, kMaxTokens).value_or(2048);
    const StateSpec s = rg_lru_mixer(d);
    if (d.failed) return;
    for (std::size_t i = 0; i < d.layers.size(); ++i) {
        const std::string_view w = pattern[i % pattern.size()];
        if (w == "attention") {
            d.layers[i].attn = plain_attention(d);
            set_window(d.layers[i].attn, AttnKind::sliding, window);
        } else if (w == "recurrent") {
            d.layers[i].state = s;
        } else {
            d.fail("block_types", "block_types has \"" + std::string(w.substr(0, 40)) +
                                      "\"; accepted are recurrent and attention");
            return;
        }
    }
}

}  // namespace kvgauge
