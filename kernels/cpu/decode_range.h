// SPDX-License-Identifier: MIT
// Decode of one range, written once over a SIMD type `Simd` (simd_*.h) and included by one file per
// instruction set, which is compiled for it. No function of the standard library is used here: an
// inline one compiled for AVX2 might be the copy that the linker keeps for everybody.
//
// Keys go in tiles of 16, heads in blocks of 4, 2 and 1, so that each K and V byte comes from
// memory once a group and from L1 after that. A block of H heads meets 8 / H keys (or 8 / H vectors
// of dimensions) at a time: eight accumulators, enough to hide the latency of a fused multiply-add
// on two pipes, few enough for 16 registers. While one tile is computed a later one is fetched: the
// hardware's prefetchers see short rows of many streams and fall behind.
//
// Scores of a tile lie in groups of 8 floats, lane h * (8 / H) + key: one head's scores keep their
// lanes, so running maxima and sums are lane-wise too and are brought together once a tile.
#pragma once

#include "kernels/cpu/range.h"

namespace kvgauge::kernels::cpu {

#define KVG_APART [[gnu::noinline]]
#if defined(__clang__)
#define KVG_UNROLL_CPU _Pragma("unroll")
#else
#define KVG_UNROLL_CPU _Pragma("GCC unroll 8")
#endif

inline constexpr int tile_keys = 16;
inline constexpr int fetch_tiles = 2;  // how far ahead: at 20 GB/s 16 KiB are 0.8 us
inline constexpr float no_score = -1e30f;

template <class Simd, class Element>
struct DecodeRange {
    using Reg = typename Simd::Reg;
    static constexpr int kWidth = Simd::kWidth;

    struct Tile {
        const unsigned char* k;
        const unsigned char* v;
        int keys;
    };

    // Asks for a later tile's rows a cache line at a time, in the order of addresses and spread
    // over the arithmetic of this tile: a burst of requests would fill the core's miss buffers and
    // hold up everything behind it, and out of order they cost twice.
    struct Fetcher {
        const unsigned char* at;
        const unsigned char* row_end;
        std::int64_t stride;
        std::int64_t gap;  // from the last line of a row to the next row

        Fetcher(const unsigned char* rows, std::int64_t row_bytes, std::int64_t row_stride)
            : at(rows),
              row_end(rows + (row_bytes + 63) / 64 * 64),
              stride(row_stride),
              gap(row_stride - (row_bytes + 63) / 64 * 64) {}

        void step() {
            Simd::fetch(at);
            at += 64;
            if (at == row_end) {
                at += gap;
                row_end += stride;
            }
        }
    };

    // The tile that starts at `first`: never across a page.
    static Tile tile_at(const Range& r, int first) {
        const int left = r.first + r.count - first;
        int keys = left < tile_keys ? left : tile_keys;
        std::int64_t at = 0;
        if (r.rows.table != nullptr) {
            const int page = 1 << r.rows.page_shift;
            const int in_page = first & (page - 1);
            if (keys > page - in_page) keys = page - in_page;
            at = r.rows.table[first >> r.rows.page_shift] * r.rows.block_bytes +
                 in_page * r.rows.stride;
        } else {
            at = first * r.rows.stride;
        }
        return {r.rows.k + at, r.rows.v + at, keys};
    }

    // 16 dimensions, at byte `at` of K rows, of the products of H heads with K keys.
    template <int H>
    static void score_step(const float* q, int dim, const unsigned char* const (&row)[8 / H],
                           std::int64_t at, Reg (&sum)[8]) {
        constexpr int K = 8 / H;
        KVG_UNROLL_CPU for (int part = 0; part < 16; part += kWidth) {
            Reg query[H];
            KVG_UNROLL_CPU for (int h = 0; h < H; ++h) {
                query[h] = Simd::keep(Simd::load(q + h * dim + part));
            }
            KVG_UNROLL_CPU for (int i = 0; i < K; ++i) {
                const unsigned char* const p = row[i] + at + part * Element::kBytes;
                const Reg key = Element::template load<Simd>(p);
                KVG_UNROLL_CPU for (int h = 0; h < H; ++h) {
                    sum[h * K + i] = Simd::fma(key, query[h], sum[h * K + i]);
                }
            }
        }
    }

    // All of H heads' scores of the tile. Rows beyond the last key are read as the last one and
    // masked by the caller. A function of its own, so that pointers get registers of their own.
    template <int H, bool kFetch>
    KVG_APART static void score_block(const float* q, int dim, const unsigned char* k,
                                      std::int64_t stride, int keys, const unsigned char* next,
                                      float* scores) {
        constexpr int K = 8 / H;
        constexpr int kStep = 16 * Element::kBytes;
        const std::int64_t row_bytes = static_cast<std::int64_t>(dim) * Element::kBytes;
        Fetcher fetcher(next, row_bytes, stride);
        for (int first = 0; first < keys; first += K, scores += 8) {
            const unsigned char* row[K];
            KVG_UNROLL_CPU for (int i = 0; i < K; ++i) {
                row[i] = k + (first + i < keys ? first + i : keys - 1) * stride;
            }
            Reg sum[8];
            KVG_UNROLL_CPU for (int i = 0; i < 8; ++i) sum[i] = Simd::zero();
            const float* query = q;
            for (std::int64_t at = 0; at < row_bytes; at += kStep, query += 16) {
                score_step<H>(query, dim, row, at, sum);
                if constexpr (kFetch) {
                    KVG_UNROLL_CPU for (int b = 0; b < K * kStep; b += 64) fetcher.step();
                }
            }
            Simd::sums_of_8(sum, scores);
        }
    }

    // Scores to probabilities; the accumulators shrink where a maximum rose.
    template <int H>
    static void softmax_block(float* scores, int keys, int dim, float* o, float* ml) {
        constexpr int K = 8 / H;
        const int groups = (keys + K - 1) / K;
        for (int i = keys; i < groups * K; ++i) {
            KVG_UNROLL_CPU for (int h = 0; h < H; ++h) scores[i / K * 8 + h * K + i % K] =
                2 * no_score;
        }
        float lanes[8];
        for (int part = 0; part < 8; part += kWidth) {
            Reg top = Simd::load(scores + part);
            for (int g = 1; g < groups; ++g)
                top = Simd::max(top, Simd::load(scores + 8 * g + part));
            Simd::store(lanes + part, top);
        }
        float tops[8];
        KVG_UNROLL_CPU for (int h = 0; h < H; ++h) {
            float top = ml[2 * h];
            KVG_UNROLL_CPU for (int i = 0; i < K; ++i) top =
                lanes[h * K + i] > top ? lanes[h * K + i] : top;
            KVG_UNROLL_CPU for (int i = 0; i < K; ++i) tops[h * K + i] = top;
            if (top > ml[2 * h]) {
                float shrink_lanes[8];
                for (int part = 0; part < 8; part += kWidth)
                    Simd::store(shrink_lanes + part, Simd::exp2(Simd::set(ml[2 * h] - top)));
                const float shrink = shrink_lanes[0];
                ml[2 * h] = top;
                ml[2 * h + 1] *= shrink;
                const Reg factor = Simd::set(shrink);
                for (int d = 0; d < dim; d += kWidth)
                    Simd::store(o + h * dim + d, Simd::mul(Simd::load(o + h * dim + d), factor));
            }
        }
        for (int part = 0; part < 8; part += kWidth) {
            const Reg top = Simd::load(tops + part);
            Reg sum = Simd::zero();
            for (int g = 0; g < groups; ++g) {
                const Reg p = Simd::exp2(Simd::sub(Simd::load(scores + 8 * g + part), top));
                Simd::store(scores + 8 * g + part, p);
                sum = Simd::add(sum, p);
            }
            Simd::store(lanes + part, sum);
        }
        KVG_UNROLL_CPU for (int h = 0; h < H; ++h) {
            KVG_UNROLL_CPU for (int i = 0; i < K; ++i) ml[2 * h + 1] += lanes[h * K + i];
        }
    }

    // o[h][0 ... C * width) += sum over keys of p * V, o and v already at the first column.
    template <int H, int C, bool kFetch>
    KVG_APART static void value_columns(const float* p, const unsigned char* v, std::int64_t stride,
                                        int keys, int dim, float* o, Fetcher& fetcher) {
        constexpr int K = 8 / H;
        constexpr int kBytes = C * kWidth * Element::kBytes;
        Reg sum[H][C];
        KVG_UNROLL_CPU for (int h = 0; h < H; ++h) {
            KVG_UNROLL_CPU for (int c = 0; c < C; ++c) sum[h][c] =
                Simd::load(o + h * dim + c * kWidth);
        }
        const auto key = [&](const float* weights) {
            Reg weight[H];
            KVG_UNROLL_CPU for (int h = 0; h < H; ++h) weight[h] = Simd::set(weights[h * K]);
            KVG_UNROLL_CPU for (int c = 0; c < C; ++c) {
                const Reg value = Element::template load<Simd>(v + c * kWidth * Element::kBytes);
                KVG_UNROLL_CPU for (int h = 0; h < H; ++h) {
                    sum[h][c] = Simd::fma(weight[h], value, sum[h][c]);
                }
            }
            v += stride;
        };
        Fetcher next = fetcher;
        for (; keys >= K; keys -= K, p += 8) {
            KVG_UNROLL_CPU for (int i = 0; i < K; ++i) {
                key(p + i);
                // As many lines as were used; every second key where that is half a line.
                if constexpr (kFetch) {
                    if (kBytes < 64 && i % 2 != 0) continue;
                    KVG_UNROLL_CPU for (int b = 0; b < kBytes; b += 64) next.step();
                }
            }
        }
        for (; keys > 0; --keys) key(p++);
        if constexpr (kFetch) fetcher = next;
        KVG_UNROLL_CPU for (int h = 0; h < H; ++h) {
            KVG_UNROLL_CPU for (int c = 0; c < C; ++c)
                Simd::store(o + h * dim + c * kWidth, sum[h][c]);
        }
    }

    template <int H, bool kFetch>
    static void value_block(const float* scores, const unsigned char* v, std::int64_t stride,
                            int keys, int dim, const unsigned char* next, float* o) {
        Fetcher fetcher(next, static_cast<std::int64_t>(dim) * Element::kBytes, stride);
        int d = 0;
        const auto columns = [&]<int C>() {
            for (; d + C * kWidth <= dim; d += C * kWidth)
                value_columns<H, C, kFetch>(scores, v + d * Element::kBytes, stride, keys, dim,
                                            o + d, fetcher);
        };
        if constexpr (H == 1) columns.template operator()<8>();
        if constexpr (H <= 2) columns.template operator()<4>();
        columns.template operator()<2>();
        columns.template operator()<1>();
    }

    // Calls f.operator()<H>(first head) for blocks of 4, 2 and 1 heads.
    template <class F>
    static void for_blocks(int group, const F& f) {
        int head = 0;
        for (; head + 4 <= group; head += 4) f.template operator()<4>(head);
        if (group - head >= 2) {
            f.template operator()<2>(head);
            head += 2;
        }
        if (head < group) f.template operator()<1>(head);
    }

    static void run(const Range& r) {
        // Any group: heads beyond these start again with the same keys.
        constexpr int kMaxHeads = 16;
        for (int head = 0; head < r.group; head += kMaxHeads) {
            Range part = r;
            part.group = r.group - head < kMaxHeads ? r.group - head : kMaxHeads;
            part.q += head * r.dim;
            part.o += head * r.dim;
            part.ml += 2 * head;
            run_heads(part);
        }
    }

    static void run_heads(const Range& r) {
        alignas(64) float scores[16 * tile_keys];
        for (int h = 0; h < r.group; ++h) {
            r.ml[2 * h] = no_score;
            r.ml[2 * h + 1] = 0.0f;
            for (int d = 0; d < r.dim; d += kWidth) Simd::store(r.o + h * r.dim + d, Simd::zero());
        }
        const int end = r.first + r.count;
        for (int key = r.first; key < end;) {
            const Tile tile = tile_at(r, key);
            const int next_key = key + tile.keys;
            // A fetch beyond a shorter last tile's rows is dropped or wasted, never wrong.
            Tile next = tile;
            const int ahead = key + fetch_tiles * tile_keys;
            if (ahead < end) next = tile_at(r, ahead);
            const std::int64_t stride = r.rows.stride;
            for_blocks(r.group, [&]<int H>(int head) {
                const float* const q = r.q + head * r.dim;
                float* const block = scores + head * tile_keys;
                if (head == 0)
                    score_block<H, true>(q, r.dim, tile.k, stride, tile.keys, next.k, block);
                else
                    score_block<H, false>(q, r.dim, tile.k, stride, tile.keys, next.k, block);
                softmax_block<H>(block, tile.keys, r.dim, r.o + head * r.dim, r.ml + 2 * head);
            });
            for_blocks(r.group, [&]<int H>(int head) {
                const float* const block = scores + head * tile_keys;
                float* const o = r.o + head * r.dim;
                if (head == 0)
                    value_block<H, true>(block, tile.v, stride, tile.keys, r.dim, next.v, o);
                else
                    value_block<H, false>(block, tile.v, stride, tile.keys, r.dim, next.v, o);
            });
            key = next_key;
        }
    }
};

// Cache elements: how `width` of them are widened.
struct F16 {
    static constexpr int kBytes = 2;
    template <class Simd>
    static typename Simd::Reg load(const unsigned char* row) {
        return Simd::load_f16(row);
    }
};
struct Bf16 {
    static constexpr int kBytes = 2;
    template <class Simd>
    static typename Simd::Reg load(const unsigned char* row) {
        return Simd::load_bf16(row);
    }
};
struct E4m3 {
    static constexpr int kBytes = 1;
    template <class Simd>
    static typename Simd::Reg load(const unsigned char* row) {
        return Simd::load_e4m3(row);
    }
};

// Ceilings. Eight independent loads in flight an iteration; XOR so that nothing is rounded or
// skipped.
template <class Simd>
std::uint64_t read_stream(const unsigned char* from, std::uint64_t bytes) {
    constexpr int kBytes = 4 * Simd::kWidth;
    typename Simd::Bits sum[8];
    KVG_UNROLL_CPU for (int i = 0; i < 8; ++i) sum[i] = Simd::zero_bits();
    for (std::uint64_t at = 0; at < bytes; at += 8 * kBytes) {
        KVG_UNROLL_CPU for (int i = 0; i < 8; ++i) sum[i] =
            Simd::xor_bits(sum[i], Simd::load_bits(from + at + i * kBytes));
    }
    for (int i = 1; i < 8; ++i) sum[0] = Simd::xor_bits(sum[0], sum[i]);
    return Simd::fold_bits(sum[0]);
}
template <class Simd>
void copy_stream(unsigned char* to, const unsigned char* from, std::uint64_t bytes) {
    constexpr int kBytes = 4 * Simd::kWidth;
    for (std::uint64_t at = 0; at < bytes; at += kBytes)
        Simd::stream_bits(to + at, Simd::load_bits(from + at));
}

template <class Simd>
Functions functions() {
    return {DecodeRange<Simd, F16>::run, DecodeRange<Simd, Bf16>::run, DecodeRange<Simd, E4m3>::run,
            read_stream<Simd>, copy_stream<Simd>};
}

}  // namespace kvgauge::kernels::cpu
