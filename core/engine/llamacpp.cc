// SPDX-License-Identifier: MIT
// llama.cpp b10256 and b11118: src/llama-context.cpp, llama-kv-cache.cpp. Whole layers are placed
// on GPUs (`--split-mode layer`); the cache is as long as n_ctx asks, not as memory allows.
#include <algorithm>

#include "engine/attention.h"
#include "engine/bands.h"
#include "engine/engines.h"
#include "engine/lines.h"
#include "engine/paged.h"
#include "engine/tp_rules.h"
#include "model/weights.h"

namespace kvgauge::engine {
namespace {

double default_util(const EngineInput&) {
    return 1.0;
}

DType kv_auto(const EngineInput&) {
    return DType::fp16;
}

TpVerdict tp(const EngineInput& in, std::uint64_t size) {
    TpVerdict v;
    if (refuses_size(in, size, v)) return v;
    const AttentionSpec* a = first_attention(in.model);
    v.kv_heads_per_gpu = a != nullptr ? a->kv_heads : 0;
    v.a = a != nullptr ? a->kv_heads : 0;
    return v;
}

Budget budget(const EngineInput& in) {
    BudgetParts parts;
    parts.gpu_bytes = in.gpu.visible_bytes;
    parts.util = util_or(in, 1.0);
    parts.util_default = !in.scenario.util;
    parts.usable_bytes = share_of(in.gpu.visible_bytes, parts.util);
    parts.weight_bytes = ceil_div(bytes_per_gpu(in.model, in.weights, 1, in.scenario.pp, false),
                                  std::max<std::uint64_t>(1, in.scenario.tp));
    // Compute buffer with flash attention: about n_ubatch * n_vocab * 4 B and 8-60 MiB more, and
    // the CUDA context.
    const double logits = static_cast<double>(in.scenario.ubatch.value_or(512)) *
                          static_cast<double>(in.model.vocab) * 4;
    const double m = static_cast<double>(mib);
    parts.overhead = {logits + 450 * m, logits + 250 * m, logits + 900 * m, Basis::assumed};
    return make_budget(in, parts);
}

CachePlan plan(const EngineInput& in, Bytes kv_budget) {
    CachePlan p = plan_geometry(in);
    const std::uint64_t cells = round_up(in.scenario.ctx, 256).value();
    const Bytes stream = p.bytes_per_token_per_gpu * cells;
    p.block_tokens = 256;
    p.blocks = cells / 256;
    p.tokens = cells;
    p.reserved_per_request = stream;
    p.max_requests = floor_div(kv_budget, stream);
    p.max_concurrency = stream.value() != 0 ? kv_budget.real() / stream.real() : 0;
    p.fits = p.max_requests >= 1;
    p.longest_ctx = floor_div(kv_budget, p.bytes_per_token_per_gpu) / 256 * 256;
    p.max_seqs = in.scenario.slots.value_or(0);
    return p;
}

std::string log(const EngineInput&, const CachePlan&, Bytes) {
    return {};
}
AttentionChoice attention(const EngineInput& in) {
    AttentionChoice c{Kernels::ggml, true,
                      "on by default where the device has kernels for the head size.", "", 256};
    c.kv_ok = in.kv.k != DType::nvfp4 && in.kv.k != DType::fp8 && in.kv.k != DType::int8 &&
              in.kv.k != DType::int4;
    c.limit = "ggml caches take f16, bf16, f32 and the q8_0 to iq4_nl block types.";
    return c;
}

}  // namespace

constinit const EngineRules kLlamacpp{EngineId::llamacpp,
                                      Version{11118, 0, 0, true, 1},
                                      default_util,
                                      kv_auto,
                                      tp,
                                      inventory_weights,
                                      budget,
                                      plan,
                                      log,
                                      attention,
                                      backend_text};

}  // namespace kvgauge::engine
