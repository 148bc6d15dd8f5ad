// SPDX-License-Identifier: MIT
// Owns: what a scenario names, made definite before anything is computed: the model (catalog,
// imported, typed in, with the KV-head what-if), the GPU with its overrides, and which parts of an
// estimate a missing or absurd value stops. Used by estimate.cc alone.
#pragma once
#include <cstdint>
#include <string_view>

#include "data/catalog.h"
#include "model/gpu_spec.h"
#include "model/issue.h"
#include "model/model_spec.h"
#include "model/scenario.h"

namespace kvgauge {

// Parts of an estimate that one wrong key takes away. The first seven bits are those of Part.
enum Stops : std::uint32_t {
    kStopParams = 1,  // parameters and checkpoint bytes
    kStopTp = 2,
    kStopWeights = 4,
    kStopBudget = 8,
    kStopPlan = 16,
    kStopBatch = 32,
    kStopSpeed = 64,
    kStopKv = 128,       // KV bytes of a token, and all that follows from it
    kStopRequest = 256,  // KV bytes of a request of ctx tokens
    kStopTargets = 512,  // tpot-max, ttft-max
    kStopTraffic = 1024,
    kStopAll = 2047,
};

// What an unusable value of `key` takes away. A given KV budget stands in for GPU and weights.
std::uint32_t stopped_by(std::string_view key, bool kv_budget_given);

struct ResolvedModel {
    ModelRef model;  // null: unknown
    std::uint32_t stops = 0;
    const WeightSums* sums = nullptr;  // of the model's own format, where the catalog has them
};
ResolvedModel resolve_model(const Scenario&, const Catalog&, Issues&);

// False: unknown, an issue says so.
bool resolve_gpu(const Scenario&, const Catalog&, GpuSpec&, Issues&);

// Values out of range, each with an issue that names key, value and range; the parts they stop.
std::uint32_t check_ranges(const Scenario&, Issues&);

// A model typed in. Missing fields are issues; what they stop comes back in `stops`.
ResolvedModel custom_model(const Scenario&, Issues&);

}  // namespace kvgauge
