// SPDX-License-Identifier: MIT
// The ceilings that attention is compared with, and the random data of its buffers.
#pragma once

#include "kernels/cuda/device.h"

namespace kvgauge::kernels::dev {

inline constexpr int kStreamThreads = 256;
inline constexpr int kStreamUnroll = 8;

struct StreamParams {
    const unsigned char* from;
    unsigned char* to;     // copy; for read, 16 bytes that are never written
    std::int64_t vectors;  // of 16 bytes
};

// Eight loads of 16 bytes in flight a thread, neighbouring threads on neighbouring vectors. The
// store happens only if all bits of the XOR are set, which random data does not do; the compiler
// cannot know.
struct ReadStream {
    static KVG_DEVICE void run(const StreamParams& p) {
        const std::int64_t step = static_cast<std::int64_t>(grid_x()) * kStreamThreads;
        std::int64_t at = static_cast<std::int64_t>(block_x()) * kStreamThreads + thread_index();
        Words4 sum{0, 0, 0, 0};
        for (; at + (kStreamUnroll - 1) * step < p.vectors; at += kStreamUnroll * step) {
            Words4 v[kStreamUnroll];
            KVG_UNROLL for (int i = 0; i < kStreamUnroll; ++i) {
                v[i] = stream16(p.from + (at + i * step) * 16);
            }
            KVG_UNROLL for (int i = 0; i < kStreamUnroll; ++i) add(sum, v[i]);
        }
        for (; at < p.vectors; at += step) add(sum, stream16(p.from + at * 16));
        if ((sum.x & sum.y & sum.z & sum.w) == 0xffffffffu) store16(p.to, sum);
    }
    static KVG_DEVICE void add(Words4& sum, const Words4& v) {
        sum.x ^= v.x;
        sum.y ^= v.y;
        sum.z ^= v.z;
        sum.w ^= v.w;
    }
};

struct CopyStream {
    static KVG_DEVICE void run(const StreamParams& p) {
        const std::int64_t step = static_cast<std::int64_t>(grid_x()) * kStreamThreads;
        std::int64_t at = static_cast<std::int64_t>(block_x()) * kStreamThreads + thread_index();
        for (; at + (kStreamUnroll - 1) * step < p.vectors; at += kStreamUnroll * step) {
            Words4 v[kStreamUnroll];
            KVG_UNROLL for (int i = 0; i < kStreamUnroll; ++i) {
                v[i] = stream16(p.from + (at + i * step) * 16);
            }
            KVG_UNROLL for (int i = 0; i < kStreamUnroll; ++i) {
                store16(p.to + (at + i * step) * 16, v[i]);
            }
        }
        for (; at < p.vectors; at += step) store16(p.to + at * 16, stream16(p.from + at * 16));
    }
};

// Random values of about unit variance, all finite: zeros would flatter power and compression.
enum class FillKind : int { f16, bf16, e4m3 };
struct FillParams {
    unsigned char* to;
    std::int64_t vectors;
    FillKind kind;
    std::uint32_t seed;
};

struct Fill {
    // A multiplicative hash (xxhash's avalanche): good enough for data, one word a call.
    static KVG_DEVICE std::uint32_t bits(std::uint32_t x) {
        x = (x ^ x >> 15) * 2246822519u;
        x = (x ^ x >> 13) * 3266489917u;
        return x ^ x >> 16;
    }
    static KVG_DEVICE float uniform(std::uint32_t b) {
        return (static_cast<float>(b & 0xffffu) * (1.0f / 32768.0f) - 1.0f) * 1.7320508f;
    }
    static KVG_DEVICE std::uint32_t word(FillKind kind, std::uint32_t b) {
        if (kind == FillKind::f16) return pack_f16(uniform(b), uniform(b >> 16));
        if (kind == FillKind::bf16) return pack_bf16(uniform(b), uniform(b >> 16));
        return (b & 0x9f9f9f9fu) | 0x20202020u;  // codes 0x20 to 0x3f: 2^-3 to 1.875, either sign
    }
    static KVG_DEVICE void run(const FillParams& p) {
        const std::int64_t step = static_cast<std::int64_t>(grid_x()) * kStreamThreads;
        std::int64_t at = static_cast<std::int64_t>(block_x()) * kStreamThreads + thread_index();
        for (; at < p.vectors; at += step) {
            const auto low = static_cast<std::uint32_t>(at) * 4;
            const std::uint32_t high = p.seed + static_cast<std::uint32_t>(at >> 30) * 2654435761u;
            store16(
                p.to + at * 16,
                Words4{word(p.kind, bits(low ^ high)), word(p.kind, bits((low + 1) ^ high)),
                       word(p.kind, bits((low + 2) ^ high)), word(p.kind, bits((low + 3) ^ high))});
        }
    }
};

}  // namespace kvgauge::kernels::dev
