// SPDX-License-Identifier: MIT
// Owns: single edits of a scenario and what each would do to the number of requests. Computed by
// estimate(), one call per edit; kept until the revision changes.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "data/catalog.h"
#include "estimate.h"
#include "model/scenario.h"
#include "text/report.h"

namespace kvgauge::ui {

enum class Edit : std::uint8_t {
    kv_fp8,
    half_ctx,
    longest_ctx,
    weights_fp8,
    weights_int4,
    more_gpus,
    larger_gpu
};

struct Change {
    Edit edit = Edit::kv_fp8;
    Scenario scenario;  // after the edit
    Estimate estimate;  // of it
    double before = 0;  // requests at once
    double after = 0;
};

class Changes {
  public:
    // The four edits, of different kinds, that allow the most requests.
    const std::vector<Change>& best(const Scenario&, const Estimate&, const Catalog&,
                                    std::uint64_t revision);
    // The smallest edits after which one request fits, smallest first; at most four.
    const std::vector<Change>& fitting(const Scenario&, const Estimate&, const Catalog&,
                                       std::uint64_t revision);

  private:
    std::uint64_t best_revision_ = 0, fitting_revision_ = 0;
    std::vector<Change> best_, fitting_;
};

// "FP8 KV cache", "Context 4,096", "2 GPUs, TP 2", "H200 141GB SXM".
std::string change_label(const Change&, Lang);

}  // namespace kvgauge::ui
