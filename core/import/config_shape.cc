// SPDX-License-Identifier: MIT
// The sizes every model has: layers, hidden, heads, head dimensions, vocabulary, context.
#include <algorithm>
#include <string>

#include "import/config_draft.h"

namespace kvgauge {
namespace {

constexpr std::uint64_t kUnstated = 0;

// A default of the configuration class, allowed only inside a nested config, with a notice.
std::uint64_t class_default(const Draft& d, std::uint32_t ClassDefaults::*member,
                            std::string_view name) {
    if (!d.nested) return kUnstated;
    const ClassDefaults* c = class_defaults(d.f.word({"model_type"}));
    if (c == nullptr || c->*member == 0) return kUnstated;
    d.f.note(name, std::string(name) + " is absent; " + std::to_string(c->*member) +
                       " is the default of this configuration class in transformers");
    return c->*member;
}

std::uint64_t read_layers(Draft& d) {
    if (const auto n = d.f.count({"num_hidden_layers", "n_layer", "n_layers", "num_layers",
                                  "num_transformer_layers", "decoder_layers", "num_layer"},
                                 kMaxLayers)) {
        return *n;
    }
    if (d.f.has({"num_hidden_layers", "n_layer", "n_layers", "num_layers"})) return 0;  // refused
    const JsonValue blocks = d.f.find({"layers_block_type"});
    if (blocks.is_array() && blocks.size() <= kMaxLayers) return blocks.size();
    const std::string_view pattern = d.f.word({"hybrid_override_pattern"});
    if (!pattern.empty() && pattern.size() <= kMaxLayers) {
        return static_cast<std::uint64_t>(
            std::count_if(pattern.begin(), pattern.end(), [](char c) { return c != '|'; }));
    }
    const std::uint64_t n = class_default(d, &ClassDefaults::layers, "num_hidden_layers");
    if (n == 0)
        d.f.required({"num_hidden_layers", "n_layer", "n_layers", "num_layers"}, kMaxLayers);
    return n;
}

std::uint64_t read_head_dim(Draft& d) {
    if (const auto n = d.f.count_or_none({"head_dim", "attention_head_dim", "kv_channels", "d_kv",
                                          "hidden_size_per_head", "d_head"},
                                         kMaxHeadDim)) {
        return *n;
    }
    if (const auto n = class_default(d, &ClassDefaults::head_dim, "head_dim")) return n;
    if (d.family.head_dim_default != 0) return d.family.head_dim_default * std::uint64_t{8};
    if (d.m.hidden == 0) {
        d.fail("head_dim", "head_dim is missing, and without hidden_size it cannot be derived");
        return 0;
    }
    if (d.m.hidden % d.q_heads != 0) {
        // A latent cache knows no head dimension.
        if (!d.family.plain && d.f.count_or_none({"kv_lora_rank"}, kMaxWidth)) return 0;
        d.fail("head_dim", "head_dim is missing, and hidden_size " + std::to_string(d.m.hidden) +
                               " is not a multiple of the " + std::to_string(d.q_heads) +
                               " query heads");
        return 0;
    }
    return d.m.hidden / d.q_heads;
}

std::uint64_t read_kv_heads(Draft& d) {
    // ChatGLM: the group count means something only with multi_query_attention.
    const bool grouped = d.f.flag({"multi_query_attention"}, true);
    if (d.f.word({"attn_config.attn_type"}) == "multiquery_attention") return 1;  // MPT
    if (d.family.name == "plamo") {  // modeling_plamo.py goes by this whatever else is written
        const std::uint64_t share = d.f.count_or_none({"n_shared_head"}, kMaxHeads).value_or(8);
        return (d.q_heads + share - 1) / share;
    }
    if (d.family.name == "gpt_bigcode") return d.f.flag({"multi_query"}, true) ? 1 : d.q_heads;
    if (const auto n = d.f.count(
            {"num_key_value_heads", "num_kv_heads", "n_head_kv", "n_kv_heads", "n_kv_head",
             "num_attention_groups", "num_query_groups", "attn_config.kv_n_heads"},
            kMaxHeads)) {
        return *n;
    }
    if (grouped) {
        if (const auto n = d.f.count({"multi_query_group_num"}, kMaxHeads)) return *n;
    }
    if (d.nested) {
        const std::uint64_t n = class_default(d, &ClassDefaults::kv_heads, "num_key_value_heads");
        if (n != 0) return n;
    }
    return d.q_heads;  // without a field every query head has its own: multi-head attention
}

void read_heads(Draft& d) {
    const Names q_names = {
        "num_attention_heads",     "n_head",          "n_heads",        "num_heads",
        "decoder_attention_heads", "num_query_heads", "attention_heads"};
    std::uint64_t q = d.f.count(q_names, kMaxHeads).value_or(0);
    if (q == 0 && !d.f.has(q_names)) {
        q = class_default(d, &ClassDefaults::q_heads, "num_attention_heads");
        if (q == 0) d.f.required(q_names, kMaxHeads);
    }
    if (q == 0) {
        d.failed = true;
        return;
    }
    d.q_heads = static_cast<std::uint32_t>(q);
    d.kv_heads = static_cast<std::uint32_t>(read_kv_heads(d));
    const std::uint64_t dim = read_head_dim(d);
    if (d.failed) return;
    d.k_dim = d.v_dim = static_cast<std::uint32_t>(dim);
    if (d.kv_heads == 0 || d.q_heads % d.kv_heads != 0) {
        d.fail("num_key_value_heads", "num_key_value_heads is " + std::to_string(d.kv_heads) +
                                          " for " + std::to_string(d.q_heads) +
                                          " query heads; accepted are divisors of the latter");
    }
}

// Tokens the model was made for: only warnings depend on it, so a bad value is none.
std::uint64_t read_context(const Draft& d) {
    std::uint64_t best = 0;
    for (const std::string_view name :
         {"max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "context_length",
          "max_sequence_length", "max_target_positions", "n_ctx", "model_max_length"}) {
        const auto n = d.f.find({name}).whole();
        if (!n || *n == 0 || *n > kMaxTokens) continue;
        if (best == 0 || *n < best) best = *n;
    }
    if (best == 0) return 0;
    // RoPE scalings that max_position_embeddings does not contain yet (vLLM,
    // _get_and_verify_max_len).
    const std::string_view kind =
        d.f.word({"rope_scaling.rope_type", "rope_scaling.type", "rope_parameters.rope_type"});
    const double factor = d.f.real({"rope_scaling.factor", "rope_parameters.factor"}).value_or(1);
    if (!(factor >= 1 && factor <= 1e6)) return best;
    if (kind == "yarn") {
        const auto original = d.f.find({"rope_scaling.original_max_position_embeddings",
                                        "rope_parameters.original_max_position_embeddings"})
                                  .whole();
        if (original && *original != 0 && *original <= kMaxTokens / 1000000) {
            return std::max(best,
                            static_cast<std::uint64_t>(static_cast<double>(*original) * factor));
        }
        return best;
    }
    if (kind == "linear" || kind == "dynamic") {
        return static_cast<std::uint64_t>(static_cast<double>(best) * factor);
    }
    return best;
}

}  // namespace

void read_shape(Draft& d) {
    const std::uint64_t n = read_layers(d);
    const Names hidden_names = {"hidden_size", "n_embd", "n_embed",  "d_model",
                                "model_dim",   "dim",    "block_dim"};
    if (const auto h = d.f.count(hidden_names, kMaxWidth)) d.m.hidden = *h;
    if (d.m.hidden == 0 && !d.f.has(hidden_names)) {
        d.m.hidden = class_default(d, &ClassDefaults::hidden, "hidden_size");
    }
    if (n == 0) d.failed = true;
    if (d.failed) return;
    if (d.family.heads) read_heads(d);
    if (d.failed) return;
    d.layers.resize(static_cast<std::size_t>(n));

    std::optional<std::uint64_t> vocab;
    if (d.family.name == "chatglm") vocab = d.f.count({"padded_vocab_size"}, kMaxVocab);
    if (!vocab) vocab = d.f.count({"vocab_size", "n_vocab", "padded_vocab_size"}, kMaxVocab);
    if (!vocab && d.nested) vocab = d.outer.count({"vocab_size"}, kMaxVocab);
    d.m.vocab = vocab.value_or(0);
    // OLMo's first release, LLaDA, Molmo: rows of the embedding, rounded up.
    if (const auto rows = d.f.count_or_none({"embedding_size"}, kMaxVocab); vocab && rows) {
        d.m.vocab = std::max(d.m.vocab, *rows);
    }
    if (!vocab) d.m.vocab = class_default(d, &ClassDefaults::vocab, "vocab_size");
    if (d.m.vocab == 0) {
        d.m.params_known = false;
        d.f.warn("vocab_size", "vocab_size is missing: parameters cannot be counted");
    }
    if (d.m.hidden == 0) {
        d.m.params_known = false;
        d.f.warn("hidden_size", "hidden_size is missing: parameters cannot be counted");
    }
    d.m.max_ctx = read_context(d);
}

}  // namespace kvgauge
