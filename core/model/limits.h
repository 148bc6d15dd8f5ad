// SPDX-License-Identifier: MIT
// Owns: the accepted range of every number of a scenario. Parsers and estimate() check against the
// same constants, so that a value typed, linked or set by code is refused alike. The bounds are far
// above anything real and low enough that byte products are worth forming.
#pragma once
#include <cstdint>

namespace kvgauge::limits {

struct Range {
    std::uint64_t min, max;
    constexpr bool holds(std::uint64_t v) const { return v >= min && v <= max; }
};
struct RealRange {
    double min, max;                                                       // both accepted
    constexpr bool holds(double v) const { return v >= min && v <= max; }  // NaN: false
};

inline constexpr Range layers{1, 4096};
inline constexpr Range heads{1, 65536};
inline constexpr Range head_dim{1, 65536};
inline constexpr Range width{1, 16'777'216};              // hidden, inter, vocab
inline constexpr Range params{1, 1'000'000'000'000'000};  // 10^15
inline constexpr Range experts{1, 65536};
inline constexpr Range tokens{1, 1'073'741'824};  // 2^30: ctx, out, batched tokens
inline constexpr Range tokens_or_none{0, 1'073'741'824};
inline constexpr Range batch{1, 1'000'000};
inline constexpr Range tp{1, 1024};
inline constexpr Range parallel{1, 1024};  // pp, dp, dcp
inline constexpr Range gpus{1, 1'048'576};
inline constexpr Range block{1, 1'048'576};
inline constexpr Range slots{1, 65536};
inline constexpr Range spec_tokens{0, 1024};
inline constexpr Range bytes{1, std::uint64_t{1} << 60};  // 1 EiB
inline constexpr Range bytes_or_none{0, std::uint64_t{1} << 60};
inline constexpr RealRange length{1, 1'073'741'824};  // mean and quantiles of a length, tokens
inline constexpr Range seed{0, 1'000'000'000};
inline constexpr RealRange rate{1, 1e21};  // bytes/s, FLOP/s
inline constexpr RealRange fraction{0.01, 1};
inline constexpr RealRange target_s{1e-6, 1e5};  // tpot-max, ttft-max, seconds

}  // namespace kvgauge::limits
