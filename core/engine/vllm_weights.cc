// SPDX-License-Identifier: MIT
// Weight memory of one GPU as vLLM prints it ("Model loading took"): the sharded checkpoint and
// what loading adds to it. Sources: rotary_embedding/base.py (cos and sin of every position, kept
// once), layers/attention/mla_attention.py process_weights_after_loading (up-projections absorbed
// in 16 bit), layers/quantization/mxfp4.py (experts padded for the kernels), models/*_mtp.py.
#include <algorithm>

#include "engine/attention.h"
#include "engine/shards.h"
#include "engine/vllm.h"
#include "model/weights.h"

namespace kvgauge::engine::vllm {
namespace {

std::uint64_t tp_of(const EngineInput& in) {
    return std::max<std::uint64_t>(1, in.scenario.tp);
}

}  // namespace

// One table for each rotary set-up: window and full layers of one model often differ in theirs.
Bytes rotary_tables(const EngineInput& in) {
    const std::uint64_t positions = std::max(in.model.max_ctx, in.scenario.ctx);
    std::uint64_t full = 0, window = 0;
    for (const LayerRun& run : in.model.layers) {
        const AttentionSpec& a = run.layer.attn;
        if (a.kind == AttnKind::none) continue;
        const std::uint64_t dim = a.mla_rope != 0 ? a.mla_rope : a.k_dim;
        (a.kind == AttnKind::sliding ? window : full) = dim;
    }
    const bool two =
        in.model.model_type.starts_with("gemma3") || in.model.model_type.starts_with("gemma4");
    return Bytes(positions) * 2 * (two ? Bytes(full) + window : Bytes(std::max(full, window)));
}

namespace {

// Latent attention keeps W_UK and W_UV beside the projection they come from.
Bytes absorbed(const EngineInput& in) {
    if (in.version < since::mla) return 0;
    Bytes sum;
    for (const LayerRun& run : in.model.layers) {
        const AttentionSpec& a = run.layer.attn;
        if (a.kind != AttnKind::mla || a.k_dim < a.mla_rope) continue;
        const Count width = Count(a.k_dim - a.mla_rope) + a.v_dim;
        sum += Count(a.q_heads / tp_of(in)) * width * a.mla_rank * 2 * run.count;
    }
    return sum / std::max<std::uint64_t>(1, in.scenario.pp);
}

std::uint64_t rounded(std::uint64_t n, std::uint64_t to) {
    return round_up(n, to).value();
}

// MXFP4 experts: width to 128, hidden to 256 (Marlin, TRTLLM-gen).
Bytes padded_experts(const EngineInput& in) {
    if (kind_of(in.weights, MatrixClass::expert) != WeightKind::mxfp4) return 0;
    const std::uint64_t tp = tp_of(in);
    Bytes more;
    for (const LayerRun& run : in.model.layers) {
        const FfnSpec& f = run.layer.ffn;
        if (f.experts == 0 || f.expert_inter == 0) continue;
        const std::uint64_t experts = in.scenario.ep ? (f.experts + tp - 1) / tp : f.experts;
        const std::uint64_t inter =
            in.scenario.ep ? f.expert_inter : (f.expert_inter + tp - 1) / tp;
        const std::uint64_t hidden = in.model.hidden, parts = f.gated ? 3 : 2;
        const Bytes plain = matrix_bytes(in.weights, WeightKind::mxfp4, inter, hidden);
        const Bytes padded =
            matrix_bytes(in.weights, WeightKind::mxfp4, rounded(inter, 128), rounded(hidden, 256));
        more += (padded - plain) * parts * experts * run.count;
    }
    return more;
}

// Draft layers; an EAGLE head is taken as one layer of the model.
Bytes draft_weights(const EngineInput& in) {
    const SpecKind kind = in.scenario.spec.kind;
    if (kind == SpecKind::none || kind == SpecKind::ngram) return 0;
    const std::uint64_t tp = tp_of(in), layers = std::max<std::uint64_t>(1, layer_count(in.model));
    if (kind == SpecKind::eagle) {
        const Params p = params(in.model);
        return p.linear * 2 / layers / tp;
    }
    Bytes sum;
    for (const MatrixGroup& g : inventory(in.model)) {
        if (!g.mtp) continue;
        const Bytes b =
            matrix_bytes(in.weights, kind_of(in.weights, matrix_class(g)), g.out, g.in) * g.count;
        sum += g.shard == Shard::replicated ? b : ceil_div(b, tp);
    }
    return sum;
}

}  // namespace

Bytes weights(const EngineInput& in) {
    const Scenario& s = in.scenario;
    const Bytes sharded = bytes_per_gpu(in.model, in.weights, s.tp, s.pp, s.ep);
    return sharded + absorbed(in) + padded_experts(in) + draft_weights(in);
}

}  // namespace kvgauge::engine::vllm
