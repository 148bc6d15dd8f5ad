// SPDX-License-Identifier: MIT
#include "model/kv_cache.h"

#include <algorithm>

namespace kvgauge {
namespace {

bool caches(const AttentionSpec& a) {
    return a.kind != AttnKind::none && a.owns_cache;
}

// Bytes of one cached token (latent kinds: one entry), whether or not every token is kept.
Bytes entry_bytes(const AttentionSpec& a, const KvTypes& t) {
    switch (a.kind) {
        case AttnKind::none:
            return 0;
        case AttnKind::mla:
        case AttnKind::compressed:
            return row_bytes(t.k, Count(a.mla_rank) + Count(a.mla_rope));
        case AttnKind::full:
        case AttnKind::sliding:
        case AttnKind::chunked:
        case AttnKind::cross:
            return row_bytes(t.k, Count(a.kv_heads) * a.k_dim) +
                   row_bytes(t.v, Count(a.kv_heads) * a.v_dim);
    }
    return 0;
}

Count kept(const AttentionSpec& a, Count ctx) {
    switch (a.kind) {
        case AttnKind::sliding:
        case AttnKind::chunked:
        case AttnKind::compressed:
            return ctx.overflow() ? ctx : Count(std::min(ctx.value(), a.window));
        default:
            return ctx;
    }
}

// Entries beside the window, one per compress_ratio tokens.
Count compressed_entries(const AttentionSpec& a, Count ctx) {
    if (a.kind != AttnKind::compressed || a.compress_ratio == 0) return 0;
    return ctx / a.compress_ratio;
}

Bytes index_request_bytes(const AttentionSpec& a, Count ctx) {
    if (a.index_bytes == 0) return 0;
    return (a.kind == AttnKind::compressed ? compressed_entries(a, ctx) : ctx) * a.index_bytes;
}

Bytes request_bytes(const AttentionSpec& a, const KvTypes& t, Count ctx, Count cross, bool all) {
    if (!caches(a)) return 0;
    const Bytes entry = entry_bytes(a, t);
    if (a.kind == AttnKind::cross) return entry * cross;
    return entry * (all ? ctx : kept(a, ctx)) + entry * compressed_entries(a, ctx) +
           index_request_bytes(a, ctx);
}

}  // namespace

Bytes layer_token_bytes(const LayerSpec& l, const KvTypes& t) {
    if (!caches(l.attn) || l.attn.kind == AttnKind::cross) return 0;
    return entry_bytes(l.attn, t);
}

Bytes layer_request_bytes(const LayerSpec& l, const KvTypes& t, Count ctx, Count cross_tokens) {
    return request_bytes(l.attn, t, ctx, cross_tokens, false);
}

Bytes layer_state_bytes(const LayerSpec& l, const KvTypes& t) {
    const StateSpec& s = l.state;
    Bytes b = l.attn.compress_state_bytes;
    if (s.kind == StateKind::none) return b;
    const DType own = s.ssm_fp32 ? DType::fp32 : DType::bf16;
    b += row_bytes(t.state == DType::automatic ? own : t.state, s.ssm_elements);
    return b + row_bytes(DType::bf16, s.conv_elements);
}

KvSizes kv_sizes(const ModelSpec& m, const KvTypes& t, Count ctx, Count cross_tokens) {
    KvSizes k;
    const auto add = [&](const LayerRun& r) {
        const AttentionSpec& a = r.layer.attn;
        k.state_bytes_per_request += layer_state_bytes(r.layer, t) * r.count;
        if (!caches(a)) return;
        k.bytes_per_request += request_bytes(a, t, ctx, cross_tokens, false) * r.count;
        k.bytes_per_request_all_full += request_bytes(a, t, ctx, cross_tokens, true) * r.count;
        if (a.kind == AttnKind::cross) return;
        const double entry = entry_bytes(a, t).real() * r.count;
        // A compressed layer adds one window entry a token (while the window fills) and a share of
        // one compressed entry for good.
        const bool compressed = a.kind == AttnKind::compressed;
        const double share =
            !compressed ? 1.0 : (a.compress_ratio == 0 ? 0.0 : 1.0 / a.compress_ratio);
        const double index = static_cast<double>(a.index_bytes) * r.count * share;
        k.index_bytes_per_token += index;
        k.bytes_per_token += entry + index + (compressed ? entry * share : 0);
        const bool keeps_all = a.kind == AttnKind::full || a.kind == AttnKind::mla || compressed;
        if (keeps_all) k.bytes_per_token_full += entry * share + index;
    };
    for (const LayerRun& r : m.layers) add(r);
    if (m.gguf.counts_mtp) {
        for (const LayerRun& r : m.mtp) add(r);
    }
    return k;
}

}  // namespace kvgauge
