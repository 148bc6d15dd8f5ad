// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "engine/attention.h"
#include "engine/engines.h"
#include "engine/sglang.h"
#include "engine/shards.h"

namespace kvgauge::engine::sglang {
namespace {

struct Tier {
    double below_mib;
    std::uint64_t chunk, graph_batch, graph_batch_tp4;
};
constexpr Tier kTiers[] = {{20480, 2048, 8, 8},
                           {35840, 2048, 24, 80},
                           {61440, 4096, 32, 160},
                           {163840, 8192, 256, 512},
                           {1e12, 16384, 512, 512}};

const Tier& tier(double gpu_mib) {
    for (const Tier& t : kTiers) {
        if (gpu_mib < t.below_mib) return t;
    }
    return kTiers[4];
}

// Sizes whose prefill graph is captured, up to `limit`.
std::uint64_t captured_sizes(std::uint64_t limit) {
    struct Range {
        std::uint64_t from, to, step;
    };
    constexpr Range ranges[] = {{4, 32, 4},      {48, 256, 16},     {288, 512, 32},
                                {576, 1024, 64}, {1280, 4096, 256}, {4608, UINT64_MAX, 512}};
    std::uint64_t n = 0;
    for (const Range& r : ranges) {
        const std::uint64_t to = std::min(r.to, limit);
        if (to >= r.from) n += (to - r.from) / r.step + 1;
    }
    return n;
}

constexpr Version at(std::uint32_t major, std::uint32_t minor, std::uint32_t patch) {
    return {major, minor, patch, false, 3};
}
constexpr Version kHeuristic = at(0, 4, 7);      // #7054, 2025-06-10
constexpr Version kPrefillGraphs = at(0, 5, 7);  // 2025-12-23
constexpr Version kWindowPool = at(0, 5, 0);     // window layers get a pool of their own

bool is_latent(const ModelSpec& m) {
    const AttentionSpec* a = first_attention(m);
    return a != nullptr && (a->kind == AttnKind::mla || a->kind == AttnKind::compressed);
}

// One token in one layer: index of sparse attention beside it; fp8 latents of sparse models keep
// their scales and a 16-bit rope part (656 B).
double layer_token(const EngineInput& in, const AttentionSpec& a) {
    Bytes b = token_bytes_on_gpu(a, in.kv, attention_tp(in));
    if (a.kind == AttnKind::mla && a.index_bytes != 0 && fp8_kv(in)) b = 656;
    return b.real() + (a.owns_cache ? a.index_bytes : 0);
}

// State of one sequence in one layer: recurrent part in fp32 unless asked otherwise, convolution in
// 16 bit.
Bytes layer_state(const EngineInput& in, const StateSpec& s) {
    if (s.kind == StateKind::none) return 0;
    const std::uint64_t tp = attention_tp(in);
    const DType ssm = in.kv.state == DType::automatic ? DType::fp32 : in.kv.state;
    Count conv = s.conv_elements;
    if (s.kind == StateKind::mamba2 && s.groups % tp != 0 && s.conv > 1) {
        // A single group is copied to every rank.
        const std::uint64_t groups = std::max<std::uint64_t>(s.groups, tp);
        conv = (Count(s.v_heads) * s.v_dim + Count(2) * groups * s.k_dim) * (s.conv - 1);
    }
    return row_bytes(ssm, ceil_div(s.ssm_elements, tp)) + ceil_div(conv, tp) * 2;
}

}  // namespace

MemoryDefault memory_default(const MemoryQuestion& q) {
    const Tier& t = tier(q.gpu_mib);
    MemoryDefault d;
    d.chunk = q.chunk != 0 ? q.chunk : t.chunk;
    d.graph_batch = q.tp >= 4 ? t.graph_batch_tp4 : t.graph_batch;
    const auto batch = static_cast<double>(d.graph_batch);
    d.reserved_mib = 512 + 1.5 * static_cast<double>(std::max<std::uint64_t>(d.chunk, 2048)) +
                     static_cast<double>(q.tp * q.pp) / 8 * 1024 + 2 * batch;
    if (q.prefill_graphs) {
        const std::uint64_t limit = std::min(d.chunk, q.ctx);
        d.reserved_mib += q.mla ? 1536.0 : static_cast<double>(8 * captured_sizes(limit));
    }
    if (q.dp_attention) {
        const auto dp = static_cast<double>(q.dp);
        d.reserved_mib += 3 * batch * dp + (d.graph_batch > 300 ? 1.5 * batch * dp : 0);
    }
    if (q.gpu_mib > 61440) d.reserved_mib = std::max(d.reserved_mib, 10240.0);
    d.fraction = std::round((1 - d.reserved_mib / q.gpu_mib) * 1000) / 1000;
    if (q.vision) d.fraction *= 0.95;
    return d;
}

double default_fraction(const EngineInput& in) {
    const Scenario& s = in.scenario;
    if (in.version < kHeuristic) {
        // Before the heuristic: by the size of the group alone.
        return s.tp >= 16 ? 0.79 : s.tp >= 8 ? 0.81 : s.tp >= 4 ? 0.85 : s.tp >= 2 ? 0.87 : 0.88;
    }
    if (in.gpu.driver_bytes == 0) return 0.88;  // memory not known
    MemoryQuestion q;
    q.gpu_mib = static_cast<double>(in.gpu.driver_bytes) / static_cast<double>(mib);
    q.tp = s.tp;
    q.pp = s.pp;
    q.dp = s.dp;
    q.mla = is_latent(in.model);
    q.dp_attention = s.dp_attention;
    q.vision = in.model.vision_params != 0;
    q.prefill_graphs = in.version >= kPrefillGraphs;
    q.ctx = s.ctx;
    q.chunk = s.max_batched.value_or(0);
    return memory_default(q).fraction;
}

Pools pools(const EngineInput& in, Bytes kv_budget) {
    Pools p;
    p.page = std::max<std::uint64_t>(
        1, in.scenario.block.value_or(rules(in.engine).attention(in).block));
    std::uint64_t full_layers = 0, window_layers = 0;
    bool latent_window = false;
    const auto add = [&](const LayerSpec& l, std::uint64_t n) {
        const AttentionSpec& a = l.attn;
        p.state_slot += layer_state(in, l.state) * n;
        if (a.kind == AttnKind::none || a.kind == AttnKind::cross || !a.owns_cache) return;
        const double bytes = layer_token(in, a) * static_cast<double>(n);
        if ((a.kind == AttnKind::sliding || a.kind == AttnKind::chunked) && a.window != 0) {
            p.window_token += bytes;
            p.window = std::max(p.window, a.window);
            window_layers += n;
        } else if (a.kind == AttnKind::compressed) {
            latent_window = true;
            p.window_token += bytes;
            p.window = std::max(p.window, a.window);
            window_layers += n;
            if (a.compress_ratio != 0) {
                p.full_token += (bytes + static_cast<double>(a.index_bytes * n)) / a.compress_ratio;
                full_layers += n;
            }
        } else {
            p.full_token += bytes;
            full_layers += n;
        }
    };
    // The widest stage decides: token capacity is the smallest over ranks.
    const StageSums widest = stage_sums(in, in.scenario.ctx);
    for_stage(in, widest.stage, add);
    const double layers = static_cast<double>(full_layers + window_layers);
    switch (in.scenario.spec.kind) {
        case SpecKind::native:
        case SpecKind::mtp:
            for (const LayerRun& run : in.model.mtp) add(run.layer, run.count);
            break;
        case SpecKind::eagle:
            if (layers > 0) p.full_token *= 1 + 1 / layers;
            break;
        case SpecKind::none:
        case SpecKind::ngram:
            break;
    }
    p.split_windows =
        window_layers != 0 && in.version >= kWindowPool && in.scenario.hybrid.value_or(true);
    double budget = kv_budget.overflow() ? 0 : kv_budget.real();
    if (p.state_slot.value() != 0) {
        // mamba_full_memory_ratio 0.9: states get 0.9 of what the KV pool gets.
        const double states = budget * 0.9 / 1.9;
        p.state_slots = floor_div(static_cast<std::uint64_t>(states), p.state_slot);
        budget -= states;
    }
    // swa_full_tokens_ratio: 0.8, DeepSeek-V4 0.1.
    const double ratio = latent_window ? 0.1 : 0.8;
    if (!p.split_windows) {
        p.cell = p.full_token + p.window_token;
    } else if (full_layers == 0) {
        p.cell = p.window_token;
    } else {
        p.cell = p.full_token + ratio * p.window_token;
    }
    if (!(p.cell > 0)) return p;
    p.tokens = static_cast<std::uint64_t>(budget / p.cell) / p.page * p.page;
    if (p.split_windows) {
        const double share = full_layers == 0 ? 1 : ratio;
        p.window_tokens =
            static_cast<std::uint64_t>(static_cast<double>(p.tokens) * share) / p.page * p.page;
    }
    return p;
}

std::uint64_t max_running_requests(std::uint64_t tokens, std::uint64_t ctx) {
    if (ctx == 0) return 0;
    const double wanted = static_cast<double>(tokens) / static_cast<double>(ctx) * 512;
    const double clamped = std::clamp(std::floor(wanted), 2048.0, 4096.0);
    return std::min(static_cast<std::uint64_t>(clamped), tokens / 2);
}

}  // namespace kvgauge::engine::sglang
