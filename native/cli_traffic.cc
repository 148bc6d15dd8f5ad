// SPDX-License-Identifier: MIT
// The traffic rows of a scenario by themselves, also where all requests are alike.
#include "estimate_traffic.h"
#include "native/cli.h"
#include "native/table.h"
#include "text/numbers.h"
#include "text/row_values.h"

namespace kvgauge {
namespace {

constexpr std::string_view kIds[] = {
    "traffic.concurrency",
    "traffic.concurrency_1pct",
    "batch.max",
    "traffic.mean_in",
    "traffic.mean_out",
    "traffic.cut",
    "traffic.blocks_per_request",
    "traffic.longest_blocks",
    "engine.block_tokens",
    "traffic.blocks",
    "traffic.seed",
};

std::string number(const Output& o, double v) {
    const bool people = o.kind == Format::text || o.kind == Format::md;
    return people ? grouped(v) : plain(v);
}

}  // namespace

int run_traffic(const Output& o, const Keys& keys) {
    const ReadScenario in = read_scenario(keys, builtin_catalog());
    Issues issues = in.issues;
    if (has_error(issues)) {
        tell_issues(o, issues);
        return kUsage;
    }
    const Scenario& s = in.scenario;
    const Lang lang = language(in.view);
    Estimate e = estimate(s, builtin_catalog(), Part::batch);
    if (!has_error(e.issues)) add_traffic(s, builtin_catalog(), e, e.issues);
    if (!e.traffic && !has_error(e.issues)) {
        e.issues.push_back({Severity::error, "tp",
                            "tp: the engine refuses this scenario; kvgauge check says why."});
    }
    issues.insert(issues.end(), e.issues.begin(), e.issues.end());
    tell_issues(o, in_language(lang, issues));
    if (!e.traffic) return kUsage;
    if (!e.traffic->even) tell(o, std::string(text(lang, Str::how_traffic_uneven)) + ".");
    Table t{{"id", "label", "value", "low", "high", "unit", "basis"}, {}};
    for (const std::string_view id : kIds) {
        const RowKind& kind = *find_row(id);
        const auto v = kind.get(s, e);
        if (!v) continue;
        t.rows.push_back({std::string(id), std::string(text(lang, kind.label)),
                          number(o, v->real()), v->low ? number(o, *v->low) : "",
                          v->high ? number(o, *v->high) : "", std::string(kind.unit),
                          std::string(name(v->basis))});
    }
    return emit(o, table_text(t, o.kind)) ? kOk : kFailed;
}

}  // namespace kvgauge
