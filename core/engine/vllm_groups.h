// SPDX-License-Identifier: MIT
// Owns: how vLLM turns cache kinds into KV cache groups over one pool of equal blocks, and what a
// request needs of it. Source: vllm/v1/core/kv_cache_utils.py get_kv_cache_groups and
// get_kv_cache_config_from_groups (6adad0876), kv_cache_planning.py @4253bd44.
#pragma once
#include <array>
#include <cstdint>

#include "engine/vllm_cache.h"

namespace kvgauge::engine::vllm {

struct Groups {
    CacheKinds kinds;  // whole model, pages made equal where the pool asks for it
    std::array<std::uint64_t, CacheKinds::kMost> groups_of{};  // block tables per kind
    std::uint64_t groups = 0;                                  // block tables in all
    std::uint64_t group_layers = 0;                            // layers of a group (the widest)
    std::uint64_t padding_layers = 0;
    std::uint64_t padded_kind_layers = 0;  // layers of the kind that is padded most
    bool one_type = true;                  // one block table; pages may differ and add up
    bool packed = false;                   // DeepSeek-V4: pages of several sizes in one block
    Bytes pool_block;                      // bytes one block takes on the fullest stage
    // packed: bytes of all full-length pages of one block, and of one page of each size.
    Bytes full_bytes, tuple_bytes;
    bool assumed = false;
};

Groups make_groups(const EngineInput&);

// Pages one request of `length` tokens holds of a kind.
std::uint64_t pages_needed(const EngineInput&, const CacheKind&, std::uint64_t length);
// Blocks of the pool: summed over groups.
std::uint64_t blocks_needed(const EngineInput&, const Groups&, std::uint64_t length);
// Bytes the start-up check asks for.
Bytes bytes_needed(const EngineInput&, const Groups&, std::uint64_t length);

// DeepSeek-V4 (vllm_packed.cc).
void pack_latent(Groups&);
std::uint64_t packed_blocks_needed(const EngineInput&, const Groups&, std::uint64_t length);
Bytes packed_bytes_needed(const EngineInput&, const Groups&, std::uint64_t length);

}  // namespace kvgauge::engine::vllm
