// SPDX-License-Identifier: MIT
// Owns: the constants of the speed model by engine, GPU class and weight format, and the measured
// (t0, e) pairs of decode-attention kernels. Each row carries its source.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "model/calibration.h"
#include "model/dtype.h"
#include "model/engine_id.h"
#include "model/gpu_spec.h"
#include "model/speed.h"
#include "model/weight_format.h"

namespace kvgauge {

SpeedConstants speed_constants(EngineId, const GpuSpec&, WeightKind, DType kv, std::uint64_t tp);
// The measured numbers of this GPU in place of the defaults.
SpeedConstants calibrated(SpeedConstants, const Calibration&, DType kv);

// One decode-attention kernel on one GPU: t = t0 + bytes / (e BW), fitted on cold rows.
struct KernelFit {
    std::string_view gpu;  // catalog id
    EngineId engine;
    std::string_view version, kernel;
    DType kv;             // bf16 stands for all 16-bit types
    double t0;            // s
    double e;             // share of spec bandwidth
    double median_error;  // of the held-out half
    // An fp8 cache under FlashAttention 3 on Hopper.
    bool fa3_fp8() const { return kv == DType::fp8 && kernel.ends_with("fa3"); }
};
std::span<const KernelFit> kernel_fits();
// The pair for this GPU, engine and KV dtype; empty where none was measured.
std::optional<KernelFit> kernel_fit(std::string_view gpu, EngineId, DType kv);

}  // namespace kvgauge
