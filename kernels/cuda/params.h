// SPDX-License-Identifier: MIT
// Kernel arguments as the device sees them, and the shapes of blocks and shared memory: plain C++,
// shared by kernels, launchers and the emulator's tests. Strides in bytes.
#pragma once

#include <cstdint>

namespace kvgauge::kernels::dev {

inline constexpr int kDecodeWarps = 4;
inline constexpr int kHeadsPerTile = 8;  // the N of mma.m16n8k16

struct DecodeParams {
    const unsigned char* q;
    const unsigned char* k;
    const unsigned char* v;
    unsigned char* out;              // of 16-bit elements; used with one split
    float* partial;                  // [batch][q_heads][splits][dim], not normalised
    float* partial_ml;               // [batch][q_heads][splits][2]: maximum, sum
    const std::int32_t* lengths;     // [batch]
    const std::int32_t* page_table;  // [batch][table_stride]
    std::int64_t block_bytes;        // of a sequence or a page
    std::int64_t token_bytes;
    std::int64_t head_bytes;
    std::int32_t q_heads;
    std::int32_t group;
    std::int32_t head_blocks;  // blocks that share one kv head
    std::int32_t splits;
    std::int32_t keys_per_split;  // a multiple of 64
    std::int32_t table_stride;
    std::int32_t page_shift;
    float scale_log2;  // softmax scale * k_scale * log2(e)
    float v_scale;
};

constexpr int decode_shared_bytes(int head_dim, int head_tiles) {
    return kDecodeWarps * head_tiles * kHeadsPerTile * (head_dim + 2) * 4;
}

// Merge: two dimensions a thread, whole warps.
constexpr int merge_threads(int head_dim) {
    return (head_dim / 2 + 31) / 32 * 32;
}
constexpr int merge_shared_bytes(int head_dim, int splits) {
    return (splits + 2 * (merge_threads(head_dim) / 32)) * 4;
}

// Causal attention over whole prompts: queries, keys and values of the same tokens.
struct PrefillParams {
    const unsigned char* q;  // [batch][tokens][q_heads][dim]
    const unsigned char* k;  // [batch][tokens][kv_heads][dim]
    const unsigned char* v;
    unsigned char* out;  // as q
    std::int32_t tokens;
    std::int32_t q_heads;
    std::int32_t kv_heads;
    float scale_log2;
};

inline constexpr int kPrefillWarps = 4;
inline constexpr int kPrefillQueries = 64;  // a block: 16 a warp
inline constexpr int kPrefillKeys = 32;     // a tile in shared memory

// Rows in shared memory, so far apart that eight lanes reading 16 bytes of two neighbouring rows
// meet different banks: a multiple of 128 bytes plus 64.
constexpr int prefill_pitch(int head_dim) {
    return (head_dim * 2 + 63) / 128 * 128 + 64;
}
// Two tiles of K and of V.
constexpr int prefill_shared_bytes(int head_dim) {
    return 2 * 2 * kPrefillKeys * prefill_pitch(head_dim);
}

}  // namespace kvgauge::kernels::dev
