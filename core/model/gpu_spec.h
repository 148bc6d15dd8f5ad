// SPDX-License-Identifier: MIT
// Owns: what one accelerator is. Rates are dense (no sparsity), at the published boost clock.
#pragma once
#include <cstdint>
#include <string>

#include "model/units.h"

namespace kvgauge {

struct GpuSpec {
    std::string id;    // "a100-80gb-sxm"
    std::string name;  // "A100 80GB SXM"
    std::string vendor;
    std::string arch;  // "Ampere"
    std::uint64_t driver_bytes = 0;   // total as the driver (nvidia-smi) reports it
    std::uint64_t visible_bytes = 0;  // total as CUDA reports it to a process (cudaMemGetInfo)
    bool visible_assumed = false;     // visible_bytes was not read from a log of this GPU
    double bandwidth = 0;    // memory, bytes/s
    double flops16 = 0;      // bf16/fp16 tensor FLOP/s; 0 = no such units
    double flops8 = 0;       // fp8 (or int8 where there is no fp8: see fp8)
    double flops4 = 0;
    bool fp8 = false;        // has fp8 tensor cores
    bool bf16 = true;
    double link = 0;         // GPU-to-GPU, bytes/s per direction; 0 = PCIe only
    double pcie = 0;         // bytes/s per direction
    std::uint64_t l2_bytes = 0;
    std::uint32_t compute_capability = 0;  // 80, 90, 100, 120; 0 = not CUDA
    std::uint32_t sms = 0;    // streaming multiprocessors or compute units; 0 = unknown
    std::uint32_t tdp_w = 0;  // board power, watts; 0 = unknown
    std::string source;      // tag of the source list
    bool assumed = false;    // a field was typed in or is uncertain
    bool operator==(const GpuSpec&) const = default;
};

}  // namespace kvgauge
