// SPDX-License-Identifier: MIT
#include "engine/bands.h"

#include <array>

namespace kvgauge::engine {
namespace {

struct Band {
    EngineId engine;
    Version from, to;         // releases, both included
    double gib_from, gib_to;  // visible memory of the GPU
    bool amd;
    std::uint64_t tp_from, tp_to;
    double low, best, high;  // GiB
    bool assumed;
};

constexpr Version v(std::uint32_t major, std::uint32_t minor) {
    return {major, minor, 0, false, 2};
}

// vLLM: activation + non-torch memory, from about 60 public start-up logs (utilisation 0.90 to
// 0.19, 0.92 from 0.20); rows without a log of that class lie between their neighbours and are
// assumed.
constexpr std::array kBands{
    Band{EngineId::vllm, v(0, 0), v(0, 10), 0, 60, false, 1, 1, 0.3, 1.5, 3.0, false},
    Band{EngineId::vllm, v(0, 0), v(0, 10), 60, 1e9, false, 1, 1, 1.2, 2.5, 4.0, false},
    Band{EngineId::vllm, v(0, 0), v(0, 10), 0, 1e9, false, 2, 4096, 2.5, 4.5, 8.0, false},
    Band{EngineId::vllm, v(0, 11), v(0, 17), 0, 60, false, 1, 1, 0.3, 1.5, 2.5, false},
    Band{EngineId::vllm, v(0, 11), v(0, 17), 60, 110, false, 1, 1, 1.7, 2.3, 4.0, false},
    Band{EngineId::vllm, v(0, 11), v(0, 17), 60, 110, false, 2, 4096, 3.5, 5.2, 7.5, true},
    Band{EngineId::vllm, v(0, 11), v(0, 17), 110, 1e9, false, 1, 1, 4.5, 5.4, 7.0, false},
    Band{EngineId::vllm, v(0, 11), v(0, 17), 110, 1e9, false, 2, 4, 3.8, 5.5, 7.5, false},
    Band{EngineId::vllm, v(0, 11), v(0, 17), 110, 1e9, false, 5, 4096, 2.8, 6.5, 9.0, false},
    Band{EngineId::vllm, v(0, 18), v(0, 99), 0, 60, false, 1, 1, 0.6, 1.5, 3.0, true},
    Band{EngineId::vllm, v(0, 18), v(0, 99), 60, 110, false, 1, 1, 1.7, 2.8, 4.5, true},
    Band{EngineId::vllm, v(0, 18), v(0, 99), 60, 110, false, 2, 4096, 3.3, 4.8, 7.5, true},
    Band{EngineId::vllm, v(0, 18), v(0, 19), 110, 160, false, 1, 1, 2.0, 2.9, 4.4, false},
    Band{EngineId::vllm, v(0, 18), v(0, 19), 110, 160, false, 2, 4, 3.6, 4.2, 6.0, false},
    Band{EngineId::vllm, v(0, 18), v(0, 19), 110, 160, false, 5, 4096, 4.8, 6.0, 7.0, false},
    Band{EngineId::vllm, v(0, 20), v(0, 99), 110, 160, false, 1, 1, 2.3, 3.2, 4.5, false},
    Band{EngineId::vllm, v(0, 20), v(0, 99), 110, 160, false, 2, 4, 4.2, 5.2, 7.5, false},
    Band{EngineId::vllm, v(0, 20), v(0, 99), 110, 160, false, 5, 4096, 5.0, 7.0, 8.5, false},
    Band{EngineId::vllm, v(0, 18), v(0, 99), 160, 1e9, false, 1, 1, 1.7, 3.3, 4.5, false},
    Band{EngineId::vllm, v(0, 18), v(0, 99), 160, 1e9, false, 2, 4096, 3.5, 4.4, 6.5, false},
    Band{EngineId::vllm, v(0, 0), v(0, 17), 0, 1e9, true, 1, 2, 5.5, 6.8, 8.5, false},
    Band{EngineId::vllm, v(0, 0), v(0, 17), 0, 1e9, true, 3, 4096, 7.0, 8.5, 10.5, false},
    Band{EngineId::vllm, v(0, 18), v(0, 99), 0, 1e9, true, 1, 4096, 3.0, 4.5, 7.5, false},
};

Quantity gib_range(double low, double best, double high, bool assumed) {
    const double g = static_cast<double>(gib);
    return {best * g, low * g, high * g, assumed ? Basis::assumed : Basis::derived};
}

}  // namespace

Quantity overhead_band(const EngineInput& in) {
    const double total = static_cast<double>(in.gpu.visible_bytes) / static_cast<double>(gib);
    const bool amd = in.gpu.vendor == "AMD";
    // A band names releases by two components; 0.19.1 lies in "to 0.19".
    const Version release{in.version.major, in.version.minor, 0, false, 2};
    for (const Band& b : kBands) {
        if (b.engine == in.engine && b.amd == amd && release >= b.from && release <= b.to &&
            total >= b.gib_from && total < b.gib_to && in.scenario.tp >= b.tp_from &&
            in.scenario.tp <= b.tp_to) {
            return gib_range(b.low, b.best, b.high, b.assumed);
        }
    }
    // No log of this class: wide, and said so.
    const bool several = in.scenario.tp > 1;
    return gib_range(0.3, several ? 4.5 : 2.5, several ? 8.0 : 5.0, true);
}

}  // namespace kvgauge::engine
