// SPDX-License-Identifier: MIT
// Owns: decode over context and concurrency, every request at the given context: the time of a
// token in each point, and what bounds each context (memory, max_num_seqs, the first token). Points
// are of whole requests, straight lines between them. They do not depend on the scenario's own
// context, batch and limits, so that moving through the map computes nothing again. Filled column
// by column, in slices that leave the frame its time; the picture before stays until the next one
// is whole.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "data/catalog.h"
#include "model/scenario.h"

namespace kvgauge::ui {

struct PlanPoint {
    double rate = 0;     // tokens/s
    double seconds = 0;  // per token
};

// What one context allows.
struct PlanRoom {
    double requests = 0;  // by memory, not rounded to whole requests
    double max_seqs = 0;  // 0: no limit
    double ttft = 0;      // s, of a prompt of this length
    double most() const { return max_seqs > 0 && max_seqs < requests ? max_seqs : requests; }
};

class PlanPicture {
  public:
    static constexpr int kColumns = 513, kRows = 513;  // corners of 512 x 512 cells
    static constexpr int kStrip = 4;                   // columns drawn as one

    PlanPicture(double ctx_low, double ctx_high, double batch_high);
    double ctx(int column) const;
    double batch(int row) const { return batches_[static_cast<std::size_t>(row)]; }
    int columns() const { return static_cast<int>(rooms_.size()); }  // that are filled
    bool whole() const { return columns() == kColumns; }
    PlanPoint at(int column, int row) const;
    const PlanRoom& room(int column) const { return rooms_[static_cast<std::size_t>(column)]; }
    double low() const { return low_; }  // tokens/s
    double high() const { return high_; }
    // The batch at which a token takes `seconds` in a column; 0: more even for one request, twice
    // the highest: less everywhere.
    double batch_at(int column, double seconds) const;
    // Rows between which a strip of columns changes evenly, the lowest and the highest included.
    const std::vector<std::uint16_t>& steps(int strip) const {
        return steps_[static_cast<std::size_t>(strip)];
    }
    int strips() const { return static_cast<int>(steps_.size()); }

    // `of_row`: seconds of each row.
    void add_column(const PlanRoom&, const std::vector<double>& of_row);
    bool same_axes(double ctx_low, double ctx_high, double batch_high) const;

  private:
    void add_strip();

    double ctx_low_, ctx_high_, batch_high_;
    double low_ = 0, high_ = 0;
    std::vector<double> batches_;  // of the rows
    std::vector<float> seconds_;   // column after column
    std::vector<PlanRoom> rooms_;
    std::vector<std::vector<std::uint16_t>> steps_;
};

class PlanMap {
  public:
    PlanMap();
    ~PlanMap();
    PlanMap(PlanMap&&) noexcept;
    PlanMap& operator=(PlanMap&&) noexcept;

    // Starts again when the scenario differs in more than context, batch and limits. Works for
    // about `slice` seconds and at least one column. Returns true while columns are missing.
    bool update(const Scenario&, const Catalog&, double ctx_low, double ctx_high, double batch_high,
                double slice);
    // The newest whole picture, or what there is of the first one; null before the first update().
    const PlanPicture* picture() const { return shown_ ? shown_.get() : next_.get(); }
    // One point, not rounded to the grid.
    static PlanPoint point(const Scenario&, const Catalog&, double ctx, double batch);

  private:
    struct Work;
    std::unique_ptr<PlanPicture> shown_, next_;
    std::unique_ptr<Work> work_;
    Scenario key_;
    bool started_ = false;
};

// The best concurrency of one size of group: most tokens per second within the limit, or one
// request where none keeps it.
struct PlanChoice {
    std::uint64_t tp = 1, batch = 1, gpus = 1;
    double rate = 0, seconds = 0;  // of the group
    bool over = false;             // slower than the limit
    double per_gpu() const { return rate / static_cast<double>(gpus); }
};
// Sizes that this model, engine and memory take, up to eight GPUs or the scenario's own. Those
// within the limits first, then by tokens per second and GPU.
std::vector<PlanChoice> plan_choices(const Scenario&, const Catalog&);

}  // namespace kvgauge::ui
