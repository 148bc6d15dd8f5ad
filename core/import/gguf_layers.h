// SPDX-License-Identifier: MIT
// Owns: the keys of an architecture -> its layers: attention, windows, states and expert shapes.
// Counts are those of the file; what the tensor table adds is in gguf_tensors.h.
#pragma once
#include <vector>

#include "import/gguf_arch.h"
#include "import/gguf_keys.h"
#include "model/model_spec.h"

namespace kvgauge {

// Blocks of the file in order: the trunk, then the blocks of multi-token prediction.
struct GgufLayers {
    std::vector<LayerSpec> trunk;
    std::vector<LayerSpec> mtp;
    // Encoder-decoder (T5): the attention on the encoder that follows each trunk layer.
    std::vector<LayerSpec> cross;
    bool latent_expanded = false;  // latent attention without MLA keys: llama.cpp caches every head
};

// Errors go to the issues of `keys`.
GgufLayers gguf_layers(const GgufKeys& keys, const GgufArch& arch);

}  // namespace kvgauge
