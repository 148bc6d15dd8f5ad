// SPDX-License-Identifier: MIT
#include "sweep.h"

#include <algorithm>
#include <vector>

#include "text/json.h"
#include "text/link.h"
#include "text/numbers.h"
#include "text/sweep_job.h"

namespace kvgauge::web {
namespace {

// Cuts `text` at the first `at`; the rest stays in `text`.
std::string_view cut(std::string_view& text, char at) {
    const std::size_t end = text.find(at);
    const std::string_view head = text.substr(0, end);
    text = end == text.npos ? std::string_view() : text.substr(end + 1);
    return head;
}

struct Asked {
    SweepText text;
    bool reduced = false;  // rows, conditions or an order were asked for
};

Asked read_lines(std::string_view lines) {
    Asked a;
    a.text.single = true;
    while (!lines.empty()) {
        std::string_view value = cut(lines, '\n');
        const std::string_view key = cut(value, '=');
        if (key.empty() || value.empty()) continue;
        std::string* const option = key == "rows"    ? &a.text.rows
                                    : key == "where" ? &a.text.where
                                    : key == "sort"  ? &a.text.sort
                                    : key == "price" ? &a.text.price
                                                     : nullptr;
        if (option != nullptr) {
            *option = value;
        } else if (key == "pareto") {
            a.text.pareto = value == "on";
        } else if (key == "limit") {
            a.text.limit = parse_count(value).value_or(0);
        } else {
            a.text.keys.emplace_back(key, value);
            continue;
        }
        a.reduced = true;
    }
    return a;
}

// Whole answers, the last axis as given the fastest, whatever order the sweep takes.
std::string whole(const SweepRequest& r, const Issues& notices, const Catalog& catalog,
                  const JsonOptions& options) {
    Sweep sweep(r.base, r.axes, catalog);
    std::vector<std::string> answers(static_cast<std::size_t>(sweep.size()));
    for (std::uint64_t i = 0; i < sweep.size(); ++i) {
        sweep.go(i);
        std::size_t at = 0;
        for (const Axis& given : r.axes) {
            const auto same = [&](const Axis& a) { return a.field == given.field; };
            const auto axis = std::find_if(sweep.axes().begin(), sweep.axes().end(), same);
            at = at * given.values.size() +
                 sweep.value_of(static_cast<std::size_t>(axis - sweep.axes().begin()));
        }
        answers[at] = estimate_json(answer(sweep.scenario(), notices, catalog), catalog, options);
    }
    std::string out = "[";
    for (const std::string& a : answers) out += (out.size() > 1 ? "," : "") + a;
    return out + "]";
}

}  // namespace

std::string sweep_json(std::string_view text, std::string_view asked, const Catalog& catalog,
                       std::string_view version) {
    const JsonOptions options{.version = version};
    Link base = parse_link(text, catalog);
    const Asked a = read_lines(asked);
    SweepRequest r;
    r.base = std::move(base.scenario);
    r.format = SweepFormat::json;
    r.version = version;
    Issues issues;
    if (read_sweep(a.text, catalog, r, issues) && !a.reduced &&
        points_of(r.axes).value_or(kAnswersMost + 1) > kAnswersMost) {
        issues.push_back({Severity::error, "sweep",
                          "The axes make more than 20,000 answers; give fewer values, or ask for "
                          "rows."});
    }
    if (!issues.empty()) return "[" + unread_json(issues, catalog, options) + "]";
    if (!a.reduced) return whole(r, base.notices, catalog, options);
    SweepJob job(std::move(r), catalog);
    std::string out;
    while (job.advance(job.total() + 1, out)) {
    }
    return out;
}

}  // namespace kvgauge::web
