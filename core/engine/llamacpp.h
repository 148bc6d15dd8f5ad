// SPDX-License-Identifier: MIT
// Owns: how llama.cpp sizes and places its caches. Internal to engine/.
// Source: llama.cpp b10256 and b11118: src/llama-context.cpp (constructor), llama-kv-cache.cpp,
// llama-kv-cache-iswa.cpp, llama-memory-recurrent.cpp, llama-model.cpp (layer placement),
// ggml-backend-meta (tensor split).
#pragma once
#include <cstdint>

#include "engine/engine.h"

namespace kvgauge::engine::llamacpp {

// Cells and streams of a context.
struct Context {
    std::uint64_t n_ctx = 0;      // in effect, of all sequences
    std::uint64_t n_ctx_seq = 0;  // of one sequence
    std::uint64_t n_seq = 1;
    bool unified = false;
    std::uint64_t streams() const { return unified ? 1 : n_seq; }
};
// n_ctx rounded up to 256 cells; not unified: an equal share for each sequence, rounded up too, so
// that the total may grow.
Context context_of(std::uint64_t n_ctx, std::uint64_t n_seq, bool unified);
// The scenario's: llama-server's four unified slots where nothing is asked.
Context context_of(const EngineInput&);

// Cells of one stream of a sliding-window cache.
std::uint64_t window_cells(const Context&, std::uint64_t window, std::uint64_t n_ubatch, bool full);

// Whole KV heads of device `device` of `n` under `--split-mode tensor`; `layer` counts the layers
// of one kind, over which the shares rotate.
std::uint64_t tensor_heads(std::uint64_t kv_heads, std::uint64_t n, std::uint64_t device,
                           std::uint64_t layer);

struct CacheBytes {
    Bytes full;       // caches that keep every token
    Bytes window;     // sliding-window caches
    Bytes recurrent;  // R and S states
    std::uint64_t full_layers = 0, window_layers = 0, recurrent_layers = 0;
    std::uint64_t window_cells = 0;
    Bytes total() const { return full + window + recurrent; }
};
// Caches of layers first .. first + n - 1, for all sequences of the context.
CacheBytes cache_bytes(const EngineInput&, const Context&, std::uint64_t first, std::uint64_t n);

// Bytes of the K and the V row of one cell of one layer.
struct RowBytes {
    Bytes k, v;
};
RowBytes row_of(const EngineInput&, const AttentionSpec&);

// Layers on the GPUs: layers first .. last - 1 are offloaded, device d of n holds those of its
// share.
struct Placement {
    std::uint64_t layers = 0;  // of the model
    std::uint64_t first = 0;   // first offloaded layer
    std::uint64_t devices = 1;
    bool output = true;  // the output layer is offloaded
    std::uint64_t begin(std::uint64_t device) const;
    std::uint64_t end(std::uint64_t device) const { return begin(device + 1); }
};
Placement placement_of(const EngineInput&);

// Architectures that `--split-mode tensor` refuses.
bool tensor_split_refused(const EngineInput&);

}  // namespace kvgauge::engine::llamacpp
