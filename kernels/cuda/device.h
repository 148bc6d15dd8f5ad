// SPDX-License-Identifier: MIT
// The only place with PTX. Kernels are written against the functions below; under nvcc they are one
// or two instructions each, under a host compiler the same names come from the emulator
// (emulated_device.h, on the include path of the tests only), so that one kernel source runs on a
// GPU and under the sanitizers. op_reference.h states in plain C++ what each one computes, and the
// device self-test holds the hardware to it.
//
// One warp-collective call a source line: the emulator tells calls apart by line.
#pragma once

#include <cstdint>

namespace kvgauge::kernels::dev {

struct alignas(16) Words4 {
    std::uint32_t x, y, z, w;
};
struct alignas(8) Words2 {
    std::uint32_t x, y;
};

}  // namespace kvgauge::kernels::dev

#if !defined(__CUDACC__)
#include "emulated_device.h"
#else

#define KVG_DEVICE __device__ __forceinline__
#define KVG_BOTH __host__ __device__ __forceinline__
#define KVG_UNROLL _Pragma("unroll")

namespace kvgauge::kernels::dev {

KVG_DEVICE int thread_index() {
    return static_cast<int>(threadIdx.x);
}
KVG_DEVICE int block_threads() {
    return static_cast<int>(blockDim.x);
}
KVG_DEVICE int block_x() {
    return static_cast<int>(blockIdx.x);
}
KVG_DEVICE int block_y() {
    return static_cast<int>(blockIdx.y);
}
KVG_DEVICE int block_z() {
    return static_cast<int>(blockIdx.z);
}
KVG_DEVICE int grid_x() {
    return static_cast<int>(gridDim.x);
}
KVG_DEVICE int grid_y() {
    return static_cast<int>(gridDim.y);
}

// Streaming loads of bytes used once: read-only path, not kept in L1, whole 256-byte L2 sectors
// asked for where the architecture has the hint. volatile keeps them where they are written: ahead
// of the arithmetic, so that many bytes are in flight.
#if __CUDA_ARCH__ >= 800
#define KVG_STREAM "ld.global.nc.L1::no_allocate.L2::256B"
#else
#define KVG_STREAM "ld.global.nc.L1::no_allocate"
#endif
KVG_DEVICE Words4 stream16(const void* p) {
    Words4 r;
    asm volatile(KVG_STREAM ".v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w)
                 : "l"(p));
    return r;
}
KVG_DEVICE Words2 stream8(const void* p) {
    Words2 r;
    asm volatile(KVG_STREAM ".v2.u32 {%0,%1}, [%2];" : "=r"(r.x), "=r"(r.y) : "l"(p));
    return r;
}
KVG_DEVICE std::uint32_t stream4(const void* p) {
    std::uint32_t r;
    asm volatile(KVG_STREAM ".u32 %0, [%1];" : "=r"(r) : "l"(p));
    return r;
}
KVG_DEVICE std::uint32_t stream2(const void* p) {
    std::uint16_t r;
    asm volatile(KVG_STREAM ".u16 %0, [%1];" : "=h"(r) : "l"(p));
    return r;
}
#undef KVG_STREAM

// Loads of what is used again: lengths, page tables, partial results, queries.
KVG_DEVICE std::int32_t load_int(const std::int32_t* p) {
    return __ldg(p);
}
KVG_DEVICE float load_float(const float* p) {
    return __ldg(p);
}
KVG_DEVICE Words2 load8(const void* p) {
    const uint2 v = __ldg(static_cast<const uint2*>(p));
    return {v.x, v.y};
}

KVG_DEVICE void store_float(float* p, float v) {
    *p = v;
}
KVG_DEVICE void store4(void* p, std::uint32_t v) {
    *static_cast<std::uint32_t*>(p) = v;
}
KVG_DEVICE void store16(void* p, Words4 v) {
    *static_cast<Words4*>(p) = v;
}

// D = A * B + D, A 16 x 16 row major, B 16 x 8 column major, fragments as in the PTX ISA
// ("Matrix Fragments for mma.m16n8k16"). sm_75 has the k8 form only: two of them are the same sum.
KVG_DEVICE void mma_f16(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                        std::uint32_t b1) {
#if __CUDA_ARCH__ >= 800
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
        "{%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(b0));
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
        "{%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[2]), "r"(a[3]), "r"(b1));
#endif
}

// sm_75 has no bf16 tensor cores; the launcher refuses there and nothing reaches the trap.
KVG_DEVICE void mma_bf16(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                         std::uint32_t b1) {
#if __CUDA_ARCH__ >= 800
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
    asm volatile("trap;");
#endif
}

// Transposes an 8 x 8 matrix of 16-bit values held two a lane.
KVG_DEVICE std::uint32_t transpose8x8(std::uint32_t v) {
    std::uint32_t r;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r) : "r"(v));
    return r;
}

KVG_DEVICE std::uint32_t byte_perm(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
    return __byte_perm(a, b, selector);
}

KVG_DEVICE std::uint32_t pack_f16(float low, float high) {
    std::uint32_t r;
#if __CUDA_ARCH__ >= 800
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
#else
    asm("{.reg .b16 l, h; cvt.rn.f16.f32 l, %1; cvt.rn.f16.f32 h, %2; mov.b32 %0, {l, h};}"
        : "=r"(r)
        : "f"(low), "f"(high));
#endif
    return r;
}

KVG_DEVICE std::uint32_t pack_bf16(float low, float high) {
    std::uint32_t r = 0;
#if __CUDA_ARCH__ >= 800
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
#else
    asm volatile("trap;");
#endif
    return r;
}

// Four E4M3 codes to two pairs of f16. Before sm_89 the bits are moved into place and the value
// comes out times 2^-8; the kernels fold e4m3_gain back in where they scale anyway.
#if __CUDA_ARCH__ >= 890
KVG_DEVICE float e4m3_gain() {
    return 1.0f;
}
KVG_DEVICE void unpack_e4m3(std::uint32_t codes, std::uint32_t& low, std::uint32_t& high) {
    asm("{.reg .b16 l, h; mov.b32 {l, h}, %2; cvt.rn.f16x2.e4m3x2 %0, l; "
        "cvt.rn.f16x2.e4m3x2 %1, h;}"
        : "=r"(low), "=r"(high)
        : "r"(codes));
}
#else
KVG_DEVICE float e4m3_gain() {
    return 256.0f;
}
KVG_DEVICE void unpack_e4m3(std::uint32_t codes, std::uint32_t& low, std::uint32_t& high) {
    const std::uint32_t l = __byte_perm(codes, 0, 0x1404);
    const std::uint32_t h = __byte_perm(codes, 0, 0x3424);
    low = (l & 0x80008000u) | (l & 0x7f007f00u) >> 1;
    high = (h & 0x80008000u) | (h & 0x7f007f00u) >> 1;
}
#endif

KVG_DEVICE float exp2_fast(float x) {
    float r;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
    return r;
}

KVG_DEVICE float shuffle_xor(float v, int mask) {
    return __shfl_xor_sync(0xffffffffu, v, mask);
}
KVG_DEVICE bool any_lane(bool v) {
    return __any_sync(0xffffffffu, v) != 0;
}
KVG_DEVICE void barrier() {
    __syncthreads();
}

KVG_DEVICE unsigned char* shared_memory() {
    extern __shared__ __align__(128) unsigned char kvg_shared[];
    return kvg_shared;
}

// Asynchronous copies of 16 bytes into shared memory. sm_75 copies at once; waiting is then free.
KVG_DEVICE void copy16_async(void* shared, const void* global) {
#if __CUDA_ARCH__ >= 800
    const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(address), "l"(global)
                 : "memory");
#else
    *static_cast<Words4*>(shared) = *static_cast<const Words4*>(global);
#endif
}
KVG_DEVICE void commit_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
template <int kGroupsLeft>
KVG_DEVICE void wait_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(kGroupsLeft) : "memory");
#endif
}

// Four 8 x 8 matrices of 16-bit values from shared memory; lane l names row l % 8 of matrix l / 8.
KVG_DEVICE void load_matrices(std::uint32_t (&r)[4], const void* row) {
    const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address)
                 : "memory");
}
KVG_DEVICE void load_matrices_transposed(std::uint32_t (&r)[4], const void* row) {
    const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(address)
                 : "memory");
}

}  // namespace kvgauge::kernels::dev
#endif
