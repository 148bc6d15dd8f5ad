// SPDX-License-Identifier: MIT
// Owns: many estimates in one call: a link, and axes whose values replace its keys one by one.
#pragma once
#include <string>
#include <string_view>

#include "data/catalog.h"

namespace kvgauge::web {

// At most this many answers; a larger product is an issue instead.
inline constexpr std::size_t kSweepMost = 20'000;

// axes: one a line, "key=value,value". A JSON array of kvgauge.estimate/1, the last axis fastest.
std::string sweep_json(std::string_view link, std::string_view axes, const Catalog&,
                       std::string_view version);

}  // namespace kvgauge::web
