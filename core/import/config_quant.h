// SPDX-License-Identifier: MIT
// Owns: how a checkpoint says its matrices and its KV cache are stored: quantization_config,
// compression_config (compressed-tensors), ModelOpt's keys and its sidecar hf_quant_config.json,
// the "quantization" of MLX, and the plain dtype.
#pragma once
#include "import/config_fields.h"
#include "model/model_spec.h"

namespace kvgauge {

// `text` is the language model's object, `outer` the file's (the same where nothing is nested),
// `sidecar` the root of hf_quant_config.json or absent. Sets weights, kv and what is assumed.
void read_storage(const Fields& text, const Fields& outer, JsonValue sidecar, ModelSpec&);

}  // namespace kvgauge
