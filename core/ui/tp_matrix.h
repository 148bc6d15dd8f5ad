// SPDX-License-Identifier: MIT
// Owns: the verdict of every engine on every tensor-parallel size for one model. Kept until the
// revision changes.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "data/catalog.h"
#include "engine/engine.h"
#include "model/scenario.h"

namespace kvgauge::ui {

struct MatrixRow {
    EngineId engine = EngineId::vllm;
    SplitMode split = SplitMode::layer;  // llama.cpp only
    Version version;
    std::vector<TpVerdict> cells;  // one a size
    bool current = false;
};

struct TpMatrix {
    std::vector<std::uint64_t> sizes;
    std::vector<MatrixRow> rows;
    std::vector<double> token_bytes;  // of the current engine on one GPU, 0: refused
    std::uint64_t revision = 0;

    void update(const Scenario&, const Catalog&, std::uint64_t revision);
};

// The scenario with the engine of a row at a size.
Scenario at_cell(const Scenario&, const MatrixRow&, std::uint64_t tp);

struct Plan {
    Scenario scenario;
    std::uint64_t tp = 1, dcp = 1;
    EngineId engine = EngineId::vllm;
    double heads = 0, copies = 1;  // KV heads a GPU stores, and how often each
    bool latent = false;
};
// Up to three other ways where a cell is refused or copies heads: another size of the same engine,
// another engine at the size, decode context parallel.
std::vector<Plan> other_plans(const Scenario&, const Catalog&, const MatrixRow&, std::uint64_t tp,
                              const TpVerdict&);

}  // namespace kvgauge::ui
