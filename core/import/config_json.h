// SPDX-License-Identifier: MIT
// Owns: config.json of a Hugging Face checkpoint -> ModelSpec. Fails closed: an unknown kind of
// attention is an issue that names the field, never a guess.
#pragma once
#include <optional>
#include <string_view>

#include "model/issue.h"
#include "model/model_spec.h"

namespace kvgauge {

struct Import {
    std::optional<ModelSpec> model;
    Issues issues;
};

// `source` names the input in messages. `hf_quant_config` is the ModelOpt sidecar, may be empty.
Import import_config(std::string_view json, std::string_view source,
                     std::string_view hf_quant_config = {});

}  // namespace kvgauge
