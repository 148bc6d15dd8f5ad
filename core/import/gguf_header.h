// SPDX-License-Identifier: MIT
// Owns: the header of a GGUF file (versions 2 and 3, little-endian): metadata and tensor table.
// Bytes are read once, in order, and never beyond the header; tensor data is never asked for.
// Memory stays below a small multiple of the header's own bytes, whatever counts it claims.
// Source: docs/gguf.md of ggml; src/gguf.cpp of llama.cpp b11118.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "import/byte_source.h"
#include "import/gguf_types.h"
#include "model/issue.h"

namespace kvgauge {

// What is accepted. Real headers have up to 80 values, 2,000 tensors, 30 MB (token lists).
inline constexpr std::uint64_t kMaxGgufValues = 1u << 16;
inline constexpr std::uint64_t kMaxGgufTensors = 1u << 18;
inline constexpr std::uint64_t kMaxGgufKey = 1u << 16;      // bytes; the format's own limit
inline constexpr std::uint64_t kMaxGgufString = 64u << 20;  // bytes of one text value
inline constexpr std::uint64_t kMaxGgufHeader = 1u << 30;   // bytes in total
inline constexpr std::uint64_t kMaxGgufList = 1u << 14;     // longer lists are counted, not kept

inline constexpr std::uint64_t kMaxGgufKept = 1u << 20;  // elements of all lists kept

// One metadata value. Lists keep their numbers when they have at most kMaxGgufList elements.
struct GgufValue {
    std::string key;
    GgufKind kind = GgufKind::u32;     // of the value; for a list `array`
    GgufKind element = GgufKind::u32;  // of a list's elements
    std::uint64_t count = 0;           // elements of a list
    double number = 0;                 // numbers and bools
    std::string text;                  // strings, cut to 4,096 bytes
    std::vector<double> list;          // numbers and bools of a list
};

struct GgufTensor {
    std::string name;
    std::uint64_t ne[4] = {1, 1, 1, 1};  // ne[0] is the row length
    std::uint32_t dims = 1;
    std::uint32_t type = 0;    // ggml id; may be unknown
    std::uint64_t offset = 0;  // from the start of the data
    std::uint64_t elements = 0;
    std::uint64_t bytes = 0;  // 0: not known
};

struct GgufHeader {
    std::uint32_t version = 0;
    std::vector<GgufValue> values;
    std::vector<GgufTensor> tensors;
    std::uint64_t data_start = 0;  // byte of the file where tensor data begins
    bool truncated = false;        // the bytes ended inside the header: more of the file may help
    Issues issues;                 // an error: the header could not be read
    const GgufValue* find(std::string_view key) const;
    const GgufTensor* tensor(std::string_view name) const;
};

GgufHeader read_gguf_header(ByteSource&, std::string_view source);

}  // namespace kvgauge
