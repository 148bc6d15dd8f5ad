// SPDX-License-Identifier: MIT
// Owns: number spellings of the lines engines print. No locale: thousands by comma, decimals by
// dot.
#pragma once
#include <cstdint>
#include <string>

namespace kvgauge::engine {

std::string grouped(std::uint64_t n);                // 1234567 -> "1,234,567"
std::string fixed(double value, unsigned decimals);  // 3.8125, 2 -> "3.81"; at most 6 decimals
std::string gib_text(double bytes, unsigned decimals = 2);
std::string mib_text(double bytes, unsigned decimals = 2);

}  // namespace kvgauge::engine
