// SPDX-License-Identifier: MIT
// The device side of the self-test: one warp.
#pragma once

#include "kernels/cuda/device.h"
#include "kernels/cuda/self_test.h"

namespace kvgauge::kernels::dev {

struct SelfTest {
    static KVG_DEVICE void run(const SelfTestParams& p) {
        const int lane = thread_index();
        const SelfTestIn& in = p.in[lane];
        SelfTestOut out{};
        KVG_UNROLL for (int i = 0; i < 4; ++i) out.d_f16[i] = out.d_bf16[i] = in.d[i];
        mma_f16(out.d_f16, in.a, in.b[0], in.b[1]);
        if (p.bf16) {
            mma_bf16(out.d_bf16, in.a_bf16, in.b_bf16[0], in.b_bf16[1]);
            out.packed_bf16 = pack_bf16(in.values[0], in.values[1]);
        }
        out.transposed = transpose8x8(in.words[0]);
        out.permuted = byte_perm(in.words[0], in.words[1], in.selector);
        out.packed_f16 = pack_f16(in.values[0], in.values[1]);
        unpack_e4m3(in.codes, out.e4m3_low, out.e4m3_high);
        out.e4m3_gain = e4m3_gain();
        out.power = exp2_fast(in.exponent);
        KVG_UNROLL for (int i = 0; i < 5; ++i) {
            out.shuffled[i] = shuffle_xor(in.values[0], 1 << i);
        }
        out.any_of_flags = any_lane(in.flag != 0);
        out.any_of_none = any_lane(in.flag == 2);

        const unsigned char* const memory = reinterpret_cast<const unsigned char*>(in.memory);
        const Words4 all = stream16(memory);
        out.loaded16[0] = all.x;
        out.loaded16[1] = all.y;
        out.loaded16[2] = all.z;
        out.loaded16[3] = all.w;
        const Words2 half = stream8(memory + 8);
        out.loaded8[0] = half.x;
        out.loaded8[1] = half.y;
        out.loaded4 = stream4(memory + 4);
        out.loaded2 = stream2(memory + 6);
        out.loaded_int = static_cast<std::uint32_t>(
            load_int(reinterpret_cast<const std::int32_t*>(memory + 12)));
        out.loaded_float = load_float(in.values + 1);
        const Words2 pair = load8(memory);
        out.loaded_pair[0] = pair.x;
        out.loaded_pair[1] = pair.y;

        unsigned char* const row = shared_memory() + 16 * lane;
        *reinterpret_cast<Words4*>(row) = all;
        unsigned char* const copy = shared_memory() + 16 * (32 + lane);
        copy16_async(copy, memory);
        commit_copies();
        wait_copies<0>();
        barrier();
        load_matrices(out.matrices, row);
        load_matrices_transposed(out.matrices_transposed, row);
        // A neighbour's copy, so that the barrier matters too.
        const Words4 other = *reinterpret_cast<Words4*>(shared_memory() + 16 * (32 + (lane ^ 1)));
        out.copied[0] = other.x;
        out.copied[1] = other.y;
        out.copied[2] = other.z;
        out.copied[3] = other.w;
        p.out[lane] = out;
    }
};

}  // namespace kvgauge::kernels::dev
