// SPDX-License-Identifier: MIT
// What the collective wrappers of device.h compute, as plain C++ over the 32 lanes of a warp:
// fragment layouts from the PTX ISA ("Matrix Fragments for mma.m16n8k16", "movmatrix", "ldmatrix").
// The emulator runs these; the device self-test compares the hardware with them.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/half.h"

namespace kvgauge::kernels::reference {

inline constexpr int lanes = 32;
using Warp32 = std::array<std::uint32_t, lanes>;

constexpr std::uint16_t low16(std::uint32_t v) {
    return static_cast<std::uint16_t>(v);
}
constexpr std::uint16_t high16(std::uint32_t v) {
    return static_cast<std::uint16_t>(v >> 16);
}
constexpr std::uint32_t join16(std::uint16_t low, std::uint16_t high) {
    return low | static_cast<std::uint32_t>(high) << 16;
}

constexpr std::uint32_t byte_perm(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
    const std::uint64_t bytes = a | static_cast<std::uint64_t>(b) << 32;
    std::uint32_t result = 0;
    for (int i = 0; i < 4; ++i) {
        const std::uint32_t from = selector >> (4 * i) & 7u;
        result |= static_cast<std::uint32_t>(bytes >> (8 * from) & 0xffu) << (8 * i);
    }
    return result;
}

// Lane 4 g + t holds elements (g, 2 t) and (g, 2 t + 1), before and after.
inline Warp32 transpose8x8(const Warp32& in) {
    std::uint16_t m[8][8];
    for (int lane = 0; lane < lanes; ++lane) {
        m[lane / 4][2 * (lane % 4)] = low16(in[lane]);
        m[lane / 4][2 * (lane % 4) + 1] = high16(in[lane]);
    }
    Warp32 out{};
    for (int lane = 0; lane < lanes; ++lane) {
        const int g = lane / 4;
        const int t = lane % 4;
        out[lane] = join16(m[2 * t][g], m[2 * t + 1][g]);
    }
    return out;
}

struct MmaLane {
    std::uint32_t a[4];
    std::uint32_t b[2];
    float d[4];
};

// Sums in float; the hardware's own accumulation order and rounding differ in the last bits.
template <class Convert>
void mma(std::array<MmaLane, lanes>& warp, Convert convert) {
    float a[16][16];
    float b[16][8];
    float d[16][8];
    for (int lane = 0; lane < lanes; ++lane) {
        const MmaLane& m = warp[lane];
        const int g = lane / 4;
        const int t = lane % 4;
        for (int r = 0; r < 4; ++r) {
            const int row = g + r % 2 * 8;
            const int col = 2 * t + r / 2 * 8;
            a[row][col] = convert(low16(m.a[r]));
            a[row][col + 1] = convert(high16(m.a[r]));
            d[g + r / 2 * 8][2 * t + r % 2] = m.d[r];
        }
        for (int r = 0; r < 2; ++r) {
            b[2 * t + 8 * r][g] = convert(low16(m.b[r]));
            b[2 * t + 8 * r + 1][g] = convert(high16(m.b[r]));
        }
    }
    for (int row = 0; row < 16; ++row) {
        for (int k = 0; k < 16; ++k) {
            for (int col = 0; col < 8; ++col) d[row][col] += a[row][k] * b[k][col];
        }
    }
    for (int lane = 0; lane < lanes; ++lane) {
        for (int r = 0; r < 4; ++r)
            warp[lane].d[r] = d[lane / 4 + r / 2 * 8][2 * (lane % 4) + r % 2];
    }
}

// Lane l names row l % 8 of matrix l / 8; rows[l] is that row. Register i of lane 4 g + t is
// elements (g, 2 t), (g, 2 t + 1) of matrix i, or of its transpose.
struct MatrixRow {
    std::uint16_t element[8];
};
inline std::array<std::array<std::uint32_t, 4>, lanes> load_matrices(
    const std::array<MatrixRow, lanes>& rows, bool transposed) {
    std::array<std::array<std::uint32_t, 4>, lanes> out{};
    for (int lane = 0; lane < lanes; ++lane) {
        const int g = lane / 4;
        const int t = lane % 4;
        for (int i = 0; i < 4; ++i) {
            const MatrixRow* const m = &rows[8 * i];
            out[lane][i] = transposed ? join16(m[2 * t].element[g], m[2 * t + 1].element[g])
                                      : join16(m[g].element[2 * t], m[g].element[2 * t + 1]);
        }
    }
    return out;
}

}  // namespace kvgauge::kernels::reference
