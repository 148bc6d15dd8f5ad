// SPDX-License-Identifier: MIT
// Owns: clocks, temperature, power and throttle reasons of an NVIDIA GPU, from the driver's own
// library, opened at run time: no header and no link to it, and nothing lost but these where it is
// missing.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "probe/device.h"

namespace kvgauge {

class Nvml {
  public:
    // Null when the library or a function is missing, or it does not start.
    static std::unique_ptr<Nvml> open();
    ~Nvml();
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    std::string driver_version() const;
    // `bus_id` as cudaDeviceGetPCIBusId gives it.
    ClockState clocks(const std::string& bus_id) const;
    std::optional<double> power_limit_w(const std::string& bus_id) const;
    std::optional<bool> mig_enabled(const std::string& bus_id) const;

  private:
    struct Functions;
    explicit Nvml(std::unique_ptr<Functions>);
    void* device(const std::string& bus_id) const;
    std::unique_ptr<Functions> f_;
};

}  // namespace kvgauge
