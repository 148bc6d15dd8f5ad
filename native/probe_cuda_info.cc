// SPDX-License-Identifier: MIT
#include "native/probe_cuda_info.h"

#include <memory>

#include "native/nvml.h"
#include "native/probe_cuda.h"
#include "native/probe_cuda_device.h"

namespace kvgauge {
namespace {

std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

int attribute(cudaDeviceAttr what, int index) {
    int value = 0;
    return cudaDeviceGetAttribute(&value, what, index) == cudaSuccess ? value : 0;
}

// Why there is no device at all; empty when there are some.
std::string no_devices(int& count) {
    count = 0;  // left unwritten by CUDA when there is no driver
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && count > 0) return {};
    cudaGetLastError();
    int driver = 0;
    int runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    if (error == cudaErrorInsufficientDriver && driver == 0)
        return "No NVIDIA driver is loaded on this machine.";
    if (error == cudaErrorInsufficientDriver)
        return "The NVIDIA driver supports CUDA " + version_text(driver) +
               "; this kvgauge needs CUDA " + version_text(runtime) + ".";
    if (error == cudaSuccess || error == cudaErrorNoDevice)
        return "A driver is there, but it shows no NVIDIA GPU (CUDA_VISIBLE_DEVICES may hide it).";
    return "The NVIDIA GPUs cannot be used: " + std::string(cudaGetErrorString(error)) + ".";
}

}  // namespace

namespace cuda {

const Nvml* nvml() {
    static const std::unique_ptr<Nvml> library = Nvml::open();
    return library.get();
}

std::string bus_id_of(int index) {
    char text[32] = "";
    return cudaDeviceGetPCIBusId(text, sizeof text, index) == cudaSuccess ? text : "";
}

DeviceInfo describe(int index) {
    DeviceInfo info;
    info.id = "cuda:" + std::to_string(index);
    cudaDeviceProp properties{};
    const cudaError_t error = cudaGetDeviceProperties(&properties, index);
    if (error != cudaSuccess) {
        info.problem = sentence(error, "The device cannot be asked");
        return info;
    }
    const int major = attribute(cudaDevAttrComputeCapabilityMajor, index);
    const int minor = attribute(cudaDevAttrComputeCapabilityMinor, index);
    info.name = properties.name;
    info.arch = "sm_" + std::to_string(10 * major + minor);
    info.memory_bytes = properties.totalGlobalMem;
    info.cache_bytes = static_cast<std::uint64_t>(attribute(cudaDevAttrL2CacheSize, index));
    info.units = static_cast<std::uint32_t>(attribute(cudaDevAttrMultiProcessorCount, index));
    info.ecc = properties.ECCEnabled != 0;
    // A name like "NVIDIA A100 MIG 1g.10gb".
    info.slice = info.name.find("MIG") != std::string::npos;
    // Two transfers a clock. A slice has a share of it that nobody tells: unknown then.
    const double clock_hz = 1e3 * attribute(cudaDevAttrMemoryClockRate, index);
    const double bus_bytes = attribute(cudaDevAttrGlobalMemoryBusWidth, index) / 8.0;
    if (!info.slice) info.bandwidth = 2 * clock_hz * bus_bytes;
    int runtime = 0;
    cudaRuntimeGetVersion(&runtime);
    info.runtime = "CUDA " + version_text(runtime);
    if (nvml() != nullptr) {
        info.driver = nvml()->driver_version();
        info.power_limit_w = nvml()->power_limit_w(bus_id_of(index));
    }
    if (10 * major + minor < 75)
        info.problem =
            info.name + " is " + info.arch + "; the kernels need sm_75 (Turing) or later.";
    return info;
}

}  // namespace cuda

std::vector<DeviceInfo> cuda_devices() {
    int count = 0;
    const std::string none = no_devices(count);
    std::vector<DeviceInfo> devices;
    if (!none.empty()) {
        DeviceInfo info;
        info.id = "cuda:0";
        info.problem = none;
        devices.push_back(info);
        return devices;
    }
    for (int i = 0; i < count; ++i) devices.push_back(cuda::describe(i));
    return devices;
}

}  // namespace kvgauge
