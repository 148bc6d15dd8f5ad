// SPDX-License-Identifier: MIT
// Owns: measuring NVIDIA GPUs. Compiled only where nvcc is; without it, without a driver or without
// a device there is a sentence instead of a device.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "probe/probe.h"

namespace kvgauge {

#if KVGAUGE_HAVE_CUDA
// Every device the driver shows; where there is none, one entry whose `problem` says why.
std::vector<DeviceInfo> cuda_devices();
std::unique_ptr<Probe> make_cuda_probe(int index);
#else
inline std::vector<DeviceInfo> cuda_devices() {
    DeviceInfo none;
    none.id = "cuda:0";
    none.problem =
        "This kvgauge was built without CUDA; rebuild with nvcc present to measure a GPU.";
    return {none};
}
inline std::unique_ptr<Probe> make_cuda_probe(int) {
    return nullptr;
}
#endif

}  // namespace kvgauge
