// SPDX-License-Identifier: MIT
// Owns: tables of request lengths as text: what people paste or save, and the one line that links
// and JSON carry.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/lengths.h"

namespace kvgauge {

// A table of requests, one a line or parted by `~`: "in,out" or "in,out,count", apart by commas,
// semicolons, colons, tabs or blanks. A first line of names may put the columns in another order or
// leave one out (in, prompt, input; out, output, answer, completion; count, weight, requests): a
// length that is left out is `in` or `out`. Equal lengths come out as one, in rising order. Empty:
// `why` says which line is wrong.
std::vector<LengthPair> read_lengths(std::string_view text, std::uint64_t in, std::uint64_t out,
                                     std::string& why);

// "100:10:3~200:30": the table in one line, a count of 1 left out.
std::string lengths_text(const std::vector<LengthPair>&);

// Longer ones stay out of links.
inline constexpr std::size_t kLinkedLengths = 2000;

}  // namespace kvgauge
