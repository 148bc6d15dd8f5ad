// SPDX-License-Identifier: MIT
// What CUDA and NVML tell of the GPUs of this machine, before any of them is opened.
#pragma once

#include <string>
#include <vector>

#include "probe/probe.h"

namespace kvgauge {

class Nvml;

namespace cuda {

// NVML, or null where it is not installed. It stays open for the life of the program: opening it
// takes a second on some machines.
const Nvml* nvml();

// The PCI address by which NVML knows a device; empty when CUDA does not tell it.
std::string bus_id_of(int index);

// All that can be told of device `index`; `problem` says why it cannot be used.
DeviceInfo describe(int index);

}  // namespace cuda
}  // namespace kvgauge
