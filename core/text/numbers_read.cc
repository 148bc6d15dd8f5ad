// SPDX-License-Identifier: MIT
#ifdef __EMSCRIPTEN__
#include <cstdlib>
#else
#include <fast_float/fast_float.h>
#endif

#include <array>
#include <cmath>
#include <limits>

#include "text/numbers.h"

namespace kvgauge {
namespace {

std::string_view trim(std::string_view s) {
    while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
    while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
    return s;
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_word(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (lower(a[i]) != lower(b[i])) return false;
    }
    return true;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// A number and what follows it. `1,024` and `1_024` are read when every group has three digits.
struct Split {
    double value = 0;
    bool whole = false;         // no point and no exponent: `integer` is exact
    std::uint64_t integer = 0;  // saturated
    std::string_view rest;
};

std::uint64_t whole_number(std::string_view digits) {
    std::uint64_t v = 0;
    for (char c : digits) {
        if (__builtin_mul_overflow(v, std::uint64_t{10}, &v) ||
            __builtin_add_overflow(v, static_cast<std::uint64_t>(c - '0'), &v)) {
            return std::numeric_limits<std::uint64_t>::max();
        }
    }
    return v;
}

std::string without_groups(std::string_view s) {
    std::size_t end = 0;
    while (end < s.size() && (is_digit(s[end]) || s[end] == ',' || s[end] == '_')) ++end;
    std::string digits;
    std::size_t group = 0, groups = 0;
    for (std::size_t i = 0; i < end; ++i) {
        if (is_digit(s[i])) {
            digits += s[i];
            ++group;
            continue;
        }
        if (group == 0 || group > 3 || (groups > 0 && group != 3)) return std::string(s);
        group = 0;
        ++groups;
    }
    if (groups > 0 && group != 3) return std::string(s);
    digits.append(s.substr(end));
    return digits;
}

// Reads the decimal number that s begins with (it begins with '-', '.' or a digit); returns its
// length, 0 when there is none. Both ways round correctly, so both give the same number; musl's
// strtod knows no locale, is in every module, and needs no tables of fast_float (13 KB packed).
std::size_t read_decimal(std::string_view s, double& value) {
#ifdef __EMSCRIPTEN__
    std::size_t end = s[0] == '-' ? 1 : 0, digits = 0;
    for (bool point = false; end < s.size() && (is_digit(s[end]) || (s[end] == '.' && !point));
         ++end) {
        if (s[end] == '.')
            point = true;
        else
            ++digits;
    }
    if (digits == 0) return 0;
    std::size_t e = end + 1;
    if (end < s.size() && (s[end] == 'e' || s[end] == 'E')) {
        if (e < s.size() && (s[e] == '-' || s[e] == '+')) ++e;
        const std::size_t first = e;
        while (e < s.size() && is_digit(s[e])) ++e;
        if (e > first) end = e;
    }
    value = std::strtod(std::string(s.substr(0, end)).c_str(), nullptr);
    return end;
#else
    return static_cast<std::size_t>(
        fast_float::from_chars(s.data(), s.data() + s.size(), value).ptr - s.data());
#endif
}

std::optional<Split> split(std::string_view text, std::string& store) {
    store = without_groups(trim(text));
    const std::string_view s = store;
    if (s.empty() || s.size() > 400) return std::nullopt;
    // from_chars also reads "inf" and "nan", which are no quantities.
    std::size_t first = s[0] == '-' ? 1 : 0;
    if (first >= s.size() || !(is_digit(s[first]) || s[first] == '.')) return std::nullopt;
    Split out;
    const std::string_view number = s.substr(0, read_decimal(s, out.value));
    if (number.empty()) return std::nullopt;
    out.rest = trim(s.substr(number.size()));
    out.whole = true;
    for (char c : number) out.whole = out.whole && is_digit(c);
    if (out.whole) out.integer = whole_number(number);
    return out;
}

// value * factor as a whole number; empty when negative or not whole.
std::optional<std::uint64_t> whole(const Split& n, std::uint64_t factor, bool round) {
    constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();
    if (n.whole) {
        std::uint64_t v = 0;
        return __builtin_mul_overflow(n.integer, factor, &v) ? kMax : v;
    }
    const double v = n.value * static_cast<double>(factor);
    if (!(v >= 0)) return std::nullopt;
    if (v >= 18446744073709549568.0) return kMax;
    const double nearest = std::floor(v + 0.5);
    if (!round && nearest != v) return std::nullopt;
    return static_cast<std::uint64_t>(nearest);
}

struct Suffix {
    std::string_view name;
    std::uint64_t factor;
};
constexpr std::uint64_t kK = 1000, kKi = 1024;
constexpr std::array<Suffix, 20> kByteSuffixes{{
    {"", 1},
    {"b", 1},
    {"k", kK},
    {"kb", kK},
    {"m", kK* kK},
    {"mb", kK* kK},
    {"g", kK* kK* kK},
    {"gb", kK* kK* kK},
    {"t", kK* kK* kK* kK},
    {"tb", kK* kK* kK* kK},
    {"p", kK* kK* kK* kK* kK},
    {"pb", kK* kK* kK* kK* kK},
    {"ki", kKi},
    {"kib", kKi},
    {"mi", kKi* kKi},
    {"mib", kKi* kKi},
    {"gi", kKi* kKi* kKi},
    {"gib", kKi* kKi* kKi},
    {"ti", kKi* kKi* kKi* kKi},
    {"tib", kKi* kKi* kKi* kKi},
}};

std::optional<std::uint64_t> byte_factor(std::string_view rest) {
    for (const Suffix& s : kByteSuffixes) {
        if (same_word(rest, s.name)) return s.factor;
    }
    return std::nullopt;
}

}  // namespace

std::optional<double> parse_real(std::string_view text) {
    std::string store;
    const auto n = split(text, store);
    if (!n || !n->rest.empty() || !std::isfinite(n->value)) return std::nullopt;
    return n->value;
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
    std::string store;
    const auto n = split(text, store);
    if (!n || !n->rest.empty()) return std::nullopt;
    return whole(*n, 1, false);
}

std::optional<std::uint64_t> parse_tokens(std::string_view text) {
    std::string store;
    const auto n = split(text, store);
    if (!n) return std::nullopt;
    if (n->rest.empty()) return whole(*n, 1, false);
    if (same_word(n->rest, "k") || same_word(n->rest, "ki")) return whole(*n, kKi, false);
    if (same_word(n->rest, "m") || same_word(n->rest, "mi")) return whole(*n, kKi * kKi, false);
    return std::nullopt;
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
    std::string store;
    const auto n = split(text, store);
    if (!n) return std::nullopt;
    const auto factor = byte_factor(n->rest);
    // "20.1GiB" is no whole number of bytes; the nearest one is meant.
    return factor ? whole(*n, *factor, *factor > 1) : std::nullopt;
}

std::optional<double> parse_rate(std::string_view text) {
    std::string store;
    const auto n = split(text, store);
    if (!n || !std::isfinite(n->value)) return std::nullopt;
    std::string_view rest = n->rest;
    if (rest.size() >= 2 && rest[rest.size() - 2] == '/' && lower(rest.back()) == 's') {
        rest.remove_suffix(2);
    }
    for (std::string_view unit : {"flops", "flop"}) {
        if (rest.size() >= unit.size() && same_word(rest.substr(rest.size() - unit.size()), unit)) {
            rest.remove_suffix(unit.size());
            break;
        }
    }
    const auto factor = byte_factor(trim(rest));
    if (!factor) return std::nullopt;
    return n->value * static_cast<double>(*factor);
}

std::optional<double> parse_fraction(std::string_view text) {
    std::string store;
    const auto n = split(text, store);
    if (!n || !std::isfinite(n->value)) return std::nullopt;
    if (n->rest.empty()) return n->value;
    if (n->rest == "%") return n->value / 100;
    return std::nullopt;
}

std::optional<double> parse_milliseconds(std::string_view text) {
    std::string store;
    const auto n = split(text, store);
    if (!n || !std::isfinite(n->value)) return std::nullopt;
    if (n->rest.empty() || same_word(n->rest, "ms")) return n->value / 1e3;
    if (same_word(n->rest, "s")) return n->value;
    if (same_word(n->rest, "us")) return n->value / 1e6;
    return std::nullopt;
}

std::optional<bool> parse_toggle(std::string_view text) {
    const std::string_view s = trim(text);
    for (std::string_view w : {"on", "true", "yes", "1"}) {
        if (same_word(s, w)) return true;
    }
    for (std::string_view w : {"off", "false", "no", "0"}) {
        if (same_word(s, w)) return false;
    }
    return std::nullopt;
}

}  // namespace kvgauge
