// SPDX-License-Identifier: MIT
// The instruction sets the CPU kernels are compiled for, and the best one of this machine.
#pragma once

#include "kernels/cpu/range.h"

namespace kvgauge::kernels::cpu {

// portable: four-wide vectors of whatever the build targets (SSE2, NEON, WASM SIMD128).
enum class Isa : std::uint8_t { portable, avx2 };

const char* isa_name(Isa isa);
bool isa_available(Isa isa);  // compiled in, and this CPU and its system have it
Isa best_isa();
Functions isa_functions(Isa isa);  // of an available one

Functions portable_functions();
Functions avx2_functions();

}  // namespace kvgauge::kernels::cpu
