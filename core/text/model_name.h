// SPDX-License-Identifier: MIT
// Owns: the catalog model that a path or repository name means: "/data/Qwen3-32B-FP8" is qwen3-32b
// with fp8 weights, "org/Qwen3-8B-GGUF:Q4_K_M" and "Qwen3-8B-Q4_K_M-00001-of-00002.gguf" are
// qwen3-8b with q4_k_m. A guess from a name, and said to be one.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "data/catalog.h"
#include "model/weight_format.h"

namespace kvgauge {

struct NamedModel {
    std::string id;
    WeightKind weights = WeightKind::automatic;  // what the name says; automatic: nothing
    bool exact = true;                           // the name itself is in the catalog
    bool quantised = false;  // a GGUF name whose type is not among the known ones
};
std::optional<NamedModel> model_by_name(std::string_view name, const Catalog&);

}  // namespace kvgauge
