// SPDX-License-Identifier: MIT
// Owns: the words of a tensor-parallel verdict: the rule that decides, with its numbers.
#pragma once
#include <cstdint>
#include <string>

#include "engine/engine.h"
#include "text/strings.h"

namespace kvgauge {

// One sentence: "28 query heads do not divide by 8." The fragment of the engine's own text stays in
// the verdict. `group`: elements per quantisation block or group, 0 = not quantised.
std::string tp_reason(const TpVerdict&, EngineId, std::uint64_t tp, std::uint32_t group = 0,
                      Lang = Lang::en);
// Why a size was refused, short enough for the answer: "4 KV heads do not split over 8 GPUs."
std::string tp_short(const TpVerdict&, Lang = Lang::en);
// "1 2 4 8": bit n - 1 of `sizes` is size n.
std::string tp_sizes(std::uint64_t sizes);

}  // namespace kvgauge
