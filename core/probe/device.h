// SPDX-License-Identifier: MIT
// Owns: what a measurement must say about the device it ran on. Bytes, bytes/s, MHz, watts, degrees
// Celsius; 0 or empty where the system does not tell.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvgauge {

struct DeviceInfo {
    std::string id;       // "cuda:0", "cpu"
    std::string name;     // as the driver or the processor names it
    std::string arch;     // "sm_90", "avx2", "simd128"
    std::string driver;   // "580.65", empty without one
    std::string runtime;  // "CUDA 13.0"
    std::uint64_t memory_bytes = 0;
    std::uint64_t free_bytes = 0;
    std::uint64_t cache_bytes = 0;  // last level: what a cold measurement must exceed
    double bandwidth = 0;           // by the specification, bytes/s
    double peak_flops16 = 0;        // dense, FLOP/s
    std::uint32_t units = 0;        // multiprocessors or processors
    std::optional<bool> ecc;
    std::optional<double> power_limit_w;
    bool slice = false;  // a MIG instance: its memory and bandwidth are a part of the card's
    bool browser = false;
    std::string problem;  // empty: can be measured; else the reason, as a sentence
    bool operator==(const DeviceInfo&) const = default;
};

// Clocks at one moment. `throttled` names the reasons that were set then.
struct ClockState {
    bool known = false;
    double sm_mhz = 0, memory_mhz = 0, max_memory_mhz = 0;
    double temperature_c = 0, power_w = 0;
    std::vector<std::string> throttled;
    bool operator==(const ClockState&) const = default;
};

}  // namespace kvgauge
