// SPDX-License-Identifier: MIT
// Owns: what a safetensors file or a model.safetensors.index.json says about a checkpoint's size:
// exact bytes, elements by type, names. Only the header is read, never tensor data.
// Source: the format description of huggingface/safetensors (header of at most 100,000,000 bytes;
// names, dtypes, shapes and data offsets as JSON); huggingface_hub's index (metadata.total_size).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "import/byte_source.h"
#include "model/issue.h"
#include "model/model_spec.h"

namespace kvgauge {

inline constexpr std::uint64_t kMaxSafetensorsHeader = 100'000'000;

// Tensors of one element type. Packed formats store several weights in one element (U8, I32).
struct TypeTotal {
    std::string type;  // "BF16"
    std::uint64_t tensors = 0, elements = 0, bytes = 0;
    bool operator==(const TypeTotal&) const = default;
};

struct CheckpointTotals {
    std::uint64_t bytes = 0;      // of all tensors; 0: not known
    std::uint64_t elements = 0;   // 0: not known
    std::uint64_t mtp_bytes = 0;  // of tensors of multi-token prediction; only from headers
    std::uint64_t tensors = 0;
    bool has_mtp = false;            // their names are there, with or without sizes
    std::vector<TypeTotal> types;    // from headers
    std::vector<std::string> files;  // of an index: the shards, in order of name
    Issues issues;                   // an error: could not be read
};

// `layers` is the number of decoder layers: a tensor of a layer beyond them belongs to multi-token
// prediction. 0: not known, names alone decide.
CheckpointTotals read_safetensors_header(ByteSource&, std::string_view source,
                                         std::uint32_t layers = 0);
CheckpointTotals read_safetensors_index(std::string_view json, std::string_view source,
                                        std::uint32_t layers = 0);
// Adds the totals of one more file.
void add_totals(CheckpointTotals& to, const CheckpointTotals& from);

// Puts the bytes into the model, in place of the formula's, and says where the two disagree: a
// config.json that describes another model than the files hold.
void apply_totals(const CheckpointTotals&, std::string_view source, ModelSpec&, Issues&);

}  // namespace kvgauge
