// SPDX-License-Identifier: MIT
// Softmax over key tiles as they come, in base 2, for scores held as S^T (16 keys x 8 columns a
// tile, columns being query heads or query tokens). A lane owns columns 2t and 2t+1, of the scores
// and of the transposed output alike, so rescaling needs no exchange; it is skipped unless a
// maximum rose.
#pragma once

#include "kernels/cuda/device.h"

namespace kvgauge::kernels::dev {

// Below every real score in base 2 and yet finite: a difference of two of them is 0, not NaN.
inline constexpr float kNoScore = -1e30f;

template <class Element, int kSubTiles, int kColumnTiles, int kSteps>
struct OnlineSoftmax {
    struct Accumulator {
        float o[kColumnTiles][kSteps][4];  // O^T: 16 dimensions x 8 columns a step
        float m[kColumnTiles][2];          // maximum so far, of the whole column
        float l[kColumnTiles][2];          // sum so far, of this lane's keys only
    };

    static KVG_DEVICE void reset(Accumulator& acc) {
        KVG_UNROLL for (int n = 0; n < kColumnTiles; ++n) {
            acc.m[n][0] = acc.m[n][1] = kNoScore;
            acc.l[n][0] = acc.l[n][1] = 0.0f;
            KVG_UNROLL for (int i = 0; i < kSteps; ++i) {
                KVG_UNROLL for (int r = 0; r < 4; ++r) acc.o[n][i][r] = 0.0f;
            }
        }
    }

    // Scores of one column tile in, probabilities out as fragment B of the second product.
    static KVG_DEVICE void update(Accumulator& acc, float (&s)[kSubTiles][4],
                                  std::uint32_t (&prob)[kSubTiles][2], int n, float scale) {
        float top[2];
        KVG_UNROLL for (int c = 0; c < 2; ++c) {
            float best = s[0][c];
            KVG_UNROLL for (int u = 0; u < kSubTiles; ++u) {
                best = fmaxf(best, fmaxf(s[u][c], s[u][c + 2]));
            }
            best = fmaxf(best, shuffle_xor(best, 4));
            best = fmaxf(best, shuffle_xor(best, 8));
            best = fmaxf(best, shuffle_xor(best, 16));
            top[c] = fmaxf(acc.m[n][c], best * scale);
        }
        if (any_lane(top[0] > acc.m[n][0] || top[1] > acc.m[n][1])) {
            KVG_UNROLL for (int c = 0; c < 2; ++c) {
                const float shrink = exp2_fast(acc.m[n][c] - top[c]);
                acc.m[n][c] = top[c];
                acc.l[n][c] *= shrink;
                KVG_UNROLL for (int i = 0; i < kSteps; ++i) {
                    acc.o[n][i][c] *= shrink;
                    acc.o[n][i][c + 2] *= shrink;
                }
            }
        }
        KVG_UNROLL for (int u = 0; u < kSubTiles; ++u) {
            KVG_UNROLL for (int c = 0; c < 2; ++c) {
                s[u][c] = exp2_fast(fmaf(s[u][c], scale, -acc.m[n][c]));
                s[u][c + 2] = exp2_fast(fmaf(s[u][c + 2], scale, -acc.m[n][c]));
                acc.l[n][c] += s[u][c] + s[u][c + 2];
            }
            prob[u][0] = transpose8x8(Element::pack(s[u][0], s[u][1]));
            prob[u][1] = transpose8x8(Element::pack(s[u][2], s[u][3]));
        }
    }

    // The sum of a column over all lanes.
    static KVG_DEVICE float total(const Accumulator& acc, int n, int c) {
        float sum = acc.l[n][c];
        sum += shuffle_xor(sum, 4);
        sum += shuffle_xor(sum, 8);
        sum += shuffle_xor(sum, 16);
        return sum;
    }
};

}  // namespace kvgauge::kernels::dev
