// SPDX-License-Identifier: MIT
// Owns: what llama.cpp does with the architectures a GGUF file can name, where it differs from a
// plain decoder: one row each. Source: src/models/*.cpp (load_arch_hparams) and
// llama_model::create_memory of llama.cpp b11118; bitnet-25 and bitnet-b1.58: ik_llama.cpp.
// Latent attention (attention.kv_lora_rank), sparse-attention indexes (attention.indexer.*),
// experts and per-layer lists are read by their keys in every family.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "model/model_spec.h"

namespace kvgauge {

// When a family has windows: never (the key is ignored); when sliding_window is there and not 0;
// always (the key must be there).
enum class GgufWindow : std::uint8_t { never, optional, required };

// Which layers keep a recurrent state in place of a cache.
enum class GgufRecurrent : std::uint8_t {
    none,
    kv_zero,     // those with head_count_kv 0
    kv_ff_zero,  // those with head_count_kv 0 and feed_forward_length 0
    interval,    // recurrent_layers, else all but every full_attention_interval-th
    every,       // all, and no layer has a cache
    beside,      // all, beside their attention
};

struct GgufArch {
    std::string_view name;
    GgufWindow window = GgufWindow::never;
    std::uint32_t pattern = 0;  // every n-th layer keeps every token; 0: sliding_window_pattern
                                // must list the layers; 1 would be none, see every_slides
    bool dense_first = false;   // the first of n, else the last
    bool every_slides = false;  // all layers with attention have the window
    std::uint32_t window_default = 0;  // tokens when the key is absent; 0: no windows then
    std::uint32_t window_fixed = 0;    // tokens whenever the key is there; 0: what it says
    std::uint32_t window_layers = 0;   // only models of so many layers have windows; 0: any
    AttnKind window_kind = AttnKind::sliding;
    GgufRecurrent recurrent = GgufRecurrent::none;
    StateKind state = StateKind::none;
    std::uint32_t interval = 4;     // full_attention_interval when absent
    bool no_cache = false;          // encoders and diffusion models
    bool list_heads = false;        // head_count_kv must be there, it differs by layer
    bool plain_ffn = false;         // up and down, no gate
    std::string_view refused = {};  // why it is no language model, or not known here
};

std::optional<GgufArch> gguf_arch(std::string_view name);  // empty: not known

}  // namespace kvgauge
