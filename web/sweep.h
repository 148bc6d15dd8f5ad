// SPDX-License-Identifier: MIT
// Owns: many estimates in one call: a link, and axes whose values replace its keys one by one.
#pragma once
#include <string>
#include <string_view>

#include "data/catalog.h"

namespace kvgauge::web {

// At most this many whole answers; a larger product is an issue instead.
inline constexpr std::size_t kAnswersMost = 20'000;

// asked: one a line, "key=value,value" for an axis, also ranges; and rows=, where=, sort=, price=,
// limit=, pareto=on as on the command line. A JSON array of kvgauge.estimate/1: whole answers with
// the last axis fastest or, with one of those, what the command line prints.
std::string sweep_json(std::string_view link, std::string_view asked, const Catalog&,
                       std::string_view version);

}  // namespace kvgauge::web
