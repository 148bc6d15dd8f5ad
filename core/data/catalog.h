// SPDX-License-Identifier: MIT
// Owns: the catalogs of models and GPUs: facts with source and date, generated at build time from
// the TSV files beside this one. A catalog is a value: built in, or read from a user's files.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/gpu_spec.h"
#include "model/model_spec.h"
#include "model/weights.h"

namespace kvgauge {

struct ModelEntry {
    ModelRef spec;
    std::vector<std::string> aliases;  // full names and Hugging Face ids, lower case
    std::string source;
    std::string date;   // when the facts were read: "2026-11" or a day
    WeightSums sums{};  // of the checkpoint's own format; the catalog fills it
};
struct GpuEntry {
    GpuSpec spec;
    std::vector<std::string> aliases;
    std::string link_kind;  // "NVLink3", empty: PCIe only
    std::string date;
    std::string unsure;  // which field to trust less, and why; empty: none
    std::string note;
};

// A name of an entry, folded, by which it is found.
struct CatalogName {
    std::uint64_t hash;
    std::string folded;
    std::uint32_t entry;
};

class Catalog {
  public:
    Catalog(std::vector<ModelEntry> models, std::vector<GpuEntry> gpus, std::string revision);
    // By id, alias or display name; without case, blanks and underscores as hyphens. nullptr:
    // unknown.
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
    std::vector<CatalogName> model_index_, gpu_index_;  // sorted by hash
};

// The catalog compiled in. Immutable, built on first use.
const Catalog& builtin_catalog();

}  // namespace kvgauge
