// SPDX-License-Identifier: MIT
#include "engine/attention.h"

#include <algorithm>
#include <array>

#include "engine/engines.h"

namespace kvgauge {

std::string_view name(Kernels k) {
    constexpr std::array<std::string_view, 23> names{
        "not known",
        "FlashAttention 2",
        "FlashAttention 3",
        "FlashAttention 4",
        "FlashInfer",
        "FlashInfer with TensorRT-LLM kernels",
        "Triton",
        "FlexAttention",
        "xFormers",
        "FlashAttention MLA",
        "FlashMLA",
        "FlashInfer MLA",
        "CUTLASS MLA",
        "Triton MLA",
        "TensorRT-LLM MLA",
        "FlashAttention MLA, sparse",
        "FlashMLA, sparse",
        "FlashInfer MLA, sparse",
        "ROCm kernels",
        "TensorRT-LLM kernels",
        "ggml flash attention",
        "TurboMind kernels",
        "PyTorch SDPA",
    };
    return names[static_cast<std::size_t>(k)];
}

namespace engine {

AttentionShape attention_shape(const EngineInput& in) {
    AttentionShape s;
    const std::uint64_t tp = std::max<std::uint64_t>(1, in.scenario.tp);
    for (const LayerRun& run : in.model.layers) {
        const AttentionSpec& a = run.layer.attn;
        if (a.kind == AttnKind::none || a.kind == AttnKind::cross) continue;
        s.any = true;
        s.latent |= a.kind == AttnKind::mla;
        s.compressed |= a.kind == AttnKind::compressed;
        s.sparse |= a.index_bytes != 0;
        s.equal_dims &= a.k_dim == a.v_dim;
        s.head_dim = std::max<std::uint64_t>(s.head_dim, a.k_dim);
        s.q_heads = std::max<std::uint64_t>(s.q_heads, a.q_heads / tp);
    }
    s.alibi = in.model.model_type == "bloom" || in.model.model_type == "mpt";
    s.sinks = in.model.model_type == "gpt_oss" || in.model.architecture == "gpt-oss";
    return s;
}

GpuClass gpu_class(const GpuSpec& g) {
    if (g.vendor == "AMD") return GpuClass::amd;
    if (g.vendor == "Apple") return GpuClass::apple;
    if (g.compute_capability == 0) return GpuClass::unknown;
    if (g.compute_capability >= 120) return GpuClass::sm120;
    if (g.compute_capability >= 100) return GpuClass::sm100;
    if (g.compute_capability >= 90) return GpuClass::sm90;
    if (g.compute_capability >= 80) return GpuClass::sm80;
    return g.compute_capability >= 75 ? GpuClass::sm75 : GpuClass::older;
}

std::string backend_text(const EngineInput& in) {
    const AttentionChoice c = rules(in.engine).attention(in);
    std::string s{name(c.kernels)};
    if (c.why[0] != '\0') {
        s += ": ";
        s += c.why;
    }
    if (!c.kv_ok) {
        s += " KV in ";
        s += name(in.kv.k);
        s += " is not served: ";
        s += c.limit;
    }
    return s;
}

}  // namespace engine
}  // namespace kvgauge
