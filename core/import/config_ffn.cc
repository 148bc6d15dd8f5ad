// SPDX-License-Identifier: MIT
// Dense and expert feed-forward widths, layer by layer.
#include <algorithm>
#include <string>

#include "import/config_draft.h"

namespace kvgauge {
namespace {

// A number that may be written once or per layer.
struct PerLayer {
    std::vector<std::uint64_t> values;  // empty: absent
    std::uint64_t at(std::size_t i) const {
        return values.empty() ? 0 : values[std::min(i, values.size() - 1)];
    }
    bool any() const {
        return std::any_of(values.begin(), values.end(), [](std::uint64_t v) { return v != 0; });
    }
};

PerLayer read(const Draft& d, Names names, std::uint64_t max) {
    if (auto list = d.f.counts(names, max)) return {std::move(*list)};
    if (const auto one = d.f.count_or_none(names, max)) return {{*one}};
    return {};
}

// "3,4,5": layer numbers as text (Step).
std::vector<bool> enumerated(std::string_view text, std::size_t layers) {
    std::vector<bool> in(layers);
    std::size_t n = 0;
    bool digits = false;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : ',';
        if (c >= '0' && c <= '9' && n < kMaxLayers) {
            n = n * 10 + static_cast<std::size_t>(c - '0');
            digits = true;
        } else if (c == ',') {
            if (digits && n < layers) in[n] = true;
            n = 0;
            digits = false;
        }
    }
    return in;
}

// Which layers have experts.
std::vector<bool> expert_layers(const Draft& d) {
    const std::size_t n = d.layers.size();
    std::vector<bool> moe(n, true);
    const auto fill = [&](auto rule) {
        for (std::size_t i = 0; i < n; ++i) moe[i] = rule(i);
        return moe;
    };
    const auto number = [&](std::string_view name, std::uint64_t fallback) {
        return d.f.find({name}).whole().value_or(fallback);
    };
    if (const auto words = d.f.words({"mlp_layer_types"}); words && words->size() >= n) {
        return fill([&](std::size_t i) { return (*words)[i] != "dense"; });
    }
    if (const auto list = d.f.counts({"moe_layer_freq"}, kMaxLayers); list && list->size() >= n) {
        return fill([&](std::size_t i) { return (*list)[i] != 0; });
    }
    if (const auto list = d.f.counts({"is_moe_layer"}, kMaxLayers); list && list->size() >= n) {
        return fill([&](std::size_t i) { return (*list)[i] != 0; });
    }
    if (const std::string_view e = d.f.word({"moe_layers_enum"}); !e.empty()) {
        return enumerated(e, n);
    }
    if (const auto list = d.f.counts({"moe_layers"}, kMaxLayers); list && !list->empty()) {
        return fill(
            [&](std::size_t i) { return std::find(list->begin(), list->end(), i) != list->end(); });
    }
    if (d.f.has({"expert_layer_period"})) {
        const std::uint64_t period = std::max<std::uint64_t>(1, number("expert_layer_period", 2));
        const std::uint64_t offset = number("expert_layer_offset", 1);
        return fill([&](std::size_t i) { return i % period == offset; });
    }
    if (d.f.has({"interleave_moe_layer_step"})) {
        const std::uint64_t step =
            std::max<std::uint64_t>(1, number("interleave_moe_layer_step", 1));
        return fill([&](std::size_t i) { return (i + 1) % step == 0; });
    }
    if (d.f.has({"moe_layer_start_index", "moe_layer_interval"})) {
        const auto first = [&](std::string_view name, std::uint64_t fallback) {
            const JsonValue v = d.f.find({name});
            return (v.is_array() ? v.at(0) : v).whole().value_or(fallback);
        };
        const std::uint64_t from = first("moe_layer_start_index", 0);
        const std::uint64_t to = first("moe_layer_end_index", n);
        const std::uint64_t every = std::max<std::uint64_t>(1, first("moe_layer_interval", 1));
        return fill([&](std::size_t i) { return i >= from && i <= to && (i + 1) % every == 0; });
    }
    const std::uint64_t dense =
        std::max(number("first_k_dense_replace", 0),
                 std::max(number("num_dense_layers", 0), number("moe_layer_num_skipped", 0)));
    const std::uint64_t freq = std::max<std::uint64_t>(1, number("moe_layer_freq", 1));
    const std::uint64_t step = std::max<std::uint64_t>(1, number("decoder_sparse_step", 1));
    const auto only = d.f.counts({"mlp_only_layers"}, kMaxLayers);
    return fill([&](std::size_t i) {
        if (only && std::find(only->begin(), only->end(), i) != only->end()) return false;
        return i >= dense && i % freq == 0 && (i + 1) % step == 0;
    });
}

std::uint64_t router_params(const Draft& d, std::uint64_t experts, std::uint64_t hidden) {
    const bool corrected =
        d.family.router == Router::corrected || d.family.router == Router::biased ||
        (d.family.router == Router::by_method && d.f.word({"topk_method"}) == "noaux_tc");
    return experts * hidden + (corrected ? experts : 0);
}

// The multiple of `unit` nearest to `v`, not below nine tenths of it.
std::uint64_t divisible(double v, std::uint64_t unit) {
    const auto near = static_cast<std::uint64_t>(v + static_cast<double>(unit) / 2) / unit * unit;
    const std::uint64_t n = near < unit ? unit : near;
    return static_cast<double>(n) < 0.9 * v ? n + unit : n;
}

std::uint32_t narrow(std::uint64_t n) {
    return static_cast<std::uint32_t>(n);
}

}  // namespace

void read_ffn(Draft& d) {
    const std::uint64_t h = d.m.hidden;
    PerLayer inter = read(d,
                          {"intermediate_size_mlp", "dense_intermediate_size", "intermediate_size",
                           "ffn_dim", "ff_intermediate_size", "n_inner", "d_ff", "inner_size",
                           "block_ff_dim", "decoder_ffn_dim", "mlp_hidden_size"},
                          kMaxWidth);
    // ffn_hidden_size is the width in ChatGLM and Falcon, an object's member in DBRX.
    if (inter.values.empty())
        inter = read(d, {"ffn_hidden_size", "ffn_config.ffn_hidden_size"}, kMaxWidth);
    if (inter.values.empty()) {
        if (const auto r = d.f.count_or_none({"expansion_ratio", "mlp_ratio"}, 64))
            inter.values = {h * *r};
    }
    if (inter.values.empty() && !d.family.gated) inter.values = {4 * h};  // GPT-2, Falcon, BLOOM
    if (inter.values.empty() && d.nested) {
        const ClassDefaults* c = class_defaults(d.f.word({"model_type"}));
        if (c != nullptr && c->inter != 0) inter.values = {c->inter};
    }

    PerLayer experts = read(d,
                            {"num_experts", "num_local_experts", "n_routed_experts",
                             "moe_num_experts", "ffn_config.moe_num_experts", "num_routed_experts"},
                            kMaxExperts);
    const bool has_experts =
        experts.any() && experts.at(0) > 1 && d.f.flag({"enable_moe_block"}, true);
    const PerLayer top = read(
        d,
        {"num_experts_per_tok", "num_experts_per_token", "top_k_experts", "moe_topk", "moe_top_k",
         "moe_k", "experts_per_token", "ffn_config.moe_top_k", "num_selected_experts"},
        kMaxExperts);
    PerLayer width = read(d,
                          {"moe_intermediate_size", "expert_intermediate_size",
                           "expert_ffn_hidden_size", "moe_ffn_hidden_size"},
                          kMaxWidth);
    if (width.values.empty()) width = read(d, {"intermediate_size"}, kMaxWidth);
    if (width.values.empty()) width = inter;
    const PerLayer shared_width =
        read(d,
             {"shared_expert_intermediate_size", "moe_shared_expert_intermediate_size",
              "shared_intermediate_size", "share_expert_dim"},
             kMaxWidth);
    const PerLayer shared_count = read(
        d,
        {"n_shared_experts", "num_shared_experts", "num_shared_expert", "moe_num_shared_experts"},
        kMaxExperts);
    // Families with a rule of their own find their widths elsewhere.
    if (inter.values.empty() && width.values.empty() && d.family.ffn == nullptr) {
        d.m.params_known = false;
        d.f.warn("intermediate_size", "intermediate_size is missing: parameters cannot be counted");
    }

    // ERNIE-VL: experts of text and of images, [64, 64] of [1536, 512]. A layer holds both.
    PerLayer one = width;  // of a shared expert
    std::uint64_t more_routed = 0;
    if (experts.values.size() == 2 && width.values.size() == 2 && d.layers.size() > 2) {
        const std::uint64_t images = experts.at(1) * width.at(1);
        one.values.pop_back();
        width.values = {one.at(0) + images / std::max<std::uint64_t>(1, experts.at(0))};
        more_routed = experts.at(1);
        experts.values.pop_back();
        d.doubt("moe_num_experts",
                "experts of images are counted with those of text: too many as active");
    }
    const std::vector<bool> moe =
        has_experts ? expert_layers(d) : std::vector<bool>(d.layers.size());
    for (std::size_t i = 0; i < d.layers.size(); ++i) {
        FfnSpec& f = d.layers[i].ffn;
        f.gated = d.family.gated;
        f.bias = d.family.mlp.key.empty() ? d.family.mlp.fallback
                                          : d.f.flag({d.family.mlp.key}, d.family.mlp.fallback);
        if (!moe[i]) {
            f.inter = narrow(inter.at(i));
            continue;
        }
        f.experts = narrow(experts.at(i));
        f.experts_active = narrow(std::min(top.at(i), experts.at(i)));
        if (f.experts_active == 0) f.experts_active = f.experts;
        f.expert_inter = narrow(width.at(i));
        f.shared_inter =
            narrow(shared_width.any() ? shared_width.at(i)
                                      : std::min(kMaxWidth, shared_count.at(i) * one.at(i)));
        f.router_params = router_params(d, f.experts + more_routed, h);
        if (f.shared_inter != 0 && d.family.shared_gate) f.router_params += h;
    }
}

void ffn_none(Draft& d) {
    for (LayerSpec& l : d.layers) l.ffn = {};
}

void ffn_of_cross_half(Draft& d) {
    for (std::size_t i = 0; i < d.layers.size(); i += 2) d.layers[i].ffn = {};
}

void ffn_double(Draft& d) {
    // LongCat: the first half of a layer has the dense FFN, the second a dense one and the experts;
    // the router also scores zero_expert_num experts that do nothing (modeling_longcat_flash.py).
    const std::uint64_t zero = d.f.count_or_none({"zero_expert_num"}, kMaxExperts).value_or(0);
    const std::uint64_t dense = d.f.count_or_none({"ffn_hidden_size"}, kMaxWidth).value_or(0);
    for (std::size_t i = 0; i < d.layers.size(); ++i) {
        FfnSpec& f = d.layers[i].ffn;
        const FfnSpec all = f;
        f = {};
        if (i % 2 != 0) {
            f = all;
            f.router_params = (all.experts + zero) * (d.m.hidden + 1);
        }
        f.gated = true;
        f.inter = narrow(dense);
    }
}

void ffn_half(Draft& d) {
    for (LayerSpec& l : d.layers) l.ffn.inter /= 2;
}

void ffn_openelm(Draft& d) {
    // make_divisible(multiplier * model_dim, ffn_dim_divisor), configuration_openelm.py.
    const JsonValue list = d.f.find({"ffn_multipliers"});
    const std::uint64_t unit = d.f.count_or_none({"ffn_dim_divisor"}, kMaxWidth).value_or(256);
    for (std::size_t i = 0; i < d.layers.size(); ++i) {
        const double r = list.at(i).number().value_or(0);
        if (!(r > 0 && r < 1000)) continue;
        d.layers[i].ffn.inter = narrow(divisible(r * static_cast<double>(d.m.hidden), unit));
    }
}

void ffn_nas(Draft& d) {
    // ffn_mult: two thirds of it times hidden, rounded up to 256 (modeling_decilm.py). A part that
    // is left out has no norm either.
    const std::uint64_t h = d.m.hidden;
    const JsonValue blocks = d.f.find({"block_configs"});
    for (std::size_t i = 0; i < d.layers.size() && i < blocks.size(); ++i) {
        const JsonValue ffn = blocks.at(i)["ffn"];
        LayerSpec& l = d.layers[i];
        const bool none = ffn["no_op"].boolean().value_or(false);
        const bool linear = ffn["replace_with_linear"].boolean().value_or(false);
        const bool bare = blocks.at(i)["attention"]["no_op"].boolean().value_or(false);
        l.norm_params = (bare ? 0 : h) + (none ? 0 : h);
        if (none || linear) l.ffn = {};
        if (linear) l.other_params += h * h;
        if (none || linear) continue;
        if (const auto w = ffn["intermediate_size"].whole(); w && *w <= kMaxWidth) {
            l.ffn.inter = narrow(*w);
        } else if (const auto r = ffn["ffn_mult"].number(); r && *r > 0 && *r < 1000) {
            const auto wide = static_cast<std::uint64_t>(2 * *r * static_cast<double>(h) / 3);
            l.ffn.inter = narrow((wide + 255) / 256 * 256);
        }
    }
}

void ffn_pattern(Draft& d) {
    // Nemotron-H: a block is a mixer or a feed-forward, never both. Experts may work in a narrower
    // space (moe_latent_size).
    const std::uint64_t latent = d.f.count_or_none({"moe_latent_size"}, kMaxWidth).value_or(0);
    const std::uint64_t dense = d.f.count_or_none({"intermediate_size"}, kMaxWidth).value_or(0);
    for (std::size_t i = 0; i < d.layers.size() && i < d.blocks.size(); ++i) {
        LayerSpec& l = d.layers[i];
        const bool bias = l.ffn.bias;
        if (d.blocks[i] == 'E') {
            if (latent == 0 || l.ffn.experts == 0) continue;
            l.ffn.expert_hidden = narrow(latent);
            l.other_params += 2 * d.m.hidden * latent;
            continue;
        }
        l.ffn = {};
        if (d.blocks[i] != '-') continue;
        l.ffn.gated = false;
        l.ffn.bias = bias;
        l.ffn.inter = narrow(dense);
    }
}

}  // namespace kvgauge
