// SPDX-License-Identifier: MIT
// SGLang. Sources: main 8905cbd42 (~0.5.15): server_args.py _handle_gpu_memory_settings,
// mem_cache/kv_cache_configurator.py, model_executor/pool_configurator.py.
#include <algorithm>
#include <cmath>

#include "engine/attention.h"
#include "engine/bands.h"
#include "engine/engines.h"
#include "engine/lines.h"
#include "engine/paged.h"
#include "engine/tp_rules.h"

namespace kvgauge::engine {
namespace {

// Reserve in MiB that the default fraction leaves, by the smallest GPU of the group.
struct Tier {
    double below_mib;
    std::uint64_t chunk, graph_batch, graph_batch_tp4;
};
constexpr Tier kTiers[] = {{20480, 2048, 8, 8},
                           {35840, 2048, 24, 80},
                           {61440, 4096, 32, 160},
                           {163840, 8192, 256, 512},
                           {1e12, 16384, 512, 512}};

const Tier& tier(double mib_total) {
    for (const Tier& t : kTiers) {
        if (mib_total < t.below_mib) return t;
    }
    return kTiers[4];
}

// Sizes whose prefill graph is captured: 4..32 by 4, 48..256 by 16, 288..512 by 32, 576..1024 by
// 64, 1280..4096 by 256, 4608.. by 512, up to `limit`.
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

bool is_mla(const ModelSpec& m) {
    const AttentionSpec* a = first_attention(m);
    return a != nullptr && (a->kind == AttnKind::mla || a->kind == AttnKind::compressed);
}

double default_util(const EngineInput& in) {
    const double total = static_cast<double>(in.gpu.driver_bytes) / static_cast<double>(mib);
    if (total <= 0) return 0.88;  // no GPU memory reported
    const Scenario& s = in.scenario;
    const Tier& t = tier(total);
    const std::uint64_t chunk = s.max_batched.value_or(t.chunk);
    const auto graphs = static_cast<double>(s.tp >= 4 ? t.graph_batch_tp4 : t.graph_batch);
    double reserved = 512 + 1.5 * static_cast<double>(std::max<std::uint64_t>(chunk, 2048)) +
                      static_cast<double>(s.tp * s.pp) / 8 * 1024 + 2 * graphs;
    const bool mla = is_mla(in.model);
    const std::uint64_t limit = std::min(mla ? std::min<std::uint64_t>(chunk, 2048) : chunk, s.ctx);
    reserved += static_cast<double>(mla ? 1536 : 8 * captured_sizes(limit));
    if (s.dp_attention) {
        const auto dp = static_cast<double>(s.dp);
        reserved += 3 * graphs * dp + (graphs > 300 ? 1.5 * graphs * dp : 0);
    }
    if (total > 61440) reserved = std::max(reserved, 10240.0);
    return std::round((1 - reserved / total) * 1000) / 1000;
}

TpVerdict tp(const EngineInput& in, std::uint64_t size) {
    TpPolicy p;
    p.vision = VisionRule::none;  // the tower is padded with dummy heads
    if (in.scenario.dp_attention && in.scenario.dp > 1) {
        if (size % in.scenario.dp != 0) {
            return refusal(TpRule::dp_attention, in.scenario.dp, size, 0,
                           "tp_size must be divisible by dp_size");
        }
        p.attention_tp = size / in.scenario.dp;
    }
    p.q_fragment = p.kv_fragment = "is not divisible by";
    return tp_by_rules(in, size, p);
}

Budget budget(const EngineInput& in) {
    BudgetParts parts;
    parts.gpu_bytes = in.gpu.driver_bytes;
    parts.util = util_or(in, default_util(in));
    parts.util_default = !in.scenario.util;
    // slack = free before load * (1 - fraction); graphs and activations live in the slack, so only
    // what was taken before the load is missing from the total.
    parts.usable_bytes = share_of(in.gpu.visible_bytes, parts.util);
    parts.weight_bytes = inventory_weights(in);
    const double g = static_cast<double>(gib);
    const bool several = in.scenario.tp > 1;
    parts.overhead = {(several ? 1.0 : 0.5) * g, 0.2 * g, (several ? 3.0 : 1.5) * g,
                      Basis::assumed};
    return make_budget(in, parts);
}

CachePlan plan(const EngineInput& in, Bytes kv_budget) {
    const StageSums sums = stage_sums(in, in.scenario.ctx);
    const std::uint64_t page = in.scenario.block.value_or(1);
    PagedPool pool;
    pool.token = sums.token;
    pool.block_tokens = page;
    pool.blocks = page == 0 ? 0 : floor_div(kv_budget, pool.token) / page;
    CachePlan p = plan_paged(in, pool);
    const auto tokens = static_cast<double>(p.tokens), ctx = static_cast<double>(in.scenario.ctx);
    const double wanted =
        ctx > 0 ? std::clamp(std::floor(tokens / ctx * 512), 2048.0, 4096.0) : 2048;
    p.max_seqs =
        in.scenario.max_seqs.value_or(std::min(static_cast<std::uint64_t>(wanted), p.tokens / 2));
    return p;
}

std::string log(const EngineInput& in, const CachePlan& p, Bytes) {
    const double half = p.token_bytes / 2 * static_cast<double>(p.tokens + p.block_tokens);
    return "KV Cache is allocated. #tokens: " + std::to_string(p.tokens) +
           ", K size: " + gib_text(half) + " GB, V size: " + gib_text(half) +
           " GB\nmax_total_num_tokens=" + std::to_string(p.tokens) +
           ", max_running_requests=" + std::to_string(p.max_seqs) +
           ", context_len=" + std::to_string(in.scenario.ctx) + "\n";
}

// Hopper fa3, SM100 trtllm_mha, the others flashinfer or triton (server_args.py).
AttentionChoice attention(const EngineInput& in) {
    const AttentionShape s = attention_shape(in);
    const GpuClass gpu = gpu_class(in.gpu);
    AttentionChoice c{Kernels::flashinfer, true, "the default on this GPU.", "", 1};
    if (s.compressed) {
        c = {Kernels::flashmla_sparse, true, "an index picks the tokens.", "", 256};
    } else if (s.sparse) {
        c = {Kernels::flashmla_sparse, true, "an index picks the tokens.", "", 64};
    } else if (gpu == GpuClass::sm100) {
        c = s.latent ? AttentionChoice{Kernels::trtllm_mla, true,
                                       "the default on compute capability 10.x.", "", 64}
                     : AttentionChoice{Kernels::trtllm_gen, true,
                                       "the default on compute capability 10.x.", "", 64};
    } else if (gpu == GpuClass::sm90) {
        c = {Kernels::fa3, true, "the default on compute capability 9.0.", "", 1};
    } else if (gpu == GpuClass::amd || s.sinks || gpu == GpuClass::sm75) {
        c = {Kernels::triton, true, s.sinks ? "attention sinks." : "the default on this GPU.", "",
             1};
    }
    c.kv_ok =
        sixteen_bit_kv(in) || fp8_kv(in) || (in.kv.k == DType::nvfp4 && gpu == GpuClass::sm100);
    c.limit = "it takes bf16, fp16, fp8 and, on compute capability 10.x, nvfp4.";
    return c;
}

}  // namespace

constinit const EngineRules kSglang{EngineId::sglang,
                                    Version{0, 5, 15, false, 3},
                                    default_util,
                                    checkpoint_kv,
                                    tp,
                                    inventory_weights,
                                    budget,
                                    plan,
                                    log,
                                    attention,
                                    backend_text};

}  // namespace kvgauge::engine
