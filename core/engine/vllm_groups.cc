// SPDX-License-Identifier: MIT
#include "engine/vllm_groups.h"

#include <algorithm>

#include "engine/shards.h"
#include "engine/vllm.h"

namespace kvgauge::engine::vllm {
namespace {

std::uint64_t cdiv(std::uint64_t a, std::uint64_t b) {
    return b == 0 ? 0 : a / b + (a % b != 0);
}

// All layers need the same number of token slots: one block table serves them.
bool one_type(const CacheKinds& kinds) {
    const CacheKind& first = kinds.kind[0];
    for (const CacheKind& k : kinds) {
        if (k.type != first.type || k.block != first.block || k.window != first.window)
            return false;
    }
    return true;
}

Bytes page_sum(const CacheKinds& kinds) {
    Bytes sum;
    for (const CacheKind& k : kinds) sum += k.page * k.layers;
    return sum;
}

// Makes every page as large as the largest: a smaller page takes more tokens where the ratio is
// whole, else it is padded. A latent page cannot be padded: then windows are sized as full.
// Answers false when that happened.
bool unify_pages(CacheKinds& kinds) {
    std::uint64_t largest = 0;
    for (const CacheKind& k : kinds) largest = std::max(largest, k.page.value());
    for (const CacheKind& k : kinds) {
        if (k.latent && k.page.value() != 0 && largest % k.page.value() != 0) {
            for (CacheKind& c : kinds) {
                if (c.type == CacheType::sliding) c.type = CacheType::full, c.window = 0;
            }
            return false;
        }
    }
    for (CacheKind& k : kinds) {
        const std::uint64_t page = k.page.value();
        if (page == 0 || page == largest) continue;
        if (largest % page == 0 && k.type != CacheType::state) k.block *= largest / page;
        k.page = largest;
    }
    return true;
}

// Layers per group: the fewest of any kind, or the most where padding the others costs little.
std::uint64_t group_size(const EngineInput& in, const CacheKinds& kinds) {
    std::uint64_t least = UINT64_MAX, most = 0;
    for (const CacheKind& k : kinds) {
        least = std::min(least, k.layers);
        most = std::max(most, k.layers);
    }
    const double factor = in.version >= since::max_group_half ? 1.5
                          : in.version >= since::max_group    ? 1.25
                                                              : 1.0;
    return static_cast<double>(most) < static_cast<double>(least) * factor ? most : least;
}

}  // namespace

std::uint64_t pages_needed(const EngineInput& in, const CacheKind& k, std::uint64_t length) {
    const std::uint64_t shards = std::max<std::uint64_t>(1, in.scenario.dcp);
    const std::uint64_t in_flight =
        max_batched_tokens(in) * (in.version >= since::two_in_flight ? 2 : 1);
    switch (k.type) {
        case CacheType::full:
            return cdiv(cdiv(length, shards), k.block);
        case CacheType::sliding:
        case CacheType::sliding_latent: {
            const std::uint64_t window = k.window == 0 ? 0 : k.window - 1;
            const std::uint64_t tokens = std::min((Count(window) + in_flight).value(), length);
            return cdiv(tokens, k.block) + 1;
        }
        case CacheType::chunked:
            return cdiv(std::min(k.window + in_flight, length), k.block);
        case CacheType::state:
            switch (state_mode(in)) {
                case StateMode::none:
                    return 1 + draft_tokens(in);
                case StateMode::align:
                    return 2 + draft_tokens(in);
                case StateMode::all:
                    return cdiv(length, k.block) + draft_tokens(in);
            }
            return 1;
        case CacheType::cross:
            return cdiv(in.scenario.cross_tokens.value_or(in.model.cross_tokens), k.block);
    }
    return 0;
}

std::uint64_t blocks_needed(const EngineInput& in, const Groups& g, std::uint64_t length) {
    if (g.packed) return packed_blocks_needed(in, g, length);
    std::uint64_t blocks = 0;
    for (std::size_t i = 0; i < g.kinds.size; ++i) {
        const std::uint64_t pages = pages_needed(in, g.kinds.kind[i], length);
        blocks = g.one_type ? std::max(blocks, pages) : blocks + pages * g.groups_of[i];
    }
    return blocks;
}

Bytes bytes_needed(const EngineInput& in, const Groups& g, std::uint64_t length) {
    if (g.packed) return packed_bytes_needed(in, g, length);
    if (in.version < since::projected_check) {
        // Each layer by itself, all stages on one worker.
        Bytes sum;
        for (const CacheKind& k : g.kinds) {
            sum += k.page * k.layers * pages_needed(in, k, length);
        }
        return sum;
    }
    return g.pool_block * blocks_needed(in, g, length);
}

Groups make_groups(const EngineInput& in) {
    Groups g;
    g.kinds = cache_kinds(in, kWholeModel);
    g.assumed = g.kinds.assumed;
    if (g.kinds.size == 0) return g;
    const std::uint64_t layers = std::max<std::uint64_t>(1, layer_count(in.model));
    const std::uint64_t pp = std::clamp<std::uint64_t>(in.scenario.pp, 1, layers);
    const bool packs = std::any_of(g.kinds.begin(), g.kinds.end(), [](const CacheKind& k) {
        return k.type == CacheType::sliding_latent;
    });
    if (packs) {
        pack_latent(g);
        g.assumed |= pp > 1;
        return g;
    }
    g.one_type = one_type(g.kinds) || (!unify_pages(g.kinds) && one_type(g.kinds));
    if (g.one_type) {
        g.groups = 1;
        for (const CacheKind& k : g.kinds) g.group_layers += k.layers;
        g.groups_of[0] = 1;
        for (std::uint64_t s = 0; s < pp; ++s) {
            const Bytes sum = pp == 1 ? page_sum(g.kinds) : page_sum(cache_kinds(in, s));
            if (s == 0 || sum.value() > g.pool_block.value()) g.pool_block = sum;
        }
        return g;
    }
    g.group_layers = group_size(in, g.kinds);
    for (std::size_t i = 0; i < g.kinds.size; ++i) {
        const std::uint64_t n = g.kinds.kind[i].layers;
        g.groups_of[i] = cdiv(n, g.group_layers);
        g.groups += g.groups_of[i];
        const std::uint64_t padding = g.groups_of[i] * g.group_layers - n;
        if (padding > g.padding_layers) {
            g.padding_layers = padding;
            g.padded_kind_layers = n;
        }
    }
    // A stage holds its share of every group; the widest share counts.
    std::uint64_t widest = g.group_layers;
    if (pp > 1) {
        widest = 0;
        const CacheKinds whole = cache_kinds(in, kWholeModel);
        for (std::uint64_t s = 0; s < pp; ++s) {
            for (const CacheKind& k : cache_kinds(in, s)) {
                for (std::size_t i = 0; i < whole.size; ++i) {
                    if (whole.kind[i].same_spec(k)) {
                        widest = std::max(widest, cdiv(k.layers, g.groups_of[i]));
                    }
                }
            }
        }
    }
    g.pool_block = g.kinds.kind[0].page * widest;
    return g;
}

}  // namespace kvgauge::engine::vllm
