// SPDX-License-Identifier: MIT
// Owns: how fast one tensor-parallel group decodes and prefills: roofline floors and the estimate.
//
// One GPU of a group of p, b sequences, c tokens of context each, L layers (speed_work.h has the
// sums W, KV and FLOPs):
//   T_lin = max(W / (e_w BW), FLOPs / (mfu_dec peak))
//   T_kv  = max(KV / (e_kv BW), FLOPs of padded query rows / (mfu_dec peak16))
//   T_ar  = 0 at p = 1, else 2 L (alpha + 2(p-1)/p b h 2 / (link_eff link)): ring all-reduce
//   T_dec = T_lin + T_kv + T_ar + L tau         a sum: the parts run one after another
//   T_pre(n) = GEMM FLOPs / (mfu_pre peak) + causal attention FLOPs / (mfu_attn peak16)
//              + all-reduce of n tokens + L tau, never below one read of the weights
//   TPOT  = T_dec + phi (b-1)/out (T_pre(in) - L tau)   the other requests' prefill lands between
//              tokens, in steps whose L tau T_dec has counted
//   tokens/s = b out / (TTFT + (out-1) TPOT)
// Pipeline of P stages: b/P sequences pass all stages one after another, P such groups are under
// way at once; a prefill holds one stage at a time. Speculation of n tokens: a step verifies n + 1
// and yields (1 - a^(n+1)) / (1 - a) of them at acceptance a; the range is none to all.
// Floors: bytes over spec bandwidth or FLOPs over peak, whichever is longer; no efficiency, no
// fixed cost, every speculated token kept. Times in seconds, rates per second.
#pragma once
#include <cstdint>

#include "model/quantity.h"
#include "model/speed_input.h"
#include "model/speed_work.h"

namespace kvgauge {

// Parts of one decode step, seconds.
struct StepTime {
    double linear = 0, kv = 0, all_reduce = 0, fixed = 0;
    double draft = 0;  // speculation: proposing the tokens
    double hop = 0;    // pipeline: handing over from stage to stage
    double total() const { return linear + kv + all_reduce + fixed + draft + hop; }
    bool operator==(const StepTime&) const = default;
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
    double tokens_per_step = 1;          // above 1 with speculation
    double prefill_share = 0;            // of TPOT: the other requests' prefill, s
    Quantity prefill_floor;              // s
    Quantity ttft;                       // s; low..high: [T_pre, (b+1)/2 T_pre], all at once
    double batch_ridge = 0;              // batch at which weight GEMMs turn compute bound
    double batch_ridge_peak = 0;         // the same at peak figures
    double batch_kv_equals_weights = 0;  // batch at which KV reads equal weight reads
    std::uint64_t gpus = 1;              // of the group
    std::uint16_t beyond = 0;            // bits of Beyond: why the basis is `assumed`
    bool operator==(const Speed&) const = default;
};

enum class End : std::uint8_t { best, low, high };  // of a range

// Band around an estimate: of the rows that were compared, nine in ten lie within; wider where a
// formula was carried to what no row covers.
inline constexpr double kBand = 0.20;
inline constexpr double kWideBand = 0.35;

// Peak FLOP/s of GEMMs whose weights have this format: the tensor units of that width where the GPU
// has them, else 16 bit (weight-only formats are widened before the product).
double gemm_peak(const GpuSpec&, WeightKind);

// The speed of one group at any batch. What does not depend on the batch is summed once.
// Refers to the model of the input.
class SpeedModel {
  public:
    explicit SpeedModel(const SpeedInput&);
    Speed at(std::uint64_t batch) const;
    // Single numbers, for searches over the batch.
    double tpot(double batch, End = End::best) const;
    double ttft(double batch, End = End::best) const;
    double floor(double batch) const;   // of TPOT
    StepTime step(double batch) const;  // at the mean context
    Basis basis(double batch) const;

  private:
    double tokens_per_step(End) const;
    double prefill_share(double batch) const;
    double tpot(double batch, double step, End) const;
    std::uint16_t beyond(double batch) const;

    const ModelSpec* model_;
    GpuRates gpu_;
    SpeedConstants constants_;
    Cut cut_;
    StepWork work_;
    double drafted_ = 0, out_ = 1, context_ = 0;
    double half_weight_bytes_ = 1;  // of 2 bytes: width of a weight over 16 bit
    bool draft_layers_ = false;
    double prefill_ = 0, riding_ = 0, prefill_floor_ = 0;  // riding: in a step that pays L tau
    std::uint16_t beyond_ = 0;
};

// One attention kernel on cold buffers: t0 + bytes / (e BW), seconds.
constexpr double kernel_time(double t0, double bytes, double e, double bandwidth) {
    return t0 + bytes / (e * bandwidth);
}

}  // namespace kvgauge
