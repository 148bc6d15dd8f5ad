// SPDX-License-Identifier: MIT
#include <cstdio>

#include "native/cli.h"
#include "native/files.h"
#include "native/table.h"
#include "text/numbers.h"

namespace kvgauge {
namespace {

std::string number(const Output& o, double v) {
    const bool people = o.kind == Format::text || o.kind == Format::md;
    return people ? grouped(v) : plain(v);
}

}  // namespace

int run_traffic(const Output& o, const Keys& keys, TrafficAsked asked, const std::string& file) {
    const ReadScenario in = read_scenario(keys, builtin_catalog());
    Issues issues = in.issues;
    if (!file.empty() && !has_error(issues)) {
        std::string why;
        const auto text = read_file(file, why);
        if (!text) {
            std::fprintf(stderr, "kvgauge: %s: %s.\n", file.c_str(), why.c_str());
            return kUsage;
        }
        asked.lengths = read_lengths(*text, in.scenario.in, in.scenario.out, issues);
    }
    if (has_error(issues)) {
        tell_issues(o, issues);
        return kUsage;
    }
    const auto answer = traffic_answer(in.scenario, asked, builtin_catalog(), issues);
    tell_issues(o, issues);
    if (!answer) return kUsage;
    if (!answer->even) {
        tell(o,
             "The cache of this model does not grow by equal blocks; they are taken as if it did, "
             "at the mean length.");
    }
    Table t{{"id", "label", "value", "low", "high", "unit", "basis"}, {}};
    for (const TrafficRow& row : traffic_rows(*answer)) {
        const Quantity& q = row.value;
        t.rows.push_back({std::string(row.id), std::string(row.label), number(o, q.value),
                          q.low ? number(o, *q.low) : "", q.high ? number(o, *q.high) : "",
                          std::string(row.unit), std::string(name(q.basis))});
    }
    return emit(o, table_text(t, o.kind)) ? kOk : kFailed;
}

}  // namespace kvgauge
