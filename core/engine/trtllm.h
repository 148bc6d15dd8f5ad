// SPDX-License-Identifier: MIT
// Owns: TensorRT-LLM's token count for a budget. Internal to engine/.
// Sources: PyTorch backend _torch/pyexecutor/_util.py @00043967 (KvCacheCreator),
// resource_manager.py (calculate_max_num_blocks), vswa.py (1.2 / 1.4rc).
#pragma once
#include <cstdint>

#include "engine/engine.h"

namespace kvgauge::engine::trtllm {

// Bytes per token by which KvCacheCreator first estimates: the division by tp is made on
// head_dim * kv_heads, so it falls short when heads are copied. The block manager then takes the
// real bytes, so the estimate never binds.
Bytes estimated_slope(const EngineInput&);

}  // namespace kvgauge::engine::trtllm
