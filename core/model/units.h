// SPDX-License-Identifier: MIT
// Owns: byte and token counts with checked arithmetic, and the constants KiB, MiB, GiB, GB.
// Bytes are unsigned 64-bit. A sum or product that does not fit becomes `overflow` and stays so
// through every later operation, so that one check at the end sees it and nothing ever wraps.
#pragma once
#include <compare>
#include <cstdint>

namespace kvgauge {

inline constexpr std::uint64_t kib = std::uint64_t{1} << 10;
inline constexpr std::uint64_t mib = std::uint64_t{1} << 20;
inline constexpr std::uint64_t gib = std::uint64_t{1} << 30;
inline constexpr std::uint64_t gb = 1'000'000'000;  // marketed sizes and bandwidths only

// An unsigned 64-bit count that knows whether it overflowed. Division by zero counts as overflow.
class Count {
  public:
    constexpr Count() = default;
    constexpr Count(std::uint64_t v) : value_(v) {}  // NOLINT: a plain number is a count

    constexpr bool overflow() const { return overflow_; }
    // Only meaningful when !overflow().
    constexpr std::uint64_t value() const { return value_; }
    constexpr double real() const { return static_cast<double>(value_); }

    static constexpr Count overflowed() {
        Count c;
        c.overflow_ = true;
        return c;
    }

    friend constexpr Count operator+(Count a, Count b) {
        std::uint64_t r = 0;
        const bool bad = __builtin_add_overflow(a.value_, b.value_, &r);
        return make(r, bad, a, b);
    }
    // Below zero is an overflow too: a count is never negative.
    friend constexpr Count operator-(Count a, Count b) {
        std::uint64_t r = 0;
        const bool bad = __builtin_sub_overflow(a.value_, b.value_, &r);
        return make(r, bad, a, b);
    }
    friend constexpr Count operator*(Count a, Count b) {
        std::uint64_t r = 0;
        const bool bad = __builtin_mul_overflow(a.value_, b.value_, &r);
        return make(r, bad, a, b);
    }
    friend constexpr Count operator/(Count a, Count b) {
        return b.value_ == 0 ? overflowed() : make(a.value_ / b.value_, false, a, b);
    }
    constexpr Count& operator+=(Count b) { return *this = *this + b; }
    constexpr Count& operator*=(Count b) { return *this = *this * b; }
    friend constexpr bool operator==(Count, Count) = default;

  private:
    static constexpr Count make(std::uint64_t v, bool bad, Count a, Count b) {
        if (bad || a.overflow_ || b.overflow_) return overflowed();
        return Count(v);
    }
    std::uint64_t value_ = 0;
    bool overflow_ = false;
};

using Bytes = Count;

// Ceiling division: the smallest n with n * b >= a.
constexpr Count ceil_div(Count a, Count b) {
    if (b.overflow() || b.value() == 0) return Count::overflowed();
    if (a.overflow()) return a;
    return a.value() / b.value() + (a.value() % b.value() != 0 ? 1 : 0);
}
// `a` rounded up to a multiple of `b`.
constexpr Count round_up(Count a, Count b) { return ceil_div(a, b) * b; }

}  // namespace kvgauge
