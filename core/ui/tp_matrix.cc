// SPDX-License-Identifier: MIT
#include "ui/tp_matrix.h"

#include <algorithm>

#include "estimate.h"
#include "ui/choices.h"

namespace kvgauge::ui {
namespace {

bool starts(const TpVerdict& v) {
    return v.verdict != Verdict::error;
}

Plan plan_of(const Scenario& s, const TpVerdict& v) {
    return {
        s, s.tp, s.dcp, s.engine, v.kv_heads_per_gpu, v.copies, v.rule == TpRule::latent_copied};
}

}  // namespace

Scenario at_cell(const Scenario& s, const MatrixRow& row, std::uint64_t tp) {
    Scenario out = s;
    if (out.engine != row.engine) out.engine_version.reset();
    out.engine = row.engine;
    if (row.engine == EngineId::llamacpp)
        out.split = row.split;
    else
        out.split.reset();
    set_tp(out, tp);
    return out;
}

void TpMatrix::update(const Scenario& s, const Catalog& catalog, std::uint64_t now) {
    if (revision == now) return;
    revision = now;
    sizes = {1, 2, 3, 4, 8, 16, 32};
    if (std::find(sizes.begin(), sizes.end(), s.tp) == sizes.end()) {
        // Its place is among the seven columns: the nearest of the rare ones goes.
        sizes.push_back(s.tp);
        std::sort(sizes.begin(), sizes.end());
        sizes.erase(std::find(sizes.begin(), sizes.end(), s.tp > 16 ? 16u : s.tp == 3 ? 32u : 3u));
    }
    rows.clear();
    for (const EngineId id :
         {EngineId::vllm, EngineId::sglang, EngineId::trtllm, EngineId::lmdeploy, EngineId::tgi,
          EngineId::hf, EngineId::llamacpp, EngineId::llamacpp}) {
        MatrixRow row;
        row.engine = id;
        const bool second = !rows.empty() && rows.back().engine == id;
        row.split = second ? SplitMode::tensor : SplitMode::layer;
        const bool same = s.engine == id;
        row.version = same && s.engine_version ? *s.engine_version : rules(id).newest;
        row.current = same && (id != EngineId::llamacpp ||
                               (s.split.value_or(SplitMode::layer) == SplitMode::tensor) == second);
        for (const std::uint64_t tp : sizes) {
            const Scenario at = at_cell(s, row, tp);
            row.cells.push_back(tp_verdict(at, catalog, id, tp).value_or(TpVerdict{}));
        }
        rows.push_back(std::move(row));
    }
    token_bytes.clear();
    for (const std::uint64_t tp : sizes) {
        Scenario at = s;
        set_tp(at, tp);
        const Estimate e = estimate(at, catalog, Part::plan);
        token_bytes.push_back(e.plan ? e.plan->token_bytes : 0);
    }
}

std::vector<Plan> other_plans(const Scenario& s, const Catalog& catalog, const MatrixRow& row,
                              std::uint64_t tp, const TpVerdict& here) {
    std::vector<Plan> out;
    const bool refused = !starts(here);
    if (!refused && here.copies <= 1 && here.verdict == Verdict::ok) return out;
    const auto verdict = [&](const Scenario& at) {
        return tp_verdict(at, catalog, at.engine, at.tp);
    };
    // The same engine at the nearest size it takes.
    for (std::uint64_t size = tp; refused && size-- > 1;) {
        const Scenario at = at_cell(s, row, size);
        const auto v = verdict(at);
        if (!v || !starts(*v)) continue;
        out.push_back(plan_of(at, *v));
        break;
    }
    // Another engine at this size.
    if (refused) {
        for (const EngineId id :
             {EngineId::vllm, EngineId::sglang, EngineId::trtllm, EngineId::lmdeploy}) {
            if (id == row.engine) continue;
            const Scenario at = at_cell(s, MatrixRow{id, SplitMode::layer, {}, {}, false}, tp);
            const auto v = verdict(at);
            if (!v || !starts(*v)) continue;
            out.push_back(plan_of(at, *v));
            break;
        }
    }
    // Decode context parallel: the sequence is divided where the heads cannot be.
    for (const EngineId id : {row.engine, EngineId::vllm}) {
        Scenario at = at_cell(s, MatrixRow{id, row.split, {}, {}, false}, tp);
        const Estimate e = estimate(at, catalog, Part::tp);
        if (!e.model || e.gpu.id.empty()) break;
        const std::uint64_t dcp = dcp_without_copies(engine_input(at, e), tp);
        if (dcp <= 1) continue;
        at.dcp = dcp;
        const auto v = verdict(at);
        if (!v || !starts(*v)) continue;
        out.push_back(plan_of(at, *v));
        break;
    }
    // Copies only: the largest size without them.
    if (!refused) {
        for (std::uint64_t size = tp; size-- > 1;) {
            const Scenario at = at_cell(s, row, size);
            const auto v = verdict(at);
            if (!v || !starts(*v) || v->copies > 1) continue;
            out.push_back(plan_of(at, *v));
            break;
        }
    }
    if (out.size() > 3) out.resize(3);
    return out;
}

}  // namespace kvgauge::ui
