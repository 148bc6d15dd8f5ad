// SPDX-License-Identifier: MIT
// Owns: the lengths of the requests that arrive, when they differ: a distribution by its mean and
// quantiles, or lengths seen. Tokens.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace kvgauge {

// Lengths seen together so often.
struct LengthPair {
    std::uint32_t in = 0, out = 0;
    double weight = 1;
    bool operator==(const LengthPair&) const = default;
};

// One length by its distribution: a log-normal through two of the three, or one length for all.
struct LengthShape {
    std::optional<double> mean, p50, p95;
    bool given() const { return mean || p50 || p95; }
    bool operator==(const LengthShape&) const = default;
};

// What a scenario says of its traffic. Nothing given: every request has ctx tokens.
struct LengthMix {
    LengthShape in, out;           // not given: the scenario's own length, for all
    std::vector<LengthPair> seen;  // given: instead of both
    std::uint64_t seed = 1;        // of the simulation
    bool given() const { return in.given() || out.given() || !seen.empty(); }
    bool operator==(const LengthMix&) const = default;
};

}  // namespace kvgauge
