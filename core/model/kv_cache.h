// SPDX-License-Identifier: MIT
// Owns: the model's own KV geometry in the asked dtypes: what one token, one request and the constant
// state take, whole model, one copy. No engine, GPU or TP enters here.
// Formulas: GQA layer 2 * kv_heads * head_dim * e per token (K and V apart where they differ);
// MLA (rank + rope) * e; sliding and chunked layers keep min(ctx, window) tokens; a compressed layer
// min(ctx, window) + floor(ctx / ratio) entries; a shared layer nothing.
#pragma once
#include <cstdint>

#include "model/dtype.h"
#include "model/model_spec.h"
#include "model/units.h"

namespace kvgauge {

struct KvTypes {
    DType k = DType::bf16;
    DType v = DType::bf16;
    DType state = DType::automatic;  // automatic: fp32 where the model asks for it, else bf16
};

// Bytes one layer adds for one cached token, index excluded. Shared, state-only and cross layers: 0.
// A compressed layer: bytes of one entry (of the window and of the compressed part alike).
Bytes layer_token_bytes(const LayerSpec&, const KvTypes&);
// Bytes one layer holds for one sequence of `ctx` tokens, steady state; index included, state not.
Bytes layer_request_bytes(const LayerSpec&, const KvTypes&, Count ctx, Count cross_tokens);
Bytes layer_state_bytes(const LayerSpec&, const KvTypes&);

struct KvSizes {
    double bytes_per_token = 0;       // all caching layers, index included; may be fractional
    double bytes_per_token_full = 0;  // only layers that keep every token: slope at long contexts
    double index_bytes_per_token = 0;
    Bytes bytes_per_request;           // steady state, index included, state excluded
    Bytes bytes_per_request_all_full;  // every caching layer keeps every token
    Bytes state_bytes_per_request;
    bool operator==(const KvSizes&) const = default;
};

KvSizes kv_sizes(const ModelSpec&, const KvTypes&, Count ctx, Count cross_tokens);

}  // namespace kvgauge
