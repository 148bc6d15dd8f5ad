// SPDX-License-Identifier: MIT
// llama.cpp: the cache is as long as n_ctx asks, not as memory allows; weights and caches lie where
// their layer lies.
#include "engine/llamacpp.h"

#include <algorithm>

#include "engine/attention.h"
#include "engine/engines.h"
#include "engine/lines.h"
#include "engine/paged.h"
#include "engine/shards.h"
#include "model/weights.h"

namespace kvgauge::engine {

TpVerdict llamacpp_tp(const EngineInput&, std::uint64_t size);

namespace {

using namespace llamacpp;

double default_util(const EngineInput&) {
    return 1.0;
}
DType kv_auto(const EngineInput&) {
    return DType::fp16;
}

// Under `tensor` every GPU holds a share of every layer; `row` spreads the weights alone and keeps
// the cache on the main GPU.
std::uint64_t shares(const EngineInput& in) {
    return in.scenario.split == SplitMode::tensor ? std::max<std::uint64_t>(1, in.scenario.tp) : 1;
}

// The input embedding stays on the CPU; a tied output is a second copy on the GPU.
Bytes weights(const EngineInput& in) {
    const Bytes whole = bytes_per_gpu(in.model, in.weights, 1, 1, false);
    Bytes embedding = matrix_bytes(in.weights, kind_of(in.weights, MatrixClass::embedding),
                                   in.model.vocab, in.model.hidden);
    Bytes head = matrix_bytes(in.weights, kind_of(in.weights, MatrixClass::head), in.model.vocab,
                              in.model.hidden);
    // The file's own bytes, where its tensor table was read: mixes store these two in other types.
    if (const GgufFacts& g = in.model.gguf;
        g.embedding_bytes != 0 && in.weights == in.model.weights) {
        embedding = g.embedding_bytes;
        head = in.model.tied_embeddings ? embedding : Bytes(g.head_bytes);
    }
    const Placement p = placement_of(in);
    const Bytes rest = in.model.tied_embeddings ? embedding : embedding + head;
    if (p.layers == 0 || whole.overflow() || rest.overflow() || rest.value() > whole.value()) {
        return whole;
    }
    const Bytes layers = whole - rest;
    Bytes fullest = 0;
    for (std::uint64_t d = 0; d < p.devices; ++d) {
        Bytes mine = layers * (p.end(d) - p.begin(d)) / p.layers;
        if (p.output && d + 1 == p.devices) mine += head;
        fullest = std::max(fullest.value(), mine.value());
    }
    const bool rows = in.scenario.split == SplitMode::row;
    return ceil_div(fullest, rows ? std::max<std::uint64_t>(1, in.scenario.tp) : shares(in));
}

Budget budget(const EngineInput& in) {
    BudgetParts parts;
    parts.gpu_bytes = in.gpu.visible_bytes;
    parts.util = util_or(in, 1.0);
    parts.util_default = !in.scenario.util;
    parts.usable_bytes = share_of(in.gpu.visible_bytes, parts.util);
    parts.weight_bytes = weights(in);
    // Compute buffer with flash attention: logits of one micro-batch and 8 to 60 MiB (logs); the
    // CUDA context takes 0.25 to 0.6 GiB.
    const double logits = static_cast<double>(in.scenario.ubatch.value_or(512)) *
                          static_cast<double>(in.model.vocab) * 4;
    const double m = static_cast<double>(mib);
    parts.overhead = {logits + 430 * m, logits + 250 * m, logits + 900 * m, Basis::assumed};
    return make_budget(in, parts);
}

// Cache bytes of the fullest GPU.
Bytes fullest(const EngineInput& in, const Context& c) {
    const Placement p = placement_of(in);
    Bytes most = 0;
    for (std::uint64_t d = 0; d < p.devices; ++d) {
        const Bytes b = cache_bytes(in, c, p.begin(d), p.end(d) - p.begin(d)).total();
        if (b.overflow()) return b;
        most = std::max(most.value(), b.value());
    }
    return ceil_div(most, shares(in));
}

CachePlan plan(const EngineInput& in, Bytes kv_budget) {
    CachePlan p;
    const Context c = context_of(in);
    // One sequence of ctx tokens by itself.
    const Context one = context_of(in.scenario.ctx, 1, false);
    p.block_tokens = 256;
    p.tokens = c.n_ctx;
    p.blocks = c.n_ctx / 256;
    p.pool_bytes = fullest(in, c);
    p.reserved_per_request = fullest(in, one);
    p.fits = !p.pool_bytes.overflow() && !kv_budget.overflow() &&
             p.pool_bytes.value() <= kv_budget.value();
    p.max_requests = floor_div(kv_budget, p.reserved_per_request);
    if (p.reserved_per_request.value() != 0) {
        p.max_concurrency = kv_budget.real() / p.reserved_per_request.real();
    }
    p.max_seqs = in.scenario.slots.value_or(0);

    // What tokens take on the fullest GPU, window layers included.
    const Placement place = placement_of(in);
    for (std::uint64_t d = 0; d < place.devices; ++d) {
        Bytes token, request;
        for_layers(in.model, place.begin(d), place.end(d) - place.begin(d),
                   [&](const LayerSpec& l, std::uint64_t n) {
                       const RowBytes row = row_of(in, l.attn);
                       const bool window =
                           l.attn.window != 0 && l.attn.kind != AttnKind::compressed;
                       const std::uint64_t kept =
                           window ? std::min(in.scenario.ctx, l.attn.window) : in.scenario.ctx;
                       token += (row.k + row.v) * n;
                       request += (row.k + row.v) * n * kept;
                   });
        if (request.value() >= p.request_bytes_per_gpu.value()) {
            p.request_bytes_per_gpu = ceil_div(request, shares(in));
            p.bytes_per_token_per_gpu = ceil_div(token, shares(in));
        }
    }
    p.token_bytes = p.bytes_per_token_per_gpu.real();

    std::uint64_t low = 0, high = std::uint64_t{1} << 28;  // in units of 256 cells
    while (low < high) {
        const std::uint64_t mid = low + (high - low + 1) / 2;
        const Bytes need = fullest(in, context_of(mid * 256, 1, false));
        if (!need.overflow() && !kv_budget.overflow() && need.value() <= kv_budget.value()) {
            low = mid;
        } else {
            high = mid - 1;
        }
    }
    p.longest_ctx = low == std::uint64_t{1} << 28 ? in.model.max_ctx : low * 256;
    return p;
}

std::string_view type_name(DType t) {
    switch (t) {
        case DType::fp16:
            return "f16";
        case DType::fp32:
            return "f32";
        default:
            return name(t);
    }
}

std::string padded_mib(Bytes b) {
    std::string s = mib_text(b.real());
    if (s.size() < 7) s.insert(0, 7 - s.size(), ' ');
    return s;
}

std::string cache_line(const EngineInput& in, const Context& c, std::uint64_t cells,
                       std::uint64_t layers, bool window) {
    Bytes k, v;
    for (const LayerRun& run : in.model.layers) {
        const AttentionSpec& a = run.layer.attn;
        const bool slides =
            (a.kind == AttnKind::sliding || a.kind == AttnKind::chunked) && a.window;
        if (slides != window) continue;
        const RowBytes row = row_of(in, a);
        k += row.k * cells * c.streams() * run.count;
        v += row.v * cells * c.streams() * run.count;
    }
    return "llama_kv_cache: size = " + padded_mib(k + v) + " MiB (" + std::to_string(cells) +
           " cells, " + std::to_string(layers) + " layers, " + std::to_string(c.n_seq) + "/" +
           std::to_string(c.streams()) + " seqs), K (" + std::string(type_name(in.kv.k)) +
           "): " + padded_mib(k) + " MiB, V (" + std::string(type_name(in.kv.v)) +
           "): " + padded_mib(v) + " MiB\n";
}

std::string log(const EngineInput& in, const CachePlan&, Bytes) {
    const Context c = context_of(in);
    const CacheBytes b = cache_bytes(in, c, 0, layer_count(in.model));
    std::string s = "llama_context: n_ctx         = " + std::to_string(c.n_ctx) +
                    "\nllama_context: n_ctx_seq     = " + std::to_string(c.n_ctx_seq) + "\n";
    if (b.full_layers != 0) s += cache_line(in, c, c.n_ctx_seq, b.full_layers, false);
    if (b.window_layers != 0) s += cache_line(in, c, b.window_cells, b.window_layers, true);
    if (b.recurrent_layers != 0) {
        s += "llama_memory_recurrent: size = " + padded_mib(b.recurrent) + " MiB (" +
             std::to_string(c.n_seq) + " cells, " + std::to_string(layer_count(in.model)) +
             " layers, " + std::to_string(c.n_seq) + " seqs)\n";
    }
    return s;
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
                                      llamacpp_tp,
                                      weights,
                                      budget,
                                      plan,
                                      log,
                                      attention,
                                      backend_text};

}  // namespace kvgauge::engine
