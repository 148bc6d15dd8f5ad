// SPDX-License-Identifier: MIT
// Owns: the scenario swept along one axis, for plots. Each point is an estimate() of its own, so a
// curve can never disagree with the answer. Kept until the revision changes.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/catalog.h"
#include "estimate.h"
#include "model/scenario.h"

namespace kvgauge::ui {

// Every part but the simulation of traffic, which no curve and no list of edits asks for.
inline constexpr Part kWithoutTraffic = static_cast<Part>(
    static_cast<std::uint32_t>(Part::all) & ~static_cast<std::uint32_t>(Part::traffic));

// The model with another number of KV heads: the article's MHA, GQA and MQA.
enum class Variant : std::uint8_t { mha, gqa, mqa, model };

struct HeadVariant {
    Variant variant = Variant::model;
    std::uint64_t kv_heads = 0;  // 0: the model as it is (MLA, state layers)
    bool is_model = false;       // the number of the scenario itself
};
// MQA, the model, MHA in the order of their capacity. Only the model where heads are no choice.
std::vector<HeadVariant> head_variants(const Scenario&, const Estimate&);

struct CtxPoint {
    double ctx = 0;
    double requests = 0, low = 0, high = 0;  // by memory, not rounded to whole requests
    double request_bytes = 0;                // KV, whole model, one copy
    double reserved_bytes = 0;               // what the engine reserves, per GPU
    double all_full_bytes = 0;               // every layer keeps every token
    std::optional<double> within_limit;      // requests within tpot-max and ttft-max
};

struct CtxCurve {
    HeadVariant head;
    std::vector<CtxPoint> points;
    CtxPoint at(double ctx) const;  // log-log between points
};

struct BatchPoint {
    double batch = 0;
    double tpot = 0, tpot_low = 0, tpot_high = 0, floor = 0;  // s
    double rate = 0, rate_low = 0, rate_high = 0;             // tokens/s
};

class Curves {
  public:
    // Requests and bytes against context, one curve per head variant.
    const std::vector<CtxCurve>& by_context(const Scenario&, const Catalog&, const Estimate&,
                                            std::uint64_t revision);
    const std::vector<BatchPoint>& by_batch(const Scenario&, const Catalog&,
                                            std::uint64_t revision);
    // One point exactly at a context or a batch.
    CtxPoint context_at(const Scenario&, const Catalog&, const HeadVariant&, double ctx) const;
    BatchPoint batch_at(const Scenario&, const Catalog&, double batch) const;
    double ctx_low = 1024, ctx_high = 131072, batch_high = 256;

  private:
    std::uint64_t ctx_revision_ = 0, batch_revision_ = 0;
    std::vector<CtxCurve> by_ctx_;
    std::vector<BatchPoint> by_batch_;
};

}  // namespace kvgauge::ui
