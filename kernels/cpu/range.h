// SPDX-License-Identifier: MIT
// The unit of CPU work: all query heads of one kv head against a range of one sequence's keys.
// Every instruction set offers one function a cache element type with this signature; parts.cc cuts
// a problem into ranges and merges their results. Sizes in tokens, strides in bytes.
#pragma once

#include <cstdint>

namespace kvgauge::kernels::cpu {

// Rows of one kv head of one sequence: row(key) = base + block(key) + (key in block) * stride, the
// block from the table when paged.
struct RowSource {
    const unsigned char* k = nullptr;
    const unsigned char* v = nullptr;
    std::int64_t stride = 0;
    const std::int32_t* table = nullptr;  // null: contiguous
    std::int64_t block_bytes = 0;
    int page_shift = 0;
};

struct Range {
    RowSource rows;
    const float* q = nullptr;  // [group][dim], times softmax scale, k_scale, log2(e) and the gain
    int group = 0;
    int dim = 0;  // a multiple of 16
    int first = 0;
    int count = 0;
    float* o = nullptr;   // [group][dim], written: not normalised, without the gain
    float* ml = nullptr;  // [group][2], written: maximum in base 2, sum
};

using RangeFunction = void (*)(const Range&);

// Decode of one range and the two bandwidth ceilings. read() returns a checksum so that the loads
// cannot be left out. `bytes` are multiples of 256.
struct Functions {
    RangeFunction f16 = nullptr;
    RangeFunction bf16 = nullptr;
    RangeFunction e4m3 = nullptr;
    std::uint64_t (*read)(const unsigned char* from, std::uint64_t bytes) = nullptr;
    void (*copy)(unsigned char* to, const unsigned char* from, std::uint64_t bytes) = nullptr;
};

// What an e4m3 value is multiplied by when it is widened (half.h); undone by the caller.
inline constexpr float e4m3_gain = 256.0f;

}  // namespace kvgauge::kernels::cpu
