// SPDX-License-Identifier: MIT
#include <algorithm>

#include "engine/llamacpp.h"
#include "engine/shards.h"

namespace kvgauge::engine::llamacpp {
namespace {

constexpr std::uint64_t kPad = 256;  // cells, since #17046 (2025-11)
// #13194 (2025-05-20): window layers get a cache of their own; full length before.
constexpr Version kWindowCache{5430, 0, 0, true, 1};

std::uint64_t padded(std::uint64_t cells) {
    const Count p = round_up(cells, kPad);
    return p.overflow() ? UINT64_MAX / kPad * kPad : p.value();
}

// State of one sequence, fp32 both (llama-memory-recurrent.cpp): r = (d_conv - 1) * (d_inner +
// 2 * n_group * d_state), s = d_state * d_inner.
Bytes state_row(const StateSpec& s) {
    return (Count(s.conv_elements) + Count(s.ssm_elements)) * 4;
}

// Draft tokens keep a copy of the state each, to step back to.
std::uint64_t state_rows(const EngineInput& in) {
    const Speculation& s = in.scenario.spec;
    const bool drafts =
        s.kind == SpecKind::mtp || (s.kind == SpecKind::native && !in.model.mtp.empty());
    return 1 + (drafts ? s.tokens : 0);
}

}  // namespace

Context context_of(std::uint64_t n_ctx, std::uint64_t n_seq, bool unified) {
    Context c;
    c.n_seq = std::max<std::uint64_t>(1, n_seq);
    c.unified = unified;
    c.n_ctx = padded(n_ctx);
    if (unified) {
        c.n_ctx_seq = c.n_ctx;
        return c;
    }
    c.n_ctx_seq = padded(c.n_ctx / c.n_seq);
    const Count all = Count(c.n_ctx_seq) * c.n_seq;
    c.n_ctx = all.overflow() ? c.n_ctx : all.value();
    return c;
}

Context context_of(const EngineInput& in) {
    // llama-server: four slots over one unified cache (2025-11); before, one slot.
    const bool recent = in.version >= Version{7000, 0, 0, true, 1};
    const std::uint64_t slots = in.scenario.slots.value_or(recent ? 4 : 1);
    const bool unified = in.scenario.unified.value_or(recent && !in.scenario.slots);
    return context_of(in.scenario.ctx, slots, unified);
}

std::uint64_t window_cells(const Context& c, std::uint64_t window, std::uint64_t n_ubatch,
                           bool full) {
    if (full) return c.n_ctx_seq;
    const Count asked = Count(window) * (c.unified ? c.n_seq : 1) + n_ubatch;
    const std::uint64_t cells = asked.overflow() ? c.n_ctx_seq : asked.value();
    return padded(std::min(c.n_ctx_seq, cells));
}

std::uint64_t tensor_heads(std::uint64_t kv_heads, std::uint64_t n, std::uint64_t device,
                           std::uint64_t layer) {
    if (n == 0) return 0;
    // Shares end at floor(kv * (j + 1) / n); the layer's index turns them around the devices.
    const std::uint64_t j = (device + layer) % n;
    return kv_heads * (j + 1) / n - kv_heads * j / n;
}

RowBytes row_of(const EngineInput& in, const AttentionSpec& a) {
    if (!a.owns_cache || a.kind == AttnKind::none || a.kind == AttnKind::cross) return {};
    // A file converted without MLA keys has K and V of every head.
    const bool latent = a.kind == AttnKind::mla && !in.model.gguf.latent_expanded;
    if (latent || a.kind == AttnKind::compressed) {
        // K rows of rank + rope, no V.
        return {row_bytes(in.kv.k, Count(a.mla_rank) + Count(a.mla_rope)), 0};
    }
    return {row_bytes(in.kv.k, Count(a.kv_heads) * a.k_dim),
            row_bytes(in.kv.v, Count(a.kv_heads) * a.v_dim)};
}

CacheBytes cache_bytes(const EngineInput& in, const Context& c, std::uint64_t first,
                       std::uint64_t n) {
    CacheBytes b;
    const std::uint64_t ubatch = in.scenario.ubatch.value_or(512);
    const bool full = in.scenario.swa_full.value_or(in.version < kWindowCache);
    for_layers(in.model, first, n, [&](const LayerSpec& l, std::uint64_t count) {
        const AttentionSpec& a = l.attn;
        const RowBytes row = row_of(in, a);
        const Bytes cell = row.k + row.v;
        if (cell.value() != 0) {
            const bool window =
                (a.kind == AttnKind::sliding || a.kind == AttnKind::chunked) && a.window;
            if (window) {
                const std::uint64_t cells = window_cells(c, a.window, ubatch, full);
                b.window += cell * cells * c.streams() * count;
                b.window_layers += count;
                b.window_cells = cells;
            } else {
                b.full += cell * c.n_ctx_seq * c.streams() * count;
                b.full_layers += count;
            }
        }
        if (l.state.kind != StateKind::none) {
            b.recurrent += state_row(l.state) * c.n_seq * state_rows(in) * count;
            b.recurrent_layers += count;
        }
    });
    return b;
}

std::uint64_t Placement::begin(std::uint64_t device) const {
    // The output layer counts as one more: device of layer i is floor((i - first) * n / layers on
    // GPUs), with equal free memory.
    const std::uint64_t on_gpu = layers - first + 1;
    const std::uint64_t at = first + (device * on_gpu + devices - 1) / devices;
    return device >= devices ? layers : std::min(layers, at);
}

Placement placement_of(const EngineInput& in) {
    Placement p;
    p.layers = layer_count(in.model);
    if (in.scenario.split.value_or(SplitMode::layer) == SplitMode::layer) {
        p.devices = std::max<std::uint64_t>(1, in.scenario.tp);
    }
    const std::uint64_t wanted = in.scenario.ngl.value_or(p.layers + 1);
    if (wanted <= p.layers) {
        // The last layers are offloaded, the output layer first among them.
        p.output = wanted > 0;
        p.first = p.layers + 1 - std::max<std::uint64_t>(1, wanted);
        if (wanted == 0) p.first = p.layers;
    }
    return p;
}

}  // namespace kvgauge::engine::llamacpp
