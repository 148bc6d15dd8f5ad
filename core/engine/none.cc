// SPDX-License-Identifier: MIT
// Plain arithmetic: no blocks, no reserve. KV budget = given, or total * util - weights - overhead.
#include <algorithm>
#include <cmath>

#include "engine/engines.h"
#include "engine/paged.h"
#include "engine/tp_rules.h"

namespace kvgauge::engine {
namespace {

double default_util(const EngineInput&) {
    return 0.90;
}

// Only the heads are looked at: they divide, or a head is copied.
TpVerdict tp(const EngineInput& in, std::uint64_t size) {
    TpPolicy p;
    p.mlp = p.moe = p.fp8_block = p.quant_group = p.state = false;
    p.vocab_pad = 0;
    p.vision = VisionRule::none;
    return tp_by_rules(in, size, p);
}

Budget budget(const EngineInput& in) {
    BudgetParts parts;
    parts.gpu_bytes = in.gpu.visible_bytes;
    parts.util = util_or(in, default_util(in));
    parts.util_default = !in.scenario.util;
    parts.usable_bytes = share_of(in.gpu.visible_bytes, parts.util);
    parts.weight_bytes = inventory_weights(in);
    return make_budget(in, parts);
}

CachePlan plan(const EngineInput& in, Bytes kv_budget) {
    CachePlan p = plan_geometry(in);
    p.assumed = false;
    const Bytes request = p.reserved_per_request;
    p.block_tokens = 1;
    p.tokens = floor_div(kv_budget, p.bytes_per_token_per_gpu);
    p.blocks = p.tokens;
    p.pool_bytes = kv_budget;
    p.max_requests = floor_div(kv_budget, request);
    p.max_concurrency = request.value() != 0 ? kv_budget.real() / request.real() : 0;
    p.fits = p.max_requests >= 1;
    p.longest_ctx = longest_by_bytes(in, kv_budget);
    return p;
}

std::string log(const EngineInput&, const CachePlan&, Bytes) {
    return {};
}
AttentionChoice attention(const EngineInput&) {
    return {};
}

}  // namespace

constinit const EngineRules kNone{EngineId::none,    {},     default_util, checkpoint_kv, tp,
                                  inventory_weights, budget, plan,         log,           attention,
                                  backend_text};

}  // namespace kvgauge::engine
