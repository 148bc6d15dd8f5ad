// SPDX-License-Identifier: MIT
// Owns: what one GPU of a group reads and computes, per decode step and per prefill, as sums over
// the layers of a model. Bytes and FLOP; nothing here knows an efficiency.
//   W     bytes of weights of one step: linears in their format and the LM head; of the routed
//         experts only the E(1-(1-k/E)^t) that t tokens are expected to reach
//   KV    bytes of cache and state one sequence reads at a context of c tokens: windows keep
//         min(c, window), MLA one latent for all heads, states are read and written back
//   FLOPs 2 per parameter and token; scores and values 4 Hq d c, with the query rows of a KV head
//         padded to whole tiles
#pragma once
#include <cstdint>

#include "model/speed_input.h"

namespace kvgauge {

// Rates of one GPU for this weight format. 0: unknown.
struct GpuRates {
    double bandwidth = 0, flops16 = 0;
    double gemm = 0;  // FLOP/s of GEMMs in the weight format
    double link = 0;  // bytes/s per direction between GPUs, PCIe where there is no link
};
GpuRates rates_of(const GpuSpec&, WeightKind);

struct StepWork {
    double dense_bytes = 0, routed_bytes = 0, head_bytes = 0;  // all weights, one GPU
    double gemm_flops = 0;                                     // per token, one GPU
    double kv_bytes = 0;                                       // per sequence, one GPU
    double attn_flops = 0;        // per sequence and step, padded query rows, one GPU
    double group = 0;             // query heads per KV head of the first caching layer
    double flop_per_kv_byte = 0;  // of that layer
    double layers = 0;
    double hidden = 0;

    // Weight bytes that a step of `tokens` tokens reads.
    double weight_bytes(const ModelSpec& m, double tokens) const;
};
StepWork step_work(const SpeedInput&, double context);

struct PrefillWork {
    double gemm_flops = 0, attn_flops = 0;  // of a prompt, one GPU
};
PrefillWork prefill_work(const SpeedInput&, double tokens);

// Expected share of the routed experts that at least one of `tokens` tokens reaches.
double touched_share(const ModelSpec&, double tokens);

}  // namespace kvgauge
