// SPDX-License-Identifier: MIT
// Owns: what the speed model is asked about: model, GPU, constants, how the group is cut, lengths.
// Times in seconds, rates per second.
#pragma once
#include <cstdint>

#include "model/gpu_spec.h"
#include "model/kv_cache.h"
#include "model/model_spec.h"
#include "model/weights.h"

namespace kvgauge {

// Constants of the estimate; where each comes from stands in data/speed_constants.cc.
struct SpeedConstants {
    double e_w = 0.87;           // share of bandwidth, weight reads
    double e_kv = 0.87;          // share of bandwidth, KV reads
    double tau = 55e-6;          // s per layer
    double alpha = 5e-6;         // s per all-reduce
    double link_eff = 0.5;       // share of link bandwidth
    double mfu_pre = 0.70;       // prefill GEMMs, share of peak in the weight dtype
    double mfu_attn = 0.5;       // prefill attention, share of 16-bit peak
    double mfu_dec = 0.5;        // decode GEMMs and padded attention, share of peak
    double phi = 1.0;            // weight of the other requests' prefill in TPOT
    double tile_m = 16;          // query rows of one attention tile: g q_len is padded to it
    double accept = 0.7;         // chance that a speculated token is kept, given the one before was
    bool fitted = false;         // measured on this GPU
    double checked_batch = 1e9;  // largest batch of which serving rows were compared
    bool operator==(const SpeedConstants&) const = default;
};

// How the GPUs of one group share the model.
struct Cut {
    std::uint64_t tp = 1;            // GPUs that share every matrix
    std::uint64_t pp = 1;            // pipeline stages
    std::uint64_t attention_tp = 1;  // GPUs that share one copy of the attention; tp, or fewer
                                     // under attention data parallelism
    std::uint64_t dcp = 1;           // GPUs that share the tokens of one sequence
    bool ep = false;                 // routed experts are placed whole
    bool serial = false;             // layers are dealt out and run one GPU after another
};

enum class DraftKind : std::uint8_t { none, layers, lookup };  // lookup: n-grams, no weights

struct SpeedInput {
    const ModelSpec& model;
    const GpuSpec& gpu;
    const Params& params;
    StreamBytes stream;  // of the weights in effect
    WeightFormat weights;
    KvTypes kv;
    SpeedConstants constants;
    Cut cut;
    std::uint64_t in = 1024, out = 256;  // prompt and output tokens
    std::uint64_t drafted = 0;           // tokens speculated a step
    DraftKind draft = DraftKind::none;
    std::uint64_t cross_tokens = 0;
};

// Why a time lies outside what measurements were compared with; a bit each.
enum class Beyond : std::uint16_t {
    experts = 1,       // routed experts
    latent = 2,        // MLA and its kin
    window = 4,        // sliding, chunked and cross layers
    state = 8,         // SSM and linear attention
    speculation = 16,  // acceptance is not known
    pcie = 32,         // tensor parallel without a GPU link
    pipeline = 64,
    attention_groups = 128,  // attention data parallel, decode context parallel
    engine = 256,            // no serving rows of this engine, or not at this batch
    format = 512,            // a weight or KV format without serving rows
    vendor = 1024,           // not an NVIDIA GPU
};
constexpr std::uint16_t bit(Beyond b) {
    return static_cast<std::uint16_t>(b);
}
// All of them but `engine`, which depends on the batch.
std::uint16_t beyond_measurements(const SpeedInput&);

}  // namespace kvgauge
