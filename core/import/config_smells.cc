// SPDX-License-Identifier: MIT
#include "import/config_smells.h"

#include <algorithm>
#include <string>

#include "import/config_draft.h"

namespace kvgauge {
namespace {

// null, false, 0, "", [] and {} switch a field off.
bool active(JsonValue v) {
    if (v.is_null()) return false;
    if (const auto b = v.boolean()) return *b;
    if (const auto n = v.number()) return *n != 0;
    if (const auto s = v.string()) return !s->empty();
    return v.size() != 0;
}

bool has(std::string_view s, std::string_view part) {
    return s.find(part) != s.npos;
}

// Parts of names that no plain decoder needs.
constexpr std::string_view kSmells[] = {
    "lora_rank",
    "latent",
    "compress",
    "index_",
    "indexer",
    "sparse_attention",
    "nsa",
    "ssm",
    "mamba",
    "state_size",
    "d_state",
    "conv_kernel",
    "d_conv",
    "conv_l_cache",
    "conv1d",
    "rwkv",
    "linear_att",
    "linear_num",
    "linear_key",
    "linear_value",
    "lightning",
    "recurrent",
    "lru_width",
    "kv_shar",
    "shared_kv",
    "share_kv",
    "kv_reuse",
    "cla_",
    "use_cla",
    "yoco",
    "cross_attention_layers",
    "chunk_size",
    "hybrid",
    "block_types",
    "block_type",
    "attn_type",
    "attention_types",
    "layer_pattern",
    "_per_layer",
    "global_attn",
    "local_attn",
    "global_head",
    "global_key",
    "swa_",
    "delta",
    "kda",
    "block_configs",
    "attn_layer",
    "attention_layer",
    "full_attention_interval",
    "full_attn",
    "ttt_",
    "memory_",
    "use_mla",
    "mla_",
    "qk_rope",
    "qk_nope",
    "retention",
    "hyena",
    "encoder_layers",
    "is_encoder_decoder",
    "blocksparse",
    "attention_window",
    "local_window",
    "landmark",
    "moba",
    "meta_tokens",
    "shared_head",
    "ut_steps",
    "loop_",
    "kv_source",
    "kv_cache_heads",
    "mtla",
};

// Names that contain such a part and mean nothing for the cache.
constexpr std::string_view kHarmless[] = {
    "chunk_size_feed_forward",
    "vocab_size_per_layer_input",
    "num_experts_per_layer",
    "hybrid_engine",
    "cache_implementation",
    "ep_size",
    "index_field",
    "prefill_chunk_size",
    "ignore_index",
};

}  // namespace

void refuse_foreign_fields(Draft& d) {
    if (!d.family.plain) return;
    for (const std::string_view name :
         {"kv_lora_rank", "compress_ratios", "index_topk", "linear_attn_config",
          "hybrid_override_pattern", "num_kv_shared_layers", "linear_num_value_heads",
          "conv_L_cache", "ssm_state_size", "attn_layer_period", "full_attention_interval",
          "block_configs", "cross_attention_layers"}) {
        const JsonValue v = d.f.find({name});
        if (!active(v)) continue;
        d.fail(name,
               std::string(name) + " is " + v.text() + ", which a " + std::string(d.family.name) +
                   " model does not have; it speaks of another cache than the one known here");
        return;
    }
    // MiniMax M2 lists softmax attention (1) for every layer.
    if (const auto list = d.f.counts({"attn_type_list"}, 16)) {
        if (std::any_of(list->begin(), list->end(), [](std::uint64_t t) { return t != 1; })) {
            d.fail("attn_type_list",
                   "attn_type_list has layers other than 1 (softmax attention), which a " +
                       std::string(d.family.name) + " model does not have");
        }
    }
}

void refuse_unproven(Draft& d) {
    const std::string who = d.m.name.empty() ? "no architecture and no model_type"
                                             : "architecture \"" + d.m.name + "\"";
    const bool decoder = has(d.m.architecture, "CausalLM") || has(d.m.architecture, "LMHead") ||
                         has(d.m.architecture, "ConditionalGeneration");
    if (!decoder && !(d.nested && !d.m.model_type.empty())) {
        d.fail("architectures",
               who +
                   " is not known, and nothing in the file says that it is a decoder; "
                   "accepted are known architectures and ones named ...ForCausalLM");
        return;
    }
    const JsonValue o = d.f.object();
    for (std::size_t i = 0; i < o.size(); ++i) {
        std::string key(o.key_at(i));
        std::transform(key.begin(), key.end(), key.begin(), [](char c) {
            return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        });
        if (!active(o.at(i))) continue;
        if (std::any_of(std::begin(kHarmless), std::end(kHarmless),
                        [&](std::string_view h) { return key == h; })) {
            continue;
        }
        for (const std::string_view part : kSmells) {
            if (!has(key, part)) continue;
            d.fail(o.key_at(i), std::string(o.key_at(i)) + " is " + o.at(i).text() + ", and " +
                                    who +
                                    " is not known: it may not cache as a plain decoder does");
            return;
        }
    }
    // Not only the names of plain attention must be absent of others: its own must be there.
    if (!d.f.has({"num_key_value_heads", "num_kv_heads", "n_kv_heads", "num_attention_heads",
                  "n_head"})) {
        d.fail("num_attention_heads", "num_attention_heads is missing");
    }
    const auto v = d.f.count_or_none({"v_head_dim"}, kMaxHeadDim);
    if (v && *v != d.k_dim) {
        d.fail("v_head_dim", "v_head_dim is " + std::to_string(*v) + " beside head_dim " +
                                 std::to_string(d.k_dim) + ", and " + who + " is not known");
    }
}

}  // namespace kvgauge
