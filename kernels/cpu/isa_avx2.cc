// SPDX-License-Identifier: MIT
// Compiled with -mavx2 -mfma -mf16c; called only where the CPU has them.
#include "kernels/cpu/decode_range.h"
#include "kernels/cpu/isa.h"
#include "kernels/cpu/simd_avx2.h"

namespace kvgauge::kernels::cpu {

Functions avx2_functions() {
    return functions<Avx2>();
}

}  // namespace kvgauge::kernels::cpu
