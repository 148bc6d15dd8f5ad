// SPDX-License-Identifier: MIT
// Runs the CUDA decode and merge kernels on the emulator. One definition per element type, each in
// its own file, so that they compile side by side.
#pragma once

#include "emulator/emulator.h"
#include "kernels/plan.h"

namespace kvgauge::testing {

// Runs on the emulator what the launcher would run on a GPU; the first error ends it.
emulator::Result emulate_decode(const kernels::DecodeProblem& problem,
                                const kernels::DecodePlan& plan, const emulator::Options& options);

template <class Element>
emulator::Result emulate_decode_as(const kernels::DecodeProblem& problem,
                                   const kernels::DecodePlan& plan,
                                   const emulator::Options& options);

}  // namespace kvgauge::testing
