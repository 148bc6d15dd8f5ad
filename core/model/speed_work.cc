// SPDX-License-Identifier: MIT
#include "model/speed_work.h"

#include <algorithm>
#include <cmath>

#include "model/speed.h"

namespace kvgauge {
namespace {

bool latent(const AttentionSpec& a) {
    return a.kind == AttnKind::mla || a.kind == AttnKind::compressed;
}

double padded(double rows, double tile) {
    return std::ceil(rows / tile) * tile;
}

// KV heads one GPU stores over those of the model: divided until each GPU has one, then copied.
double kv_share(const AttentionSpec& a, double p) {
    if (latent(a) || a.kv_heads == 0) return 1;
    return std::max(1.0, a.kv_heads / p) / a.kv_heads;
}

// Tokens of context a layer attends to at position c.
double visible(const AttentionSpec& a, double c) {
    const double window = a.window != 0 ? std::min(c, static_cast<double>(a.window)) : c;
    switch (a.kind) {
        case AttnKind::sliding:
        case AttnKind::chunked:
            return window;
        case AttnKind::compressed:
            return a.compress_ratio ? window + c / a.compress_ratio : window;
        default:
            return c;
    }
}

// Multiply-adds of scores and values of one query head over one cached token, times 2 FLOP.
double flops_per_pair(const AttentionSpec& a) {
    if (latent(a)) return 2.0 * (2.0 * a.mla_rank + a.mla_rope);  // absorbed
    return 2.0 * (static_cast<double>(a.k_dim) + a.v_dim);
}

// Prefill multiplies expanded heads (k_dim, v_dim) also for MLA: nothing is absorbed.
double prefill_flops_per_pair(const AttentionSpec& a) {
    if (a.kind == AttnKind::compressed) return flops_per_pair(a);
    return 2.0 * (static_cast<double>(a.k_dim) + a.v_dim);
}

// Pairs of query and key a causal prefill of n tokens computes in one head.
double causal_pairs(const AttentionSpec& a, double n) {
    const double w = static_cast<double>(a.window), all = n * n / 2;
    const bool cut = w > 0 && w < n;
    switch (a.kind) {
        case AttnKind::sliding:
            return cut ? w * n - w * w / 2 : all;
        case AttnKind::chunked:
            return cut ? n * w / 2 : all;
        case AttnKind::compressed: {
            const double near = cut ? w * n - w * w / 2 : all;
            return a.compress_ratio ? near + all / a.compress_ratio : near;
        }
        case AttnKind::none:
        case AttnKind::cross:
            return 0;
        default:
            return all;
    }
}

double expert_weight(const LayerRun& r) {
    const FfnSpec& f = r.layer.ffn;
    return static_cast<double>(r.count) * f.experts * f.expert_inter;
}

}  // namespace

double gemm_peak(const GpuSpec& g, WeightKind k) {
    switch (k) {
        case WeightKind::fp8:
        case WeightKind::fp8_block:
        case WeightKind::fp8_channel:
        case WeightKind::mxfp8:
        case WeightKind::int8:
            return g.flops8 > 0 ? g.flops8 : g.flops16;
        case WeightKind::nvfp4:
        case WeightKind::mxfp4:
            return g.flops4 > 0 ? g.flops4 : g.flops16;
        default:
            return g.flops16;
    }
}

GpuRates rates_of(const GpuSpec& g, WeightKind k) {
    return {g.bandwidth, g.flops16, gemm_peak(g, k), g.link > 0 ? g.link : g.pcie};
}

double touched_share(const ModelSpec& m, double tokens) {
    double all = 0, read = 0, share = 0;
    std::uint32_t experts = 0, active = 0;
    for (const LayerRun& r : m.layers) {
        const FfnSpec& f = r.layer.ffn;
        if (f.experts == 0) continue;
        if (f.experts != experts || f.experts_active != active) {
            experts = f.experts;
            active = f.experts_active;
            share = 1 - std::pow(1 - static_cast<double>(active) / experts, tokens);
        }
        all += expert_weight(r);
        read += expert_weight(r) * share;
    }
    return all > 0 ? read / all : 0;
}

double StepWork::weight_bytes(const ModelSpec& m, double tokens) const {
    const double routed = routed_bytes > 0 ? routed_bytes * touched_share(m, tokens) : 0;
    return dense_bytes + routed + head_bytes;
}

StepWork step_work(const SpeedInput& in, double context) {
    const double p = static_cast<double>(in.cut.serial ? 1 : in.cut.tp);
    const double heads_over = in.cut.serial ? 1 : static_cast<double>(in.cut.attention_tp);
    // Under attention data parallelism a GPU serves only the sequences of its group.
    const double sequences = heads_over / p;
    const double tokens_over = static_cast<double>(in.cut.dcp);
    const double q_len = 1 + static_cast<double>(in.drafted);
    const Count c = static_cast<std::uint64_t>(std::max(0.0, std::ceil(context)));
    StepWork w;
    w.hidden = static_cast<double>(in.model.hidden);
    for (const LayerRun& run : in.model.layers) {
        const double n = run.count;
        const AttentionSpec& a = run.layer.attn;
        w.layers += n;
        if (run.layer.state.kind != StateKind::none || a.compress_state_bytes != 0) {
            // Read and written back.
            w.kv_bytes += n * 2 * layer_state_bytes(run.layer, in.kv).real() / p;
        }
        if (a.kind == AttnKind::none) continue;
        const double request = layer_request_bytes(run.layer, in.kv, c, in.cross_tokens).real();
        w.kv_bytes += n * request * kv_share(a, heads_over) * sequences / tokens_over;
        const double kv_heads = latent(a) ? 1 : std::max(1.0, a.kv_heads / heads_over);
        const double rows =
            padded(std::max(1.0, a.q_heads / heads_over / kv_heads) * q_len, in.constants.tile_m);
        w.attn_flops +=
            n * kv_heads * rows * flops_per_pair(a) * visible(a, context) * sequences / tokens_over;
        if (w.group != 0) continue;
        w.group = latent(a) ? a.q_heads : static_cast<double>(a.q_heads) / std::max(1u, a.kv_heads);
        const double token = layer_token_bytes(run.layer, in.kv).real();
        if (token > 0) w.flop_per_kv_byte = a.q_heads * flops_per_pair(a) * q_len / token;
    }
    w.dense_bytes = in.stream.dense.real() / p;
    w.routed_bytes = in.stream.routed.real() / p;
    w.head_bytes = in.stream.head.real() / p;
    const double idle = in.params.total.real() - in.params.active.real();
    w.gemm_flops = 2 * (std::max(0.0, in.params.linear.real() - idle) + in.params.head.real()) / p;
    return w;
}

PrefillWork prefill_work(const SpeedInput& in, double n) {
    const double p = static_cast<double>(in.cut.serial ? 1 : in.cut.tp);
    PrefillWork w;
    for (const LayerRun& run : in.model.layers) {
        const AttentionSpec& a = run.layer.attn;
        if (a.kind == AttnKind::none) continue;
        w.attn_flops +=
            run.count * (a.q_heads / p) * prefill_flops_per_pair(a) * causal_pairs(a, n);
    }
    // The LM head runs on the last position only.
    const double idle = in.params.total.real() - in.params.active.real();
    w.gemm_flops = 2 * n * std::max(0.0, in.params.linear.real() - idle) / p;
    return w;
}

}  // namespace kvgauge
