// SPDX-License-Identifier: MIT
// Hugging Face Transformers: its own tensor parallelism (tp_plan) shards by head and copies none;
// the cache grows with the sequence and is not reserved.
#include "engine/attention.h"
#include "engine/engines.h"
#include "engine/paged.h"
#include "engine/tp_rules.h"

namespace kvgauge::engine {
namespace {

double default_util(const EngineInput&) {
    return 1.0;
}

TpVerdict tp(const EngineInput& in, std::uint64_t size) {
    TpPolicy p;
    p.copies_kv = false;
    p.vocab_pad = 0;
    p.vision = VisionRule::none;
    return tp_by_rules(in, size, p);
}

Budget budget(const EngineInput& in) {
    BudgetParts parts;
    parts.gpu_bytes = in.gpu.visible_bytes;
    parts.util = util_or(in, 1.0);
    parts.util_default = !in.scenario.util;
    parts.usable_bytes = share_of(in.gpu.visible_bytes, parts.util);
    parts.weight_bytes = inventory_weights(in);
    const double g = static_cast<double>(gib);
    parts.overhead = {2.0 * g, 0.5 * g, 5.0 * g, Basis::assumed};
    return make_budget(in, parts);
}

CachePlan plan(const EngineInput& in, Bytes kv_budget) {
    CachePlan p = rules(EngineId::none).plan(in, kv_budget);
    p.max_seqs = 0;
    return p;
}

std::string log(const EngineInput&, const CachePlan&, Bytes) {
    return {};
}
AttentionChoice attention(const EngineInput&) {
    return {Kernels::sdpa, true, "unless another implementation is asked for.", "", 1};
}

}  // namespace

constinit const EngineRules kHf{EngineId::hf,      {},     default_util, checkpoint_kv, tp,
                                inventory_weights, budget, plan,         log,           attention,
                                backend_text};

}  // namespace kvgauge::engine
