// SPDX-License-Identifier: MIT
// Owns: the only door of the calculator. estimate(Scenario) -> Estimate, a plain value without
// text: text/report turns it into rows. Allocates nothing worth speaking of: a sweep calls it a
// million times. Parts that an issue stops stay empty; the others are given.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "data/catalog.h"
#include "engine/engine.h"
#include "model/gpu_spec.h"
#include "model/issue.h"
#include "model/kv_cache.h"
#include "model/quantity.h"
#include "model/scenario.h"
#include "model/speed.h"
#include "model/traffic.h"
#include "model/weights.h"

namespace kvgauge {

// What binds the number of requests.
enum class Limit : std::uint8_t { memory, max_seqs, tpot, ttft, weights, one_request, refused };
std::string_view name(Limit);

struct Batch {
    Quantity max;           // whole requests of ctx tokens at once (memory and max_num_seqs)
    MaybeQuantity max_slo;  // also within tpot-max / ttft-max
    Limit limit = Limit::memory;
};

struct Estimate {
    ModelRef model;  // null: unknown model, an issue says so
    GpuSpec gpu;     // overrides applied; no id: unknown
    EngineId engine = EngineId::vllm;
    Version version;  // in effect
    WeightFormat weights;
    KvTypes kv_types;
    std::uint64_t ctx = 0, cross_tokens = 0;  // ctx 0: not valid, rows of one request are left out

    std::optional<Params> params;  // empty: a custom model whose weights are not described
    std::optional<Bytes> checkpoint;
    std::optional<KvSizes> kv;
    std::optional<TpVerdict> tp;
    std::optional<Bytes> weights_per_gpu;
    std::optional<Budget> budget;
    std::optional<CachePlan> plan;  // at the best budget
    std::optional<CachePlan> plan_low, plan_high;
    std::optional<Batch> batch;
    std::optional<Speed> speed;
    std::optional<TrafficAnswer> traffic;  // of a scenario whose lengths differ
    std::optional<Speed> speed_default;    // without the scenario's calibration, where it has one
    Issues issues;
};

enum class Part : std::uint32_t {
    geometry = 1,
    tp = 2,
    weights = 4,
    budget = 8,
    plan = 16,
    batch = 32,
    speed = 64,
    traffic = 128,
    all = 255,
};

Estimate estimate(const Scenario&, const Catalog& = builtin_catalog(), Part parts = Part::all);

// Takes out of an estimate what depends on a key whose text could not be used (the scenario holds
// its default instead), and nothing else.
void stop(Estimate&, const Scenario&, std::string_view key);

// The engine input of an estimate; it refers to both. The estimate must have a model.
EngineInput engine_input(const Scenario&, const Estimate&);

// The verdict of another engine or size on this scenario, for matrices. Empty: no model.
std::optional<TpVerdict> tp_verdict(const Scenario&, const Catalog&, EngineId, std::uint64_t tp);

}  // namespace kvgauge
