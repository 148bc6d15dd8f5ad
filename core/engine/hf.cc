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
    return simple_budget(in, default_util(in), FractionOf::total, {0.5, 2.0, 5.0, 2.0, 5.0});
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
