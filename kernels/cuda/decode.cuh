// SPDX-License-Identifier: MIT
// Split-KV decode attention for grouped queries: "fragments straight from global memory".
//
// A block is (kv head and head tile, split, sequence) and four independent warps; warp w takes key
// tiles w, w + 4, ... of its split. K and V go from global memory into the registers of
// mma.m16n8k16 with no shared memory, no asynchronous copies and no barrier in the loop: the wide
// loads already have the fragment's shape when the dimensions are permuted (lane_slices.h).
//   S^T = K * Q^T    A = 16 keys x 16 dims, B = 16 dims x 8 query heads of the group
//   O^T += V^T * P^T A = 16 dims x 16 keys, B = 16 keys x 8 query heads
// Query heads sit in the mma's N of 8, so K and V are read once for up to 8 heads (16 with two head
// tiles) and small groups waste tensor-core work, not memory traffic. lane = 4 g + t throughout.
//
// Softmax: online_softmax.cuh, one running maximum a head and warp.
#pragma once

#include "kernels/cuda/element.h"
#include "kernels/cuda/lane_slices.h"
#include "kernels/cuda/online_softmax.cuh"
#include "kernels/cuda/params.h"

namespace kvgauge::kernels::dev {

template <class Element, int kDim, int kHeadTiles, bool kPaged>
struct Decode {
    static constexpr int kHeads = kHeadsPerTile * kHeadTiles;
    // Bytes in flight a warp are the same 8 KiB at head_dim 128 for both element sizes.
    static constexpr int kSubTiles = Element::kBytes == 1 ? 2 : 1;
    static constexpr int kTileKeys = 16 * kSubTiles;
    static constexpr int kSteps = kDim / 16;
    using KeySlices = LaneSlices<kDim * Element::kBytes / 4, 4>;
    using ValueSlices = LaneSlices<kDim * Element::kBytes / 8, 8>;

    using Softmax = OnlineSoftmax<Element, kSubTiles, kHeadTiles, kSteps>;
    using Accumulator = typename Softmax::Accumulator;

    // One warp's view of its sequence: rows by key, clamped to the last valid one so that a tail
    // tile loads in bounds (and is masked later).
    struct Rows {
        const DecodeParams& p;
        std::int64_t head;
        const std::int32_t* table;
        int end;

        // Pages hold a multiple of 16 keys and tiles start on one: one look-up serves 16 keys.
        KVG_DEVICE std::int64_t block(int first_key) const {
            if constexpr (kPaged) {
                const int key = first_key < end ? first_key : end - 1;
                return load_int(table + (key >> p.page_shift)) * p.block_bytes;
            } else {
                return 0;
            }
        }
        KVG_DEVICE std::int64_t row(std::int64_t block, int key) const {
            key = key < end ? key : end - 1;
            if constexpr (kPaged) key &= (1 << p.page_shift) - 1;
            return block + key * p.token_bytes + head;
        }
    };

    // Queries as fragment B, kept in registers; heads beyond the group are zeros. b0 and b1 of a
    // step are the four dimensions that the lane's key words of that step hold.
    static KVG_DEVICE void load_queries(std::uint32_t (&q)[kHeadTiles][kSteps][2],
                                        const DecodeParams& p, std::int64_t first_row, int heads,
                                        int g, int t) {
        KVG_UNROLL for (int n = 0; n < kHeadTiles; ++n) {
            KVG_UNROLL for (int s = 0; s < kSteps; ++s) {
                Words2 words{0, 0};
                if (8 * n + g < heads) {
                    const int dim =
                        KeySlices::row_byte(t, 4 * s * Element::kBytes) / Element::kBytes;
                    words = load8(p.q + ((first_row + 8 * n + g) * kDim + dim) * 2);
                }
                q[n][s][0] = words.x;
                q[n][s][1] = words.y;
            }
        }
    }

    static KVG_DEVICE void run(const DecodeParams& p) {
        const int warp = thread_index() / 32;
        const int lane = thread_index() % 32;
        const int g = lane / 4;
        const int t = lane % 4;
        const int kv_head = block_x() / p.head_blocks;
        const int first_head = block_x() % p.head_blocks * kHeads;
        const int split = block_y();
        const int sequence = block_z();
        const int heads = p.group - first_head < kHeads ? p.group - first_head : kHeads;
        const std::int64_t first_row =
            static_cast<std::int64_t>(sequence) * p.q_heads + kv_head * p.group + first_head;

        const int length = load_int(p.lengths + sequence);
        // 64-bit: the last split of a 2^31-token cache ends beyond it.
        const std::int64_t first_key = static_cast<std::int64_t>(split) * p.keys_per_split;
        // Ragged batch: nothing to do here, and the merge does not look at this split. An empty
        // sequence still has its output written, as zeros, by whoever writes outputs.
        if (first_key >= length && p.splits > 1) return;
        const int begin = first_key < length ? static_cast<int>(first_key) : length;
        const int end = length - begin < p.keys_per_split ? length : begin + p.keys_per_split;

        std::uint32_t q[kHeadTiles][kSteps][2];
        load_queries(q, p, first_row, heads, g, t);

        Accumulator acc;
        Softmax::reset(acc);

        Rows rows{p, kv_head * p.head_bytes, nullptr, end};
        if constexpr (kPaged) {
            rows.table = p.page_table + static_cast<std::int64_t>(sequence) * p.table_stride;
        } else {
            rows.head += sequence * p.block_bytes;
        }
        const float scale = p.scale_log2 * Element::gain();

        std::int64_t block[kSubTiles];
        const int start = begin + kTileKeys * warp;
        if (start < end) {
            KVG_UNROLL for (int u = 0; u < kSubTiles; ++u) block[u] = rows.block(start + 16 * u);
        }
        for (int key = start; key < end; key += kTileKeys * kDecodeWarps) {
            std::uint32_t k[kSubTiles][2][KeySlices::kWords];
            std::uint32_t v[kSubTiles][4][ValueSlices::kWords];
            KVG_UNROLL for (int u = 0; u < kSubTiles; ++u) {
                KVG_UNROLL for (int r = 0; r < 2; ++r) {
                    const std::int64_t at = rows.row(block[u], key + 16 * u + g + 8 * r);
                    KeySlices::template load<Streamed>(k[u][r], p.k + at, t);
                }
            }
            KVG_UNROLL for (int u = 0; u < kSubTiles; ++u) {
                KVG_UNROLL for (int r = 0; r < 4; ++r) {
                    const int in_tile = 2 * t + r % 2 + 8 * (r / 2);
                    const std::int64_t at = rows.row(block[u], key + 16 * u + in_tile);
                    ValueSlices::template load<Streamed>(v[u][r], p.v + at, g);
                }
            }
            // The next tile's pages, so that its loads need not wait for the table.
            if constexpr (kPaged) {
                const int next = key + kTileKeys * kDecodeWarps;
                KVG_UNROLL for (int u = 0; u < kSubTiles; ++u) block[u] = rows.block(next + 16 * u);
            }

            std::uint32_t prob[kHeadTiles][kSubTiles][2];
            KVG_UNROLL for (int n = 0; n < kHeadTiles; ++n) {
                float s[kSubTiles][4];
                KVG_UNROLL for (int u = 0; u < kSubTiles; ++u) {
                    s[u][0] = s[u][1] = s[u][2] = s[u][3] = 0.0f;
                    KVG_UNROLL for (int i = 0; i < kSteps; ++i) {
                        std::uint32_t a[4];
                        key_fragment<Element>(a, k[u][0], k[u][1], i);
                        Element::mma(s[u], a, q[n][i][0], q[n][i][1]);
                    }
                    if (key + 16 * u + g >= end) s[u][0] = s[u][1] = -INFINITY;
                    if (key + 16 * u + g + 8 >= end) s[u][2] = s[u][3] = -INFINITY;
                }
                Softmax::update(acc, s, prob[n], n, scale);
            }
            KVG_UNROLL for (int u = 0; u < kSubTiles; ++u) {
                KVG_UNROLL for (int i = 0; i < kSteps; ++i) {
                    std::uint32_t a[4];
                    value_fragment<Element>(a, v[u], i);
                    KVG_UNROLL for (int n = 0; n < kHeadTiles; ++n) {
                        Element::mma(acc.o[n][i], a, prob[n][u][0], prob[n][u][1]);
                    }
                }
            }
        }
        merge_warps(p, acc, first_row, heads, split, warp, g, t);
    }

    // The four warps' results through shared memory, [warp][head][dim] and [warp][head][2].
    static KVG_DEVICE void merge_warps(const DecodeParams& p, Accumulator& acc,
                                       std::int64_t first_row, int heads, int split, int warp,
                                       int g, int t) {
        float* const shared_o = reinterpret_cast<float*>(shared_memory());
        float* const shared_ml = shared_o + kDecodeWarps * kHeads * kDim;
        KVG_UNROLL for (int n = 0; n < kHeadTiles; ++n) {
            KVG_UNROLL for (int c = 0; c < 2; ++c) {
                const float sum = Softmax::total(acc, n, c);
                const int slot = warp * kHeads + 8 * n + 2 * t + c;
                if (g == 0) {
                    shared_ml[2 * slot] = acc.m[n][c];
                    shared_ml[2 * slot + 1] = sum;
                }
                KVG_UNROLL for (int i = 0; i < kSteps; ++i) {
                    const int dim =
                        ValueSlices::row_byte(g, 2 * i * Element::kBytes) / Element::kBytes;
                    shared_o[slot * kDim + dim] = acc.o[n][i][c];
                    shared_o[slot * kDim + dim + 1] = acc.o[n][i][c + 2];
                }
            }
        }
        barrier();
        const float gain = Element::gain() * p.v_scale;
        for (int pair = thread_index(); pair < heads * kDim / 2; pair += 32 * kDecodeWarps) {
            const int head = pair / (kDim / 2);
            const int dim = pair % (kDim / 2) * 2;
            float top = kNoScore;
            KVG_UNROLL for (int w = 0; w < kDecodeWarps; ++w) {
                top = fmaxf(top, shared_ml[2 * (w * kHeads + head)]);
            }
            float sum = 0.0f;
            float low = 0.0f;
            float high = 0.0f;
            KVG_UNROLL for (int w = 0; w < kDecodeWarps; ++w) {
                const int slot = w * kHeads + head;
                const float weight = exp2_fast(shared_ml[2 * slot] - top);
                sum += weight * shared_ml[2 * slot + 1];
                low += weight * shared_o[slot * kDim + dim];
                high += weight * shared_o[slot * kDim + dim + 1];
            }
            const std::int64_t row = first_row + head;
            if (p.splits == 1) {
                const float norm = sum > 0.0f ? gain / sum : 0.0f;
                store4(p.out + (row * kDim + dim) * 2, Element::pack(low * norm, high * norm));
            } else {
                const std::int64_t part = row * p.splits + split;
                store_float(p.partial + part * kDim + dim, low * gain);
                store_float(p.partial + part * kDim + dim + 1, high * gain);
                if (dim == 0) {
                    store_float(p.partial_ml + 2 * part, top);
                    store_float(p.partial_ml + 2 * part + 1, sum);
                }
            }
        }
    }
};

}  // namespace kvgauge::kernels::dev
