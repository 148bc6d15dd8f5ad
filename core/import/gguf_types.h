// SPDX-License-Identifier: MIT
// Owns: element types of GGUF tensors and values. Sizes: ggml-common.h and gguf.h of llama.cpp
// b11118; ids that llama.cpp gave up (4, 5, 31-33, 36-38) are those of its older releases.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "model/units.h"
#include "model/weight_format.h"

namespace kvgauge {

// One tensor element type: `block` elements take `bytes` bytes.
struct GgmlType {
    std::uint32_t id;
    std::string_view name;
    std::uint32_t block;
    std::uint32_t bytes;
};
std::span<const GgmlType> ggml_types();
const GgmlType* ggml_type(std::uint32_t id);  // nullptr: not known

// Types of metadata values.
enum class GgufKind : std::uint32_t {
    u8,
    i8,
    u16,
    i16,
    u32,
    i32,
    f32,
    boolean,
    string,
    array,
    u64,
    i64,
    f64,
};
inline constexpr std::uint32_t kGgufKinds = 13;
std::uint32_t gguf_kind_bytes(GgufKind);  // 0: no fixed size
std::string_view name(GgufKind);

// general.file_type -> weight kind. Empty: a mix that has no kind of its own here.
std::optional<WeightKind> gguf_file_type(std::uint64_t);

}  // namespace kvgauge
