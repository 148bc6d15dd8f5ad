// SPDX-License-Identifier: MIT
// Owns: the caches vLLM registers for a model, one kind per distinct KV cache spec, before they are
// grouped. Bytes on one GPU of the tensor-parallel group.
// Source: vllm/v1/kv_cache_interface.py (page sizes, blocks per request), platforms/interface.py
// _align_hybrid_block_size, layers/mamba/mamba_utils.py (state shapes), models/deepseek_v4.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/engine.h"

namespace kvgauge::engine::vllm {

enum class CacheType : std::uint8_t {
    full,            // every token; latent caches and their indexes too
    sliding,         // a window
    chunked,         // the current chunk
    state,           // one or a few pages per request, whatever its length
    cross,           // encoder tokens
    sliding_latent,  // DeepSeek-V4: windows of latent entries and of compressor state
};

struct CacheKind {
    CacheType type = CacheType::full;
    bool latent = false;  // stored once per GPU; cannot be padded
    std::uint64_t layers = 0;
    std::uint64_t heads = 0, k_dim = 0, v_dim = 0;
    std::uint64_t window = 0;  // tokens
    std::uint64_t block = 0;   // tokens per page
    Bytes page;                // bytes per page
    bool same_spec(const CacheKind& o) const {
        return type == o.type && latent == o.latent && heads == o.heads && k_dim == o.k_dim &&
               v_dim == o.v_dim && window == o.window && block == o.block && page == o.page;
    }
};

// Room for every kind that models mix; more are merged and the plan marked assumed.
struct CacheKinds {
    static constexpr std::size_t kMost = 16;
    std::array<CacheKind, kMost> kind;
    std::size_t size = 0;
    std::uint64_t block = 1;  // attention_block()
    bool assumed = false;
    void add(const CacheKind&);
    CacheKind* begin() { return kind.data(); }
    CacheKind* end() { return kind.data() + size; }
    const CacheKind* begin() const { return kind.data(); }
    const CacheKind* end() const { return kind.data() + size; }
};

// How many pages one request holds of each state layer, and what shares the pool with it.
enum class StateMode : std::uint8_t { none, align, all };
StateMode state_mode(const EngineInput&);

// Draft tokens a step verifies: they widen convolution windows and hold state pages.
std::uint64_t draft_tokens(const EngineInput&);

// Bytes of one cached token in one layer as vLLM stores it, index excluded.
Bytes stored_token_bytes(const EngineInput&, const AttentionSpec&);
// Recurrent and convolution state of one layer.
Bytes state_page_bytes(const EngineInput&, const StateSpec&);

// Kinds of the layers of pipeline stage `stage`, or of the whole model for `kWholeModel`.
inline constexpr std::uint64_t kWholeModel = UINT64_MAX;
CacheKinds cache_kinds(const EngineInput&, std::uint64_t stage);

// The attention block size in effect: asked, the backend's, or stretched to cover a state page.
std::uint64_t attention_block(const EngineInput&);

}  // namespace kvgauge::engine::vllm
