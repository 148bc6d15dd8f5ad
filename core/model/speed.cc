// SPDX-License-Identifier: MIT
#include "model/speed.h"

#include <algorithm>
#include <cmath>

namespace kvgauge {
namespace {

// What a layer program sums to for one GPU and one step; everything the formulas need.
struct Work {
    double weight_bytes = 0;      // read per step by one GPU
    double gemm_flops = 0;        // per token of the batch, one GPU
    double kv_bytes = 0;          // per sequence, one GPU
    double attn_flops = 0;        // per sequence and step, padded query rows, one GPU
    double group = 0;             // query heads per KV head of the first caching layer
    double flop_per_kv_byte = 0;  // of that layer
    double all_reduce_layers = 0;
    double layers = 0;
};

double padded(double rows, double tile) {
    return std::ceil(rows / tile) * tile;
}

// KV heads one GPU stores: divided until each has one, then copied.
double kv_share(const AttentionSpec& a, double p) {
    if (a.kind == AttnKind::mla || a.kind == AttnKind::compressed || a.kv_heads == 0) return 1;
    return std::max(1.0, a.kv_heads / p) / a.kv_heads;
}

// Tokens of context a layer attends to at position c.
double visible(const AttentionSpec& a, double c) {
    switch (a.kind) {
        case AttnKind::sliding:
            return a.window ? std::min(c, static_cast<double>(a.window)) : c;
        case AttnKind::chunked:
            return a.window ? std::min(c, static_cast<double>(a.window)) : c;
        case AttnKind::compressed: {
            const double w = std::min(c, static_cast<double>(a.window));
            return a.compress_ratio ? w + c / a.compress_ratio : w;
        }
        default:
            return c;
    }
}

// Multiply-adds of scores and values of one query head over one cached token, times 2 FLOP.
double flops_per_pair(const AttentionSpec& a) {
    if (a.kind == AttnKind::mla || a.kind == AttnKind::compressed) {
        return 2.0 * (2.0 * a.mla_rank + a.mla_rope);  // absorbed: scores over rank + rope
    }
    return 2.0 * (static_cast<double>(a.k_dim) + a.v_dim);
}

// Expected share of the routed experts that at least one of `tokens` tokens reaches.
double touched(const FfnSpec& f, double tokens) {
    if (f.experts == 0) return 0;
    const double miss = 1.0 - static_cast<double>(f.experts_active) / f.experts;
    return 1.0 - std::pow(miss, tokens);
}

double expert_params(const FfnSpec& f, double hidden) {
    return static_cast<double>(f.experts) * f.expert_inter * hidden * (f.gated ? 3 : 2);
}

Work work(const SpeedInput& in, double context) {
    const double p = static_cast<double>(in.tp);
    const double tokens = static_cast<double>(in.batch * in.verify_tokens);
    const double hidden = static_cast<double>(in.model.hidden);
    const double bytes_per_weight = info(in.weights.kind).bits / 8;
    Work w;
    double routed = 0, routed_read = 0, routed_active = 0;
    for (const LayerRun& run : in.model.layers) {
        const double n = run.count;
        const AttentionSpec& a = run.layer.attn;
        w.layers += n;
        const double experts = expert_params(run.layer.ffn, hidden);
        routed += n * experts;
        routed_read += n * experts * touched(run.layer.ffn, tokens);
        if (run.layer.ffn.experts) {
            routed_active += n * experts * run.layer.ffn.experts_active / run.layer.ffn.experts;
        }
        const double state = layer_state_bytes(run.layer, in.kv).real();
        w.kv_bytes += n * 2 * state / p;  // read and written back
        if (a.kind == AttnKind::none) continue;
        const Count c = static_cast<std::uint64_t>(std::max(0.0, std::ceil(context)));
        const double request = layer_request_bytes(run.layer, in.kv, c, in.cross_tokens).real();
        w.kv_bytes += n * request * kv_share(a, p);
        const bool latent = a.kind == AttnKind::mla || a.kind == AttnKind::compressed;
        const double kv_heads = latent ? 1 : std::max(1.0, a.kv_heads / p);
        const double q_per_gpu = a.q_heads / p;
        const double g = latent ? q_per_gpu : q_per_gpu / kv_heads;
        const double rows =
            padded(std::max(1.0, g) * static_cast<double>(in.verify_tokens), in.constants.tile_m);
        w.attn_flops += n * kv_heads * rows * flops_per_pair(a) * visible(a, context);
        if (w.group == 0) {
            w.group =
                latent ? a.q_heads : static_cast<double>(a.q_heads) / std::max(1u, a.kv_heads);
            const double token = layer_token_bytes(run.layer, in.kv).real();
            if (token > 0) {
                w.flop_per_kv_byte = static_cast<double>(a.q_heads) * flops_per_pair(a) *
                                     static_cast<double>(in.verify_tokens) / token;
            }
        }
    }
    const double linear = in.params.linear.real();
    const double head = in.params.head.real();
    const double dense = std::max(0.0, linear - routed);
    w.weight_bytes = ((dense + routed_read) * bytes_per_weight + 2 * head) / p;
    w.gemm_flops = 2 * (dense + routed_active + head) / p;
    w.all_reduce_layers = w.layers;
    return w;
}

double all_reduce(const SpeedInput& in, double layers, double tokens, double link_eff) {
    if (in.tp <= 1) return 0;
    const double p = static_cast<double>(in.tp);
    const double link = in.gpu.link > 0 ? in.gpu.link : in.gpu.pcie;
    if (!(link > 0)) return 0;
    const double bytes = 2 * (p - 1) / p * tokens * static_cast<double>(in.model.hidden) * 2;
    return 2 * layers * (in.constants.alpha + bytes / (link_eff * link));
}

// Pairs of query and key a causal prefill of n tokens computes in one head.
double causal_pairs(const AttentionSpec& a, double n) {
    const double w = static_cast<double>(a.window);
    switch (a.kind) {
        case AttnKind::sliding:
            return w > 0 && w < n ? w * n - w * w / 2 : n * n / 2;
        case AttnKind::chunked:
            return w > 0 && w < n ? n * w / 2 : n * n / 2;
        case AttnKind::compressed: {
            const double near = w > 0 && w < n ? w * n - w * w / 2 : n * n / 2;
            return a.compress_ratio ? near + n * n / 2 / a.compress_ratio : near;
        }
        case AttnKind::none:
        case AttnKind::cross:
            return 0;
        default:
            return n * n / 2;
    }
}

// Prefill multiplies expanded heads (k_dim, v_dim) also for MLA: nothing is absorbed.
double prefill_flops_per_pair(const AttentionSpec& a) {
    if (a.kind == AttnKind::compressed) return flops_per_pair(a);
    return 2.0 * (static_cast<double>(a.k_dim) + a.v_dim);
}

struct PrefillWork {
    double gemm = 0, attn = 0;
};
PrefillWork prefill_work(const SpeedInput& in, double n) {
    const double p = static_cast<double>(in.tp);
    const double hidden = static_cast<double>(in.model.hidden);
    double routed = 0, routed_active = 0;
    PrefillWork w;
    for (const LayerRun& run : in.model.layers) {
        const FfnSpec& f = run.layer.ffn;
        const double experts = expert_params(f, hidden);
        routed += run.count * experts;
        if (f.experts) routed_active += run.count * experts * f.experts_active / f.experts;
        const AttentionSpec& a = run.layer.attn;
        w.attn += run.count * (a.q_heads / p) * prefill_flops_per_pair(a) * causal_pairs(a, n);
    }
    // The LM head runs on the last position only.
    w.gemm = 2 * n * std::max(0.0, in.params.linear.real() - routed + routed_active) / p;
    return w;
}

double prefill(const SpeedInput& in, double n, const SpeedConstants& c, bool floor) {
    const PrefillWork w = prefill_work(in, n);
    const double peak = gemm_peak(in.gpu, in.weights.kind);
    if (!(peak > 0) || !(in.gpu.flops16 > 0)) return 0;
    double layers = 0;
    for (const LayerRun& run : in.model.layers) layers += run.count;
    SpeedInput wire = in;
    if (floor) wire.constants.alpha = 0;
    double t = w.gemm / (c.mfu_pre * peak) + w.attn / (c.mfu_attn * in.gpu.flops16) +
               all_reduce(wire, layers, n, c.link_eff);
    if (!floor) t += layers * c.tau;
    return t;
}

Quantity band(double value, double share, Basis basis) {
    return {value, value * (1 - share), value * (1 + share), basis};
}

}  // namespace

double gemm_peak(const GpuSpec& g, WeightKind k) {
    switch (k) {
        case WeightKind::fp8:
        case WeightKind::fp8_block:
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

StepTime decode_step(const SpeedInput& in, double context) {
    const Work w = work(in, context);
    const double b = static_cast<double>(in.batch);
    const double tokens = b * static_cast<double>(in.verify_tokens);
    const double peak = gemm_peak(in.gpu, in.weights.kind);
    const SpeedConstants& c = in.constants;
    StepTime t;
    t.linear = w.weight_bytes / (c.e_w * in.gpu.bandwidth);
    if (peak > 0) t.linear = std::max(t.linear, w.gemm_flops * tokens / (c.mfu_dec * peak));
    t.kv = b * w.kv_bytes / (c.e_kv * in.gpu.bandwidth);
    if (in.gpu.flops16 > 0) {
        t.kv = std::max(t.kv, b * w.attn_flops / (c.mfu_dec * in.gpu.flops16));
    }
    t.all_reduce = all_reduce(in, w.all_reduce_layers, tokens, c.link_eff);
    t.fixed = w.layers * c.tau;
    return t;
}

double prefill_time(const SpeedInput& in, double tokens) {
    const double t = prefill(in, tokens, in.constants, false);
    SpeedInput one = in;
    one.batch = 1;
    one.verify_tokens = 1;
    return std::max(t, decode_step(one, 0).linear);
}

Speed speed(const SpeedInput& in) {
    Speed s;
    const double b = static_cast<double>(in.batch);
    const double out = static_cast<double>(std::max<std::uint64_t>(in.out, 1));
    s.context = static_cast<double>(in.in) + static_cast<double>(in.out) / 2;
    const Work w = work(in, s.context);
    const double bw = in.gpu.bandwidth;
    const double peak = gemm_peak(in.gpu, in.weights.kind);
    const double tokens = b * static_cast<double>(in.verify_tokens);
    s.group_size = w.group;
    s.intensity = w.flop_per_kv_byte;
    if (in.gpu.flops16 > 0) s.ridge = in.gpu.flops16 / bw;

    s.floor.value = (w.weight_bytes + b * w.kv_bytes) / bw;
    if (peak > 0) s.floor.value = std::max(s.floor.value, w.gemm_flops * tokens / peak);
    s.floor.basis = Basis::derived;

    s.step = decode_step(in, s.context);
    const double t_pre = prefill_time(in, static_cast<double>(in.in));
    s.prefill_share = in.constants.phi * (b - 1) / out * t_pre;
    const Basis basis = in.constants.fitted ? Basis::measured : Basis::derived;
    s.tpot = band(s.step.total() + s.prefill_share, 0.20, basis);
    s.tpot.low = std::max(*s.tpot.low, s.floor.value);

    SpeedConstants ideal = in.constants;
    ideal.mfu_pre = ideal.mfu_attn = ideal.link_eff = 1;
    s.prefill_floor = {
        prefill(in, static_cast<double>(in.in), ideal, true), {}, {}, Basis::derived};
    s.ttft = {t_pre, t_pre, (b + 1) / 2 * t_pre, basis};
    s.tokens_per_s = band(b * out / (t_pre + (out - 1) * s.tpot.value), 0.20, basis);

    const double half_bytes = info(in.weights.kind).bits / 16;
    if (peak > 0) {
        s.batch_ridge = half_bytes * in.constants.mfu_dec * peak / (in.constants.e_w * bw);
        s.batch_ridge_peak = half_bytes * peak / bw;
    }
    if (w.kv_bytes > 0) s.batch_kv_equals_weights = w.weight_bytes / w.kv_bytes;
    return s;
}

}  // namespace kvgauge
