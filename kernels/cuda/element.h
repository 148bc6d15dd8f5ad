// SPDX-License-Identifier: MIT
// What a cache element type means to the tensor cores: its size, the type it is multiplied in, and
// how bytes loaded from memory become fragment registers.
#pragma once

#include "kernels/cuda/device.h"

namespace kvgauge::kernels::dev {

struct F16 {
    static constexpr int kBytes = 2;
    static KVG_DEVICE float gain() { return 1.0f; }
    static KVG_DEVICE std::uint32_t pack(float low, float high) { return pack_f16(low, high); }
    static KVG_DEVICE void mma(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                               std::uint32_t b1) {
        mma_f16(d, a, b0, b1);
    }
};

struct Bf16 {
    static constexpr int kBytes = 2;
    static KVG_DEVICE float gain() { return 1.0f; }
    static KVG_DEVICE std::uint32_t pack(float low, float high) { return pack_bf16(low, high); }
    static KVG_DEVICE void mma(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                               std::uint32_t b1) {
        mma_bf16(d, a, b0, b1);
    }
};

// Multiplied as f16, beside f16 queries. gain() undoes the factor unpack_e4m3 leaves.
struct E4m3 {
    static constexpr int kBytes = 1;
    static KVG_DEVICE float gain() { return e4m3_gain(); }
    static KVG_DEVICE std::uint32_t pack(float low, float high) { return pack_f16(low, high); }
    static KVG_DEVICE void mma(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                               std::uint32_t b1) {
        mma_f16(d, a, b0, b1);
    }
};

// Fragment A of step `step` of K * Q^T, 16 keys by 16 dimensions, from the words a lane holds of
// key rows g and g + 8.
template <class Element, int kWords>
KVG_DEVICE void key_fragment(std::uint32_t (&a)[4], const std::uint32_t (&near)[kWords],
                             const std::uint32_t (&far)[kWords], int step) {
    if constexpr (Element::kBytes == 2) {
        a[0] = near[2 * step];
        a[1] = far[2 * step];
        a[2] = near[2 * step + 1];
        a[3] = far[2 * step + 1];
    } else {
        unpack_e4m3(near[step], a[0], a[2]);
        unpack_e4m3(far[step], a[1], a[3]);
    }
}

// Fragment A of step `step` of V^T * P^T, 16 dimensions by 16 keys, from the words a lane holds of
// key rows 2t, 2t+1, 2t+8 and 2t+9. Rows g and g + 8 of the fragment are two neighbouring
// dimensions: what one lane loaded stays in that lane.
template <class Element, int kWords>
KVG_DEVICE void value_fragment(std::uint32_t (&a)[4], const std::uint32_t (&rows)[4][kWords],
                               int step) {
    if constexpr (Element::kBytes == 2) {
        a[0] = byte_perm(rows[0][step], rows[1][step], 0x5410);
        a[1] = byte_perm(rows[0][step], rows[1][step], 0x7632);
        a[2] = byte_perm(rows[2][step], rows[3][step], 0x5410);
        a[3] = byte_perm(rows[2][step], rows[3][step], 0x7632);
    } else {
        const int word = step / 2;
        const std::uint32_t selector = step % 2 ? 0x7362 : 0x5140;
        unpack_e4m3(byte_perm(rows[0][word], rows[1][word], selector), a[0], a[1]);
        unpack_e4m3(byte_perm(rows[2][word], rows[3][word], selector), a[2], a[3]);
    }
}

}  // namespace kvgauge::kernels::dev
