// SPDX-License-Identifier: MIT
#include "engine/sglang.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/attention.h"
#include "engine/engines.h"
#include "engine/lines.h"
#include "engine/paged.h"
#include "engine/shards.h"
#include "engine/tp_rules.h"

namespace kvgauge::engine {
namespace {

TpVerdict tp(const EngineInput& in, std::uint64_t size) {
    TpPolicy p;
    p.vision = VisionRule::none;  // the tower is padded with dummy heads
    if (in.scenario.dp_attention && in.scenario.dp > 1) {
        if (size % in.scenario.dp != 0) {
            return refusal(TpRule::dp_attention, in.scenario.dp, size, 0,
                           "tp_size must be divisible by");
        }
        p.attention_tp = size / in.scenario.dp;
    }
    p.q_fragment = "is not divisible by";
    p.group_fragment = "is not divisible by";
    // --dcp-size: latent models only.
    if (in.scenario.dcp > 1) {
        const AttentionSpec* a = first_attention(in.model);
        const bool latent = a != nullptr && a->kind == AttnKind::mla;
        if (!latent || size % in.scenario.dcp != 0) {
            return refusal(TpRule::dcp, in.scenario.dcp, size, 1, "");
        }
        p.dcp = in.scenario.dcp;
    }
    return tp_by_rules(in, size, p);
}

// KV = free now - free before load * (1 - fraction): graphs and activations live in what is left;
// only what was taken before and beside the weights is missing.
Budget budget(const EngineInput& in) {
    constexpr Beside kBeside{0.2, 0.6, 1.5, 1.2, 3.0};
    Budget b = simple_budget(in, sglang::default_fraction(in), FractionOf::total, kBeside);
    b.gpu_bytes = in.gpu.driver_bytes;
    return b;
}

// State slots of one request: the running state and its cached copies.
std::uint64_t slots_of_request(const EngineInput& in) {
    return in.scenario.prefix_caching.value_or(true) ? 3 : 1;
}

// Whole requests of ctx tokens that the pools hold.
std::uint64_t requests(const EngineInput& in, const sglang::Pools& p) {
    const std::uint64_t dcp = std::max<std::uint64_t>(1, in.scenario.dcp);
    const std::uint64_t ctx = (in.scenario.ctx + dcp - 1) / dcp;
    const std::uint64_t whole = round_up(ctx, p.page).value();
    std::uint64_t n = whole == 0 ? 0 : p.tokens / whole;
    if (p.split_windows) {
        // A request is admitted with its window and one page.
        const std::uint64_t held = std::min(whole, round_up(p.window + p.page, p.page).value());
        n = held == 0 ? 0 : p.window_tokens / held;
        if (p.full_token > 0) n = std::min(n, whole == 0 ? 0 : p.tokens / whole);
    }
    if (p.state_slot.value() != 0) {
        n = std::min(n, p.state_slots / slots_of_request(in));
    }
    return n;
}

CachePlan plan(const EngineInput& in, Bytes kv_budget) {
    const sglang::Pools p = sglang::pools(in, kv_budget);
    CachePlan c = plan_geometry(in);
    const std::uint64_t dcp = std::max<std::uint64_t>(1, in.scenario.dcp);
    c.token_bytes = p.full_token + p.window_token;
    c.bytes_per_token_per_gpu = static_cast<std::uint64_t>(c.token_bytes);
    c.block_tokens = p.page;
    c.tokens = p.tokens * dcp;
    c.blocks = p.tokens / p.page;
    c.max_requests = requests(in, p);
    const double ctx = static_cast<double>(in.scenario.ctx);
    if (ctx > 0) c.max_concurrency = static_cast<double>(c.tokens) / ctx;
    c.fits = c.max_requests >= 1;
    c.longest_ctx = c.tokens;
    const std::uint64_t whole = round_up(in.scenario.ctx, p.page).value();
    const double held =
        p.split_windows
            ? p.full_token * static_cast<double>(whole) +
                  p.window_token * static_cast<double>(std::min(whole, p.window + p.page))
            : p.cell * static_cast<double>(whole);
    c.reserved_per_request = Bytes(static_cast<std::uint64_t>(held)) + p.state_slot;
    c.pool_bytes = Bytes(static_cast<std::uint64_t>(p.cell * static_cast<double>(p.tokens))) +
                   p.state_slot * p.state_slots;
    c.max_seqs =
        in.scenario.max_seqs.value_or(sglang::max_running_requests(c.tokens, in.scenario.ctx));
    if (p.state_slot.value() != 0 && !in.scenario.max_seqs) {
        c.max_seqs = std::min(c.max_seqs, p.state_slots / slots_of_request(in));
    }
    return c;
}

std::string log(const EngineInput& in, const CachePlan& c, Bytes kv_budget) {
    const sglang::Pools p = sglang::pools(in, kv_budget);
    std::string s;
    if (p.state_slot.value() != 0) {
        s += "Mamba Cache is allocated. max_mamba_cache_size: " + std::to_string(p.state_slots) +
             "\n";
    }
    // One page more than the tokens; GiB, labelled GB.
    const double rows = static_cast<double>(p.tokens + p.page);
    const double token = p.split_windows ? p.full_token : p.full_token + p.window_token;
    const AttentionSpec* a = first_attention(in.model);
    if (a != nullptr && (a->kind == AttnKind::mla || a->kind == AttnKind::compressed)) {
        s += "KV Cache is allocated. #tokens: " + std::to_string(p.tokens) +
             ", KV size: " + gib_text(token * rows) + " GB\n";
    } else {
        s += "KV Cache is allocated. #tokens: " + std::to_string(p.tokens) +
             ", K size: " + gib_text(token / 2 * rows) +
             " GB, V size: " + gib_text(token / 2 * rows) + " GB\n";
    }
    if (p.split_windows) {
        const double window_rows = static_cast<double>(p.window_tokens + p.page);
        s += "KV Cache is allocated. #tokens: " + std::to_string(p.window_tokens) +
             ", K size: " + gib_text(p.window_token / 2 * window_rows) +
             " GB, V size: " + gib_text(p.window_token / 2 * window_rows) + " GB\n";
    }
    return s + "max_total_num_tokens=" + std::to_string(c.tokens) +
           ", max_running_requests=" + std::to_string(c.max_seqs) +
           ", context_len=" + std::to_string(in.scenario.ctx) + "\n";
}

// server_args.py gives the DeepSeek-V3 shape TensorRT-LLM's kernels on Blackwell.
bool deepseek_latent(const ModelSpec& m) {
    constexpr std::array<std::string_view, 4> kTypes{"deepseek_v3", "kimi_k2", "kimi_k25",
                                                     "mistral4"};
    return std::find(kTypes.begin(), kTypes.end(), m.model_type) != kTypes.end();
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
    } else if (gpu == GpuClass::sm100 && s.latent && !deepseek_latent(in.model)) {
        c = {Kernels::flashinfer_mla, true, "the default on compute capability 10.x.", "", 1};
    } else if (gpu == GpuClass::sm100) {
        c = {s.latent ? Kernels::trtllm_mla : Kernels::trtllm_gen, true,
             "the default on compute capability 10.x.", "", 64};
    } else if (gpu == GpuClass::sm90) {
        c = {Kernels::fa3, true, "the default on compute capability 9.0.", "", 1};
    } else if (s.latent && gpu != GpuClass::amd) {
        c = {Kernels::triton_mla, true, "the default for latent attention on this GPU.", "", 1};
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
                                    sglang::default_fraction,
                                    checkpoint_kv,
                                    tp,
                                    inventory_weights,
                                    budget,
                                    plan,
                                    log,
                                    attention,
                                    backend_text};

}  // namespace kvgauge::engine
