// SPDX-License-Identifier: MIT
// Owns: a measurement on a thread of its own, so that no frame of the window waits for a device.
#pragma once
#include <memory>

#include "ui/measurer.h"

namespace kvgauge {

std::shared_ptr<ui::Measurer> make_measure_thread();

}  // namespace kvgauge
