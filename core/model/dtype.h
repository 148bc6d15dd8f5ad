// SPDX-License-Identifier: MIT
// Owns: element types of KV caches and recurrent states, and the bytes a row of them takes.
// A type is a block: `block_elements` elements stored in `block_bytes` bytes.
// Sources: ggml block layouts (ggml-common.h: q8_0 34 B per 32, q5_1 24, q5_0 22, q4_1 20, q4_0 and
// iq4_nl 18); NVFP4: E2M1 plus one E4M3 scale per 16 elements (0.5625 B per element).
// Scales that an engine keeps beside a cache (per token and head) belong to that engine's rules.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "model/units.h"

namespace kvgauge {

enum class DType : std::uint8_t {
    automatic,  // the checkpoint's or the engine's own choice
    bf16, fp16, fp32, fp8, int8, int4, nvfp4, q8_0, q5_1, q5_0, q4_1, q4_0, iq4_nl,
};

struct DTypeInfo {
    DType type;
    std::string_view name;
    std::uint32_t block_elements;
    std::uint32_t block_bytes;
};

// Every type but `automatic`.
std::span<const DTypeInfo> dtypes();
const DTypeInfo& info(DType);  // `automatic` answers as bf16
std::string_view name(DType);  // "auto", "bf16", ...
std::optional<DType> parse_dtype(std::string_view name);

// Bytes of `elements` elements. A row that does not fill its last block still takes whole bytes:
// elements * block_bytes / block_elements, rounded up.
Bytes row_bytes(DType, Count elements);
// Bytes per element as a real number, for formulas and labels.
double bytes_per_element(DType);

}  // namespace kvgauge
