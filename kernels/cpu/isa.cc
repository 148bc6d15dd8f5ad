// SPDX-License-Identifier: MIT
#include "kernels/cpu/isa.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace kvgauge::kernels::cpu {

const char* isa_name(Isa isa) {
    if (isa == Isa::avx2) return "avx2";
#if defined(__wasm_simd128__)
    return "simd128";
#elif defined(__ARM_NEON)
    return "neon";
#elif defined(__SSE2__)
    return "sse2";
#else
    return "scalar";
#endif
}

bool isa_available(Isa isa) {
    if (isa == Isa::portable) return true;
#if defined(__x86_64__)
    // "avx2" asks the operating system too; F16C has no name of its own in older compilers.
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
#else
    return false;
#endif
}

Isa best_isa() {
    return isa_available(Isa::avx2) ? Isa::avx2 : Isa::portable;
}

Functions isa_functions(Isa isa) {
#if defined(__x86_64__)
    if (isa == Isa::avx2) return avx2_functions();
#else
    static_cast<void>(isa);
#endif
    return portable_functions();
}

}  // namespace kvgauge::kernels::cpu
