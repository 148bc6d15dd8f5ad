// SPDX-License-Identifier: MIT
// A pinned link spells out what the presets stand for. A model that the keys of model=custom cannot
// describe exactly keeps its id; the catalog revision then says which numbers were meant.
#include <utility>

#include "estimate.h"
#include "text/link.h"

namespace kvgauge {
namespace {

bool equal_numbers(const Estimate& a, const Estimate& b) {
    const auto total = [](const Estimate& e) { return e.params ? e.params->total : Count(); };
    const auto most = [](const Estimate& e) { return e.batch ? e.batch->max.value : -1; };
    const auto tokens = [](const Estimate& e) { return e.plan ? e.plan->tokens : 0; };
    const auto tpot = [](const Estimate& e) { return e.speed ? e.speed->tpot.value : 0; };
    return a.kv == b.kv && total(a) == total(b) && a.checkpoint == b.checkpoint && a.tp == b.tp &&
           a.weights_per_gpu == b.weights_per_gpu && most(a) == most(b) && tokens(a) == tokens(b) &&
           tpot(a) == tpot(b);
}

// The keys that describe the model as layers of one shape, some with a window.
void write_out_model(const ModelSpec& m, Scenario& s) {
    const AttentionSpec* a = first_attention(m);
    if (a == nullptr || m.layers.empty()) return;
    CustomModel c;
    c.layers = layer_count(m);
    c.q_heads = a->q_heads;
    c.head_dim = a->k_dim;
    if (a->kind == AttnKind::mla) {
        c.mla_rank = a->mla_rank;
        c.mla_rope = a->mla_rope;
    }
    c.hidden = m.hidden;
    c.vocab = m.vocab;
    const FfnSpec& f = m.layers.front().layer.ffn;
    c.inter = f.experts != 0 ? f.expert_inter : f.inter;
    if (f.experts != 0) {
        c.experts = f.experts;
        c.experts_active = f.experts_active;
    }
    std::uint64_t windowed = 0;
    for (const LayerRun& r : m.layers) {
        if (r.layer.attn.kind != AttnKind::sliding) continue;
        c.window = r.layer.attn.window;
        windowed += r.count;
    }
    if (c.window) c.window_layers = windowed;
    c.params = params(m).total.value();
    s.model = "custom";
    s.imported = nullptr;
    s.model_source.clear();
    s.source_key.clear();
    s.kv_heads = a->kv_heads;
    s.custom = c;
}

void write_out_gpu(const Estimate& e, Scenario& s) {
    GpuOverrides& own = s.gpu_own;
    own.memory = e.gpu.visible_bytes;
    own.bandwidth = e.gpu.bandwidth;
    if (e.gpu.flops16 > 0) own.flops16 = e.gpu.flops16;
    if (e.gpu.flops8 > 0) own.flops8 = e.gpu.flops8;
    if (e.gpu.flops4 > 0) own.flops4 = e.gpu.flops4;
    if (e.gpu.link > 0) own.link = e.gpu.link;
}

}  // namespace

std::string pinned_link(const Scenario& asked, const Catalog& catalog) {
    const Estimate before = estimate(asked, catalog);
    if (!before.model || before.gpu.id.empty()) return format_link(asked);
    Scenario s = asked;
    if (s.engine != EngineId::none) s.engine_version = before.version;
    if (before.budget && !s.kv_budget) s.util = before.budget->util;
    s.weights = before.weights.kind;
    if (s.kv == DType::automatic) s.kv = before.kv_types.k;
    // Each step is kept only where it leaves every number as it was.
    const auto keep_if_equal = [&](Scenario next) {
        if (equal_numbers(before, estimate(next, catalog))) s = std::move(next);
    };
    Scenario gpu = s;
    write_out_gpu(before, gpu);
    keep_if_equal(std::move(gpu));
    Scenario model = s;
    write_out_model(*before.model, model);
    keep_if_equal(std::move(model));
    return format_link(s, {}, {{"rev", std::string(catalog.revision())}});
}

}  // namespace kvgauge
