// SPDX-License-Identifier: MIT
// Owns: what the number of KV heads changes beside the cache. The K and V projections shrink with
// it: parameters layers * hidden * kv_heads * (k_dim + v_dim), two FLOP each and token. The scores
// do not: prefill attention takes 2 * q_heads * (k_dim + v_dim) FLOP a pair whatever the KV heads.
#pragma once
#include "model/model_spec.h"
#include "model/units.h"

namespace kvgauge {

// Parameters of the K and V projections of all layers, biases included; of latent attention its
// down projection and up projections.
Count kv_projection_params(const ModelSpec&);

}  // namespace kvgauge
