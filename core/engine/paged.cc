// SPDX-License-Identifier: MIT
#include "engine/paged.h"

#include <algorithm>
#include <cmath>

#include "engine/engines.h"

namespace kvgauge::engine {

Bytes share_of(std::uint64_t total, double fraction) {
    const double bytes = std::ceil(static_cast<double>(total) * fraction);
    if (!(bytes > 0)) return 0;
    // 2^64 and more cannot be held.
    if (bytes >= 18446744073709551615.0) return Bytes::overflowed();
    return static_cast<std::uint64_t>(bytes);
}

CachePlan plan_geometry(const EngineInput& in) {
    const StageSums sums = stage_sums(in, in.scenario.ctx);
    CachePlan p;
    p.bytes_per_token_per_gpu = sums.token;
    p.token_bytes = sums.token.real();
    p.request_bytes_per_gpu = sums.request;
    p.reserved_per_request = sums.request + sums.state;
    p.assumed = !sums.plain;
    return p;
}

std::uint64_t longest_by_bytes(const EngineInput& in, Bytes budget) {
    const auto fits = [&](std::uint64_t ctx) {
        const StageSums sums = stage_sums(in, ctx);
        const Bytes need = sums.request + sums.state;
        return !need.overflow() && !budget.overflow() && need.value() <= budget.value();
    };
    const StageSums one = stage_sums(in, 1);
    if (one.token.overflow() || one.token.value() == 0) return 0;  // no cache grows with length
    if (one.plain) return floor_div(budget, one.token);
    // With windows a request costs at most its tokens, and at least those of the full layers.
    std::uint64_t low = 0, high = std::uint64_t{1} << 40;
    while (low < high) {
        const std::uint64_t mid = low + (high - low + 1) / 2;
        if (fits(mid)) {
            low = mid;
        } else {
            high = mid - 1;
        }
    }
    return low;
}

CachePlan plan_paged(const EngineInput& in, const PagedPool& pool) {
    CachePlan p = plan_geometry(in);
    const std::uint64_t shards = std::max<std::uint64_t>(1, pool.shards);
    const std::uint64_t block = std::max<std::uint64_t>(1, pool.block_tokens);
    const std::uint64_t need = ceil_div(ceil_div(in.scenario.ctx, shards), block).value();
    p.block_tokens = block;
    p.blocks = pool.blocks;
    p.pool_bytes = pool.token * block * pool.blocks;
    const Count tokens = Count(pool.blocks) * block * shards;
    p.tokens = tokens.overflow() ? 0 : tokens.value();
    p.reserved_per_request = pool.token * block * need;
    if (need != 0) {
        p.max_concurrency = static_cast<double>(pool.blocks) / static_cast<double>(need);
        p.max_requests = (pool.blocks - std::min(pool.unusable, pool.blocks)) / need;
    }
    p.fits = need != 0 && pool.blocks >= need;
    p.longest_ctx = p.tokens;
    return p;
}

Budget make_budget(const EngineInput& in, const BudgetParts& parts) {
    Budget b;
    b.gpu_bytes = parts.gpu_bytes;
    b.usable_bytes = parts.usable_bytes;
    b.weight_bytes = parts.weight_bytes;
    b.overhead = parts.overhead;
    b.util = parts.util;
    b.util_default = parts.util_default;
    const Scenario& s = in.scenario;
    if (s.overhead) b.overhead = {static_cast<double>(*s.overhead), {}, {}, Basis::exact};
    if (s.kv_budget) {
        b.kv = {static_cast<double>(*s.kv_budget), {}, {}, Basis::exact};
        return b;
    }
    const double room = b.usable_bytes.real() - b.weight_bytes.real();
    const auto left = [room](double overhead) { return std::max(0.0, room - overhead); };
    b.kv.value = left(b.overhead.value);
    // More overhead leaves less for KV.
    if (b.overhead.high) b.kv.low = left(*b.overhead.high);
    if (b.overhead.low) b.kv.high = left(*b.overhead.low);
    b.kv.basis = b.overhead.basis;
    return b;
}

Budget simple_budget(const EngineInput& in, double util_default, FractionOf of,
                     const Beside& beside) {
    BudgetParts parts;
    parts.gpu_bytes = in.gpu.visible_bytes;
    parts.util = util_or(in, util_default);
    parts.util_default = !in.scenario.util;
    const bool free = of == FractionOf::free;
    parts.usable_bytes =
        free ? Bytes(in.gpu.visible_bytes) : share_of(in.gpu.visible_bytes, parts.util);
    parts.weight_bytes = inventory_weights(in);
    const double g = static_cast<double>(gib);
    const bool several = in.scenario.tp > 1;
    parts.overhead = {(several ? beside.several : beside.one) * g, beside.low * g,
                      (several ? beside.several_high : beside.one_high) * g, Basis::assumed};
    Budget b = make_budget(in, parts);
    if (!free || in.scenario.kv_budget) return b;
    b.kv.value *= parts.util;
    if (b.kv.low) b.kv.low = *b.kv.low * parts.util;
    if (b.kv.high) b.kv.high = *b.kv.high * parts.util;
    return b;
}

}  // namespace kvgauge::engine
