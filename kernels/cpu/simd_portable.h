// SPDX-License-Identifier: MIT
// Four floats in the vector extension of GCC and Clang: SSE2, NEON, WASM SIMD128 or plain scalar
// code, whatever the target has.
#pragma once

#include <cstdint>
#include <cstring>

namespace kvgauge::kernels::cpu {

struct Portable {
    typedef float Reg __attribute__((vector_size(16)));
    typedef std::uint32_t Bits __attribute__((vector_size(16)));
    typedef std::int32_t Ints __attribute__((vector_size(16)));
    typedef std::uint16_t Half4 __attribute__((vector_size(8)));
    typedef std::uint8_t Byte4 __attribute__((vector_size(4)));
    static constexpr int kWidth = 4;

    static Reg zero() { return Reg{}; }
    static Reg set(float v) { return Reg{v, v, v, v}; }
    static Reg load(const float* p) { return get<Reg>(p); }
    static void store(float* p, Reg v) { std::memcpy(p, &v, sizeof v); }
    static Reg add(Reg a, Reg b) { return a + b; }
    static Reg sub(Reg a, Reg b) { return a - b; }
    static Reg mul(Reg a, Reg b) { return a * b; }
    static Reg max(Reg a, Reg b) { return a > b ? a : b; }
    static Reg fma(Reg a, Reg b, Reg c) { return a * b + c; }
    static Reg keep(Reg v) { return v; }

    // The f16 formula of half.h; a cache holds neither infinities nor NaN.
    static Reg widen(Bits bits) {
        const Bits sign = (bits & 0x8000u) << 16;
        const Bits magnitude = (bits & 0x7fffu) << 13;
        const Reg value = reinterpret<Reg>(magnitude) * 0x1p112f;
        return reinterpret<Reg>(reinterpret<Bits>(value) | sign);
    }
    static Reg load_f16(const unsigned char* p) {
        return widen(__builtin_convertvector(get<Half4>(p), Bits));
    }
    static Reg load_bf16(const unsigned char* p) {
        return reinterpret<Reg>(__builtin_convertvector(get<Half4>(p), Bits) << 16);
    }
    // Value times 2^-8, as half.h puts it: 2^120 for the exponent's bias, less 8. Computed as f16
    // is, from the same bits moved by 7.
    static Reg load_e4m3(const unsigned char* p) {
        const Bits codes = __builtin_convertvector(get<Byte4>(p), Bits);
        return widen((codes & 0x80u) << 8 | (codes & 0x7fu) << 7);
    }

    // As in simd_avx2.h. Adding and taking away 1.5 * 2^23 rounds to the nearest integer and leaves
    // that integer in the low bits.
    static Reg exp2(Reg x) {
        x = max(x, set(-126.0f));
        const Reg magic = set(0x1.8p23f);
        const Reg shifted = x + magic;
        const Reg f = x - (shifted - magic);
        Reg p = set(1.33335581e-3f);
        p = fma(p, f, set(9.61812910e-3f));
        p = fma(p, f, set(5.55041087e-2f));
        p = fma(p, f, set(2.40226507e-1f));
        p = fma(p, f, set(6.93147181e-1f));
        p = fma(p, f, set(1.0f));
        const Bits exponent = (reinterpret<Bits>(shifted) + 127u) << 23;
        return p * reinterpret<Reg>(exponent);
    }

    static void sums_of_8(const Reg (&a)[8], float* out) {
        store(out, sums_of_4(a[0], a[1], a[2], a[3]));
        store(out + 4, sums_of_4(a[4], a[5], a[6], a[7]));
    }
    // A 4 x 4 transposition with the additions on the way.
    static Reg sums_of_4(Reg a, Reg b, Reg c, Reg d) {
        const Reg ab =
            __builtin_shufflevector(a, b, 0, 4, 1, 5) + __builtin_shufflevector(a, b, 2, 6, 3, 7);
        const Reg cd =
            __builtin_shufflevector(c, d, 0, 4, 1, 5) + __builtin_shufflevector(c, d, 2, 6, 3, 7);
        return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) +
               __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    }

    static void fetch(const unsigned char* p) {
#if !defined(__wasm__)
        __builtin_prefetch(p);
#else
        static_cast<void>(p);
#endif
    }

    static Bits zero_bits() {
        return Bits{};
    }
    static Bits load_bits(const unsigned char* p) {
        return get<Bits>(p);
    }
    static Bits xor_bits(Bits a, Bits b) {
        return a ^ b;
    }
    static void stream_bits(unsigned char* p, Bits v) {
        std::memcpy(p, &v, sizeof v);
    }
    static std::uint64_t fold_bits(Bits v) {
        return (v[0] ^ v[2]) | static_cast<std::uint64_t>(v[1] ^ v[3]) << 32;
    }

  private:
    template <class T>
    static T get(const void* p) {
        T v;
        std::memcpy(&v, p, sizeof v);
        return v;
    }
    template <class To, class From>
    static To reinterpret(From v) {
        static_assert(sizeof(To) == sizeof(From));
        To to;
        std::memcpy(&to, &v, sizeof to);
        return to;
    }
};

}  // namespace kvgauge::kernels::cpu
