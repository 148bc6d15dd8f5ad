// SPDX-License-Identifier: MIT
// Owns: SGLang's memory fraction and pools. Internal to engine/.
// Sources: SGLang main 8905cbd42 (~0.5.15): server_args.py:3867 _handle_gpu_memory_settings,
// mem_cache/kv_cache_configurator.py, model_executor/pool_configurator.py (pools, SWA, Mamba,
// resolve_max_num_reqs); older fractions: server_args.py before #7054.
#pragma once
#include <cstdint>

#include "engine/engine.h"

namespace kvgauge::engine::sglang {

// Memory the default fraction leaves free, MiB, and the fraction.
struct MemoryDefault {
    std::uint64_t chunk = 0;        // chunked prefill size
    std::uint64_t graph_batch = 0;  // largest captured decode batch
    double reserved_mib = 0;
    double fraction = 0;
};
struct MemoryQuestion {
    double gpu_mib = 0;  // nvidia-smi total of the smallest GPU
    std::uint64_t tp = 1, pp = 1, dp = 1;
    bool mla = false, dp_attention = false, vision = false, prefill_graphs = true;
    std::uint64_t ctx = UINT64_MAX;
    std::uint64_t chunk = 0;  // asked, 0 = by the GPU
};
MemoryDefault memory_default(const MemoryQuestion&);
double default_fraction(const EngineInput&);

// Pools for a budget of KV bytes.
struct Pools {
    double cell = 0;  // bytes per token of the full pool, SWA share included
    std::uint64_t page = 1;
    std::uint64_t tokens = 0;         // full pool, as printed
    std::uint64_t window_tokens = 0;  // SWA pool
    std::uint64_t window = 0;         // tokens
    bool split_windows = false;
    std::uint64_t state_slots = 0;            // Mamba pool
    Bytes state_slot;                         // bytes of one
    double full_token = 0, window_token = 0;  // bytes of one token over the layers of each pool
};
Pools pools(const EngineInput&, Bytes kv_budget);

std::uint64_t max_running_requests(std::uint64_t tokens, std::uint64_t ctx);

}  // namespace kvgauge::engine::sglang
