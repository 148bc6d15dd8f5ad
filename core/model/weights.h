// SPDX-License-Identifier: MIT
// Owns: the matrices of a model, hence its parameters, checkpoint bytes and bytes per GPU.
// One inventory feeds all three, so they cannot disagree. Sharding over `tp` GPUs: linears and the
// vocabulary (padded to 64) divide; K and V projections keep max(1, kv/tp) heads; norms, routers and
// MLA down-projections are copied (vLLM layers: linear.py, vocab_parallel_embedding.py).
#pragma once
#include <cstdint>
#include <vector>

#include "model/model_spec.h"
#include "model/units.h"
#include "model/weight_format.h"

namespace kvgauge {

enum class Role : std::uint8_t {
    embedding, head, q, k, v, o, latent_down, latent_up, index, state_mixer, ffn_in, ffn_out,
    expert_in, expert_out, shared_in, shared_out, router, norm, other, vision,
};
enum class Shard : std::uint8_t {
    replicated,
    column,   // output dimension divides
    row,      // input dimension divides
    kv,       // output divides by KV heads; copied beyond them
    vocab,    // rows padded to 64, then divide
    expert,   // by tp inside each expert (columns in, rows out), or whole experts with EP
    vision,   // divides when the tower's heads do
};

// `count` equal matrices of out x in elements (vectors: in = 1).
struct MatrixGroup {
    Role role = Role::other;
    Shard shard = Shard::replicated;
    std::uint64_t count = 1;
    std::uint64_t out = 0;
    std::uint64_t in = 1;
    std::uint32_t heads = 0;       // shard == kv: KV heads in `out`
    std::uint32_t parts = 1;       // merged column parts that must divide separately (gate, up = 2)
    bool quantisable = false;      // a linear that formats quantise
    bool mtp = false;
};
// How formats class a matrix of this group.
MatrixClass matrix_class(const MatrixGroup&);

std::vector<MatrixGroup> inventory(const ModelSpec&);

struct Params {
    Count total;    // language model, all experts, no MTP, no vision
    Count active;   // of one token: active and shared experts only
    Count vision;
    Count mtp;
    Count linear;   // of `total`: streamed per decode step (everything but embedding and head)
    Count head;     // LM head (a tied embedding counts here, being read as the head)
};
Params params(const ModelSpec&);

// Bytes that a decode step streams, whole model: everything but the input embedding, positions,
// encoder and towers. A tied head reads the embedding.
struct StreamBytes {
    Bytes dense;   // all layers, routed experts excluded
    Bytes routed;  // all routed experts
    Bytes head;    // LM head
};

// Everything an estimate asks of the weights, in one pass over the matrices.
struct WeightSums {
    Params params;
    Bytes checkpoint;  // checkpoint_bytes()
    StreamBytes stream;
};
WeightSums weight_sums(const ModelSpec&, const WeightFormat&);

// Bytes of the checkpoint in `format` (language model and vision tower, no MTP layers).
Bytes checkpoint_bytes(const ModelSpec&, const WeightFormat&);
// Bytes one GPU of a TP group holds, MTP layers excluded. `ep`: routed experts are placed whole, n/tp
// of them each, rounded up. `pp`: the heaviest stage when layers are dealt as vLLM does (layers / pp,
// the remainder one each from the last stage but one backwards).
Bytes bytes_per_gpu(const ModelSpec&, const WeightFormat&, std::uint64_t tp, std::uint64_t pp, bool ep);
// The format in effect: the checkpoint's own for `automatic`.
WeightFormat effective_format(const ModelSpec&, WeightKind asked);

}  // namespace kvgauge
