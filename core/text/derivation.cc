// SPDX-License-Identifier: MIT
#include "text/derivation.h"

#include <algorithm>

#include "text/numbers.h"

namespace kvgauge {
namespace {

bool caches(const AttentionSpec& a) {
    return a.kind != AttnKind::none && a.owns_cache;
}

bool latent(const AttentionSpec& a) {
    return a.kind == AttnKind::mla || a.kind == AttnKind::compressed;
}

// Layers of the same cached shape, in the order in which they appear first.
struct Kind {
    AttentionSpec attn;
    std::uint64_t layers = 0;
};

bool same_cache(const AttentionSpec& a, const AttentionSpec& b) {
    return a.kind == b.kind && a.kv_heads == b.kv_heads && a.k_dim == b.k_dim &&
           a.v_dim == b.v_dim && a.window == b.window && a.mla_rank == b.mla_rank &&
           a.mla_rope == b.mla_rope && a.compress_ratio == b.compress_ratio &&
           a.index_bytes == b.index_bytes;
}

std::vector<Kind> kinds(const ModelSpec& m) {
    std::vector<Kind> out;
    for (const LayerRun& r : m.layers) {
        if (!caches(r.layer.attn)) continue;
        const auto at = std::find_if(out.begin(), out.end(), [&](const Kind& k) {
            return same_cache(k.attn, r.layer.attn);
        });
        if (at == out.end()) {
            out.push_back({r.layer.attn, r.count});
        } else {
            at->layers += r.count;
        }
    }
    return out;
}

std::string element_bytes(DType t) {
    return plain(bytes_per_element(t)) + " B";
}

std::string layers_text(Lang l, std::uint64_t n) {
    return n == 1 ? std::string(text(l, Str::word_one_layer))
                  : say(l, Str::word_layers, {grouped(n)});
}

std::string heads_text(Lang l, std::uint64_t n) {
    return n == 1 ? std::string(text(l, Str::word_kv_head))
                  : say(l, Str::word_kv_heads, {grouped(n)});
}

// Bytes of one token in one layer: "2 × 8 KV heads × 128 head dim × 2 B".
std::string entry_text(Lang l, const AttentionSpec& a, const KvTypes& t) {
    if (latent(a)) {
        return "(" + plain(std::uint64_t{a.mla_rank}) + " + " + plain(std::uint64_t{a.mla_rope}) +
               ") × " + element_bytes(t.k);
    }
    const std::string heads = heads_text(l, a.kv_heads);
    if (a.k_dim == a.v_dim && t.k == t.v) {
        return "2 × " + heads + " × " +
               say(l, Str::word_head_dim, {plain(std::uint64_t{a.k_dim})}) + " × " +
               element_bytes(t.k);
    }
    return heads + " × (" + plain(std::uint64_t{a.k_dim}) + " × " + element_bytes(t.k) + " + " +
           plain(std::uint64_t{a.v_dim}) + " × " + element_bytes(t.v) + ")";
}

double entry_bytes(const AttentionSpec& a, const KvTypes& t) {
    LayerSpec layer;
    layer.attn = a;
    return layer_token_bytes(layer, t).real();
}

std::string plus(std::string sum, const std::string& term) {
    return sum.empty() ? term : sum + " + " + term;
}

std::string equals(std::string formula, const std::string& result) {
    return formula.empty() ? formula : formula + " = " + result;
}

std::string total_text(double bytes) {
    return grouped(bytes) + " B";
}

}  // namespace

std::string how_token(Lang l, const ModelSpec& m, const KvTypes& t, bool full_only, double total) {
    std::string sum;
    for (const Kind& k : kinds(m)) {
        const AttentionSpec& a = k.attn;
        if (a.kind == AttnKind::cross) continue;
        const bool window = a.kind == AttnKind::sliding || a.kind == AttnKind::chunked;
        if (full_only && window) continue;
        std::string term = entry_text(l, a, t);
        if (a.kind == AttnKind::compressed) {
            const std::string ratio = plain(std::uint64_t{a.compress_ratio});
            if (full_only) {
                if (a.compress_ratio == 0) continue;
                term += " / " + ratio;
            } else if (a.compress_ratio != 0) {
                term += " × (1 + 1/" + ratio + ")";
            }
        }
        if (a.index_bytes != 0) {
            term = "(" + term + " + " +
                   say(l, Str::word_index, {plain(std::uint64_t{a.index_bytes})}) +
                   (a.kind == AttnKind::compressed && a.compress_ratio != 0
                        ? " / " + plain(std::uint64_t{a.compress_ratio})
                        : std::string()) +
                   ")";
        }
        sum = plus(std::move(sum), layers_text(l, k.layers) + " × " + term);
    }
    return equals(std::move(sum), total_text(total));
}

std::string how_request(Lang l, const ModelSpec& m, const KvTypes& t, std::uint64_t ctx,
                        std::uint64_t cross_tokens, bool all_full, Bytes total) {
    std::string sum;
    for (const Kind& k : kinds(m)) {
        const AttentionSpec& a = k.attn;
        const bool windowed = (a.kind == AttnKind::sliding || a.kind == AttnKind::chunked ||
                               a.kind == AttnKind::compressed) &&
                              !all_full;
        std::uint64_t kept = windowed ? std::min(ctx, a.window) : ctx;
        double entry = entry_bytes(a, t);
        if (a.kind == AttnKind::cross) {
            AttentionSpec full = a;
            full.kind = AttnKind::full;
            entry = entry_bytes(full, t);
            kept = cross_tokens;
        }
        std::string tokens = grouped(kept);
        if (a.kind == AttnKind::compressed && a.compress_ratio != 0) {
            tokens = "(" + tokens + " + " + grouped(ctx / a.compress_ratio) + ")";
        }
        std::string term = layers_text(l, k.layers) + " × " + total_text(entry) + " × " +
                           say(l, Str::word_tokens, {tokens});
        if (a.index_bytes != 0) {
            const std::uint64_t n = a.kind == AttnKind::compressed && a.compress_ratio != 0
                                        ? ctx / a.compress_ratio
                                        : ctx;
            term += " + " + layers_text(l, k.layers) + " × " +
                    say(l, Str::word_index, {plain(std::uint64_t{a.index_bytes})}) + " × " +
                    say(l, Str::word_tokens, {grouped(n)});
        }
        sum = plus(std::move(sum), term);
    }
    return equals(std::move(sum), grouped(total.value()) + " B");
}

std::string how_weights(Lang l, const Estimate& e) {
    if (e.model->weight_bytes != 0 && e.weights == e.model->weights) {
        return std::string(text(l, Str::how_weight_header));
    }
    const WeightKindInfo& f = info(e.weights.kind);
    const std::string parameters =
        say(l, Str::word_parameters, {grouped((e.params->total + e.params->vision).value())});
    if (f.bits == 16 || f.bits == 32) {
        const auto bytes = static_cast<std::uint64_t>(f.bits / 8);
        if ((e.params->total + e.params->vision) * bytes == *e.checkpoint) {
            return parameters + " × " + plain(bytes) + " B = " + grouped(e.checkpoint->value()) +
                   " B";
        }
    }
    return say(l, Str::how_weights, {f.name, parameters}) + " = " + grouped(e.checkpoint->value()) +
           " B";
}

}  // namespace kvgauge
