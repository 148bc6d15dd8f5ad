// SPDX-License-Identifier: MIT
#include "engine/vllm_overhead.h"

#include <algorithm>
#include <cmath>

#include "engine/shards.h"
#include "engine/vllm.h"

namespace kvgauge::engine::vllm {
namespace {

constexpr double kGib = 1073741824.0;
constexpr double kSorted = 37.2, kKernel = 12;  // bytes per logit

struct Range {
    double low, best, high;
};
Quantity quantity(const Range& r, Basis basis) {
    return {r.best, r.low, r.high, basis};
}

// Bytes per logit of the profiling run's sampler.
Range sampler_bytes(const EngineInput& in) {
    const Version& v = in.version;
    if (v < since::flashinfer_wheel) return {kKernel, kSorted, kSorted * 1.1};
    if (v < since::native_sampler) {
        // "0.11" may be 0.11.0 or a patch of it, which sorts.
        const bool patch_unknown = v.minor == 11 && v.parts < 3;
        return patch_unknown ? Range{kKernel, kSorted, kSorted} : Range{kKernel, kKernel, kSorted};
    }
    if (v < since::triton_sampler) return {kKernel, kSorted, kSorted};
    return {kKernel * 0.8, kKernel, kKernel * 1.3};
}

// Bytes of the widest layer for one token.
double layer_bytes(const EngineInput& in) {
    const double tp = static_cast<double>(std::max<std::uint64_t>(1, in.scenario.tp));
    const double hidden = static_cast<double>(in.model.hidden);
    double widest = 0;
    for (const LayerRun& run : in.model.layers) {
        const FfnSpec& f = run.layer.ffn;
        double width = 0;
        if (f.inter != 0) width = (f.gated ? 3.0 : 2.0) * f.inter / tp;
        if (f.experts != 0) {
            const double inter = static_cast<double>(f.expert_inter) / (in.scenario.ep ? 1 : tp);
            const double k = f.experts_active;
            width = std::max(
                width, k * std::max(2 * inter, hidden) + k * inter + 3.0 * f.shared_inter / tp);
        }
        widest = std::max(widest, width);
    }
    // The first engine ran layers uncompiled: input, residual and normed input stay. Llama-3.1-8B,
    // 20,000 and 29,000 tokens: 2 * (3 * 14336 + 3 * 4096) B each, 2.06 and 2.99 GiB; printed 2.07
    // and 2.99 (vllm#10517).
    return 2 * (widest + (in.version < since::v1 ? 3.0 : 2.5) * hidden);
}

Range activation(const EngineInput& in) {
    const auto tokens = static_cast<double>(max_batched_tokens(in));
    const double rows = std::min(static_cast<double>(max_num_seqs(in)), tokens);
    const double logits = rows * static_cast<double>(in.model.vocab);
    // The hidden states and, in the first engine, the residual beside the logits: Llama-3-8B, 8,192
    // tokens and 256 sequences, 0.125 + 1.14 GiB; printed 1.26 at TP 1 and 2 (vllm#10511).
    const double kept = in.version < since::v1 ? 2 : 1;
    const double hidden = tokens * 2 * kept * static_cast<double>(in.model.hidden);
    const double layer = tokens * layer_bytes(in);
    const Range s = sampler_bytes(in);
    const auto peak = [&](double per_logit, double scale) {
        return std::max(logits * per_logit + hidden, layer * scale);
    };
    return {peak(s.low, 0.8), peak(s.best, 1), peak(s.high, 1.4)};
}

// Encoder cache and the encoder's own peak; grows with what the processor lets through.
Range encoder(const EngineInput& in) {
    if (in.model.vision_params == 0 && in.model.vision_heads == 0) return {0, 0, 0};
    return {0.1 * kGib, 0.6 * kGib, 3 * kGib};
}

// Driver, communication, allocator: GiB. Rows in order; the first that fits answers.
struct Other {
    Version from;  // first release
    bool amd;
    double gib_from;  // visible memory
    std::uint64_t tp_from;
    Range gib;
    bool assumed;
};
constexpr Version v(std::uint32_t minor) {
    return {0, minor, 0, false, 2};
}
// What public logs leave after weights, KV and the activation formula. TP 1: 0.02 to 0.35 on cards
// up to 48 GB, 0.07 and 1.79 on H100, 0.4 to 0.9 on H200 (0.11-0.17); more since 0.18, again since
// 0.20; TP 4: 0.9 to 2.1, then 2.7, 3.6; TP 8: 1.2 to 2.9, then 2.8 to 4.6, then 5 to 6. MI300X
// keeps 1 to 2 GiB more.
constexpr Other kOther[] = {
    {v(20), true, 0, 5, {3.0, 5.5, 8.0}, true},
    {v(20), true, 0, 2, {2.5, 4.5, 7.0}, true},
    {v(20), true, 0, 1, {1.2, 2.4, 4.0}, true},
    {v(18), true, 0, 5, {3.0, 5.5, 7.5}, false},
    {v(18), true, 0, 2, {2.0, 3.5, 6.0}, true},
    {v(18), true, 0, 1, {1.0, 2.0, 3.5}, false},
    {v(0), true, 0, 2, {1.5, 3.3, 5.5}, false},
    {v(0), true, 0, 1, {0.6, 1.8, 3.2}, false},

    {v(20), false, 110, 5, {3.0, 5.0, 7.0}, false},
    {v(20), false, 110, 2, {2.3, 3.6, 5.5}, false},
    {v(20), false, 110, 1, {0.6, 1.3, 2.4}, false},
    {v(20), false, 60, 5, {2.0, 4.0, 6.5}, true},
    {v(20), false, 60, 2, {1.5, 3.0, 5.0}, true},
    {v(20), false, 60, 1, {0.75, 1.65, 3.7}, true},
    {v(20), false, 0, 2, {0.8, 2.0, 4.0}, true},
    {v(20), false, 0, 1, {0.2, 0.7, 2.0}, true},

    {v(18), false, 110, 5, {2.0, 3.5, 5.0}, false},
    {v(18), false, 110, 2, {1.6, 2.6, 4.0}, false},
    {v(18), false, 110, 1, {0.4, 1.0, 2.0}, false},
    {v(18), false, 60, 2, {1.0, 2.4, 4.5}, true},
    {v(18), false, 60, 1, {0.2, 0.9, 2.4}, true},
    {v(18), false, 0, 2, {0.6, 1.6, 3.5}, true},
    {v(18), false, 0, 1, {0.1, 0.4, 1.5}, true},

    {v(11), false, 110, 5, {0.8, 1.7, 3.5}, false},
    {v(11), false, 110, 2, {0.7, 1.3, 2.5}, false},
    {v(11), false, 110, 1, {0.2, 0.6, 1.5}, false},
    {v(11), false, 60, 2, {0.8, 1.8, 3.5}, false},
    {v(11), false, 60, 1, {0.05, 0.4, 1.8}, false},
    {v(11), false, 0, 2, {0.5, 1.4, 3.0}, true},
    {v(11), false, 0, 1, {0.02, 0.15, 1.0}, false},

    {v(7), false, 60, 2, {1.0, 2.0, 4.0}, false},
    {v(7), false, 60, 1, {0.05, 0.5, 2.0}, false},
    {v(7), false, 0, 2, {0.8, 1.6, 3.6}, false},
    {v(7), false, 0, 1, {0.02, 0.2, 0.8}, false},

    // Up to 0.6 the driver's context counts as well (vllm#12126 took it out): 0.35 on a 24 GB card.
    {v(0), false, 60, 2, {1.0, 2.0, 4.0}, false},
    {v(0), false, 60, 1, {0.05, 0.5, 2.0}, false},
    {v(0), false, 0, 2, {0.8, 1.6, 3.6}, false},
    {v(0), false, 0, 1, {0.1, 0.35, 0.9}, false},
};

const Other& other(const EngineInput& in) {
    const double total = static_cast<double>(in.gpu.visible_bytes) / kGib;
    const bool amd = in.gpu.vendor == "AMD";
    const Version release{in.version.major, in.version.minor, 0, false, 2};
    const std::uint64_t gpus = std::max<std::uint64_t>(1, in.scenario.tp * in.scenario.pp);
    for (const Other& o : kOther) {
        if (release >= o.from && o.amd == amd && total >= o.gib_from && gpus >= o.tp_from) return o;
    }
    return kOther[std::size(kOther) - 1];
}

// Model Runner V2 estimates no graph memory (worker/gpu/model_runner.py); it came model by model.
bool second_runner(const EngineInput& in, bool moe) {
    const std::string& type = in.model.model_type;
    if (moe) return false;
    if (in.version >= since::runner2_dense) return true;
    if (in.version >= since::runner2_llama && (type == "llama" || type == "mistral")) return true;
    return in.version >= since::runner2_qwen3 && type == "qwen3";
}

Range graphs(const EngineInput& in) {
    if (in.version < since::graph_reserve || in.scenario.eager.value_or(false)) return {0, 0, 0};
    bool moe = false;
    for (const LayerRun& run : in.model.layers) moe |= run.layer.ffn.experts != 0;
    if (second_runner(in, moe)) return {0, 0, 0.3 * kGib};
    if (in.gpu.vendor == "AMD") return {2 * kGib, 5 * kGib, 8.4 * kGib};
    if (moe && in.version >= since::runner2_dense) return {0, 0.6 * kGib, 2.5 * kGib};
    return {0.4 * kGib, 1.0 * kGib, 2.5 * kGib};
}

}  // namespace

OverheadParts overhead_parts(const EngineInput& in) {
    const Other& o = other(in);
    OverheadParts p;
    Range a = activation(in);
    const Range e = encoder(in);
    a = {a.low + e.low, a.best + e.best, a.high + e.high};
    p.activation = quantity(a, Basis::derived);
    const double tables = rotary_tables(in).real();
    p.other = quantity(
        {o.gib.low * kGib + tables, o.gib.best * kGib + tables, o.gib.high * kGib + tables},
        o.assumed ? Basis::assumed : Basis::derived);
    const Range g = graphs(in);
    p.graphs = g.high > 0 ? quantity(g, Basis::derived) : Quantity{};
    return p;
}

Quantity overhead(const OverheadParts& p) {
    Quantity q;
    q.basis = Basis::derived;
    double below = 0, above = 0;
    for (const Quantity* part : {&p.activation, &p.other, &p.graphs}) {
        q.value += part->value;
        const double low = part->value - part->low.value_or(part->value);
        const double high = part->high.value_or(part->value) - part->value;
        below += low * low;
        above += high * high;
        q.basis = weaker(q.basis, part->basis);
    }
    q.low = q.value - std::sqrt(below);
    q.high = q.value + std::sqrt(above);
    return q;
}

}  // namespace kvgauge::engine::vllm
