// SPDX-License-Identifier: MIT
// Joins the partial results of the splits of one (sequence, query head): block x of a 1-D grid.
// out = sum_s 2^(m_s - M) O_s / sum_s 2^(m_s - M) l_s. Splits beyond the sequence's own length were
// never written and are not read.
#pragma once

#include "kernels/cuda/decode.cuh"

namespace kvgauge::kernels::dev {

template <class Element, int kDim>
struct Merge {
    static constexpr int kThreads = merge_threads(kDim);
    static constexpr int kWarps = kThreads / 32;

    static KVG_DEVICE void run(const DecodeParams& p) {
        const int thread = thread_index();
        const std::int64_t row = block_x();
        const int length = load_int(p.lengths + row / p.q_heads);
        const int used = static_cast<int>(
            (static_cast<std::int64_t>(length) + p.keys_per_split - 1) / p.keys_per_split);
        const float* const ml = p.partial_ml + 2 * row * p.splits;
        float* const weights = reinterpret_cast<float*>(shared_memory());
        float* const tops = weights + p.splits;
        float* const sums = tops + kWarps;

        float top = kNoScore;
        for (int s = thread; s < used; s += kThreads) top = fmaxf(top, load_float(ml + 2 * s));
        KVG_UNROLL for (int mask = 1; mask < 32; mask *= 2) {
            top = fmaxf(top, shuffle_xor(top, mask));
        }
        if (thread % 32 == 0) tops[thread / 32] = top;
        barrier();
        KVG_UNROLL for (int w = 0; w < kWarps; ++w) top = fmaxf(top, tops[w]);

        float sum = 0.0f;
        for (int s = thread; s < used; s += kThreads) {
            const float weight = exp2_fast(load_float(ml + 2 * s) - top);
            weights[s] = weight;
            sum += weight * load_float(ml + 2 * s + 1);
        }
        KVG_UNROLL for (int mask = 1; mask < 32; mask *= 2) {
            sum += shuffle_xor(sum, mask);
        }
        if (thread % 32 == 0) sums[thread / 32] = sum;
        barrier();
        sum = 0.0f;
        KVG_UNROLL for (int w = 0; w < kWarps; ++w) sum += sums[w];

        if (thread >= kDim / 2) return;
        const float* const part = p.partial + row * p.splits * kDim + 2 * thread;
        float low = 0.0f;
        float high = 0.0f;
        for (int s = 0; s < used; ++s) {
            low += weights[s] * load_float(part + static_cast<std::int64_t>(s) * kDim);
            high += weights[s] * load_float(part + static_cast<std::int64_t>(s) * kDim + 1);
        }
        const float norm = sum > 0.0f ? 1.0f / sum : 0.0f;
        store4(p.out + (row * kDim + 2 * thread) * 2, Element::pack(low * norm, high * norm));
    }
};

}  // namespace kvgauge::kernels::dev
