// SPDX-License-Identifier: MIT
#include "engine/engine.h"

#include <array>

#include "engine/engines.h"
#include "model/weights.h"

namespace kvgauge {

std::string_view name(Verdict v) {
    constexpr std::array<std::string_view, 6> names{"ok",          "ok_replicated", "ok_uneven",
                                                    "ok_fallback", "error",         "unsafe"};
    return names[static_cast<std::size_t>(v)];
}

const EngineRules& rules(EngineId id) {
    switch (id) {
        case EngineId::none:
            return engine::kNone;
        case EngineId::vllm:
            return engine::kVllm;
        case EngineId::sglang:
            return engine::kSglang;
        case EngineId::trtllm:
            return engine::kTrtllm;
        case EngineId::llamacpp:
            return engine::kLlamacpp;
        case EngineId::tgi:
            return engine::kTgi;
        case EngineId::lmdeploy:
            return engine::kLmdeploy;
        case EngineId::hf:
            return engine::kHf;
    }
    return engine::kNone;
}

namespace engine {

DType checkpoint_kv(const EngineInput& in) {
    return in.model.kv;
}

Bytes inventory_weights(const EngineInput& in) {
    const Scenario& s = in.scenario;
    return bytes_per_gpu(in.model, in.weights, s.tp, s.pp, s.ep);
}

double util_or(const EngineInput& in, double fallback) {
    return in.scenario.util.value_or(fallback);
}

}  // namespace engine
}  // namespace kvgauge
