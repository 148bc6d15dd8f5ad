// SPDX-License-Identifier: MIT
#include "model/dtype.h"

#include <array>
#include <cstddef>

namespace kvgauge {
namespace {

constexpr std::array<DTypeInfo, 13> kTypes{{
    {DType::bf16, "bf16", 1, 2},
    {DType::fp16, "fp16", 1, 2},
    {DType::fp32, "fp32", 1, 4},
    {DType::fp8, "fp8", 1, 1},
    {DType::int8, "int8", 1, 1},
    {DType::int4, "int4", 2, 1},
    {DType::nvfp4, "nvfp4", 16, 9},
    {DType::q8_0, "q8_0", 32, 34},
    {DType::q5_1, "q5_1", 32, 24},
    {DType::q5_0, "q5_0", 32, 22},
    {DType::q4_1, "q4_1", 32, 20},
    {DType::q4_0, "q4_0", 32, 18},
    {DType::iq4_nl, "iq4_nl", 32, 18},
}};

}  // namespace

std::span<const DTypeInfo> dtypes() { return kTypes; }

const DTypeInfo& info(DType t) {
    if (t == DType::automatic) return kTypes[0];
    return kTypes[static_cast<std::size_t>(t) - 1];  // same order as the enum, tested
}

std::string_view name(DType t) { return t == DType::automatic ? "auto" : info(t).name; }

std::optional<DType> parse_dtype(std::string_view n) {
    if (n == "auto") return DType::automatic;
    for (const DTypeInfo& i : kTypes) {
        if (i.name == n) return i.type;
    }
    return std::nullopt;
}

Bytes row_bytes(DType t, Count elements) {
    const DTypeInfo& i = info(t);
    return ceil_div(elements * i.block_bytes, i.block_elements);
}

double bytes_per_element(DType t) {
    const DTypeInfo& i = info(t);
    return static_cast<double>(i.block_bytes) / i.block_elements;
}

}  // namespace kvgauge
