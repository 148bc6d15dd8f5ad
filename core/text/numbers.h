// SPDX-License-Identifier: MIT
// Owns: numbers as text, both ways. Reading: plain numbers and the short forms people type
// (40GiB, 80GB, 8k, 90%, 3.35TB/s). Writing: canonical forms for links and JSON, and the rounded
// forms of sentences and read-outs (three digits for times and rates, GiB by size, commas).
// In byte sizes k, M, G, T alone and KB, MB, GB, TB are powers of 1000; KiB, MiB, GiB, TiB of 1024.
// In token counts k and M are powers of 1024. No locale: decimal point, comma grouping.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kvgauge {

// Reading. Empty: not such a number. Values that do not fit give the nearest bound, so that a range
// check refuses them with its own words; negative whole numbers are no counts.
std::optional<double> parse_real(std::string_view);  // finite; "inf" and "nan" are no numbers
std::optional<std::uint64_t> parse_count(std::string_view);   // "8192", "8_192", "8,192", "8e3"
std::optional<std::uint64_t> parse_tokens(std::string_view);  // also "8k", "128K", "1M"
std::optional<std::uint64_t> parse_bytes(std::string_view);   // also "40GiB", "80 GB", "512MiB"
std::optional<double> parse_rate(std::string_view);           // also "3.35TB/s", "989 TFLOPS"
std::optional<double> parse_fraction(std::string_view);       // "0.9", "90%"
std::optional<double> parse_milliseconds(std::string_view);   // "30", "30ms", "1.5s": seconds
std::optional<bool> parse_toggle(std::string_view);           // on off true false yes no 1 0

// Canonical.
std::string plain(std::uint64_t);
std::string plain(double);              // shortest text that reads back the same
std::string token_text(std::uint64_t);  // multiples of 1024 as 8k
std::string millisecond_text(double seconds);

// For people.
std::string grouped(std::uint64_t);         // 131,072
std::string grouped(double);                // whole part grouped, up to three decimals
std::string binary_size(double bytes);      // 128 KiB, 1.00 GiB, 55.65 GiB, 131.4 GiB
std::string decimal_size(double bytes);     // 1.07 GB
std::string duration(double seconds);       // 21.3 ms
std::string bandwidth(double bytes_per_s);  // 2,039 GB/s, 3.35 TB/s
std::string flop_rate(double flops);        // 312 TFLOP/s
std::string three_digits(double);           // 1,490; 21.3; 0.0123
// Text of the user put into a message: quoted, printable, valid UTF-8, at most 60 bytes of it.
std::string quoted_text(std::string_view);
// The same bytes as valid UTF-8: what is not becomes U+FFFD.
std::string valid_utf8(std::string_view);

}  // namespace kvgauge
