// SPDX-License-Identifier: MIT
// model=custom: a decoder of equal layers typed in, some of them with a sliding window or MLA.
// KV needs layers, kv-heads and head-dim (or layers, mla-rank and mla-rope); weights need hidden,
// inter, vocab and q-heads, or params. What is missing is named; nothing is guessed but the norms,
// which every decoder has (two of `hidden` a layer and one at the end).
#include <string>

#include "estimate_input.h"
#include "model/limits.h"
#include "model/weights.h"

namespace kvgauge {
namespace {

using Field = std::optional<std::uint64_t>;

struct Reader {
    Issues& issues;
    std::uint32_t stops = 0;

    // The value where it is usable; else an issue and 0.
    std::uint64_t need(std::string_view key, const Field& v, limits::Range r,
                       std::uint32_t without) {
        if (!v) {
            issues.push_back({Severity::error,
                              std::string(key),
                              std::string(key) + " is missing: model=custom needs it.",
                              "missing_field",
                              {std::string(key), "model=custom"}});
            stops |= without;
            return 0;
        }
        return optional(key, v, r);
    }
    std::uint64_t optional(std::string_view key, const Field& v, limits::Range r) {
        if (!v) return 0;
        if (r.holds(*v)) return *v;
        const std::string low = std::to_string(r.min), high = std::to_string(r.max);
        issues.push_back({Severity::error,
                          std::string(key),
                          std::string(key) + ": " + std::to_string(*v) +
                              " is out of range; accepted are " + low + " to " + high + ".",
                          "out_of_range",
                          {std::string(key), std::to_string(*v), low, high}});
        stops |= stopped_by(key, false);
        return 0;
    }
};

void push(std::vector<LayerRun>& runs, const LayerSpec& layer, std::uint64_t n) {
    if (n != 0) runs.push_back({static_cast<std::uint32_t>(n), layer});
}

}  // namespace

ResolvedModel custom_model(const Scenario& s, Issues& issues) {
    const CustomModel& c = s.custom;
    Reader in{issues};
    const bool mla = c.mla_rank.has_value();
    LayerSpec layer;
    AttentionSpec& a = layer.attn;
    a.kind = mla ? AttnKind::mla : AttnKind::full;
    const std::uint64_t layers = in.need("layers", c.layers, limits::layers, kStopAll);
    const std::uint64_t head_dim =
        mla ? in.optional("head-dim", c.head_dim, limits::head_dim)
            : in.need("head-dim", c.head_dim, limits::head_dim, kStopAll);
    if (mla) {
        a.mla_rank =
            static_cast<std::uint32_t>(in.need("mla-rank", c.mla_rank, limits::head_dim, kStopAll));
        a.mla_rope = static_cast<std::uint32_t>(
            in.need("mla-rope", c.mla_rope, limits::Range{0, limits::head_dim.max}, kStopAll));
        a.kv_heads = static_cast<std::uint32_t>(in.optional("kv-heads", s.kv_heads, limits::heads));
    } else {
        a.kv_heads =
            static_cast<std::uint32_t>(in.need("kv-heads", s.kv_heads, limits::heads, kStopAll));
    }
    constexpr std::uint32_t kWeights =
        kStopParams | kStopWeights | kStopBudget | kStopPlan | kStopBatch | kStopSpeed;
    const std::uint32_t without_weights =
        s.kv_budget ? kWeights & ~static_cast<std::uint32_t>(kStopPlan | kStopBatch) : kWeights;
    a.q_heads = static_cast<std::uint32_t>(
        in.need("q-heads", c.q_heads, limits::heads, kStopTp | kStopSpeed | without_weights));
    a.k_dim = a.v_dim = static_cast<std::uint32_t>(head_dim);
    if (mla && a.kv_heads == 0) a.kv_heads = a.q_heads;
    if (a.q_heads != 0 && a.kv_heads > a.q_heads) {
        issues.push_back({Severity::error,
                          "kv-heads",
                          "kv-heads: " + std::to_string(a.kv_heads) +
                              " is out of range; accepted are 1 to " + std::to_string(a.q_heads) +
                              ", the query heads of this model.",
                          "kv_heads_range",
                          {std::to_string(a.kv_heads), std::to_string(a.q_heads), "custom"}});
        in.stops |= kStopAll;
    }

    auto model = std::make_shared<ModelSpec>();
    model->id = "custom";
    model->name = "Custom model";
    model->stated_params = in.optional("params", c.params, limits::params);
    const bool shaped = c.hidden && c.inter && c.vocab;
    if (!shaped && !c.params) {
        // Weights from their shapes or from a total: the first missing shape is named.
        const std::string_view key = !c.hidden ? "hidden" : !c.inter ? "inter" : "vocab";
        issues.push_back({Severity::error,
                          std::string(key),
                          std::string(key) +
                              " is missing: the weights of model=custom need params, or "
                              "hidden, inter and vocab.",
                          "missing_weights",
                          {std::string(key)}});
        in.stops |= without_weights;
    }
    model->hidden = in.optional("hidden", c.hidden, limits::width);
    model->vocab = in.optional("vocab", c.vocab, limits::width);
    const auto inter = static_cast<std::uint32_t>(in.optional("inter", c.inter, limits::width));
    if (c.experts) {
        layer.ffn.experts =
            static_cast<std::uint32_t>(in.optional("experts", c.experts, limits::experts));
        layer.ffn.experts_active = static_cast<std::uint32_t>(
            in.need("experts-active", c.experts_active, limits::experts, kStopSpeed | kStopParams));
        if (layer.ffn.experts_active > layer.ffn.experts) {
            (void)in.optional("experts-active", c.experts_active,
                              limits::Range{1, layer.ffn.experts});
            layer.ffn.experts_active = layer.ffn.experts;
        }
        layer.ffn.expert_inter = inter;
        layer.ffn.router_params = std::uint64_t{layer.ffn.experts} * model->hidden;
    } else {
        layer.ffn.inter = inter;
    }
    layer.norm_params = 2 * model->hidden;
    model->final_norm_params = model->hidden;

    std::uint64_t windowed = 0;
    if (c.window) {
        windowed = c.window_layers
                       ? in.optional("window-layers", c.window_layers,
                                     limits::Range{0, layers == 0 ? limits::layers.max : layers})
                       : layers;
    } else if (c.window_layers && *c.window_layers != 0) {
        in.need("window", c.window, limits::tokens, kStopAll);
    }
    LayerSpec local = layer;
    local.attn.kind = AttnKind::sliding;
    local.attn.window = in.optional("window", c.window, limits::tokens);
    if (mla) windowed = 0;
    push(model->layers, local, windowed);
    push(model->layers, layer, layers - std::min(layers, windowed));

    if (shaped && model->stated_params != 0 && in.stops == 0) {
        ModelSpec plain = *model;
        plain.stated_params = 0;
        const Count formula = params(plain).total;
        // A tied head is not a key: a total that is smaller by exactly one embedding says it.
        const Count embedding = Count(model->vocab) * model->hidden;
        if (formula == Count(model->stated_params) + embedding) {
            model->tied_embeddings = true;
        } else if (!formula.overflow() && formula.value() != model->stated_params) {
            issues.push_back(
                {Severity::warning,
                 "params",
                 "params: " + std::to_string(model->stated_params) +
                     " is used for the weights; the shapes give " +
                     std::to_string(formula.value()) + ".",
                 "params_differ",
                 {std::to_string(model->stated_params), std::to_string(formula.value())}});
        }
    }
    if ((in.stops & kStopKv) != 0) return {nullptr, kStopAll};
    return {std::move(model), in.stops};
}

}  // namespace kvgauge
