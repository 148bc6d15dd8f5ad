// SPDX-License-Identifier: MIT
// Owns: the plain paged pool: one pool of equal blocks, every caching layer in every block. It is
// the allocator of TGI, LMDeploy and TensorRT-LLM, of vLLM for models of one kind of attention, and
// of SGLang with blocks of one page. Bytes per GPU, counts in tokens and blocks.
#pragma once
#include <cstdint>

#include "engine/engine.h"
#include "engine/shards.h"

namespace kvgauge::engine {

struct PagedPool {
    Bytes token;  // stored per token on one GPU
    std::uint64_t block_tokens = 1;
    std::uint64_t blocks = 0;    // what the engine prints
    std::uint64_t unusable = 0;  // blocks that never hold a request
    std::uint64_t shards = 1;    // GPUs that share one sequence's tokens (DCP)
};

// Fills the plan of ctx-token requests.
CachePlan plan_paged(const EngineInput&, const PagedPool&);

// The plan's fields that depend on the model alone: token and steady request bytes.
CachePlan plan_geometry(const EngineInput&);

// Longest single request whose steady KV and state fit in `budget` bytes.
std::uint64_t longest_by_bytes(const EngineInput&, Bytes budget);

// Budget = total * util - weights - overhead, with what the scenario gives in place of each part.
struct BudgetParts {
    Bytes gpu_bytes, usable_bytes, weight_bytes;
    Quantity overhead;
    double util = 0;
    bool util_default = true;
};
Budget make_budget(const EngineInput&, const BudgetParts&);

// What lies beside weights and KV where no rule computes it: GiB on a GPU by itself and on one of
// several. Always marked assumed.
struct Beside {
    double low, one, one_high, several, several_high;
};
// What the engine's memory fraction is of: the GPU's total, or what is free after loading.
enum class FractionOf : std::uint8_t { total, free };
Budget simple_budget(const EngineInput&, double util_default, FractionOf, const Beside&);

// total * fraction in whole bytes, rounded up as vLLM does (math.ceil).
Bytes share_of(std::uint64_t total, double fraction);

}  // namespace kvgauge::engine
