// SPDX-License-Identifier: MIT
// Owns: what was asked of a device and what it answered, case by case; the content of a measurement
// file. Times in nanoseconds where the name says so, rates in bytes/s and FLOP/s.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/calibration.h"
#include "model/dtype.h"
#include "probe/device.h"
#include "probe/statistics.h"

namespace kvgauge {

// read, copy: memory ceilings. decode: one new token against a KV cache. prefill: causal attention
// over a prompt. gemm: one weight product, m tokens.
enum class KernelKind : std::uint8_t { read, copy, decode, prefill, gemm };
std::string_view name(KernelKind);
std::optional<KernelKind> parse_kernel(std::string_view);

// Attention kernels use the first block, gemm m, n, k; read and copy only `bytes`.
struct CaseShape {
    std::uint32_t batch = 1;
    std::uint32_t ctx = 0;  // tokens in each sequence's cache, or of the prompt
    std::uint32_t q_heads = 0, kv_heads = 0, head_dim = 0;
    DType kv = DType::fp16;
    std::uint32_t page = 0;  // tokens a page; 0: contiguous
    std::uint32_t m = 0, n = 0, k = 0;
    std::uint64_t bytes = 0;    // of one pass of a memory stream
    std::uint32_t threads = 0;  // of a CPU; 0 on a GPU
    std::uint32_t group() const { return kv_heads == 0 ? 0 : q_heads / kv_heads; }
    bool operator==(const CaseShape&) const = default;
};

struct Case {
    KernelKind kernel = KernelKind::read;
    CaseShape shape;
    std::vector<double> samples_ns;  // one call each
    Statistics statistics;           // of the samples
    std::uint64_t bytes = 0;         // one call moves: KV bytes for decode, read + written for copy
    std::uint64_t flops = 0;         // one call computes
    std::uint32_t splits = 0;        // pieces of the cache, 0 where that has no meaning
    bool cold = true;                // rotating buffers larger than the cache
    std::string clock;               // "gpu", "thread", "wall": what the times are of
    std::optional<double> share_of_read;  // median of read time / this time for equal bytes, paired
    bool noisy = false;                   // p90 / p10 above 1.10
    bool rejected = false;                // implausible: faster than the memory can be
    std::vector<std::string> warnings;

    double bytes_per_s() const {
        return statistics.median > 0 ? static_cast<double>(bytes) / statistics.median * 1e9 : 0;
    }
    double flops_per_s() const {
        return statistics.median > 0 ? static_cast<double>(flops) / statistics.median * 1e9 : 0;
    }
    bool operator==(const Case&) const = default;
};

struct Measurement {
    std::string version;  // of kvgauge
    std::string time;     // ISO 8601, UTC
    DeviceInfo device;
    ClockState clocks_before, clocks_after;
    bool quick = false;
    bool cancelled = false;
    std::vector<Case> cases;
    Calibration fit;
    std::vector<std::string> warnings;
    std::string failure;  // empty, or why there are no cases: self-test, memory, device lost

    bool noisy() const;  // some accepted case is noisy, or the device was throttled
    bool operator==(const Measurement&) const = default;
};

}  // namespace kvgauge
