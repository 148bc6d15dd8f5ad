// SPDX-License-Identifier: MIT
// Causal attention of a prompt, FlashAttention-2's shape: a block takes 64 query tokens of one
// head, a warp 16 of them, and all walk over tiles of 32 keys in shared memory, filled by
// asynchronous copies while the tile before is computed. The products are those of decode.cuh with
// query tokens in the place of query heads: the tensor cores of every architecture from sm_75, no
// wgmma or tcgen05, so that one kernel runs everywhere; Hopper and later can do more than it shows.
#pragma once

#include "kernels/cuda/element.h"
#include "kernels/cuda/lane_slices.h"
#include "kernels/cuda/online_softmax.cuh"
#include "kernels/cuda/params.h"

namespace kvgauge::kernels::dev {

template <class Element, int kDim>
struct Prefill {
    static_assert(Element::kBytes == 2);
    static constexpr int kQueryTiles = 2;  // of 8 tokens a warp
    static constexpr int kSubTiles = kPrefillKeys / 16;
    static constexpr int kSteps = kDim / 16;
    static constexpr int kRowBytes = kDim * 2;
    static constexpr int kPitch = prefill_pitch(kDim);
    static constexpr int kTileBytes = kPrefillKeys * kPitch;
    static constexpr int kThreads = 32 * kPrefillWarps;
    using KeySlices = LaneSlices<kRowBytes / 4, 4>;
    using ValueSlices = LaneSlices<kRowBytes / 8, 8>;
    using Softmax = OnlineSoftmax<Element, kSubTiles, kQueryTiles, kSteps>;

    // Tile `tile` of K and V into its half of shared memory. Rows past the end repeat the last one.
    static KVG_DEVICE void fetch(const PrefillParams& p, std::int64_t rows, std::int64_t stride,
                                 int tile) {
        unsigned char* const k = shared_memory() + tile % 2 * 2 * kTileBytes;
        constexpr int kPieces = kRowBytes / 16;
        for (int i = thread_index(); i < kPrefillKeys * kPieces; i += kThreads) {
            const int row = i / kPieces;
            const int byte = i % kPieces * 16;
            int key = tile * kPrefillKeys + row;
            key = key < p.tokens ? key : p.tokens - 1;
            const std::int64_t at = rows + key * stride + byte;
            copy16_async(k + row * kPitch + byte, p.k + at);
            copy16_async(k + kTileBytes + row * kPitch + byte, p.v + at);
        }
    }

    static KVG_DEVICE void run(const PrefillParams& p) {
        const int lane = thread_index() % 32;
        const int g = lane / 4;
        const int t = lane % 4;
        // The blocks with the most keys first: the last wave is then a short one.
        const int block = grid_x() - 1 - block_x();
        const int head = block_y();
        const int sequence = block_z();
        const int first_query = block * kPrefillQueries + thread_index() / 32 * 16;
        const std::int64_t q_stride = static_cast<std::int64_t>(p.q_heads) * kRowBytes;
        const std::int64_t kv_stride = static_cast<std::int64_t>(p.kv_heads) * kRowBytes;
        const std::int64_t q_rows = sequence * p.tokens * q_stride + head * kRowBytes;
        const std::int64_t kv_rows =
            sequence * p.tokens * kv_stride + head / (p.q_heads / p.kv_heads) * kRowBytes;

        std::uint32_t q[kQueryTiles][kSteps][2];
        KVG_UNROLL for (int n = 0; n < kQueryTiles; ++n) {
            const int token = first_query + 8 * n + g;
            KVG_UNROLL for (int s = 0; s < kSteps; ++s) {
                Words2 words{0, 0};
                if (token < p.tokens)
                    words = load8(p.q + q_rows + token * q_stride + KeySlices::row_byte(t, 8 * s));
                q[n][s][0] = words.x;
                q[n][s][1] = words.y;
            }
        }

        typename Softmax::Accumulator acc;
        Softmax::reset(acc);
        int keys = (block + 1) * kPrefillQueries;
        keys = keys < p.tokens ? keys : p.tokens;
        const int tiles = (keys + kPrefillKeys - 1) / kPrefillKeys;
        fetch(p, kv_rows, kv_stride, 0);
        commit_copies();
        for (int tile = 0; tile < tiles; ++tile) {
            if (tile + 1 < tiles) fetch(p, kv_rows, kv_stride, tile + 1);
            // An empty group counts too: the tile before the newest group has always arrived.
            commit_copies();
            wait_copies<1>();
            barrier();
            compute(p, acc, q, tile, first_query, g, t);
            barrier();  // until all have read this tile, the next copies must not overwrite it
        }
        wait_copies<0>();

        KVG_UNROLL for (int n = 0; n < kQueryTiles; ++n) {
            KVG_UNROLL for (int c = 0; c < 2; ++c) {
                const float sum = Softmax::total(acc, n, c);
                const int token = first_query + 8 * n + 2 * t + c;
                if (token >= p.tokens) continue;
                const float norm = 1.0f / sum;
                unsigned char* const row = p.out + q_rows + token * q_stride;
                KVG_UNROLL for (int i = 0; i < kSteps; ++i) {
                    store4(row + ValueSlices::row_byte(g, 4 * i),
                           Element::pack(acc.o[n][i][c] * norm, acc.o[n][i][c + 2] * norm));
                }
            }
        }
    }

    static KVG_DEVICE void compute(const PrefillParams& p, typename Softmax::Accumulator& acc,
                                   const std::uint32_t (&q)[kQueryTiles][kSteps][2], int tile,
                                   int first_query, int g, int t) {
        const unsigned char* const keys = shared_memory() + tile % 2 * 2 * kTileBytes;
        const unsigned char* const values = keys + kTileBytes;
        float s[kQueryTiles][kSubTiles][4];
        KVG_UNROLL for (int u = 0; u < kSubTiles; ++u) {
            std::uint32_t k[2][KeySlices::kWords];
            KVG_UNROLL for (int r = 0; r < 2; ++r) {
                KeySlices::template load<Shared>(k[r], keys + (16 * u + g + 8 * r) * kPitch, t);
            }
            KVG_UNROLL for (int n = 0; n < kQueryTiles; ++n) {
                s[n][u][0] = s[n][u][1] = s[n][u][2] = s[n][u][3] = 0.0f;
            }
            KVG_UNROLL for (int i = 0; i < kSteps; ++i) {
                std::uint32_t a[4];
                key_fragment<Element>(a, k[0], k[1], i);
                KVG_UNROLL for (int n = 0; n < kQueryTiles; ++n) {
                    Element::mma(s[n][u], a, q[n][i][0], q[n][i][1]);
                }
            }
        }
        std::uint32_t prob[kQueryTiles][kSubTiles][2];
        KVG_UNROLL for (int n = 0; n < kQueryTiles; ++n) {
            KVG_UNROLL for (int u = 0; u < kSubTiles; ++u) {
                KVG_UNROLL for (int r = 0; r < 4; ++r) {
                    const int key = tile * kPrefillKeys + 16 * u + g + r / 2 * 8;
                    const int query = first_query + 8 * n + 2 * t + r % 2;
                    if (key > query || key >= p.tokens) s[n][u][r] = -INFINITY;
                }
            }
            Softmax::update(acc, s[n], prob[n], n, p.scale_log2);
        }
        KVG_UNROLL for (int u = 0; u < kSubTiles; ++u) {
            std::uint32_t v[4][ValueSlices::kWords];
            KVG_UNROLL for (int r = 0; r < 4; ++r) {
                const int row = 16 * u + 2 * t + r % 2 + 8 * (r / 2);
                ValueSlices::template load<Shared>(v[r], values + row * kPitch, g);
            }
            KVG_UNROLL for (int i = 0; i < kSteps; ++i) {
                std::uint32_t a[4];
                value_fragment<Element>(a, v, i);
                KVG_UNROLL for (int n = 0; n < kQueryTiles; ++n) {
                    Element::mma(acc.o[n][i], a, prob[n][u][0], prob[n][u][1]);
                }
            }
        }
    }
};

}  // namespace kvgauge::kernels::dev
