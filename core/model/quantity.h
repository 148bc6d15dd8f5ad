// SPDX-License-Identifier: MIT
// Owns: a number and how well it is known.
#pragma once
#include <cstdint>
#include <optional>

namespace kvgauge {

enum class Basis : std::uint8_t {
    exact,     // arithmetic on given facts
    derived,   // a formula with fitted or published constants
    measured,  // from a log or a measurement of this device
    assumed,   // a fact or rule that could not be checked for this case
};

// The weaker of two bases: a result is known no better than its least known part.
// measured counts as better than derived, and worse than exact.
constexpr Basis weaker(Basis a, Basis b) {
    constexpr int rank[] = {0, 2, 1, 3};
    return rank[static_cast<int>(a)] >= rank[static_cast<int>(b)] ? a : b;
}

struct Quantity {
    double value = 0;
    std::optional<double> low;   // only where the value is not exact
    std::optional<double> high;
    Basis basis = Basis::exact;
    bool operator==(const Quantity&) const = default;
};

using MaybeQuantity = std::optional<Quantity>;  // empty: not given, an issue says why

}  // namespace kvgauge
