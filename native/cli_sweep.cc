// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>

#include "native/cli.h"
#include "native/table.h"
#include "text/json.h"
#include "text/numbers.h"
#include "text/sweep.h"

namespace kvgauge {
namespace {

// Shown when no rows are asked for.
const std::vector<std::string> kDefaultRows{"kv.bytes_per_request", "batch.max",
                                            "batch.limit",          "tp.verdict",
                                            "decode.tpot_s",        "decode.tokens_per_s"};

struct Point {
    std::vector<std::string> cells;
    std::string json;
    std::optional<double> order;
};

std::string cell(const Row* row, Format f) {
    if (row == nullptr) return {};
    if (f == Format::text || f == Format::md) return value_text(*row);
    if (const auto* n = std::get_if<std::uint64_t>(&row->value)) return plain(*n);
    if (const auto* d = std::get_if<double>(&row->value)) return plain(*d);
    return std::get<std::string>(row->value);
}

bool wants_json(const Output& o) {
    return o.kind == Format::json || o.kind == Format::jsonl;
}

// Lists of the keys become axes, the others stay.
std::vector<Axis> take_axes(Keys& keys, Issues& issues) {
    std::vector<Axis> axes;
    std::erase_if(keys.values, [&](const auto& v) {
        const Field* f = find_field(v.first);
        if (f == nullptr || !is_axis_text(v.second)) return false;
        if (auto axis = read_axis(*f, v.second, issues)) axes.push_back(std::move(*axis));
        return true;
    });
    return axes;
}

void sort_points(std::vector<Point>& points, bool descending) {
    std::stable_sort(points.begin(), points.end(), [descending](const Point& a, const Point& b) {
        if (!a.order || !b.order)
            return a.order.has_value() && !b.order;  // those without a value last
        return descending ? *a.order > *b.order : *a.order < *b.order;
    });
}

}  // namespace

int run_sweep(const Output& o, Keys keys, const SweepOptions& options) {
    const Catalog& catalog = builtin_catalog();
    Issues issues;
    const std::vector<Axis> axes = take_axes(keys, issues);
    const ReadScenario base = read_scenario(keys, catalog);
    issues.insert(issues.begin(), base.issues.begin(), base.issues.end());
    std::string why;
    const auto conditions = read_conditions(options.where, why);
    if (!conditions) issues.push_back({Severity::error, "where", "where: " + why + "."});
    const std::uint64_t count = sweep_points(axes);
    if (count > kSweepMost) {
        issues.push_back({Severity::error, "", "The lists make more than 1,000,000 points."});
    }
    tell_issues(o, issues);
    if (has_error(issues)) return kUsage;

    const std::vector<std::string>& rows = options.rows.empty() ? kDefaultRows : options.rows;
    JsonOptions json;
    json.rows = options.rows;
    json.version = KVGAUGE_VERSION;
    const bool descending = options.sort.starts_with('-');
    const std::string order = options.sort.substr(descending ? 1 : 0);
    const Lang lang = language(base.view);
    const bool stream = o.kind == Format::jsonl && order.empty() && o.file.empty();

    std::vector<Point> points;
    std::string flow;
    for (std::uint64_t n = 0; n < count; ++n) {
        Scenario s = base.scenario;
        Issues wrong;
        set_point(s, axes, n, catalog, wrong);
        const Answered a = answer(std::move(s), std::move(wrong), catalog, lang);
        if (!holds(a.report, *conditions)) continue;
        Point p;
        if (wants_json(o)) {
            p.json = estimate_json(a, catalog, json);
        } else {
            for (std::size_t i = 0, rest = n; i < axes.size(); ++i) {
                const Axis& axis = axes[axes.size() - 1 - i];
                p.cells.insert(p.cells.begin(), axis.values[rest % axis.values.size()]);
                rest /= axis.values.size();
            }
            for (const std::string& id : rows) p.cells.push_back(cell(a.report.find(id), o.kind));
        }
        if (!order.empty()) p.order = row_number(a.report, order);
        if (stream) {
            flow += p.json + '\n';
            if (flow.size() > (std::size_t{1} << 16)) {
                if (!emit(o, flow)) return kFailed;
                flow.clear();
            }
        } else {
            points.push_back(std::move(p));
        }
    }
    if (stream) return emit(o, flow) ? kOk : kFailed;
    if (!order.empty()) sort_points(points, descending);
    if (wants_json(o)) {
        std::string out = o.kind == Format::json ? "[\n" : "";
        for (std::size_t i = 0; i < points.size(); ++i) {
            out +=
                points[i].json + (o.kind == Format::json && i + 1 < points.size() ? ",\n" : "\n");
        }
        if (o.kind == Format::json) out += "]\n";
        return emit(o, out) ? kOk : kFailed;
    }
    Table table;
    for (const Axis& a : axes) table.columns.emplace_back(a.field->key);
    for (const std::string& id : rows) table.columns.push_back(id);
    for (Point& p : points) table.rows.push_back(std::move(p.cells));
    return emit(o, table_text(table, o.kind)) ? kOk : kFailed;
}

}  // namespace kvgauge
