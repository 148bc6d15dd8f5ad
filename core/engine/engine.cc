// SPDX-License-Identifier: MIT
#include "engine/engine.h"

#include <array>
#include <bit>

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

std::uint64_t valid_sizes(const EngineInput& in) {
    const EngineRules& r = rules(in.engine);
    std::uint64_t sizes = 0;
    for (std::uint64_t n = 1; n <= 64; ++n) {
        if (accepted(r.tp(in, n))) sizes |= std::uint64_t{1} << (n - 1);
    }
    return sizes;
}

std::uint64_t nearest_size(const EngineInput& in, std::uint64_t tp) {
    const std::uint64_t sizes = valid_sizes(in);
    const auto has = [sizes](std::uint64_t n) {
        return n >= 1 && n <= 64 && (sizes >> (n - 1) & 1);
    };
    for (std::uint64_t far = 0; far < 64; ++far) {
        if (has(tp + far)) return tp + far;
        if (tp > far && has(tp - far)) return tp - far;
    }
    return sizes == 0 ? 0 : 64 - static_cast<std::uint64_t>(std::countl_zero(sizes));
}

std::uint64_t dcp_without_copies(const EngineInput& in, std::uint64_t tp) {
    const EngineRules& r = rules(in.engine);
    const double copies = r.tp(in, tp).copies;
    if (!(copies > 1) || copies > 4096) return 1;
    const auto all = static_cast<std::uint64_t>(copies);
    for (std::uint64_t d = all; d > 1; --d) {
        if (all % d != 0) continue;
        Scenario asked = in.scenario;
        asked.dcp = in.scenario.dcp * d;
        const EngineInput with{in.model, in.gpu, asked, in.engine, in.version, in.weights, in.kv};
        const TpVerdict v = r.tp(with, tp);
        if (accepted(v) && v.copies < copies) return asked.dcp;
    }
    return 1;
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
