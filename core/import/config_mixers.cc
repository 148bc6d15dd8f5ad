// SPDX-License-Identifier: MIT
#include "import/config_mixers.h"

#include <algorithm>
#include <string>

namespace kvgauge {
namespace {

std::uint32_t narrow(std::uint64_t n) {
    return static_cast<std::uint32_t>(n);
}

// A field that the mixer cannot do without.
std::uint64_t need(Draft& d, Names names, std::uint64_t max) {
    const auto n = d.f.required(names, max);
    if (!n) d.failed = true;
    return n.value_or(1);
}

std::uint64_t optional(const Draft& d, Names names, std::uint64_t max, std::uint64_t fallback) {
    return d.f.count_or_none(names, max).value_or(fallback);
}

bool fp32_state(const Draft& d) {
    const std::string_view t = d.f.word({"mamba_ssm_dtype", "mamba_ssm_cache_dtype", "ssm_dtype"});
    return t == "float32" || t == "fp32";
}

std::uint64_t conv_width(const Draft& d) {
    return optional(
        d, {"conv_kernel", "mamba_d_conv", "d_conv", "conv_kernel_size", "linear_conv_kernel_dim"},
        1024, 4);
}

}  // namespace

StateSpec mamba1_mixer(Draft& d, bool inner_norms) {
    const std::uint64_t h = d.m.hidden;
    const std::uint64_t state = need(d, {"state_size", "mamba_d_state", "d_state"}, kMaxHeadDim);
    const std::uint64_t expand = optional(d, {"expand", "mamba_expand"}, 64, 2);
    // A Mamba model's intermediate_size is the inner width and wins over expand * hidden
    // (configuration_falcon_mamba.py); a hybrid's is the FFN's.
    const std::uint64_t inner =
        inner_norms ? expand * h : optional(d, {"intermediate_size"}, kMaxWidth, expand * h);
    const std::uint64_t rank =
        optional(d, {"time_step_rank", "mamba_dt_rank", "dt_rank"}, kMaxWidth, (h + 15) / 16);
    const std::uint64_t width = conv_width(d);
    StateSpec s;
    s.kind = StateKind::mamba1;
    s.ssm_elements = inner * state;
    s.conv_elements = inner * (width - 1);
    s.ssm_fp32 = fp32_state(d);
    s.k_dim = narrow(state);
    s.v_heads = narrow(inner);
    s.v_dim = 1;
    s.conv = narrow(width);
    const bool bias = d.f.flag({"use_bias", "mamba_proj_bias"}, false);
    const bool conv_bias = d.f.flag({"use_conv_bias", "mamba_conv_bias"}, true);
    s.sharded_params = 3 * h * inner;  // in_proj (two halves) and out_proj
    s.params = s.sharded_params + inner * (rank + 2 * state) + rank * inner + inner +
               inner * width + (conv_bias ? inner : 0) + inner * state + inner +
               (bias ? 2 * inner + h : 0) + (inner_norms ? rank + 2 * state : 0);
    return s;
}

StateSpec mamba2_mixer(Draft& d) {
    const std::uint64_t h = d.m.hidden;
    const std::uint64_t heads =
        need(d, {"mamba_num_heads", "mamba_n_heads", "n_mamba_heads", "num_heads", "mamba_nheads"},
             kMaxHeads);
    const std::uint64_t state =
        need(d, {"ssm_state_size", "mamba_d_state", "state_size", "d_state"}, kMaxHeadDim);
    // PLaMo 2 mixes B and C in without a convolution: no groups in the history.
    const std::uint64_t groups =
        d.family.name == "plamo2"
            ? 0
            : optional(d, {"n_groups", "mamba_n_groups", "mamba_ngroups"}, kMaxHeads, 1);
    const std::uint64_t expand = optional(d, {"expand", "mamba_expand"}, 64, 2);
    if (d.failed) return {};
    std::uint64_t dim = 0;
    if (const auto x = d.f.count_or_none(
            {"mamba_head_dim", "mamba_d_head", "mamba_headdim", "hidden_size_per_head"},
            kMaxHeadDim)) {
        dim = *x;
    } else if (d.family.name == "mamba2") {
        dim = optional(d, {"head_dim"}, kMaxHeadDim, 64);
    } else {
        dim = expand * h / heads;  // "auto"
    }
    // Heads times head dimension, not expand * hidden (Nemotron-3-Nano: 4096, not 5376).
    const std::uint64_t inner = heads * dim;
    const std::uint64_t width = conv_width(d);
    const std::uint64_t mixed = inner + 2 * groups * state;
    StateSpec s;
    s.kind = StateKind::mamba2;
    s.ssm_elements = inner * state;
    s.conv_elements = mixed * (width - 1);
    s.ssm_fp32 = fp32_state(d);
    s.v_heads = narrow(heads);
    s.k_dim = narrow(state);
    s.v_dim = narrow(dim);
    s.groups = narrow(groups);
    s.conv = narrow(width);
    const bool bias = d.f.flag({"use_bias", "mamba_proj_bias"}, false);
    const bool conv_bias = d.f.flag({"use_conv_bias", "mamba_conv_bias"}, true);
    const bool norm = d.family.name != "falcon_h1" || d.f.flag({"mamba_rms_norm"}, false);
    s.sharded_params = (inner + mixed + heads) * h + inner * h;
    s.params = s.sharded_params + mixed * width + (conv_bias ? mixed : 0) + 3 * heads +
               (norm ? inner : 0) + (bias ? inner + mixed + heads + h : 0);
    return s;
}

StateSpec gdn_mixer(Draft& d) {
    const std::uint64_t h = d.m.hidden;
    const std::uint64_t k_heads = need(d, {"linear_num_key_heads"}, kMaxHeads);
    const std::uint64_t v_heads = need(d, {"linear_num_value_heads"}, kMaxHeads);
    const std::uint64_t k_dim = need(d, {"linear_key_head_dim"}, kMaxHeadDim);
    const std::uint64_t v_dim = need(d, {"linear_value_head_dim"}, kMaxHeadDim);
    const std::uint64_t width = conv_width(d);
    const std::uint64_t keys = k_heads * k_dim, values = v_heads * v_dim;
    StateSpec s;
    s.kind = StateKind::gdn;
    s.ssm_elements = values * k_dim;
    s.conv_elements = (2 * keys + values) * (width - 1);
    s.ssm_fp32 = fp32_state(d);
    s.k_heads = narrow(k_heads);
    s.v_heads = narrow(v_heads);
    s.k_dim = narrow(k_dim);
    s.v_dim = narrow(v_dim);
    s.conv = narrow(width);
    s.sharded_params = (2 * keys + 2 * values + 2 * v_heads) * h + values * h;
    s.params = s.sharded_params + (2 * keys + values) * width + 2 * v_heads + v_dim;
    return s;
}

StateSpec kda_mixer(const Draft& d, std::uint64_t heads, std::uint64_t dim, std::uint64_t conv,
                    bool full_gate) {
    const std::uint64_t h = d.m.hidden, inner = heads * dim;
    StateSpec s;
    s.kind = StateKind::kda;
    s.ssm_elements = inner * dim;
    s.conv_elements = 3 * inner * (conv - 1);
    s.ssm_fp32 = true;
    s.k_heads = s.v_heads = narrow(heads);
    s.k_dim = s.v_dim = narrow(dim);
    s.conv = narrow(conv);
    // q, k, v, o; the two gates go through head_dim; one beta per head (modeling_kimi.py).
    s.sharded_params =
        4 * inner * h + (full_gate ? inner * h : inner * dim) + inner * dim + heads * h;
    s.params =
        s.sharded_params + (full_gate ? 1 : 2) * dim * h + 3 * inner * conv + inner + heads + dim;
    return s;
}

StateSpec lightning_mixer(Draft& d) {
    const std::uint64_t inner = std::uint64_t{d.q_heads} * d.k_dim;
    StateSpec s;
    s.kind = StateKind::lightning;
    s.ssm_elements = inner * d.k_dim;
    s.ssm_fp32 = true;
    s.k_heads = s.v_heads = d.q_heads;
    s.k_dim = s.v_dim = d.k_dim;
    s.sharded_params = 5 * inner * d.m.hidden;  // qkv, output gate, output
    s.params = s.sharded_params + inner;
    return s;
}

StateSpec conv_mixer(Draft& d) {
    const std::uint64_t h = d.m.hidden;
    const std::uint64_t width = need(d, {"conv_L_cache"}, 1024);
    const bool bias = d.f.flag({"conv_bias"}, false);
    StateSpec s;
    s.kind = StateKind::short_conv;
    s.conv_elements = h * (width - 1);
    s.conv = narrow(width);
    s.sharded_params = 4 * h * h;  // in_proj three times as wide, out_proj
    s.params = s.sharded_params + h * width + (bias ? 5 * h : 0);
    return s;
}

StateSpec rwkv_mixer(Draft& d) {
    // RWKV 5 and later: a matrix of head_size^2 per head and the two last token vectors. RWKV 4:
    // numerator, denominator and maximum per channel in fp32.
    const std::uint64_t h = d.m.hidden;
    const std::uint64_t inner = optional(d, {"attention_hidden_size"}, kMaxWidth, h);
    StateSpec s;
    s.kind = StateKind::rwkv;
    s.conv_elements = 2 * h;
    s.conv = 2;
    if (d.f.word({"model_type"}) == "rwkv") {
        s.ssm_elements = 3 * inner;
        s.ssm_fp32 = true;
        s.v_heads = narrow(inner);
        s.k_dim = s.v_dim = 1;
    } else {
        const std::uint64_t dim = need(d, {"head_size", "head_dim"}, kMaxHeadDim);
        if (inner % dim != 0) {
            d.fail("head_size", "head_size is " + std::to_string(dim) +
                                    "; accepted are divisors of the " + std::to_string(inner) +
                                    " channels");
            return s;
        }
        s.v_heads = narrow(inner / dim);
        s.k_dim = s.v_dim = narrow(dim);
        s.ssm_elements = inner * dim;
    }
    // modeling_rwkv5.py: receptance, key, value, gate, output; decay and bonus; token-shift mixes
    // and the norm behind the heads. Then the channel mix of width intermediate_size.
    const bool four = d.f.word({"model_type"}) == "rwkv";
    const std::uint64_t wide =
        optional(d, {"intermediate_size"}, kMaxWidth, four ? 4 * h : 7 * h / 2 / 32 * 32);
    s.sharded_params = (four ? 4 : 5) * h * inner + 2 * h * wide + h * h;
    s.params = s.sharded_params + (four ? 5 : 6) * h + 2 * inner + (four ? 0 : 2 * inner);
    if (!four && d.f.word({"model_type"}) != "rwkv5") {
        d.doubt("model_type", "parameters of this RWKV release are counted as RWKV 5's");
    }
    return s;
}

StateSpec rg_lru_mixer(Draft& d) {
    const std::uint64_t h = d.m.hidden;
    const std::uint64_t width = optional(d, {"lru_width"}, kMaxWidth, h);
    const std::uint64_t conv = optional(d, {"conv1d_width"}, 1024, 4);
    StateSpec s;
    s.kind = StateKind::rg_lru;
    s.ssm_elements = width;
    s.conv_elements = width * (conv - 1);
    s.ssm_fp32 = true;
    s.v_heads = d.q_heads;
    s.k_dim = 1;
    s.v_dim = narrow(width / std::max(1u, d.q_heads));
    s.conv = narrow(conv);
    // linear_x, linear_y, linear_out with biases, block-diagonal gates, convolution.
    s.sharded_params = 3 * h * width;
    s.params = s.sharded_params + 2 * width + h + 2 * (width * s.v_dim + width) + width +
               width * conv + width;
    return s;
}

}  // namespace kvgauge
