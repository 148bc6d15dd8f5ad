// SPDX-License-Identifier: MIT
// Owns: how fast one tensor-parallel group decodes and prefills: roofline floors and the estimate.
// T_dec = T_lin + T_kv + T_ar + L tau (a sum: the parts run one after another); TPOT adds the
// prefill of the other requests; see speed.cc for each term. Times in seconds, rates per second.
#pragma once
#include <cstdint>

#include "model/calibration.h"
#include "model/gpu_spec.h"
#include "model/kv_cache.h"
#include "model/model_spec.h"
#include "model/quantity.h"
#include "model/weights.h"

namespace kvgauge {

// Constants of the estimate. Defaults: medians of public kernel tables (data/speed constants).
struct SpeedConstants {
    double e_w = 0.87;       // share of bandwidth, weight reads
    double e_kv = 0.87;      // share of bandwidth, KV reads
    double tau = 55e-6;      // s per layer
    double alpha = 5e-6;     // s per all-reduce
    double link_eff = 0.5;   // share of link bandwidth
    double mfu_pre = 0.70;   // prefill GEMM share of peak in the weight dtype
    double mfu_attn = 0.5;   // prefill attention share of 16-bit peak
    double mfu_dec = 0.5;    // decode GEMM share of peak
    double phi = 1.0;        // weight of the other requests' prefill in TPOT
    Basis basis = Basis::derived;
};

struct SpeedInput {
    const ModelSpec& model;
    const GpuSpec& gpu;
    const Params& params;
    WeightFormat weights;
    KvTypes kv;
    SpeedConstants constants;
    std::uint64_t tp = 1, pp = 1, ctx = 0, batch = 1, in = 1024, out = 256;
    std::uint64_t verify_tokens = 1;  // query tokens per step: 1 + speculative tokens
    bool ep = false;
    double kv_heads_per_gpu = 0;
};

struct Speed {
    double group_size = 0;     // query heads per KV head
    double intensity = 0;      // FLOP per KV byte of decode attention
    double ridge = 0;          // FLOP per byte of the GPU
    Quantity floor;            // decode, s
    Quantity tpot;             // s
    Quantity tokens_per_s;     // of the group
    double t_lin = 0, t_kv = 0, t_ar = 0, t_fixed = 0, t_prefill_share = 0;  // parts of TPOT, s
    Quantity prefill_floor;    // s
    Quantity ttft;             // s, low/high: closed-loop band
    double batch_ridge = 0;            // batch at which weight GEMMs turn compute bound
    double batch_ridge_peak = 0;       // the same at peak figures
    double batch_kv_equals_weights = 0;
};

Speed speed(const SpeedInput&);

}  // namespace kvgauge
