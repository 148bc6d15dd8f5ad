// SPDX-License-Identifier: MIT
// Owns: the catalog model that a path or repository name means: "/data/Qwen3-32B-FP8" is qwen3-32b
// with fp8 weights. A guess from a name, and said to be one.
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
};
std::optional<NamedModel> model_by_name(std::string_view name, const Catalog&);

}  // namespace kvgauge
