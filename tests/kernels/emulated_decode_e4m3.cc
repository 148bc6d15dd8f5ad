// SPDX-License-Identifier: MIT
#include "emulated_decode_impl.h"

namespace kvgauge::testing {

template emulator::Result emulate_decode_as<kernels::dev::E4m3>(const kernels::DecodeProblem&,
                                                                const kernels::DecodePlan&,
                                                                const emulator::Options&);

}  // namespace kvgauge::testing
