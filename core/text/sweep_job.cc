// SPDX-License-Identifier: MIT
#include "text/sweep_job.h"

#include <algorithm>

#include "text/numbers.h"
#include "text/sweep_front.h"

namespace kvgauge {
namespace {

constexpr std::string_view kDefaultRows =
    "tp.verdict,batch.max,batch.limit,decode.tpot_s,decode.tokens_per_s,"
    "decode.tokens_per_s_per_gpu,prefill.ttft_s";
// What the number of KV heads decides.
constexpr std::string_view kHeadRows =
    "attn.group_size,attn.kv_proj_params,attn.kv_proj_flops,kv.bytes_per_token,batch.max,"
    "attn.intensity,decode.tpot_s,decode.tokens_per_s,tp.verdict@1,tp.verdict@2,tp.verdict@4,"
    "tp.verdict@8,tp.valid";

void refuse(Issues& issues, std::string_view key, std::string text) {
    issues.push_back(
        {Severity::error, std::string(key), std::string(key) + ": " + std::move(text)});
}

bool read_columns(std::string_view rows, SweepRequest& r, Issues& issues) {
    const bool heads = r.axes.size() == 1 && r.axes[0].field->key == "kv-heads";
    if (rows.empty()) rows = heads ? kHeadRows : kDefaultRows;
    while (!rows.empty()) {
        const std::size_t end = std::min(rows.find(','), rows.size());
        const std::string_view id = rows.substr(0, end);
        rows.remove_prefix(std::min(end + 1, rows.size()));
        if (id.empty()) continue;
        const auto column = find_column(id);
        if (!column) {
            refuse(issues, "rows", quoted_text(id) + " is no row; kvgauge help rows lists them.");
            return false;
        }
        r.columns.push_back(*column);
    }
    if (r.prices.given()) {
        for (std::string_view id : {"cost.per_hour", "cost.per_million_tokens"}) {
            const bool have = std::any_of(r.columns.begin(), r.columns.end(),
                                          [id](const Column& c) { return c.id == id; });
            if (!have) r.columns.push_back(*find_column(id));
        }
    }
    return true;
}

bool read_sort(std::string_view text, SweepRequest& r, Issues& issues) {
    const bool minus = text.starts_with('-');  // -id: the largest first
    if (minus) text.remove_prefix(1);
    const std::size_t colon = text.find(':');
    const std::string_view way = colon == std::string_view::npos ? "" : text.substr(colon + 1);
    const auto column = find_column(text.substr(0, colon));
    const bool sortable = column && column->unit != "text" && column->unit != "word";
    if (!sortable || (!way.empty() && (minus || (way != "asc" && way != "desc")))) {
        refuse(issues, "sort",
               quoted_text(text) +
                   " is no number of a point, as in decode.tpot_s or "
                   "decode.tokens_per_s:desc.");
        return false;
    }
    r.sort = SortKey{*column, way.empty() ? minus || !column->small_is_good() : way == "desc"};
    return true;
}

}  // namespace

bool read_sweep(const SweepText& t, const Catalog& catalog, SweepRequest& r, Issues& issues) {
    const std::size_t before = issues.size();
    for (const auto& [key, text] : t.keys) {
        const Field* f = find_field(key);
        if (f == nullptr || !names_several(text)) {
            if (auto issue = set_field(r.base, key, text, catalog)) issues.push_back(*issue);
        }
    }
    // Axes after the rest: `all` looks at the model.
    for (const auto& [key, text] : t.keys) {
        const Field* f = find_field(key);
        if (f == nullptr || !names_several(text)) continue;
        std::erase_if(r.axes, [f](const Axis& a) { return a.field == f; });
        Axis axis = read_axis(*f, text, r.base, catalog, issues);
        if (!axis.values.empty()) r.axes.push_back(std::move(axis));
    }
    if (issues.size() != before) return false;
    if (r.axes.empty() && !t.single) {
        refuse(issues, "sweep",
               "at least one key needs several values, as in --tp 1,2,4 or "
               "--ctx 1k..128k..x2.");
        return false;
    }
    const auto points = points_of(r.axes);
    if (!points || *points > kSweepMost) {
        refuse(issues, "sweep", "more than " + grouped(kSweepMost) + " points; give fewer values.");
        return false;
    }
    if (!t.price.empty()) read_prices(t.price, catalog, r.prices, issues);
    read_columns(t.rows, r, issues);
    r.where = read_conditions(t.where, issues);
    if (!t.sort.empty()) read_sort(t.sort, r, issues);
    r.pareto = t.pareto;
    r.limit = t.limit;
    return issues.size() == before;
}

// Simulated only where a column, a condition or the order looks at it.
bool asks_traffic(const SweepRequest& r) {
    const auto of_traffic = [](const Column& c) { return c.id.starts_with("traffic."); };
    return std::any_of(r.columns.begin(), r.columns.end(), of_traffic) ||
           std::any_of(r.where.begin(), r.where.end(),
                       [&](const Condition& c) { return of_traffic(c.column); }) ||
           (r.sort && of_traffic(r.sort->column));
}

struct SweepJob::Plans {
    std::vector<PlanPoint> points;
};

SweepJob::SweepJob(SweepRequest request, const Catalog& catalog)
    : request_(std::move(request)),
      sweep_(request_.base, request_.axes, catalog, asks_traffic(request_)),
      writer_(request_.format == SweepFormat::json || request_.format == SweepFormat::jsonl
                  ? make_json_writer(request_, sweep_, catalog)
                  : make_table_writer(request_, sweep_)),
      plans_(std::make_shared<Plans>()) {}

bool SweepJob::wanted() const {
    const Scenario& s = sweep_.scenario();
    const Estimate& e = sweep_.estimate();
    if (request_.pareto && !(fits(e) && e.speed)) return false;
    return std::all_of(request_.where.begin(), request_.where.end(),
                       [&](const Condition& c) { return holds(c, s, e, request_.prices); });
}

// Notes a point that may be written later.
void SweepJob::keep() {
    const Scenario& s = sweep_.scenario();
    const Estimate& e = sweep_.estimate();
    double key = 0;
    if (request_.sort) {
        const auto v = value_of(request_.sort->column, s, e, request_.prices);
        if (!v) return;
        key = request_.sort->falling ? -v->real() : v->real();
    }
    if (!request_.pareto) {
        chosen_.emplace_back(key, at_);
        return;
    }
    const double replicas = static_cast<double>(s.dp);
    const auto cost = value_of(*find_column("cost.per_hour"), s, e, request_.prices);
    plans_->points.push_back({at_, e.speed->tokens_per_s.value * replicas, e.speed->tpot.value,
                              static_cast<double>(gpus_of(s)), cost ? cost->real() : 0});
    if (request_.sort) chosen_.emplace_back(key, at_);
}

void SweepJob::order() {
    ordered_ = true;
    if (request_.pareto) {
        order_ = pareto_front(std::move(plans_->points));
        if (request_.sort) {
            std::erase_if(chosen_, [this](const auto& c) {
                return !std::binary_search(order_.begin(), order_.end(), c.second);
            });
        }
    }
    if (!request_.sort) return;
    std::sort(chosen_.begin(), chosen_.end());
    order_.clear();
    for (const auto& [key, index] : chosen_) order_.push_back(index);
}

void SweepJob::write(std::string& out) {
    writer_->point(sweep_, out);
    ++written_;
}

bool SweepJob::advance(std::uint64_t points, std::string& out) {
    if (ended_) return false;
    if (!begun_) writer_->begin(out);
    begun_ = true;
    const bool later = request_.sort.has_value() || request_.pareto;
    const auto full = [this] { return request_.limit != 0 && written_ >= request_.limit; };
    while (points > 0 && at_ < sweep_.size() && !full()) {
        sweep_.go(at_);
        if (wanted()) later ? keep() : write(out);
        ++at_;
        --points;
    }
    if (at_ < sweep_.size() && !full()) return true;
    if (later && !ordered_) order();
    while (points > 0 && next_ < order_.size() && !full()) {
        sweep_.go(order_[next_++]);
        write(out);
        --points;
    }
    if (next_ < order_.size() && !full()) return true;
    writer_->end(out);
    ended_ = true;
    return false;
}

}  // namespace kvgauge
