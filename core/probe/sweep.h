// SPDX-License-Identifier: MIT
// Owns: which cases a measurement consists of. Sizes are chosen so that no last-level cache holds
// them and so that the line t0 + bytes / rate has at least four different ones.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "probe/probe.h"

namespace kvgauge {

// Attention geometry to measure; zeros and nullopt are the standard ones.
struct MeasureShape {
    std::uint32_t batch = 0, ctx = 0, q_heads = 0, kv_heads = 0, head_dim = 0, page = 0;
    std::optional<DType> kv;
    bool operator==(const MeasureShape&) const = default;
    bool empty() const { return *this == MeasureShape{}; }
};

// "ctx=32k,q-heads=32,kv-heads=8,head-dim=128,batch=4,kv=fp8,page=16"; the names are the contract's
// keys. Returns what is wrong, or nothing.
std::string parse_shape(std::string_view text, MeasureShape& shape);

struct MeasureRequest {
    bool quick = false;
    MeasureShape shape;
    MeasureLimits limits;
    double peak_flops16 = 0;  // FLOP/s, where the device itself does not tell; 0: unknown
};

struct CaseSpec {
    KernelKind kernel = KernelKind::read;
    CaseShape shape;
};

std::vector<CaseSpec> sweep(const MeasureRequest&, const DeviceInfo&, const Probe&);

}  // namespace kvgauge
