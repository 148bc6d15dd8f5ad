// SPDX-License-Identifier: MIT
// Owns: the comparison of MHA, GQA and MQA variants of one model, as articles about GQA print it:
// KV bytes of one request by context, and the requests that a given KV budget holds. Plain
// arithmetic (engine none: no blocks, no reserve), in the scenario's KV dtype; every number is an
// estimate.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "data/catalog.h"
#include "model/scenario.h"
#include "model/units.h"

namespace kvgauge {

struct Variants {
    static constexpr std::array<std::uint64_t, 4> kContexts{2048, 8192, 32768, 131072};  // tokens
    static constexpr std::uint64_t kBatchContext = 8192;                                 // tokens
    static constexpr std::uint64_t kBatchBudget = 60 * gib;                              // bytes

    struct Variant {
        std::uint32_t kv_heads = 0;
        std::array<Bytes, kContexts.size()> request_bytes;
        std::uint64_t requests = 0;
    };
    std::uint32_t q_heads = 0, own_kv_heads = 0;
    std::vector<Variant> variants;  // as many KV heads as query heads, the model's own, one
};

// No variants: the model keeps no plain K and V heads (a latent, a state), or is not known.
Variants variants(const Scenario&, const Catalog&);

}  // namespace kvgauge
