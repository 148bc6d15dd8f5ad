// SPDX-License-Identifier: MIT
// Owns: the packed catalog tables -> entries. The tables are made and checked by generate.py, so a
// damaged one is a fault of the build: decoding stops there and what was read so far is returned.
#pragma once
#include <span>
#include <vector>

#include "data/catalog.h"

namespace kvgauge {

std::vector<ModelEntry> decode_models(std::span<const unsigned char>);
std::vector<GpuEntry> decode_gpus(std::span<const unsigned char>);

}  // namespace kvgauge
