// SPDX-License-Identifier: MIT
#include "import/config_finish.h"

#include <algorithm>
#include <cmath>

#include "import/config_draft.h"

namespace kvgauge {
namespace {

std::uint32_t narrow(std::uint64_t n) {
    return static_cast<std::uint32_t>(n);
}

}  // namespace

void finish_apertus(Draft& d) {
    // modeling_apertus.py: xIELU learns alpha_p and alpha_n.
    for (LayerSpec& l : d.layers) l.other_params += 2;
}

void finish_yuan(Draft& d) {
    // yuan_hf_model.py, LocalizedFiltering: convolutions hidden -> hidden/2 -> hidden of height 2
    // with biases, and a norm.
    const std::uint64_t h = d.m.hidden;
    for (LayerSpec& l : d.layers) l.other_params += 2 * h * h + h / 2 + h + h;
}

void finish_arctic(Draft& d) {
    // modeling_arctic.py: with parallel_attn_mlp_res a dense FFN of width hidden beside the
    // experts.
    if (!d.f.flag({"parallel_attn_mlp_res"}, false)) return;
    for (LayerSpec& l : d.layers) {
        if (l.ffn.experts == 0) continue;
        l.ffn.inter = narrow(d.m.hidden);
        l.norm_params += d.m.hidden;
    }
}

void finish_lm_head_bias(Draft& d) {
    d.m.head_bias = d.f.flag({"lm_head_bias"}, false);
}

void finish_gpt_oss(Draft& d) {
    // modeling_gpt_oss.py: a sink per query head; experts with biases on both projections.
    for (LayerSpec& l : d.layers) {
        l.attn.norm_params += l.attn.q_heads;
        l.ffn.bias_params =
            std::uint64_t{l.ffn.experts} * (2 * std::uint64_t{l.ffn.expert_inter} + d.m.hidden);
    }
}

void finish_laguna(Draft& d) {
    const auto heads = d.f.counts({"num_attention_heads_per_layer"}, kMaxHeads);
    for (std::size_t i = 0; i < d.layers.size(); ++i) {
        AttentionSpec& a = d.layers[i].attn;
        if (heads && i < heads->size() && (*heads)[i] != 0) a.q_heads = narrow((*heads)[i]);
        if (d.f.flag({"gating"}, false)) d.layers[i].other_params += d.m.hidden * a.q_heads;
    }
}

void finish_step(Draft& d) {
    // configuration_step3p5.py: window layers may have heads of their own; Step-3 makes its queries
    // through share_q_dim.
    const Fields other = d.f.inside("attention_other_setting");
    const auto q = other.count_or_none({"num_attention_heads"}, kMaxHeads);
    const auto kv = other.count_or_none({"num_attention_groups", "num_key_value_heads"}, kMaxHeads);
    const auto dim = other.count_or_none({"head_dim", "true_head_dim"}, kMaxHeadDim);
    const auto rank = d.f.count_or_none({"share_q_dim"}, kMaxWidth);
    for (LayerSpec& l : d.layers) {
        AttentionSpec& a = l.attn;
        if (a.kind == AttnKind::sliding) {
            if (q) a.q_heads = narrow(*q);
            if (kv) a.kv_heads = narrow(*kv);
            if (dim) a.k_dim = a.v_dim = narrow(*dim);
        }
        if (rank) {
            a.q_rank = narrow(*rank);
            a.norm_params += *rank;
        }
        if (d.f.flag({"use_head_wise_attn_gate"}, false)) l.other_params += d.m.hidden * a.q_heads;
    }
}

void finish_bitnet(Draft& d) {
    // modeling_bitnet.py: attn_sub_norm and ffn_sub_norm.
    for (LayerSpec& l : d.layers) l.norm_params += d.m.hidden + l.ffn.inter;
}

void finish_stablelm(Draft& d) {
    // modeling_stablelm.py: post_attention_layernorm exists only without parallel residuals.
    if (!d.f.flag({"use_parallel_residual"}, false)) return;
    for (LayerSpec& l : d.layers) l.norm_params -= 2 * d.m.hidden;
}

void finish_llama4(Draft& d) {
    // modeling_llama4.py: dense layers intermediate_size_mlp wide, experts and the shared expert
    // intermediate_size.
    for (LayerSpec& l : d.layers) {
        if (l.ffn.experts != 0) l.ffn.shared_inter = l.ffn.expert_inter;
    }
}

void finish_kimi_linear(Draft& d) {
    const auto width = d.f.count_or_none({"routed_expert_hidden_size"}, kMaxWidth);
    if (!width) return;
    for (LayerSpec& l : d.layers) {
        if (l.ffn.experts == 0) continue;
        l.ffn.expert_hidden = narrow(*width);
        l.other_params += 2 * d.m.hidden * *width;
    }
}

void finish_t5(Draft& d) {
    // modeling_t5.py: RMS norms, no biases, one relative-position table in each stack, d_kv wide
    // heads.
    const std::uint64_t h = d.m.hidden, inner = std::uint64_t{d.q_heads} * d.k_dim;
    const bool gated = d.f.word({"feed_forward_proj"}).starts_with("gated");
    const std::uint64_t ff = d.f.count_or_none({"d_ff"}, kMaxWidth).value_or(4 * h);
    const std::uint64_t table =
        d.q_heads * d.f.count_or_none({"relative_attention_num_buckets"}, kMaxHeads).value_or(32);
    const std::uint64_t encoder = d.f.count_or_none({"num_layers"}, kMaxLayers).value_or(0);
    for (std::size_t i = 0; i < d.layers.size(); ++i) {
        LayerSpec& l = d.layers[i];
        l.norm_params = i % 2 == 0 ? h : 2 * h;
        l.ffn.gated = gated;
    }
    d.m.position_params = table;
    d.m.encoder_params = encoder * (4 * h * inner + (gated ? 3 : 2) * h * ff + 2 * h) + table + h;
    // Weights beside the decoder's own; umT5 has a table in every layer.
    if (d.f.word({"model_type"}) == "umt5") {
        d.m.position_params = table * (d.layers.size() / 2);
        d.m.encoder_params += table * (encoder == 0 ? 0 : encoder - 1);
    }
}

void finish_bart(Draft& d) {
    // modeling_bart.py, modeling_mbart.py, modeling_m2m_100.py, modeling_whisper.py and the rest
    // below: biases everywhere; attention, cross attention and FFN each have a norm with bias.
    struct Kin {
        std::string_view type;
        int positions;    // learned rows beyond the context in each stack; -1: none learned
        bool embed_norm;  // a norm behind the embeddings of each stack
        bool last_norm;   // a norm at the end of each stack
    };
    static constexpr Kin kKin[] = {
        {"bart", 2, true, false},
        {"florence2_language", 2, true, false},
        {"plbart", 2, true, false},
        {"mvp", 2, true, false},
        {"mbart", 2, true, true},
        {"blenderbot", 0, false, true},
        {"blenderbot-small", 0, true, false},
        {"marian", -1, false, false},
    };
    const std::uint64_t h = d.m.hidden;
    const std::string_view type = d.f.word({"model_type"});
    const bool whisper = type == "whisper";
    Kin kin{type, -1, false, true};  // M2M-100, Pegasus
    for (const Kin& k : kKin) {
        if (k.type == type) kin = k;
    }
    const std::uint64_t layers =
        d.f.count_or_none({"encoder_layers"}, kMaxLayers).value_or(d.layers.size() / 2);
    const std::uint64_t wide = d.f.count_or_none({"encoder_ffn_dim"}, kMaxWidth).value_or(4 * h);
    for (std::size_t i = 0; i < d.layers.size(); ++i) {
        LayerSpec& l = d.layers[i];
        // Whisper's K has no bias; qkv_bias counts one, taken back here.
        l.norm_params = (i % 2 == 0 ? 2 * h : 4 * h) - (whisper ? h : 0);
        l.attn.qkv_bias = l.attn.o_bias = true;
        l.ffn.bias = i % 2 != 0;
        l.ffn.gated = false;
    }
    const std::uint64_t layer = 4 * h * h + (whisper ? 3 : 4) * h + 2 * h * wide + wide + h + 4 * h;
    const std::uint64_t rows =
        d.f.count_or_none({"max_target_positions", "max_position_embeddings"}, kMaxTokens)
            .value_or(0);
    d.m.encoder_params = layers * layer + (kin.last_norm ? 2 * h : 0);
    d.m.final_norm_params = kin.last_norm ? 2 * h : 0;
    std::uint64_t ahead = kin.embed_norm ? 2 * h : 0;
    if (kin.positions >= 0) ahead += (rows + static_cast<std::uint64_t>(kin.positions)) * h;
    d.m.encoder_params += ahead;
    d.m.position_params = ahead;
    if (whisper) {
        const std::uint64_t in =
            d.f.count_or_none({"max_source_positions"}, kMaxTokens).value_or(1500);
        const std::uint64_t mel = d.f.count_or_none({"num_mel_bins"}, kMaxWidth).value_or(80);
        d.m.encoder_params += in * h + (3 * mel * h + h) + (3 * h * h + h);  // two convolutions
        d.m.position_params = rows * h;
    }
}

void finish_jais(Draft& d) {
    // modeling_jais.py: a second input matrix with swiglu; learned positions unless ALiBi.
    const bool gated = d.f.word({"activation_function"}) == "swiglu";
    for (LayerSpec& l : d.layers) l.ffn.gated = gated;
    if (d.f.word({"position_embedding_type"}) != "alibi")
        d.m.position_params = d.m.max_ctx * d.m.hidden;
}

void finish_gemma3n(Draft& d) {
    // modeling_gemma3n.py: LAuReL, AltUp and per-layer inputs.
    const std::uint64_t h = d.m.hidden, n = d.layers.size();
    const std::uint64_t side =
        d.f.count_or_none({"hidden_size_per_layer_input"}, kMaxWidth).value_or(256);
    const std::uint64_t rows =
        d.f.count_or_none({"vocab_size_per_layer_input"}, kMaxVocab).value_or(262144);
    const std::uint64_t rank = d.f.count_or_none({"laurel_rank"}, kMaxWidth).value_or(64);
    const std::uint64_t ways = d.f.count_or_none({"altup_num_inputs"}, 64).value_or(4);
    for (LayerSpec& l : d.layers) {
        l.other_params += 2 * h * rank + h;                                     // LAuReL
        l.other_params += h + ways * ways + ways * ways * ways + h * ways + h;  // AltUp
        l.other_params += 2 * h * side + h;                                     // per-layer input
    }
    d.m.position_params += rows * n * side + h * n * side + side + 2 * (ways - 1) * h * h;
}

void finish_gemma4(Draft& d) {
    // modeling_gemma4.py: per-layer inputs where their width is not 0; a scalar per layer; layers
    // with experts keep the dense FFN and three more norms; shared layers may double their FFN.
    const std::uint64_t h = d.m.hidden, n = d.layers.size();
    const std::uint64_t side =
        d.f.count_or_none({"hidden_size_per_layer_input"}, kMaxWidth).value_or(0);
    const std::uint64_t rows =
        d.f.count_or_none({"vocab_size_per_layer_input"}, kMaxVocab).value_or(0);
    const std::uint64_t dense = d.f.count_or_none({"intermediate_size"}, kMaxWidth).value_or(0);
    const bool wide = d.f.flag({"use_double_wide_mlp"}, false);
    for (LayerSpec& l : d.layers) {
        l.other_params += 1;
        if (l.ffn.experts != 0) {
            l.ffn.inter = narrow(dense);
            l.ffn.router_params += h + l.ffn.experts;
            l.norm_params += 3 * h;
        }
        if (wide && !l.attn.owns_cache) l.ffn.inter *= 2;
        if (side != 0) l.other_params += 2 * h * side + h;
        if (!l.attn.k_proj) l.attn.norm_params = l.attn.k_dim;  // no key norm without a key
    }
    if (side != 0) d.m.position_params += rows * n * side + h * n * side + side;
}

void finish_deepseek_v4(Draft& d) {
    // inference/model.py of DeepSeek-V4: output projection in o_groups groups through o_lora_rank;
    // keys are the values. Hyper-connections and compressors are small and not counted.
    const std::uint64_t h = d.m.hidden;
    const std::uint64_t groups = d.f.count_or_none({"o_groups"}, kMaxHeads).value_or(0);
    const std::uint64_t rank = d.f.count_or_none({"o_lora_rank"}, kMaxWidth).value_or(0);
    for (LayerSpec& l : d.layers) {
        l.attn.v_proj = false;
        l.attn.norm_params += l.attn.q_rank + l.attn.k_dim + l.attn.q_heads;
        if (groups == 0 || rank == 0) continue;
        // visit_projections counts the plain output matrix; correct it by what the groups save.
        const std::uint64_t plain = std::uint64_t{l.attn.q_heads} * l.attn.v_dim * h;
        const std::uint64_t low =
            std::uint64_t{l.attn.q_heads} * l.attn.v_dim * rank + groups * rank * h;
        if (low > plain) l.other_params += low - plain;
    }
    d.doubt("architectures", "parameters of compressors and hyper-connections are not counted");
}

void finish_lfm2(Draft& d) {
    // configuration_lfm2.py: two thirds of the width, rounded up to block_multiple_of.
    if (!d.f.flag({"block_auto_adjust_ff_dim"}, d.f.word({"model_type"}) == "lfm2")) return;
    const double factor = d.f.real({"block_ffn_dim_multiplier"}).value_or(1);
    const std::uint64_t unit = d.f.count_or_none({"block_multiple_of"}, kMaxWidth).value_or(256);
    if (!(factor > 0 && factor < 100)) return;
    for (LayerSpec& l : d.layers) {
        const auto adjusted = static_cast<std::uint64_t>(
            factor * static_cast<double>(2 * std::uint64_t{l.ffn.inter} / 3));
        l.ffn.inter = narrow((adjusted + unit - 1) / unit * unit);
    }
}

void finish_opt(Draft& d) {
    const auto width = d.f.count_or_none({"word_embed_proj_dim"}, kMaxWidth);
    if (width && *width != d.m.hidden) {
        d.m.params_known = false;
        d.f.warn("word_embed_proj_dim",
                 "word_embed_proj_dim is " + std::to_string(*width) +
                     ": parameters cannot be counted unless it is hidden_size");
    }
    // modeling_opt.py: the last norm exists only where norms come first.
    if (!d.f.flag({"do_layer_norm_before"}, true)) d.m.final_norm_params = 0;
}

void finish_bloom(Draft& d) {
    d.m.position_params += 2 * d.m.hidden;
}

void finish_mpt(Draft& d) {
    // modeling_mpt.py of llm-foundry: no_bias drops biases and the bias of norms; positions are
    // learned unless ALiBi or rotary replaces them.
    const bool plain = d.f.flag({"no_bias"}, false);
    if (!plain) {
        for (LayerSpec& l : d.layers) {
            l.norm_params *= 2;
            l.attn.qkv_bias = l.attn.o_bias = l.ffn.bias = true;
        }
        d.m.final_norm_params *= 2;
    }
    if (d.f.flag({"attn_config.qk_ln"}, false)) {
        for (LayerSpec& l : d.layers) l.attn.norm_params += 2 * d.m.hidden;
    }
    const bool none =
        d.f.flag({"attn_config.alibi", "alibi"}, false) || d.f.flag({"attn_config.rope"}, false);
    if (!none && d.f.flag({"learned_pos_emb"}, true))
        d.m.position_params = d.m.max_ctx * d.m.hidden;
}

}  // namespace kvgauge
