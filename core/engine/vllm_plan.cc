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
    const bool full = g.one_type && !g.packed && in.version >= since::projected_check &&
                      std::all_of(g.kinds.begin(), g.kinds.end(),
                                  [](const CacheKind& k) { return k.type == CacheType::full; });
    if (full) {
        // One block table of equal blocks: whole blocks, each of `block` tokens on every shard.
        const Count tokens = Count(floor_div(budget - spare, g.pool_block)) *
                             g.kinds.kind[0].block * std::max<std::uint64_t>(1, in.scenario.dcp);
        return tokens.overflow() ? 0 : tokens.value();
    }
    constexpr std::uint64_t kNoEnd = std::uint64_t{1} << 36;
    std::uint64_t low = 1, high = kNoEnd;
    // Far lengths cost a straight line: where it meets the budget is a first guess, and a bracket
    // around it saves most of the halving.
    constexpr std::uint64_t kFar = std::uint64_t{1} << 22, kBracket = 4096;
    const double at = bytes_needed(in, g, kFar).real();
    const double slope = (bytes_needed(in, g, 2 * kFar).real() - at) / static_cast<double>(kFar);
    const double meets =
        static_cast<double>(kFar) + (budget.real() - spare.real() - at) / std::max(slope, 1e-9);
    if (meets > 0 && meets < static_cast<double>(kNoEnd - kBracket)) {
        const auto guess = static_cast<std::uint64_t>(meets);
        if (guess > kBracket && fits(guess - kBracket)) low = guess - kBracket;
        if (guess + kBracket > low && !fits(guess + kBracket)) high = guess + kBracket - 1;
        high = std::max(low, high);
    }
    while (low < high) {
        const std::uint64_t mid = low + (high - low + 1) / 2;
        if (fits(mid)) {
            low = mid;
        } else {
            high = mid - 1;
        }
    }
    // A cache that does not grow with length has no longest sequence.
    return low == kNoEnd ? in.model.max_ctx : low;
}

// What a plan is made of before a budget is known.
struct Pool {
    Groups groups;
    StageSums sums;
    Bytes token;              // what one token takes, before groups pad it
    std::uint64_t block = 1;  // tokens
    std::uint64_t need = 0;   // blocks of one ctx-token request
    Bytes asked;              // bytes the start-up check asks for
};

Pool make_pool(const EngineInput& in) {
    Pool pool;
    Groups& g = pool.groups;
    g = make_groups(in);
    const std::uint64_t ctx = in.scenario.ctx;
    pool.sums = stage_sums(in, ctx);
    for (const LayerRun& run : in.model.layers) {
        const AttentionSpec& a = run.layer.attn;
        if (a.kind == AttnKind::none || a.kind == AttnKind::cross || !a.owns_cache) continue;
        if (a.kind == AttnKind::compressed) continue;
        pool.token += (stored_token_bytes(in, a) + Bytes(a.index_bytes)) * run.count;
    }
    if (in.scenario.pp > 1 || pool.token.value() == 0) pool.token = pool.sums.token;
    if (g.kinds.size == 0 || g.pool_block.value() == 0) return pool;
    pool.block = g.kinds.block;
    pool.need = blocks_needed(in, g, ctx);
    pool.asked =
        bytes_needed(in, g, ctx) + (in.version >= since::null_in_fit ? g.pool_block : Bytes(0));
    return pool;
}

CachePlan cut(const EngineInput& in, const Pool& pool, Bytes kv_budget) {
    const Groups& g = pool.groups;
    CachePlan p;
    p.request_bytes_per_gpu = pool.sums.request;
    p.assumed = g.assumed;
    p.max_seqs = max_num_seqs(in);
    p.bytes_per_token_per_gpu = pool.token;
    p.token_bytes = pool.token.real();
    if (g.kinds.size == 0 || g.pool_block.value() == 0) {
        p.fits = g.kinds.size == 0;  // no cache at all
        p.longest_ctx = in.model.max_ctx;
        return p;
    }
    p.block_tokens = pool.block;
    p.blocks = floor_div(kv_budget, g.pool_block);
    p.pool_bytes = g.pool_block * p.blocks;
    p.reserved_per_request = g.pool_block * pool.need;
    // BlockPool keeps one null block.
    const std::uint64_t usable = p.blocks - (in.version >= since::v1 && p.blocks > 0 ? 1 : 0);
    if (pool.need != 0) {
        p.max_concurrency = static_cast<double>(p.blocks) / static_cast<double>(pool.need);
        p.max_requests = usable / pool.need;
    }
    p.tokens = printed_tokens(in, g, p);
    p.fits = pool.need != 0 && !pool.asked.overflow() && !kv_budget.overflow() &&
             pool.asked.value() <= kv_budget.value();
    p.longest_ctx = longest(in, g, kv_budget);
    return p;
}

}  // namespace

CachePlan plan(const EngineInput& in, Bytes kv_budget) {
    return cut(in, make_pool(in), kv_budget);
}

std::array<CachePlan, 3> plans(const EngineInput& in, const std::array<Bytes, 3>& budgets) {
    const Pool pool = make_pool(in);
    return {cut(in, pool, budgets[0]), cut(in, pool, budgets[1]), cut(in, pool, budgets[2])};
}

}  // namespace kvgauge::engine::vllm
