// SPDX-License-Identifier: MIT
// Owns: what one GPU of a tensor- and pipeline-parallel group stores of each layer's cache, before
// any engine rounds it to blocks. Bytes per GPU; counts in tokens and heads.
// Sources: vLLM config/model.py get_num_kv_heads (max(1, kv / tp)), distributed/utils.py
// get_pp_indices; MLA keeps the whole latent on every rank (kv_a_proj is replicated).
#pragma once
#include <algorithm>
#include <cstdint>

#include "engine/engine.h"

namespace kvgauge::engine {

// Whole KV heads one GPU of `tp` stores; never fewer than one.
constexpr std::uint64_t heads_on_gpu(std::uint64_t kv_heads, std::uint64_t tp) {
    if (kv_heads == 0 || tp == 0) return kv_heads;
    return tp >= kv_heads ? 1 : (kv_heads + tp - 1) / tp;
}

// Floor division that answers 0 where the count overflowed or the divisor is 0.
constexpr std::uint64_t floor_div(Bytes a, Bytes b) {
    const Bytes q = a / b;
    return q.overflow() ? 0 : q.value();
}

// Where the layers / pp each leave a remainder. vLLM get_pp_indices since #13839 (0.8): one each
// from the second-to-last stage backwards; SGLang since #13282 (0.5.6): one each on the last
// stages; TensorRT-LLM since #4399 (0.20): on the first ones; all of them before: on the last stage
// together.
enum class Remainder : std::uint8_t { middle, last_stages, first_stages, last_stage };
Remainder remainder_of(const EngineInput&);

// Layers of stage `stage` of `pp`.
constexpr std::uint64_t stage_layers(std::uint64_t layers, std::uint64_t pp, std::uint64_t stage,
                                     Remainder r = Remainder::middle) {
    if (pp <= 1) return layers;
    const std::uint64_t rest = layers % pp;
    const bool last = stage + 1 == pp;
    if (r == Remainder::last_stage) return layers / pp + (last ? rest : 0);
    const bool extra = r == Remainder::middle        ? !last && pp - 1 - stage <= rest
                       : r == Remainder::last_stages ? pp - stage <= rest
                                                     : stage < rest;
    return layers / pp + (extra ? 1 : 0);
}

// Experts of rank `rank` of `ep`: the first experts % ep ranks hold one more (vLLM
// determine_expert_map).
constexpr std::uint64_t experts_on_rank(std::uint64_t experts, std::uint64_t ep,
                                        std::uint64_t rank) {
    return ep == 0 ? experts : experts / ep + (rank < experts % ep ? 1 : 0);
}

// GPUs that share one copy of the attention: fewer than tp under attention data parallelism
// (SGLang: tp / dp; TensorRT-LLM: one).
constexpr std::uint64_t attention_tp(const EngineInput& in) {
    const std::uint64_t tp = std::max<std::uint64_t>(1, in.scenario.tp);
    if (!in.scenario.dp_attention) return tp;
    if (in.engine == EngineId::trtllm) return 1;
    if (in.engine == EngineId::sglang) {
        return std::max<std::uint64_t>(1, tp / std::max<std::uint64_t>(1, in.scenario.dp));
    }
    return tp;
}

// Calls f(const LayerSpec&, count) for the layers first .. first + n - 1.
template <class F>
void for_layers(const ModelSpec& m, std::uint64_t first, std::uint64_t n, F&& f) {
    std::uint64_t at = 0;
    for (const LayerRun& run : m.layers) {
        const std::uint64_t from = std::max(first, at);
        const std::uint64_t to = std::min(first + n, at + run.count);
        if (from < to) f(run.layer, to - from);
        at += run.count;
        if (at >= first + n) break;
    }
}

// Calls f(const LayerSpec&, count) for the layers of one pipeline stage; the last stage also holds
// the multi-token-prediction layers where speculation uses them.
template <class F>
void for_stage(const EngineInput& in, std::uint64_t stage, F&& f) {
    const std::uint64_t layers = layer_count(in.model),
                        pp = std::max<std::uint64_t>(1, in.scenario.pp);
    const Remainder rest = remainder_of(in);
    std::uint64_t first = 0;
    for (std::uint64_t s = 0; s < stage && s < pp; ++s) first += stage_layers(layers, pp, s, rest);
    for_layers(in.model, first, stage_layers(layers, pp, stage, rest), f);
}

// KV bytes of one token in one layer on one GPU, index excluded; a shared, state or cross layer: 0.
Bytes token_bytes_on_gpu(const AttentionSpec&, const KvTypes&, std::uint64_t tp);

// Sums over the heaviest pipeline stage.
struct StageSums {
    Bytes token;    // per token, window layers and index included
    Bytes request;  // one ctx-token request, steady state: min(ctx, window) per window layer
    Bytes state;    // constant state of one request
    std::uint64_t stage = 0;
    bool plain = true;  // every caching layer is full attention with one geometry
};
StageSums stage_sums(const EngineInput&, std::uint64_t ctx);

}  // namespace kvgauge::engine
