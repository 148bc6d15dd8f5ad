// SPDX-License-Identifier: MIT
#include <fmt/compile.h>

#include <cmath>

#include "model/units.h"
#include "text/numbers.h"

namespace kvgauge {
namespace {

std::string group_digits(std::string digits) {
    for (std::size_t i = digits.size(); i > 3;) {
        i -= 3;
        digits.insert(i, 1, ',');
    }
    return digits;
}

// Fixed decimals with commas. The sign is U+2212.
std::string fixed(double v, int decimals) {
    std::string s = fmt::format(FMT_COMPILE("{:.{}f}"), std::fabs(v), decimals);
    const std::size_t point = s.find('.');
    std::string whole = group_digits(s.substr(0, point));
    if (point != std::string::npos) whole.append(s, point, std::string::npos);
    return v < 0 ? "\u2212" + whole : whole;
}

// Two decimals up to 99, one above, none above 999.
int size_decimals(double v) {
    const double a = std::fabs(v);
    return a < 99.995 ? 2 : a < 999.95 ? 1 : 0;
}

std::string without_trailing_zeros(std::string s) {
    if (s.find('.') == std::string::npos) return s;
    while (s.back() == '0') s.pop_back();
    if (s.back() == '.') s.pop_back();
    return s;
}

std::string scaled(double v, double step, const char* const (&units)[6]) {
    int i = 0;
    while (std::fabs(v) >= step && i < 5) {
        v /= step;
        ++i;
    }
    // Below the giga unit whole figures are common and two zeros say nothing.
    std::string s = fixed(v, i == 0 ? (v == std::floor(v) ? 0 : 2) : size_decimals(v));
    if (i < 3) s = without_trailing_zeros(std::move(s));
    return s + ' ' + units[i];
}

bool is_finite(double v) {
    return std::isfinite(v);
}

}  // namespace

std::string plain(std::uint64_t v) {
    return fmt::format(FMT_COMPILE("{}"), v);
}

std::string plain(double v) {
    if (!is_finite(v)) return "0";
    if (v >= 0 && v < 9007199254740992.0 && v == std::floor(v)) {
        return plain(static_cast<std::uint64_t>(v));
    }
    return fmt::format(FMT_COMPILE("{}"), v);
}

std::string token_text(std::uint64_t v) {
    return v != 0 && v % 1024 == 0 ? plain(v / 1024) + 'k' : plain(v);
}

std::string millisecond_text(double seconds) {
    return fmt::format(FMT_COMPILE("{:.12g}"), seconds * 1e3);
}

std::string grouped(std::uint64_t v) {
    return group_digits(plain(v));
}

std::string grouped(double v) {
    if (!is_finite(v)) return "\u2014";
    return without_trailing_zeros(fixed(v, 3));
}

std::string three_digits(double v) {
    if (!is_finite(v)) return "\u2014";
    if (v == 0) return "0";
    // Decimals that leave three significant digits; never more than a double shows.
    const int exponent = static_cast<int>(std::floor(std::log10(std::fabs(v))));
    int decimals = 2 - exponent;
    if (decimals < 0) {
        const double step = std::pow(10.0, -decimals);
        return fixed(std::floor(v / step + 0.5) * step, 0);
    }
    if (decimals > 12) decimals = 12;
    return without_trailing_zeros(fixed(v, decimals));
}

std::string binary_size(double bytes) {
    if (!is_finite(bytes)) return "\u2014";
    static constexpr const char* units[6] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    return scaled(bytes, 1024, units);
}

std::string decimal_size(double bytes) {
    if (!is_finite(bytes)) return "\u2014";
    static constexpr const char* units[6] = {"B", "kB", "MB", "GB", "TB", "PB"};
    return scaled(bytes, 1000, units);
}

std::string duration(double s) {
    if (!is_finite(s)) return "\u2014";
    const double a = std::fabs(s);
    if (a >= 0.9995) return three_digits(s) + " s";
    if (a >= 0.9995e-3) return three_digits(s * 1e3) + " ms";
    return three_digits(s * 1e6) + " µs";
}

std::string bandwidth(double bytes_per_s) {
    if (bytes_per_s >= 9.9995e12) return three_digits(bytes_per_s / 1e12) + " TB/s";
    return fixed(bytes_per_s / 1e9, bytes_per_s < 99.95e9 ? 1 : 0) + " GB/s";
}

std::string flop_rate(double flops) {
    if (flops >= 0.9995e15) return three_digits(flops / 1e15) + " PFLOP/s";
    return three_digits(flops / 1e12) + " TFLOP/s";
}

std::string valid_utf8(std::string_view s) {
    std::string out;
    out.reserve(s.size());
    for (std::size_t i = 0; i < s.size();) {
        const auto c = static_cast<unsigned char>(s[i]);
        std::size_t n = c < 0x80                ? 1
                        : c >= 0xC2 && c < 0xE0 ? 2
                        : c >= 0xE0 && c < 0xF0 ? 3
                        : c >= 0xF0 && c < 0xF5 ? 4
                                                : 0;
        bool good = n != 0 && i + n <= s.size();
        for (std::size_t k = 1; good && k < n; ++k) {
            good = (static_cast<unsigned char>(s[i + k]) & 0xC0) == 0x80;
        }
        if (good && n >= 3) {  // overlong forms, surrogates, beyond U+10FFFF
            const auto d = static_cast<unsigned char>(s[i + 1]);
            good = !(c == 0xE0 && d < 0xA0) && !(c == 0xED && d >= 0xA0) &&
                   !(c == 0xF0 && d < 0x90) && !(c == 0xF4 && d >= 0x90);
        }
        if (good) {
            out.append(s.substr(i, n));
            i += n;
        } else {
            out += "\uFFFD";
            ++i;
        }
    }
    return out;
}

std::string quoted_text(std::string_view s) {
    constexpr std::size_t kMost = 60;
    const bool cut = s.size() > kMost;
    if (cut) {
        s = s.substr(0, kMost);
        // Not through the middle of a character.
        while (!s.empty() && (static_cast<unsigned char>(s.back()) & 0xC0) == 0x80)
            s.remove_suffix(1);
        if (!s.empty() && static_cast<unsigned char>(s.back()) >= 0xC0) s.remove_suffix(1);
    }
    std::string out = "\"";
    for (char c : valid_utf8(s)) {
        const auto u = static_cast<unsigned char>(c);
        if (u < 0x20 || u == 0x7F) {
            out += ' ';
        } else {
            out += c;
        }
    }
    out += cut ? "...\"" : "\"";
    return out;
}

}  // namespace kvgauge
