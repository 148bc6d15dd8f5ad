// SPDX-License-Identifier: MIT
// The functions of kernels/cuda/device.h for a host compiler: memory accesses are plain C++ (seen
// by the sanitizers, checked for alignment, counted), collectives go to the emulator.
#pragma once

#include <cmath>
#include <cstring>

#include "emulator.h"
#include "kernels/cuda/op_reference.h"
#include "kernels/half.h"

#define KVG_DEVICE inline
#define KVG_BOTH inline
#define KVG_UNROLL
#define KVG_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

namespace kvgauge::kernels::dev {

namespace emu = kvgauge::emulator;

inline int thread_index() {
    return static_cast<int>(emu::current().linear);
}
inline int block_threads() {
    const emu::Dim3 dim = emu::current().block_dim;
    return static_cast<int>(dim.x * dim.y * dim.z);
}
inline int block_x() {
    return static_cast<int>(emu::current().block.x);
}
inline int block_y() {
    return static_cast<int>(emu::current().block.y);
}
inline int block_z() {
    return static_cast<int>(emu::current().block.z);
}
inline int grid_x() {
    return static_cast<int>(emu::current().grid_dim.x);
}
inline int grid_y() {
    return static_cast<int>(emu::current().grid_dim.y);
}

template <class T>
T emulated_load(const void* p, const char* file, int line, emu::Access kind = emu::Access::load) {
    emu::touch(kind, {file, line}, p, sizeof(T));
    return *static_cast<const T*>(p);
}
template <class T>
void emulated_store(void* p, const T& v, const char* file, int line) {
    emu::touch(emu::Access::store, {file, line}, p, sizeof(T));
    *static_cast<T*>(p) = v;
}

inline Words4 stream16(const void* p, KVG_SITE) {
    return emulated_load<Words4>(p, file, line, emu::Access::stream);
}
inline Words2 stream8(const void* p, KVG_SITE) {
    return emulated_load<Words2>(p, file, line, emu::Access::stream);
}
inline std::uint32_t stream4(const void* p, KVG_SITE) {
    return emulated_load<std::uint32_t>(p, file, line, emu::Access::stream);
}
inline std::uint32_t stream2(const void* p, KVG_SITE) {
    return emulated_load<std::uint16_t>(p, file, line, emu::Access::stream);
}
inline std::int32_t load_int(const std::int32_t* p, KVG_SITE) {
    return emulated_load<std::int32_t>(p, file, line);
}
inline float load_float(const float* p, KVG_SITE) {
    return emulated_load<float>(p, file, line);
}
inline Words2 load8(const void* p, KVG_SITE) {
    return emulated_load<Words2>(p, file, line);
}
inline void store_float(float* p, float v, KVG_SITE) {
    emulated_store(p, v, file, line);
}
inline void store4(void* p, std::uint32_t v, KVG_SITE) {
    emulated_store(p, v, file, line);
}
inline void store16(void* p, Words4 v, KVG_SITE) {
    emulated_store(p, v, file, line);
}

inline void emulated_mma(emu::Op op, float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                         std::uint32_t b1, const char* file, int line) {
    const reference::MmaLane in{{a[0], a[1], a[2], a[3]}, {b0, b1}, {d[0], d[1], d[2], d[3]}};
    emu::collective(op, {file, line}, 0, &in, sizeof in, d, sizeof d);
}
inline void mma_f16(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1,
                    KVG_SITE) {
    emulated_mma(emu::Op::mma_f16, d, a, b0, b1, file, line);
}
inline void mma_bf16(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1,
                     KVG_SITE) {
    emulated_mma(emu::Op::mma_bf16, d, a, b0, b1, file, line);
}
inline std::uint32_t transpose8x8(std::uint32_t v, KVG_SITE) {
    std::uint32_t r;
    emu::collective(emu::Op::transpose, {file, line}, 0, &v, sizeof v, &r, sizeof r);
    return r;
}
inline std::uint32_t byte_perm(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
    return reference::byte_perm(a, b, selector);
}
inline std::uint32_t pack_f16(float low, float high) {
    return reference::join16(f32_to_f16(low), f32_to_f16(high));
}
inline std::uint32_t pack_bf16(float low, float high) {
    return reference::join16(f32_to_bf16(low), f32_to_bf16(high));
}

// KVG_EMULATE_SM89: the hardware conversion; else the shifted bits of the older architectures.
#if defined(KVG_EMULATE_SM89)
inline float e4m3_gain() {
    return 1.0f;
}
#else
inline float e4m3_gain() {
    return 256.0f;
}
#endif
inline void unpack_e4m3(std::uint32_t codes, std::uint32_t& low, std::uint32_t& high) {
    std::uint16_t half[4];
    for (int i = 0; i < 4; ++i) {
        const auto code = static_cast<std::uint8_t>(codes >> (8 * i));
#if defined(KVG_EMULATE_SM89)
        half[i] = f32_to_f16(e4m3_to_f32(code));
#else
        half[i] = e4m3_to_f16_times_2_to_minus_8(code);
#endif
    }
    low = reference::join16(half[0], half[1]);
    high = reference::join16(half[2], half[3]);
}

inline float exp2_fast(float x) {
    return std::exp2(x);
}

inline float shuffle_xor(float v, int mask, KVG_SITE) {
    float r;
    emu::collective(emu::Op::shuffle_xor, {file, line}, mask, &v, sizeof v, &r, sizeof r);
    return r;
}
inline bool any_lane(bool v, KVG_SITE) {
    bool r;
    emu::collective(emu::Op::any_lane, {file, line}, 0, &v, sizeof v, &r, sizeof r);
    return r;
}
inline void barrier(KVG_SITE) {
    emu::barrier({file, line});
}
inline unsigned char* shared_memory() {
    return emu::current().shared;
}

// A copy happens only when it is waited for; until then its destination is NaN. A kernel that
// forgets to wait, or waits for too few groups, reads that.
inline void copy16_async(void* shared, const void* global, KVG_SITE) {
    emu::touch(emu::Access::load, {file, line}, global, 16);
    emulated_store(shared, Words4{~0u, ~0u, ~0u, ~0u}, file, line);
    emu::Thread& thread = emu::current();
    thread.copies.push_back({shared, global, thread.copy_group});
}
inline void commit_copies() {
    ++emu::current().copy_group;
}
template <int kGroupsLeft>
void wait_copies() {
    emu::Thread& thread = emu::current();
    std::vector<emu::PendingCopy> left;
    for (const emu::PendingCopy& copy : thread.copies) {
        if (copy.group >= thread.copy_group - kGroupsLeft)
            left.push_back(copy);
        else
            *static_cast<Words4*>(copy.to) = *static_cast<const Words4*>(copy.from);
    }
    thread.copies.swap(left);
}

inline void emulated_matrices(std::uint32_t (&r)[4], const void* row, bool transposed,
                              const char* file, int line) {
    const auto words = emulated_load<Words4>(row, file, line);
    emu::collective(emu::Op::matrices, {file, line}, transposed, &words, sizeof words, r, sizeof r);
}
inline void load_matrices(std::uint32_t (&r)[4], const void* row, KVG_SITE) {
    emulated_matrices(r, row, false, file, line);
}
inline void load_matrices_transposed(std::uint32_t (&r)[4], const void* row, KVG_SITE) {
    emulated_matrices(r, row, true, file, line);
}

}  // namespace kvgauge::kernels::dev
