// SPDX-License-Identifier: MIT
#include "ui/plan_map.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "estimator.h"
#include "ui/curves.h"

namespace kvgauge::ui {
namespace {

// Change of ln(tokens/s) that one quad may span: far below what the ramp shows.
constexpr double kEven = 0.2;

// From here on a whole request is a step too small to see.
constexpr double kMany = 32;

// Requests at one context. A step reads the prompt and half of the output.
void set_context(Scenario& s, double ctx) {
    s.in = static_cast<std::uint64_t>(std::max(std::llround(ctx) - 1, 1LL));
    s.out = 2;
}

// Decode alone: the share of other requests' prefill depends on how they arrive.
double token_seconds(const Estimate& e) {
    return e.speed ? e.speed->step.total() / e.speed->tokens_per_step : 0;
}

}  // namespace

PlanPicture::PlanPicture(double ctx_low, double ctx_high, double batch_high)
    : ctx_low_(ctx_low), ctx_high_(ctx_high), batch_high_(batch_high) {
    seconds_.reserve(std::size_t{kColumns} * kRows);
    for (int row = 0; row < kRows; ++row) {
        batches_.push_back(std::pow(batch_high, row / double{kRows - 1}));
    }
}

bool PlanPicture::same_axes(double ctx_low, double ctx_high, double batch_high) const {
    return ctx_low == ctx_low_ && ctx_high == ctx_high_ && batch_high == batch_high_;
}

double PlanPicture::ctx(int column) const {
    return ctx_low_ * std::pow(ctx_high_ / ctx_low_, column / double{kColumns - 1});
}

PlanPoint PlanPicture::at(int column, int row) const {
    const double t = static_cast<double>(seconds_[static_cast<std::size_t>(column * kRows + row)]);
    return {t > 0 ? batch(row) / t : 0, t};
}

void PlanPicture::add_column(const PlanRoom& room, const std::vector<double>& of_row) {
    rooms_.push_back(room);
    for (std::size_t row = 0; row < of_row.size(); ++row) {
        const double t = of_row[row];
        seconds_.push_back(static_cast<float>(t));
        if (!(t > 0)) continue;
        const double rate = batch(static_cast<int>(row)) / t;
        low_ = low_ > 0 ? std::min(low_, rate) : rate;
        high_ = std::max(high_, rate);
    }
    if (columns() > 1 && (columns() - 1) % kStrip == 0) add_strip();
}

void PlanPicture::add_strip() {
    const int right = columns() - 1, left = right - kStrip;
    std::vector<std::uint16_t> steps{0};
    double a0 = at(left, 0).rate, b0 = at(right, 0).rate;
    const double even = std::exp(kEven);
    const auto differ = [even](double from, double to) {
        return to > from * even || to * even < from;
    };
    for (int row = 1; row < kRows; ++row) {
        const double a = at(left, row).rate, b = at(right, row).rate;
        if (row + 1 < kRows && !differ(a0, a) && !differ(b0, b)) continue;
        steps.push_back(static_cast<std::uint16_t>(row));
        a0 = a;
        b0 = b;
    }
    steps_.push_back(std::move(steps));
}

double PlanPicture::batch_at(int column, double seconds) const {
    if (columns() <= column || at(column, 0).seconds > seconds) return 0;
    int low = 0, high = kRows;  // at `low` it is kept, at `high` not
    while (high - low > 1) {
        const int mid = (low + high) / 2;
        (at(column, mid).seconds <= seconds ? low : high) = mid;
    }
    if (high == kRows) return batch_high_ * 2;
    const double a = at(column, low).seconds, b = at(column, high).seconds;
    const double share = b > a ? (seconds - a) / (b - a) : 0;
    return batch(low) * std::pow(batch(high) / batch(low), share);
}

// The scenario swept column by column: what a batch or a context does not touch is kept.
struct PlanMap::Work {
    Work(const Scenario& s, const Catalog& catalog, const PlanPicture& picture)
        : cell(s),
          place(s),
          cells(catalog, of_cell, Part::speed),
          rooms(catalog, of_room, Part::plan) {
        for (int row = 0; row < PlanPicture::kRows; ++row) {
            const double batch = picture.batch(row), whole = std::floor(batch + 1e-9);
            rows.push_back({add(whole), batch < kMany ? add(whole + 1) : add(whole),
                            batch < kMany ? std::max(batch - whole, 0.0) : 0.0});
        }
        seconds.resize(batches.size());
        of_row.resize(rows.size());
    }

    std::size_t add(double batch) {
        const auto n = static_cast<std::uint64_t>(batch);
        const auto found = std::lower_bound(batches.begin(), batches.end(), n);
        if (found != batches.end() && *found == n) {
            return static_cast<std::size_t>(found - batches.begin());
        }
        batches.push_back(n);  // rows rise
        return batches.size() - 1;
    }

    void column(PlanPicture& picture) {
        const double ctx = picture.ctx(picture.columns());
        place.ctx = static_cast<std::uint64_t>(std::max(std::llround(ctx), 1LL));
        rooms.run(place, started ? stale_by("ctx") : kAllStale);
        PlanRoom room;
        if (of_room.plan) {
            room.requests = of_room.plan->max_concurrency;
            // Engines print the concurrency of one pool; another (of windows) may hold fewer.
            const auto whole = static_cast<double>(of_room.plan->max_requests);
            if (room.requests >= whole + 1) room.requests = whole;
            room.max_seqs = static_cast<double>(of_room.plan->max_seqs);
        }
        set_context(cell, ctx);
        cell.ctx = cell.in + cell.out;
        cells.run(cell, started ? stale_by("in") | stale_by("ctx") : kAllStale);
        started = true;
        const SpeedModel* model = cells.speed_model();
        const double per_step = of_cell.speed ? of_cell.speed->tokens_per_step : 1;
        if (of_cell.speed) room.ttft = of_cell.speed->ttft.value;
        for (std::size_t i = 0; i < batches.size(); ++i) {
            seconds[i] =
                model ? model->step(static_cast<double>(batches[i])).total() / per_step : 0;
        }
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const Row& row = rows[r];
            const double a = seconds[row.low], b = seconds[row.high];
            of_row[r] = a + (b - a) * row.share;
        }
        picture.add_column(room, of_row);
    }

    struct Row {
        std::size_t low, high;  // in `batches`
        double share;
    };
    Scenario cell, place;
    Estimate of_cell, of_room;
    Estimator cells, rooms;
    std::vector<std::uint64_t> batches;  // whole, rising
    std::vector<Row> rows;
    std::vector<double> seconds, of_row;
    bool started = false;
};

PlanMap::PlanMap() = default;
PlanMap::~PlanMap() = default;
PlanMap::PlanMap(PlanMap&&) noexcept = default;
PlanMap& PlanMap::operator=(PlanMap&&) noexcept = default;

PlanPoint PlanMap::point(const Scenario& s, const Catalog& catalog, double ctx, double batch) {
    const auto seconds = [&](double whole) {
        Scenario at = s;
        set_context(at, ctx);
        at.ctx = at.in + at.out;
        at.batch = static_cast<std::uint64_t>(whole);
        return token_seconds(estimate(at, catalog, Part::speed));
    };
    const double whole = std::max(std::floor(batch + 1e-9), 1.0);
    double t = seconds(whole);
    if (batch > whole && batch < kMany) t += (seconds(whole + 1) - t) * (batch - whole);
    return {t > 0 ? std::max(batch, 1.0) / t : 0, t};
}

bool PlanMap::update(const Scenario& s, const Catalog& catalog, double ctx_low, double ctx_high,
                     double batch_high, double slice) {
    Scenario key = s;
    key.ctx = key.batch = key.in = key.out = 1;
    key.tpot_max.reset();
    key.ttft_max.reset();
    const PlanPicture* newest = next_ ? next_.get() : shown_.get();
    if (!started_ || !(key == key_) || !newest->same_axes(ctx_low, ctx_high, batch_high)) {
        started_ = true;
        next_ = std::make_unique<PlanPicture>(ctx_low, ctx_high, batch_high);
        work_ = std::make_unique<Work>(key, catalog, *next_);
        key_ = std::move(key);
    }
    if (!next_) return false;
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(slice);
    do {
        work_->column(*next_);
    } while (!next_->whole() && Clock::now() < end);
    if (!next_->whole()) return true;
    shown_ = std::move(next_);
    work_.reset();
    return false;
}

std::vector<PlanChoice> plan_choices(const Scenario& s, const Catalog& catalog) {
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t tp = 1; tp <= 8; tp *= 2) sizes.push_back(tp);
    if (std::find(sizes.begin(), sizes.end(), s.tp) == sizes.end()) sizes.push_back(s.tp);
    Scenario at = s;
    set_context(at, static_cast<double>(s.ctx));
    at.tpot_max.reset();
    at.ttft_max.reset();
    at.batch = 1;
    Estimate e;
    Estimator estimator(catalog, e, kWithoutTraffic);
    Stale stale = kAllStale;
    std::vector<PlanChoice> out;
    for (const std::uint64_t tp : sizes) {
        if (s.gpus && tp * s.pp * s.dp > *s.gpus && tp != s.tp) continue;
        at.tp = tp;
        at.batch = 1;
        estimator.run(at, stale | stale_by("batch"));
        stale = stale_by("tp");
        if (!e.batch || !e.speed || e.batch->limit == Limit::refused) continue;
        const auto most = static_cast<std::uint64_t>(std::max(e.batch->max.value, 0.0));
        if (most == 0) continue;
        const auto seconds = [&](std::uint64_t batch) {
            at.batch = batch;
            estimator.run(at, stale_by("batch"));
            return token_seconds(e);
        };
        const bool late = s.ttft_max && e.speed->ttft.value > *s.ttft_max;
        std::uint64_t low = 0, high = most;  // the limit holds up to some batch
        if (!s.tpot_max) low = most;
        while (low < high) {
            const std::uint64_t mid = low + (high - low + 1) / 2;
            if (seconds(mid) <= *s.tpot_max) {
                low = mid;
            } else {
                high = mid - 1;
            }
        }
        PlanChoice c;
        c.tp = tp;
        c.gpus = tp * s.pp;
        c.batch = std::max<std::uint64_t>(low, 1);
        c.over = low == 0 || late;
        c.seconds = seconds(c.batch);
        if (!(c.seconds > 0)) continue;
        c.rate = static_cast<double>(c.batch) / c.seconds;
        out.push_back(c);
    }
    std::stable_sort(out.begin(), out.end(), [](const PlanChoice& a, const PlanChoice& b) {
        return a.over != b.over ? !a.over : a.per_gpu() > b.per_gpu();
    });
    return out;
}

}  // namespace kvgauge::ui
