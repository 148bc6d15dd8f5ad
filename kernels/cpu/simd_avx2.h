// SPDX-License-Identifier: MIT
// Eight floats in AVX2 with FMA and F16C.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace kvgauge::kernels::cpu {

struct Avx2 {
    using Reg = __m256;
    using Bits = __m256i;
    static constexpr int kWidth = 8;

    static Reg zero() { return _mm256_setzero_ps(); }
    static Reg set(float v) { return _mm256_set1_ps(v); }
    static Reg load(const float* p) { return _mm256_loadu_ps(p); }
    static void store(float* p, Reg v) { _mm256_storeu_ps(p, v); }
    static Reg add(Reg a, Reg b) { return _mm256_add_ps(a, b); }
    static Reg sub(Reg a, Reg b) { return _mm256_sub_ps(a, b); }
    static Reg mul(Reg a, Reg b) { return _mm256_mul_ps(a, b); }
    static Reg max(Reg a, Reg b) { return _mm256_max_ps(a, b); }
    static Reg fma(Reg a, Reg b, Reg c) { return _mm256_fmadd_ps(a, b, c); }

    // In a register from here on: compilers fold the load into every use instead, and loads, not
    // multiply-adds, then bound the loop.
    static Reg keep(Reg v) {
        asm("" : "+x"(v));
        return v;
    }

    static __m128i half_bits(const unsigned char* p) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    }
    static Reg load_f16(const unsigned char* p) { return _mm256_cvtph_ps(half_bits(p)); }
    static Reg load_bf16(const unsigned char* p) {
        return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(half_bits(p)), 16));
    }
    // Value times 2^-8: the bits moved to where f16 has them (half.h).
    static Reg load_e4m3(const unsigned char* p) {
        const __m128i codes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
        const __m128i high = _mm_unpacklo_epi8(_mm_setzero_si128(), codes);
        const __m128i sign = _mm_and_si128(high, _mm_set1_epi16(static_cast<short>(0x8000)));
        const __m128i rest = _mm_and_si128(high, _mm_set1_epi16(0x7f00));
        return _mm256_cvtph_ps(_mm_or_si128(sign, _mm_srli_epi16(rest, 1)));
    }

    // 2^x for x <= 0: nearest integer to the exponent field, minimax polynomial of 2^f on
    // [-0.5, 0.5], relative error 2^-23 or so; below 2^-126 it stays there.
    static Reg exp2(Reg x) {
        x = _mm256_max_ps(x, _mm256_set1_ps(-126.0f));
        const Reg whole = _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
        const Reg f = _mm256_sub_ps(x, whole);
        Reg p = _mm256_set1_ps(1.33335581e-3f);
        p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(9.61812910e-3f));
        p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(5.55041087e-2f));
        p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(2.40226507e-1f));
        p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(6.93147181e-1f));
        p = _mm256_fmadd_ps(p, f, _mm256_set1_ps(1.0f));
        const __m256i exponent = _mm256_slli_epi32(
            _mm256_add_epi32(_mm256_cvtps_epi32(whole), _mm256_set1_epi32(127)), 23);
        return _mm256_mul_ps(p, _mm256_castsi256_ps(exponent));
    }

    // out[i] = the sum of a[i]'s lanes: pairwise, three levels, all eight at once.
    static void sums_of_8(const Reg (&a)[8], float* out) {
        const Reg ab = _mm256_hadd_ps(a[0], a[1]);
        const Reg cd = _mm256_hadd_ps(a[2], a[3]);
        const Reg ef = _mm256_hadd_ps(a[4], a[5]);
        const Reg gh = _mm256_hadd_ps(a[6], a[7]);
        const Reg low = _mm256_hadd_ps(ab, cd);
        const Reg high = _mm256_hadd_ps(ef, gh);
        store(out, _mm256_add_ps(_mm256_permute2f128_ps(low, high, 0x20),
                                 _mm256_permute2f128_ps(low, high, 0x31)));
    }

    static void fetch(const unsigned char* p) {
        _mm_prefetch(reinterpret_cast<const char*>(p), _MM_HINT_T0);
    }

    static Bits zero_bits() { return _mm256_setzero_si256(); }
    static Bits load_bits(const unsigned char* p) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
    }
    static Bits xor_bits(Bits a, Bits b) { return _mm256_xor_si256(a, b); }
    static void stream_bits(unsigned char* p, Bits v) {
        _mm256_stream_si256(reinterpret_cast<__m256i*>(p), v);
    }
    static std::uint64_t fold_bits(Bits v) {
        const __m128i half =
            _mm_xor_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
        return static_cast<std::uint64_t>(_mm_cvtsi128_si64(half)) ^
               static_cast<std::uint64_t>(_mm_extract_epi64(half, 1));
    }
};

}  // namespace kvgauge::kernels::cpu
