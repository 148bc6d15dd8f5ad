// SPDX-License-Identifier: MIT
// Owns: the towers beside a language model: attention heads (tensor parallelism needs them) and,
// for the usual transformer encoders, parameters.
#pragma once
#include "import/config_fields.h"
#include "model/model_spec.h"

namespace kvgauge {

void read_vision(const Fields& outer, ModelSpec&);

}  // namespace kvgauge
