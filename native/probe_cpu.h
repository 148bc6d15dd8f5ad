// SPDX-License-Identifier: MIT
// Owns: measuring the processor this runs on: natively with threads, in a page with WASM SIMD in
// the tab's own thread.
#pragma once
#include <memory>

#include "probe/probe.h"

namespace kvgauge {

std::unique_ptr<Probe> make_cpu_probe();

}  // namespace kvgauge
