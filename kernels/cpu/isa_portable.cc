// SPDX-License-Identifier: MIT
#include "kernels/cpu/decode_range.h"
#include "kernels/cpu/isa.h"
#include "kernels/cpu/simd_portable.h"

namespace kvgauge::kernels::cpu {

Functions portable_functions() {
    return functions<Portable>();
}

}  // namespace kvgauge::kernels::cpu
