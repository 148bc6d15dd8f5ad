// SPDX-License-Identifier: MIT
// Owns: the catalogs of models and GPUs: facts with source and date, generated at build time from
// the TSV files beside this one. A catalog is a value: built in, or read from a user's files.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/gpu_spec.h"
#include "model/model_spec.h"

namespace kvgauge {

struct ModelEntry {
    ModelRef spec;
    std::vector<std::string> aliases;  // full names and Hugging Face ids, lower case
    std::string source;
};
struct GpuEntry {
    GpuSpec spec;
    std::vector<std::string> aliases;
};

class Catalog {
  public:
    Catalog(std::vector<ModelEntry> models, std::vector<GpuEntry> gpus, std::string revision);
    // By id or alias, case-insensitive. nullptr: unknown.
    const ModelEntry* model(std::string_view name) const;
    const GpuEntry* gpu(std::string_view name) const;
    std::span<const ModelEntry> models() const { return models_; }
    std::span<const GpuEntry> gpus() const { return gpus_; }
    std::string_view revision() const { return revision_; }
    // The ids nearest to a name that was not found, best first, at most `n`: for messages.
    std::vector<std::string> nearest_models(std::string_view name, std::size_t n) const;
    std::vector<std::string> nearest_gpus(std::string_view name, std::size_t n) const;

  private:
    std::vector<ModelEntry> models_;
    std::vector<GpuEntry> gpus_;
    std::string revision_;
    std::vector<std::pair<std::string, std::uint32_t>> model_index_, gpu_index_;  // sorted
};

// The catalog compiled in. Immutable, built on first use.
const Catalog& builtin_catalog();

}  // namespace kvgauge
