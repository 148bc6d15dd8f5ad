// SPDX-License-Identifier: MIT
// Owns: the table of each engine's answers, and the defaults they share. Internal to engine/.
#pragma once
#include "engine/engine.h"

namespace kvgauge::engine {

extern const EngineRules kNone;
extern const EngineRules kVllm;
extern const EngineRules kSglang;
extern const EngineRules kTrtllm;
extern const EngineRules kLlamacpp;
extern const EngineRules kTgi;
extern const EngineRules kLmdeploy;
extern const EngineRules kHf;

// `kv=auto` of most engines: the checkpoint's own KV dtype.
DType checkpoint_kv(const EngineInput&);
// Weight bytes of the fullest GPU by the model's inventory.
Bytes inventory_weights(const EngineInput&);
// The attention choice in words, for every engine's `backend`.
std::string backend_text(const EngineInput&);
// The fraction in effect: the scenario's, else the default given.
double util_or(const EngineInput&, double fallback);

}  // namespace kvgauge::engine
