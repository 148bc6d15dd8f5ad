// SPDX-License-Identifier: MIT
// Owns: memory that is neither weights nor KV and that no formula gives: activation peak, what the
// driver and communication libraries take, CUDA graphs. Ranges by engine version, GPU class and TP,
// bytes per GPU. Source: published start-up logs; a class without logs is marked assumed.
#pragma once
#include "engine/engine.h"
#include "model/quantity.h"

namespace kvgauge::engine {

// Activations, communication and, where the engine subtracts them before it sizes the cache,
// CUDA graphs.
Quantity overhead_band(const EngineInput&);

}  // namespace kvgauge::engine
