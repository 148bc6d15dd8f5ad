// SPDX-License-Identifier: MIT
// Owns: an axis of a sweep, a key with several values, and the text that names them:
//   1,2,4,8        a list; an item may be a range
//   1..16          whole numbers one apart; token counts double
//   1..64..x2      each so many times the one before, up to the end
//   0.8..0.95..0.05  each one step above the one before, up to the end
//   all            every choice of a key that has choices, every model or GPU of the catalog; for
//                  kv-heads the numbers that group the query heads evenly
// Numbers carry the units their key takes alone. Values keep their order; one that comes again is
// left out.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/fields.h"

namespace kvgauge {

struct Axis {
    const Field* field = nullptr;
    std::vector<std::string> values;  // canonical text, each accepted by the field
};

inline constexpr std::size_t kAxisMost = 1'000'000;  // values of one axis

// Whether a value names several: then it is an axis.
bool names_several(std::string_view text);

// Reads the values of `field`. `base` gives the model whose heads `all` divides. An empty axis: an
// issue says what is wrong.
Axis read_axis(const Field&, std::string_view text, const Scenario& base, const Catalog&, Issues&);

}  // namespace kvgauge
