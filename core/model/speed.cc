// SPDX-License-Identifier: MIT
#include "model/speed.h"

#include <algorithm>
#include <cmath>

namespace kvgauge {
namespace {

// Ring all-reduce twice a layer.
double all_reduce(const GpuRates& gpu, const Cut& cut, double layers, double tokens, double hidden,
                  double alpha, double link_eff) {
    if (cut.tp <= 1 || cut.serial || !(gpu.link > 0)) return 0;
    const double p = static_cast<double>(cut.tp);
    const double bytes = 2 * (p - 1) / p * tokens * hidden * 2;
    return 2 * layers * (alpha + bytes / (link_eff * gpu.link));
}

// Handing activations over between pipeline stages or, dealt out layer by layer, between GPUs.
double hop(const GpuRates& gpu, const Cut& cut, double tokens, double hidden, double alpha,
           double link_eff) {
    const double stages = static_cast<double>(cut.serial ? cut.tp * cut.pp : cut.pp);
    if (stages <= 1 || !(gpu.link > 0)) return 0;
    return (stages - 1) * (alpha + tokens * hidden * 2 / (link_eff * gpu.link));
}

// `fixed`: what the layers cost beside the work. An alpha would vanish beside n tokens.
double prefill(const SpeedInput& in, const GpuRates& gpu, double layers, double fixed,
               bool floor = false) {
    if (!(gpu.gemm > 0) || !(gpu.flops16 > 0)) return 0;
    const double n = static_cast<double>(in.in);
    const double hidden = static_cast<double>(in.model.hidden);
    SpeedConstants c = in.constants;
    if (floor) c.mfu_pre = c.mfu_attn = c.link_eff = 1;
    const PrefillWork w = prefill_work(in, n);
    return w.gemm_flops / (c.mfu_pre * gpu.gemm) + w.attn_flops / (c.mfu_attn * gpu.flops16) +
           all_reduce(gpu, in.cut, layers, n, hidden, 0, c.link_eff) +
           hop(gpu, in.cut, n, hidden, 0, c.link_eff) + fixed;
}

bool serving_format(WeightKind k) {
    switch (k) {
        case WeightKind::automatic:
        case WeightKind::bf16:
        case WeightKind::fp16:
        case WeightKind::fp8:
        case WeightKind::nvfp4:
            return true;
        default:
            return false;
    }
}

}  // namespace

std::uint16_t beyond_measurements(const SpeedInput& in) {
    std::uint16_t b = 0;
    const auto set = [&b](bool when, Beyond what) {
        if (when) b = static_cast<std::uint16_t>(b | bit(what));
    };
    for (const LayerRun& run : in.model.layers) {
        const AttentionSpec& a = run.layer.attn;
        set(run.layer.ffn.experts != 0, Beyond::experts);
        set(a.kind == AttnKind::mla || a.kind == AttnKind::compressed, Beyond::latent);
        set(a.kind == AttnKind::sliding || a.kind == AttnKind::chunked || a.kind == AttnKind::cross,
            Beyond::window);
        set(run.layer.state.kind != StateKind::none, Beyond::state);
    }
    const Cut& cut = in.cut;
    set(in.drafted != 0, Beyond::speculation);
    set(cut.tp > 1 && !cut.serial && !(in.gpu.link > 0), Beyond::pcie);
    set(cut.pp > 1, Beyond::pipeline);
    set(cut.dcp > 1 || cut.attention_tp != cut.tp, Beyond::attention_groups);
    // Files of llama.cpp were measured in their own types.
    set(!serving_format(in.weights.kind) && !info(in.weights.kind).gguf, Beyond::format);
    set(!in.gpu.vendor.empty() && in.gpu.vendor != "NVIDIA", Beyond::vendor);
    return b;
}

SpeedModel::SpeedModel(const SpeedInput& in)
    : model_(&in.model),
      gpu_(rates_of(in.gpu, in.weights.kind)),
      constants_(in.constants),
      cut_(in.cut),
      drafted_(static_cast<double>(in.drafted)),
      out_(static_cast<double>(std::max<std::uint64_t>(in.out, 1))),
      context_(static_cast<double>(in.in) + static_cast<double>(in.out) / 2),
      half_weight_bytes_(info(in.weights.kind).bits / 16),
      draft_layers_(in.draft == DraftKind::layers),
      beyond_(beyond_measurements(in)) {
    work_ = step_work(in, context_);
    const double read = work_.weight_bytes(in.model, 1) / (constants_.e_w * gpu_.bandwidth);
    prefill_ = std::max(prefill(in, gpu_, work_.layers, work_.layers * constants_.tau), read);
    riding_ = std::max(prefill(in, gpu_, work_.layers, 0), read);
    prefill_floor_ = prefill(in, gpu_, work_.layers, 0, true);
}

StepTime SpeedModel::step(double batch) const {
    // A pipeline of P stages works on P groups of sequences at once.
    const double b = std::max(1.0, batch / static_cast<double>(cut_.pp));
    const double tokens = b * (1 + drafted_);
    const SpeedConstants& c = constants_;
    StepTime t;
    t.linear = work_.weight_bytes(*model_, tokens) / (c.e_w * gpu_.bandwidth);
    if (gpu_.gemm > 0) {
        t.linear = std::max(t.linear, work_.gemm_flops * tokens / (c.mfu_dec * gpu_.gemm));
    }
    t.kv = b * work_.kv_bytes / (c.e_kv * gpu_.bandwidth);
    if (gpu_.flops16 > 0) {
        t.kv = std::max(t.kv, b * work_.attn_flops / (c.mfu_dec * gpu_.flops16));
    }
    t.all_reduce = all_reduce(gpu_, cut_, work_.layers, tokens, work_.hidden, c.alpha, c.link_eff);
    t.fixed = work_.layers * c.tau;
    t.hop = hop(gpu_, cut_, tokens, work_.hidden, c.alpha, c.link_eff);
    if (draft_layers_ && work_.layers > 0) {
        // One layer and the LM head per proposed token.
        t.draft = drafted_ * ((t.linear + t.kv + t.all_reduce + t.fixed) / work_.layers +
                              work_.head_bytes / (c.e_w * gpu_.bandwidth));
    }
    return t;
}

double SpeedModel::tokens_per_step(End end) const {
    if (drafted_ == 0 || end == End::high) return 1;
    const double a = constants_.accept;
    if (end == End::low || a >= 1) return 1 + drafted_;
    return (1 - std::pow(a, drafted_ + 1)) / (1 - a);
}

double SpeedModel::prefill_share(double batch) const {
    return constants_.phi * (batch - 1) / out_ * riding_ / static_cast<double>(cut_.pp);
}

double SpeedModel::tpot(double batch, End end) const {
    return tpot(batch, step(batch).total(), end);
}

double SpeedModel::tpot(double batch, double step, End end) const {
    const double t = step / tokens_per_step(end) + prefill_share(batch);
    const double band = beyond(batch) != 0 ? kWideBand : kBand;
    switch (end) {
        case End::low:
            return std::max(t * (1 - band), floor(batch));
        case End::high:
            return t * (1 + band);
        case End::best:
            break;
    }
    return t;
}

// All prompts at once are worked off one after another.
double SpeedModel::ttft(double batch, End end) const {
    if (end != End::high) return prefill_;
    return (1 + (batch - 1) / (2 * static_cast<double>(cut_.pp))) * prefill_;
}

double SpeedModel::floor(double batch) const {
    const double b = std::max(1.0, batch / static_cast<double>(cut_.pp));
    const double tokens = b * (1 + drafted_);
    double t = (work_.weight_bytes(*model_, tokens) + b * work_.kv_bytes) / gpu_.bandwidth;
    if (gpu_.gemm > 0) t = std::max(t, work_.gemm_flops * tokens / gpu_.gemm);
    return t / (1 + drafted_);
}

std::uint16_t SpeedModel::beyond(double batch) const {
    if (batch <= constants_.checked_batch) return beyond_;
    return static_cast<std::uint16_t>(beyond_ | bit(Beyond::engine));
}

Basis SpeedModel::basis(double batch) const {
    if (beyond(batch) != 0) return Basis::assumed;
    return constants_.fitted ? Basis::measured : Basis::derived;
}

Speed SpeedModel::at(std::uint64_t batch) const {
    const double b = static_cast<double>(batch);
    const Basis known = basis(b);
    Speed s;
    s.group_size = work_.group;
    s.intensity = work_.flop_per_kv_byte;
    if (gpu_.flops16 > 0) s.ridge = gpu_.flops16 / gpu_.bandwidth;
    s.context = context_;
    s.beyond = beyond(b);
    s.gpus = cut_.tp * cut_.pp;

    s.floor = {floor(b), {}, {}, Basis::derived};
    s.step = step(b);
    s.tokens_per_step = tokens_per_step(End::best);
    s.prefill_share = prefill_share(b);
    const double one = s.step.total();
    s.tpot = {tpot(b, one, End::best), tpot(b, one, End::low), tpot(b, one, End::high), known};
    s.prefill_floor = {prefill_floor_, {}, {}, Basis::derived};
    s.ttft = {prefill_, prefill_, ttft(b, End::high), known};
    const auto rate = [&](double t) { return b * out_ / (prefill_ + (out_ - 1) * t); };
    s.tokens_per_s = {rate(s.tpot.value), rate(*s.tpot.high), rate(*s.tpot.low), known};

    if (gpu_.gemm > 0) {
        s.batch_ridge_peak = half_weight_bytes_ * gpu_.gemm / gpu_.bandwidth;
        s.batch_ridge = s.batch_ridge_peak * constants_.mfu_dec / constants_.e_w;
    }
    if (work_.kv_bytes > 0) {
        s.batch_kv_equals_weights = work_.weight_bytes(*model_, b) / work_.kv_bytes;
    }
    return s;
}

}  // namespace kvgauge
