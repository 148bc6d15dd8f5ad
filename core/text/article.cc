// SPDX-License-Identifier: MIT
#include "text/article.h"

#include <algorithm>

#include "estimate.h"

namespace kvgauge {

Variants variants(const Scenario& asked, const Catalog& catalog) {
    Variants out;
    Scenario s;
    s.model = asked.model;
    s.imported = asked.imported;
    s.custom = asked.custom;
    s.kv = asked.kv;
    s.engine = EngineId::none;
    s.kv_budget = Variants::kBatchBudget;
    if (asked.model == "custom")
        s.kv_heads = asked.kv_heads;  // there the number is the model's own
    const Estimate own = estimate(s, catalog, Part::geometry);
    if (!own.model || !own.kv) return out;
    const AttentionSpec* first = first_attention(*own.model);
    const auto plain = [](AttnKind k) {
        return k == AttnKind::full || k == AttnKind::sliding || k == AttnKind::chunked;
    };
    if (first == nullptr || !plain(first->kind)) return out;
    out.q_heads = first->q_heads;
    out.own_kv_heads = first->kv_heads;
    std::vector<std::uint32_t> heads{first->q_heads, first->kv_heads, 1};
    heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
    for (const std::uint32_t n : heads) {
        Variants::Variant v{n, {}, 0};
        s.kv_heads = n;
        for (std::size_t i = 0; i < Variants::kContexts.size(); ++i) {
            s.ctx = Variants::kContexts[i];
            const Estimate e = estimate(s, catalog, Part::geometry);
            if (e.kv) v.request_bytes[i] = e.kv->bytes_per_request;
        }
        s.ctx = Variants::kBatchContext;
        const Estimate e = estimate(s, catalog, Part::batch);
        if (e.batch) v.requests = static_cast<std::uint64_t>(e.batch->max.value);
        out.variants.push_back(v);
    }
    return out;
}

}  // namespace kvgauge
