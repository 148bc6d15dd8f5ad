// SPDX-License-Identifier: MIT
// DeepSeek-V4's layout: one block table for all full-length latent caches, others for the windows
// (entries, fine and coarse compressor state), cut into groups of as many layers; pages of several
// sizes lie side by side in one block (kv_cache_utils.py _get_kv_cache_groups_uniform_groups,
// _bucket_layers_by_page_size).
#include <algorithm>

#include "engine/vllm.h"
#include "engine/vllm_groups.h"

namespace kvgauge::engine::vllm {
namespace {

bool is_full(const CacheKind& k) {
    return k.type == CacheType::full;
}

// Kinds of one window and block size share their block tables; the first of them answers.
bool is_first_of_table(const CacheKinds& kinds, std::size_t i) {
    const CacheKind& k = kinds.kind[i];
    for (std::size_t j = 0; j < i; ++j) {
        const CacheKind& o = kinds.kind[j];
        if (o.type == k.type && (is_full(k) || (o.block == k.block && o.window == k.window))) {
            return false;
        }
    }
    return true;
}

// Layers per group that pad least when every count is rounded up to a multiple; at least `from`.
std::uint64_t chunk_of(const CacheKinds& kinds, std::uint64_t from) {
    std::uint64_t most = from;
    for (const CacheKind& k : kinds) most = std::max(most, k.layers);
    std::uint64_t best = from, best_padding = UINT64_MAX;
    for (std::uint64_t d = from; d <= most; ++d) {
        std::uint64_t padding = (d - from % d) % d;
        for (std::size_t i = 0; i < kinds.size; ++i) {
            if (is_full(kinds.kind[i]) || !is_first_of_table(kinds, i)) continue;
            padding += (d - kinds.kind[i].layers % d) % d;
        }
        if (padding <= best_padding) {
            best_padding = padding;
            best = d;
        }
    }
    return best;
}

}  // namespace

void pack_latent(Groups& g) {
    CacheKinds& kinds = g.kinds;
    g.packed = true;
    g.one_type = false;
    std::uint64_t tuples = 1, largest = 0;
    for (const CacheKind& k : kinds) {
        if (!is_full(k)) continue;
        tuples = std::max(tuples, k.layers);
        largest = std::max(largest, k.page.value());
        g.full_bytes += k.page * k.layers;
        g.tuple_bytes += k.page;
    }
    g.group_layers = chunk_of(kinds, tuples);
    std::array<std::uint64_t, CacheKinds::kMost> slots{};  // layers of a kind in its widest group
    for (std::size_t i = 0; i < kinds.size; ++i) {
        CacheKind& k = kinds.kind[i];
        std::uint64_t cut = 1;
        if (!is_full(k)) {
            cut = std::max<std::uint64_t>(1, (k.layers + g.group_layers - 1) / g.group_layers);
            // A window's page is padded to the next page size of the full group.
            std::uint64_t target = largest;
            for (const CacheKind& f : kinds) {
                if (is_full(f) && f.page.value() >= k.page.value()) {
                    target = std::min(target, f.page.value());
                }
            }
            k.page = std::max(target, k.page.value());
        }
        slots[i] = (k.layers + cut - 1) / cut;
        g.groups_of[i] = is_first_of_table(kinds, i) ? cut : 0;
        g.groups += g.groups_of[i];
    }
    // One block holds, of each page size, as many pages as the group that uses most of them.
    for (std::size_t i = 0; i < kinds.size; ++i) {
        const Bytes page = kinds.kind[i].page;
        bool counted = false;
        for (std::size_t j = 0; j < i; ++j) counted |= kinds.kind[j].page == page;
        if (counted) continue;
        std::uint64_t most = 0;
        for (std::size_t t = 0; t < kinds.size; ++t) {
            if (g.groups_of[t] == 0) continue;  // not the first of its table
            std::uint64_t used = 0;
            for (std::size_t j = 0; j < kinds.size; ++j) {
                const CacheKind &a = kinds.kind[t], &b = kinds.kind[j];
                const bool together = a.type == b.type &&
                                      (is_full(a) || (a.block == b.block && a.window == b.window));
                if (together && b.page == page) used += slots[j];
            }
            most = std::max(most, used);
        }
        g.pool_block += page * most;
    }
}

std::uint64_t packed_blocks_needed(const EngineInput& in, const Groups& g, std::uint64_t length) {
    std::uint64_t blocks = 0;
    Bytes bytes;
    for (std::size_t i = 0; i < g.kinds.size; ++i) {
        const CacheKind& k = g.kinds.kind[i];
        const std::uint64_t pages = pages_needed(in, k, length);
        blocks += pages * g.groups_of[i];
        bytes += k.page * k.layers * pages;
    }
    if (in.version >= since::group_sum) return blocks;
    // Until then bytes of all groups over the bytes of the full group.
    const Bytes by_bytes = ceil_div(bytes, g.full_bytes);
    return by_bytes.overflow() ? blocks : by_bytes.value();
}

Bytes packed_bytes_needed(const EngineInput& in, const Groups& g, std::uint64_t length) {
    std::uint64_t tuples = 0;
    for (const CacheKind& k : g.kinds) {
        if (is_full(k)) tuples = std::max(tuples, k.layers);
    }
    tuples = std::max(tuples, g.group_layers);
    Bytes sum;
    for (std::size_t i = 0; i < g.kinds.size; ++i) {
        if (g.groups_of[i] == 0) continue;
        sum += g.tuple_bytes * tuples * pages_needed(in, g.kinds.kind[i], length) * g.groups_of[i];
    }
    return sum;
}

}  // namespace kvgauge::engine::vllm
