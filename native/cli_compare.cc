// SPDX-License-Identifier: MIT
// Two to four scenarios side by side: every number and word of a report, and how far each lies from
// the first.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "native/cli.h"
#include "native/table.h"
#include "text/link.h"
#include "text/numbers.h"
#include "text/report.h"
#include "text/row_values.h"

namespace kvgauge {
namespace {

// `tp=4&kv=fp8` over the base, or a link by itself.
Scenario variant(const Scenario& base, std::string_view text, Issues& issues) {
    if (text.find("v=1") != std::string_view::npos) {
        Link link = parse_link(text, builtin_catalog());
        for (Issue& i : link.notices) issues.push_back(std::move(i));
        return link.scenario;
    }
    Scenario s = base;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('&'), text.size());
        const std::string_view item = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t equals = std::min(item.find('='), item.size());
        const std::string_view value = item.substr(std::min(equals + 1, item.size()));
        auto issue = set_field(s, item.substr(0, equals), value, builtin_catalog());
        if (issue) issues.push_back(std::move(*issue));
    }
    return s;
}

double real_of(const Row& r) {
    if (const auto* n = std::get_if<std::uint64_t>(&r.value)) return static_cast<double>(*n);
    return std::get<double>(r.value);
}

std::string cell(const Row* r, bool people) {
    if (r == nullptr) return {};
    if (people || std::holds_alternative<std::string>(r->value)) return value_text(*r);
    return plain(real_of(*r));
}

// "+25 %", "other", or nothing where they are equal.
std::string difference(const Row* first, const Row* r, bool people) {
    if (first == nullptr || r == nullptr || first->value == r->value) return {};
    const bool word = std::holds_alternative<std::string>(r->value) ||
                      std::holds_alternative<std::string>(first->value);
    if (word) return "other";
    const double a = real_of(*first), b = real_of(*r);
    if (!(a > 0)) return "other";
    if (!people) return plain(b / a - 1);
    return (b >= a ? "+" : "-") + three_digits(100 * std::abs(b / a - 1)) + " %";
}

}  // namespace

int run_compare(const Output& o, const Keys& keys, const std::vector<std::string>& variants) {
    ReadScenario in = read_scenario(keys, builtin_catalog());
    if (variants.size() < 2 || variants.size() > 4) {
        std::fputs("kvgauge: compare takes two to four scenarios.\n", stderr);
        return kUsage;
    }
    const Lang lang = language(in.view);
    const bool people = o.kind == Format::text || o.kind == Format::md;
    std::vector<Answered> answers;
    for (const std::string& text : variants) {
        Scenario s = variant(in.scenario, text, in.issues);
        answers.push_back(answer(std::move(s), {}, builtin_catalog(), lang));
    }
    if (has_error(in.issues)) {
        tell_issues(o, in.issues);
        return kUsage;
    }
    Table t{{"id", "label", "unit"}, {}};
    for (std::size_t i = 0; i < variants.size(); ++i) {
        t.columns.push_back(variants[i]);
        if (i != 0) t.columns.push_back("difference " + std::to_string(i + 1));
        tell_issues(o, answers[i].report.issues);
    }
    for (const RowKind& kind : row_kinds()) {
        if (kind.unit == "text") continue;
        std::vector<std::string> line{std::string(kind.id), std::string(text(lang, kind.label)),
                                      std::string(kind.unit)};
        const Row* first = answers[0].report.find(kind.id);
        bool any = false;
        for (std::size_t i = 0; i < answers.size(); ++i) {
            const Row* row = answers[i].report.find(kind.id);
            any = any || row != nullptr;
            line.push_back(cell(row, people));
            if (i != 0) line.push_back(difference(first, row, people));
        }
        if (any) t.rows.push_back(std::move(line));
    }
    return emit(o, table_text(t, o.kind)) ? kOk : kFailed;
}

}  // namespace kvgauge
