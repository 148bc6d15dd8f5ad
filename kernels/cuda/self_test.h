// SPDX-License-Identifier: MIT
// One warp puts every wrapper of device.h to work on known bits; the host knows what must come out
// (op_reference.h). It closes the gap the emulator leaves: the order of operands in inline PTX.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace kvgauge::kernels::dev {

struct alignas(16) SelfTestIn {  // a lane's
    std::uint32_t a[4], b[2];    // fragments: small multiples of 1/8, whose sums are exact
    std::uint32_t a_bf16[4], b_bf16[2];
    float d[4];
    std::uint32_t words[2];
    std::uint32_t selector;
    std::uint32_t codes;  // four e4m3, none of them NaN
    float values[2];
    float exponent;  // of exp2, -20 to 0
    std::uint32_t flag;
    std::uint32_t memory[4];  // loaded back in pieces of 16, 8, 4 and 2 bytes
};

static_assert(offsetof(SelfTestIn, memory) % 16 == 0);

struct alignas(16) SelfTestOut {
    float d_f16[4], d_bf16[4];
    std::uint32_t transposed, permuted, packed_f16, packed_bf16;
    std::uint32_t e4m3_low, e4m3_high;
    float e4m3_gain;
    float power;
    float shuffled[5];
    std::uint32_t any_of_flags, any_of_none;
    std::uint32_t loaded16[4], loaded8[2], loaded4, loaded2, loaded_int;
    float loaded_float;
    std::uint32_t loaded_pair[2];
    std::uint32_t matrices[4], matrices_transposed[4];
    std::uint32_t copied[4];
    std::uint32_t pad[3];
};

struct SelfTestParams {
    const SelfTestIn* in;  // [32]
    SelfTestOut* out;      // [32]
    std::int32_t bf16;     // 0 where the architecture has no bf16 tensor cores
};

// Shared memory: the 32 rows of the matrices, then the 32 pieces of the asynchronous copies.
inline constexpr int kSelfTestSharedBytes = 2 * 32 * 16;

void make_self_test(SelfTestIn (&in)[32]);
// Empty, or the first wrapper that is wrong, with lane, expected and found.
std::string check_self_test(const SelfTestIn (&in)[32], const SelfTestOut (&out)[32], bool bf16);

}  // namespace kvgauge::kernels::dev
