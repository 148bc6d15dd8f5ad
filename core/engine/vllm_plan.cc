// SPDX-License-Identifier: MIT
// vLLM's pool for a given KV budget: blocks, the tokens and concurrency it prints, whole requests.
#include <algorithm>
#include <cmath>

#include "engine/paged.h"
#include "engine/shards.h"
#include "engine/vllm.h"
#include "engine/vllm_groups.h"

namespace kvgauge::engine::vllm {
namespace {

// Smallest block of any group, as the token count of 0.10 to 0.20 multiplies it.
std::uint64_t smallest_block(const Groups& g) {
    std::uint64_t block = UINT64_MAX;
    for (const CacheKind& k : g.kinds) block = std::min(block, k.block);
    return block;
}

std::uint64_t whole(double v) {
    if (!(v > 0)) return 0;
    return v >= 9.2e18 ? UINT64_MAX / 2 : static_cast<std::uint64_t>(v);
}

std::uint64_t printed_tokens(const EngineInput& in, const Groups& g, const CachePlan& p) {
    const std::uint64_t shards = std::max<std::uint64_t>(1, in.scenario.dcp);
    if (in.version >= since::tokens_by_length) {
        return whole(p.max_concurrency * static_cast<double>(in.scenario.ctx));
    }
    const std::uint64_t groups =
        in.version < since::hybrid ? 1 : std::max<std::uint64_t>(1, g.groups);
    const Count tokens = Count(p.blocks / groups) * smallest_block(g) * shards;
    return tokens.overflow() ? 0 : tokens.value();
}

// Longest sequence whose blocks the pool holds.
std::uint64_t longest(const EngineInput& in, const Groups& g, Bytes budget) {
    const Bytes spare = in.version >= since::null_in_fit ? g.pool_block : Bytes(0);
    const auto fits = [&](std::uint64_t length) {
        const Bytes need = bytes_needed(in, g, length) + spare;
        return !need.overflow() && need.value() <= budget.value();
    };
    if (budget.overflow() || !fits(1)) return 0;
    std::uint64_t low = 1, high = std::uint64_t{1} << 36;
    while (low < high) {
        const std::uint64_t mid = low + (high - low + 1) / 2;
        if (fits(mid)) {
            low = mid;
        } else {
            high = mid - 1;
        }
    }
    // A cache that does not grow with length has no longest sequence.
    return low == std::uint64_t{1} << 36 ? in.model.max_ctx : low;
}

}  // namespace

CachePlan plan(const EngineInput& in, Bytes kv_budget) {
    const Groups g = make_groups(in);
    const std::uint64_t ctx = in.scenario.ctx;
    CachePlan p;
    const StageSums sums = stage_sums(in, ctx);
    p.request_bytes_per_gpu = sums.request;
    p.assumed = g.assumed;
    p.max_seqs = max_num_seqs(in);
    // What one token takes, before groups pad it.
    Bytes token;
    for (const LayerRun& run : in.model.layers) {
        const AttentionSpec& a = run.layer.attn;
        if (a.kind == AttnKind::none || a.kind == AttnKind::cross || !a.owns_cache) continue;
        if (a.kind == AttnKind::compressed) continue;
        token += (stored_token_bytes(in, a) + Bytes(a.index_bytes)) * run.count;
    }
    if (in.scenario.pp > 1 || token.value() == 0) token = sums.token;
    p.bytes_per_token_per_gpu = token;
    p.token_bytes = token.real();
    if (g.kinds.size == 0 || g.pool_block.value() == 0) {
        p.fits = g.kinds.size == 0;  // no cache at all
        p.longest_ctx = in.model.max_ctx;
        return p;
    }
    p.block_tokens = attention_block(in);
    p.blocks = floor_div(kv_budget, g.pool_block);
    p.pool_bytes = g.pool_block * p.blocks;
    const std::uint64_t need = blocks_needed(in, g, ctx);
    p.reserved_per_request = g.pool_block * need;
    // BlockPool keeps one null block.
    const std::uint64_t usable = p.blocks - (in.version >= since::v1 && p.blocks > 0 ? 1 : 0);
    if (need != 0) {
        p.max_concurrency = static_cast<double>(p.blocks) / static_cast<double>(need);
        p.max_requests = usable / need;
    }
    p.tokens = printed_tokens(in, g, p);
    const Bytes asked =
        bytes_needed(in, g, ctx) + (in.version >= since::null_in_fit ? g.pool_block : Bytes(0));
    p.fits = need != 0 && !asked.overflow() && !kv_budget.overflow() &&
             asked.value() <= kv_budget.value();
    p.longest_ctx = longest(in, g, kv_budget);
    return p;
}

}  // namespace kvgauge::engine::vllm
