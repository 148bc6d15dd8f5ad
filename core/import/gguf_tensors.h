// SPDX-License-Identifier: MIT
// Owns: the tensor table of a GGUF file -> exact parameters and bytes. Shapes of experts, biases
// and tied embeddings come from the tensors; what the layer description has no field for is kept as
// other parameters of the layer, so that the sums are those of the file.
#pragma once
#include <span>
#include <vector>

#include "import/gguf_header.h"
#include "import/gguf_layers.h"
#include "model/model_spec.h"

namespace kvgauge {

// `tensors` is the whole table, of all parts of a split file. Fills embeddings, norms, the layers'
// matrices, weight_bytes and gguf facts of `model`, whose hidden size is set.
void gguf_tensors(std::span<const GgufTensor* const> tensors, GgufLayers& layers, ModelSpec& model,
                  Issues& issues);

// The weight kind most elements of the matrices are stored in, for files whose mix has no name
// here.
std::optional<WeightKind> gguf_main_kind(std::span<const GgufTensor* const> tensors);

}  // namespace kvgauge
