// SPDX-License-Identifier: MIT
// Owns: the names of the packed tables that generate.py makes from models.tsv and gpus.tsv.
// Format: unsigned LEB128 numbers and strings (length, bytes); see generate.py and
// catalog_decode.cc.
#pragma once
#include <cstddef>

namespace kvgauge::catalog_data {

extern const char revision[];
extern const unsigned char models[];
extern const std::size_t models_size;
extern const unsigned char gpus[];
extern const std::size_t gpus_size;

}  // namespace kvgauge::catalog_data
