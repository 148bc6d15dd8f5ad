// SPDX-License-Identifier: MIT
// Owns: the parts of vLLM's rules and the dates they changed. Internal to engine/.
// Sources: vLLM main 6adad0876 (between 0.27 and 0.28), 4ff865c38 (~0.22), kv_cache_planning.py
// @4253bd44 (0.33 layout), and the pull requests named at each date.
#pragma once
#include "engine/engine.h"

namespace kvgauge::engine::vllm {

// First release with each change.
namespace since {
constexpr Version at(std::uint32_t major, std::uint32_t minor, std::uint32_t patch = 0) {
    return {major, minor, patch, false, 3};
}
inline constexpr Version kv_copies = at(0, 2, 1);        // #1209: KV heads replicated
inline constexpr Version mla = at(0, 7, 1);              // #12601: latent cache of MLA models
inline constexpr Version v1 = at(0, 8);                  // V1 engine is the default
inline constexpr Version fa3 = at(0, 7, 2);              // FlashAttention 3 on Hopper
inline constexpr Version flashinfer = at(0, 8, 5);       // FlashInfer in V1
inline constexpr Version flashinfer_wheel = at(0, 9);    // FlashInfer sampler where it is installed
inline constexpr Version hybrid = at(0, 10);             // #17996: hybrid KV cache manager
inline constexpr Version uniform_type = at(0, 11);       // #25101: one group, page sum
inline constexpr Version native_sampler = at(0, 11, 1);  // #26859
inline constexpr Version max_group = at(0, 12);          // #29303: g = max when max < 1.25 min
inline constexpr Version blackwell_order = at(0, 12);    // #24794: FlashInfer first on SM100
inline constexpr Version backend_order = at(0, 12);      // backends tried in order of preference
inline constexpr Version no_xformers = at(0, 12);        // removed 2025-11-24
inline constexpr Version fp8_qkv_uneven = at(0, 13);  // #30836: merged columns need no whole blocks
inline constexpr Version vision_fallback = at(0, 15);    // #31972
inline constexpr Version mamba_align = at(0, 15);        // prefix caching of states: "align" mode
inline constexpr Version projected_check = at(0, 16);    // fit check by each stage's own layers
inline constexpr Version fa4 = at(0, 17);                // #32974
inline constexpr Version max_group_half = at(0, 18);     // #36684: ... when max < 1.5 min
inline constexpr Version triton_sampler = at(0, 18);     // #33538
inline constexpr Version flashinfer_sparse = at(0, 19);  // #37252 (2026-03): FlashInfer MLA sparse
inline constexpr Version triton_mla_fp8 = at(0, 20);     // from compute capability 8.9
inline constexpr Version util_92 = at(0, 20);            // #38284
// #41069: tokens = concurrency * length. A 0.20.1 start (club-3090#91) prints by it, 0.20.0 does
// not (vllm#43308).
inline constexpr Version tokens_by_length = at(0, 20, 1);
inline constexpr Version graph_reserve = at(0, 21);  // graph estimate subtracted
inline constexpr Version runner2_qwen3 = at(0, 22);  // Model Runner V2: no graph estimate
inline constexpr Version runner2_llama = at(0, 23);
inline constexpr Version runner2_dense = at(0, 25);
inline constexpr Version group_text = at(0, 25);     // #46230
inline constexpr Version two_in_flight = at(0, 26);  // #47728: window blocks x2
inline constexpr Version group_sum = at(0, 27);      // #48317: concurrency by blocks per group
inline constexpr Version fa4_fp8 = at(0, 27);        // #42569
inline constexpr Version fa_mla_sparse = at(0, 27);
inline constexpr Version gqa_dcp = at(0, 27);       // #49777
inline constexpr Version mamba_prefix = at(0, 28);  // #50991: align by default
inline constexpr Version batch_160 = at(0, 28);     // #51726
inline constexpr Version null_in_fit = at(0, 33);   // null block kept in the fit check
}  // namespace since

TpVerdict tp(const EngineInput&, std::uint64_t size);
double default_util(const EngineInput&);
Bytes weights(const EngineInput&);
Bytes rotary_tables(const EngineInput&);
Budget budget(const EngineInput&);
CachePlan plan(const EngineInput&, Bytes kv_budget);
std::array<CachePlan, 3> plans(const EngineInput&, const std::array<Bytes, 3>& budgets);
std::string log(const EngineInput&, const CachePlan&, Bytes kv_budget);
AttentionChoice attention(const EngineInput&);

// Tokens per block of the attention backend in effect.
std::uint64_t kernel_block(const EngineInput&);

// Scheduler defaults by device (arg_utils.py; API server).
std::uint64_t max_batched_tokens(const EngineInput&);
std::uint64_t max_num_seqs(const EngineInput&);

}  // namespace kvgauge::engine::vllm
