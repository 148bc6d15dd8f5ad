// SPDX-License-Identifier: MIT
#include "engine/shards.h"

namespace kvgauge::engine {

Remainder remainder_of(const EngineInput& in) {
    const auto since = [&in](std::uint32_t minor, std::uint32_t patch) {
        return in.version >= Version{0, minor, patch, false, 3};
    };
    switch (in.engine) {
        case EngineId::sglang:
            return since(5, 6) ? Remainder::last_stages : Remainder::last_stage;
        case EngineId::trtllm:
            return since(20, 0) ? Remainder::first_stages : Remainder::last_stage;
        default:
            return in.engine == EngineId::vllm && !since(8, 0) ? Remainder::last_stage
                                                               : Remainder::middle;
    }
}

Bytes token_bytes_on_gpu(const AttentionSpec& a, const KvTypes& kv, std::uint64_t tp) {
    if (!a.owns_cache) return 0;
    switch (a.kind) {
        case AttnKind::none:
        case AttnKind::cross:
            return 0;
        case AttnKind::mla:
        case AttnKind::compressed:
            return row_bytes(kv.k, Count(a.mla_rank) + Count(a.mla_rope));
        case AttnKind::full:
        case AttnKind::sliding:
        case AttnKind::chunked:
            break;
    }
    const Count heads = heads_on_gpu(a.kv_heads, tp);
    return row_bytes(kv.k, heads * a.k_dim) + row_bytes(kv.v, heads * a.v_dim);
}

namespace {

// Steady bytes of one request in one layer on one GPU.
Bytes request_bytes(const LayerSpec& l, const EngineInput& in, std::uint64_t ctx,
                    std::uint64_t tp) {
    const AttentionSpec& a = l.attn;
    if (a.kind == AttnKind::cross || a.kind == AttnKind::compressed) {
        // Heads of a cross layer divide as those of a full layer.
        const std::uint64_t tokens = in.scenario.cross_tokens.value_or(in.model.cross_tokens);
        if (a.kind == AttnKind::compressed) return layer_request_bytes(l, in.kv, ctx, tokens);
        AttentionSpec full = a;
        full.kind = AttnKind::full;
        return token_bytes_on_gpu(full, in.kv, tp) * tokens;
    }
    const bool window = (a.kind == AttnKind::sliding || a.kind == AttnKind::chunked) && a.window;
    const std::uint64_t kept = window ? std::min(ctx, a.window) : ctx;
    return token_bytes_on_gpu(a, in.kv, tp) * kept + Bytes(a.index_bytes) * ctx;
}

}  // namespace

StageSums stage_sums(const EngineInput& in, std::uint64_t ctx) {
    const std::uint64_t tp = attention_tp(in);
    const std::uint64_t layers = layer_count(in.model);
    const std::uint64_t pp =
        std::clamp<std::uint64_t>(in.scenario.pp, 1, std::max<std::uint64_t>(1, layers));
    StageSums best;
    for (std::uint64_t s = 0; s < pp; ++s) {
        StageSums sum;
        sum.stage = s;
        const AttentionSpec* first = nullptr;
        for_stage(in, s, [&](const LayerSpec& l, std::uint64_t n) {
            sum.token += (token_bytes_on_gpu(l.attn, in.kv, tp) + Bytes(l.attn.index_bytes)) * n;
            sum.request += request_bytes(l, in, ctx, tp) * n;
            if (l.state.kind != StateKind::none) {
                sum.state += ceil_div(layer_state_bytes(l, in.kv) * n, tp);
                sum.plain = false;
            }
            if (l.attn.kind == AttnKind::none) return;
            if (first == nullptr) first = &l.attn;
            const AttentionSpec& a = l.attn;
            if (a.kind != AttnKind::full || !a.owns_cache || a.kv_heads != first->kv_heads ||
                a.k_dim != first->k_dim || a.v_dim != first->v_dim) {
                sum.plain = false;
            }
        });
        if (s == 0 || (!sum.request.overflow() && sum.request.value() > best.request.value()))
            best = sum;
    }
    return best;
}

}  // namespace kvgauge::engine
