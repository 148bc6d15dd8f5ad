// SPDX-License-Identifier: MIT
// Owns: how fast one tensor-parallel group decodes and prefills: roofline floors and the estimate.
//
// One GPU of a group of p, b sequences, c tokens of context each, L layers:
//   W     bytes of weights read in one step: linears in their format, LM head in 16 bit, of the
//         routed experts only the E(1-(1-k/E)^b) expected to be touched
//   KV    bytes of KV and state read in one step
//   T_lin = max(W / (e_w BW), FLOPs / (mfu_dec peak))
//   T_kv  = max(KV / (e_kv BW), FLOPs of padded query rows / (mfu_dec peak16))
//   T_ar  = 0 at p = 1, else 2 L (alpha + 2(p-1)/p b h 2 / (link_eff link)): ring all-reduce
//   T_dec = T_lin + T_kv + T_ar + L tau         a sum: the parts run one after another
//   T_pre(n) = GEMM FLOPs / (mfu_pre peak) + causal attention FLOPs / (mfu_attn peak16)
//              + all-reduce of n tokens + L tau, never below one read of the weights
//   TPOT  = T_dec + phi (b-1)/out T_pre(in)     the other requests' prefill lands between tokens
//   tokens/s = b out / (TTFT + (out-1) TPOT)
// Floors: bytes over spec bandwidth or FLOPs over peak, whichever is longer; no efficiency, no
// fixed cost. Times in seconds, rates per second.
#pragma once
#include <cstdint>

#include "model/gpu_spec.h"
#include "model/kv_cache.h"
#include "model/model_spec.h"
#include "model/quantity.h"
#include "model/weights.h"

namespace kvgauge {

// Constants of the estimate; where each comes from stands in data/speed_constants.cc.
struct SpeedConstants {
    double e_w = 0.87;      // share of bandwidth, weight reads
    double e_kv = 0.87;     // share of bandwidth, KV reads
    double tau = 55e-6;     // s per layer
    double alpha = 5e-6;    // s per all-reduce
    double link_eff = 0.5;  // share of link bandwidth
    double mfu_pre = 0.70;  // prefill GEMMs, share of peak in the weight dtype
    double mfu_attn = 0.5;  // prefill attention, share of 16-bit peak
    double mfu_dec = 0.5;   // decode GEMMs and padded attention, share of peak
    double phi = 1.0;       // weight of the other requests' prefill in TPOT
    double tile_m = 16;     // query rows of one attention tile: g q_len is padded to it
    bool fitted = false;    // measured on this GPU
    bool operator==(const SpeedConstants&) const = default;
};

struct SpeedInput {
    const ModelSpec& model;
    const GpuSpec& gpu;
    const Params& params;
    WeightFormat weights;
    KvTypes kv;
    SpeedConstants constants;
    std::uint64_t tp = 1, pp = 1;
    std::uint64_t batch = 1, in = 1024, out = 256;  // sequences, prompt and output tokens
    std::uint64_t verify_tokens = 1;                // query tokens a step: 1 + speculated
    std::uint64_t cross_tokens = 0;
    bool ep = false;
};

// Parts of one decode step, seconds.
struct StepTime {
    double linear = 0, kv = 0, all_reduce = 0, fixed = 0;
    double total() const { return linear + kv + all_reduce + fixed; }
};

struct Speed {
    double group_size = 0;  // query heads per KV head
    double intensity = 0;   // FLOP per KV byte of decode attention: 2 g q_len / e
    double ridge = 0;       // 16-bit FLOP per byte of the GPU
    double context = 0;     // tokens of context a step was priced at: in + out/2
    Quantity floor;         // decode, s
    Quantity tpot;          // s
    Quantity tokens_per_s;  // of the group
    StepTime step;
    double prefill_share = 0;     // of TPOT: the other requests' prefill, s
    Quantity prefill_floor;       // s
    Quantity ttft;                // s; low..high: [T_pre, (b+1)/2 T_pre], all requests at once
    double batch_ridge = 0;       // batch at which weight GEMMs turn compute bound
    double batch_ridge_peak = 0;  // the same at peak figures
    double batch_kv_equals_weights = 0;  // batch at which KV reads equal weight reads
};

// Peak FLOP/s of GEMMs whose weights have this format: the tensor units of that width where the GPU
// has them, else 16 bit (weight-only formats are widened before the product).
double gemm_peak(const GpuSpec&, WeightKind);

// One decode step of `batch` sequences of `context` tokens.
StepTime decode_step(const SpeedInput&, double context);
double prefill_time(const SpeedInput&, double tokens);
Speed speed(const SpeedInput&);

// One attention kernel on cold buffers: t0 + bytes / (e BW), seconds.
constexpr double kernel_time(double t0, double bytes, double e, double bandwidth) {
    return t0 + bytes / (e * bandwidth);
}

}  // namespace kvgauge
