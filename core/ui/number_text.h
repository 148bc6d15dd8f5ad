// SPDX-License-Identifier: MIT
// Owns: the few forms of numbers that only pictures need; text/numbers.h has all others.
#pragma once
#include <string>

namespace kvgauge::ui {

std::string decimals(double v, int places);     // 2.8, 0.50
std::string general(double v, int digits = 6);  // 0.5, 128, 1e+09
std::string short_gib(double bytes);            // 2.8: a range is good for no more

}  // namespace kvgauge::ui
