// SPDX-License-Identifier: MIT
// Owns: the few numbers a measurement of one GPU yields, which replace the speed model's defaults.
#pragma once
#include <optional>
#include <string>

namespace kvgauge {

struct Calibration {
    std::string device;                 // as the driver names it
    std::optional<double> e_w;          // share of spec bandwidth that weight reads reach, 0..1.03
    std::optional<double> e_kv;         // the same for KV reads in the 16-bit dtypes
    std::optional<double> e_kv_fp8;     // and in fp8
    std::optional<double> t0;           // seconds, fixed cost of one attention kernel
    std::optional<double> mfu_pre, mfu_dec, mfu_attn;  // share of peak FLOP/s
    std::optional<double> tau;          // seconds per layer
    std::optional<double> bandwidth;    // bytes/s measured by the read kernel
    std::optional<double> residual;     // median relative error of the fit
    bool operator==(const Calibration&) const = default;
};

}  // namespace kvgauge
