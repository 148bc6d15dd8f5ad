// SPDX-License-Identifier: MIT
// Owns: models and devices written out by hand for the engine tests. Shapes as in their
// config.json.
#pragma once
#include <string>

#include "engine/engine.h"

namespace kvgauge::testing {

struct Heads {
    std::uint32_t q, kv, dim;
};

inline LayerSpec attention_layer(Heads h, AttnKind kind = AttnKind::full, std::uint64_t window = 0,
                                 std::uint32_t inter = 14336) {
    LayerSpec l;
    l.attn.kind = kind;
    l.attn.q_heads = h.q;
    l.attn.kv_heads = h.kv;
    l.attn.k_dim = l.attn.v_dim = h.dim;
    l.attn.window = window;
    l.ffn.inter = inter;
    return l;
}

inline ModelSpec model_of(std::vector<LayerRun> layers, std::uint64_t hidden = 4096,
                          std::uint64_t vocab = 128256) {
    ModelSpec m;
    m.hidden = hidden;
    m.vocab = vocab;
    m.max_ctx = 1 << 20;
    m.layers = std::move(layers);
    return m;
}

inline ModelSpec llama3_8b(std::uint32_t kv_heads = 8) {
    LayerSpec l = attention_layer({32, kv_heads, 128});
    l.norm_params = 2 * 4096;
    ModelSpec m = model_of({{32, l}});
    m.model_type = "llama";
    m.final_norm_params = 4096;
    return m;
}
// Gemma-3-27B: every sixth layer full, 62 layers: 52 windows of 1024 and 10 full, 16 KV heads of
// 128.
inline ModelSpec gemma3_27b() {
    const LayerSpec w = attention_layer({32, 16, 128}, AttnKind::sliding, 1024, 21504);
    const LayerSpec f = attention_layer({32, 16, 128}, AttnKind::full, 0, 21504);
    ModelSpec m = model_of({}, 5376, 262208);
    for (int i = 0; i < 10; ++i) {
        m.layers.push_back({5, w});
        m.layers.push_back({1, f});
    }
    m.layers.push_back({2, w});
    m.model_type = "gemma3_text";
    return m;
}
// gpt-oss-20b: windows of 128 and full layers in turn, 8 KV heads of 64, experts of 2880.
inline ModelSpec gpt_oss_20b() {
    ModelSpec m = model_of({}, 2880, 201088);
    LayerSpec w = attention_layer({64, 8, 64}, AttnKind::sliding, 128, 0);
    w.ffn.experts = 32;
    w.ffn.experts_active = 4;
    w.ffn.expert_inter = 2880;
    LayerSpec f = w;
    f.attn.kind = AttnKind::full;
    f.attn.window = 0;
    for (int i = 0; i < 12; ++i) {
        m.layers.push_back({1, w});
        m.layers.push_back({1, f});
    }
    m.model_type = "gpt_oss";
    return m;
}
// DeepSeek-V3: 61 layers of one latent of 512 + 64; `index` bytes per token for V3.2.
inline ModelSpec deepseek_v3(std::uint32_t index = 0) {
    LayerSpec l = attention_layer({128, 128, 192}, AttnKind::mla, 0, 18432);
    l.attn.v_dim = 128;
    l.attn.mla_rank = 512;
    l.attn.mla_rope = 64;
    l.attn.q_rank = 1536;
    l.attn.index_bytes = index;
    ModelSpec m = model_of({{61, l}}, 7168, 129280);
    m.model_type = index != 0 ? "deepseek_v32" : "deepseek_v3";
    m.mtp = {{1, l}};
    return m;
}
// Gated delta net layers and every fourth full: Qwen3-Next-80B (3 of 4 linear, 16 and 32 heads of
// 128, convolution 4), and its successors.
inline StateSpec delta_net(std::uint32_t k_heads, std::uint32_t v_heads, bool fp32) {
    StateSpec s;
    s.kind = StateKind::gdn;
    s.k_heads = k_heads;
    s.v_heads = v_heads;
    s.k_dim = s.v_dim = 128;
    s.conv = 4;
    s.ssm_elements = std::uint64_t{v_heads} * 128 * 128;
    s.conv_elements = (2ULL * k_heads * 128 + v_heads * 128ULL) * 3;
    s.ssm_fp32 = fp32;
    return s;
}
inline ModelSpec hybrid_delta(int blocks, Heads full, StateSpec state,
                              std::uint64_t hidden = 2048) {
    LayerSpec linear;
    linear.state = state;
    const LayerSpec f = attention_layer(full, AttnKind::full, 0, 0);
    ModelSpec m = model_of({}, hidden, 151936);
    for (int i = 0; i < blocks; ++i) {
        m.layers.push_back({3, linear});
        m.layers.push_back({1, f});
    }
    m.model_type = "qwen3_next";
    return m;
}
inline ModelSpec qwen3_next(bool fp32) {
    return hybrid_delta(12, {16, 2, 256}, delta_net(16, 32, fp32));
}

inline GpuSpec gpu_of(std::string id, std::uint64_t driver_mib, double visible_gib,
                      std::uint32_t capability) {
    GpuSpec g;
    g.id = std::move(id);
    g.vendor = "NVIDIA";
    g.driver_bytes = driver_mib * mib;
    g.visible_bytes = static_cast<std::uint64_t>(visible_gib * static_cast<double>(gib));
    g.compute_capability = capability;
    g.bf16 = capability >= 80;
    return g;
}
inline GpuSpec a100_80() {
    return gpu_of("a100-80gb-sxm", 81920, 79.25, 80);
}
inline GpuSpec h100_80() {
    return gpu_of("h100-80gb-sxm", 81559, 79.19, 90);
}
inline GpuSpec h200() {
    return gpu_of("h200-141gb-sxm", 143771, 139.81, 90);
}

// A scenario with what it refers to kept alive.
struct Case {
    ModelSpec model = llama3_8b();
    GpuSpec gpu = a100_80();
    Scenario scenario;
    WeightFormat weights;

    EngineInput input(EngineId id = EngineId::vllm) const {
        EngineInput in{model, gpu, scenario, id, rules(id).newest, weights, {}};
        if (scenario.engine_version) in.version = *scenario.engine_version;
        const DType kv = scenario.kv == DType::automatic ? rules(id).kv_auto(in) : scenario.kv;
        in.kv = {scenario.kv_k.value_or(kv), scenario.kv_v.value_or(kv), scenario.state_dtype};
        return in;
    }
    CachePlan plan(Bytes budget, EngineId id = EngineId::vllm) const {
        return rules(id).plan(input(id), budget);
    }
    TpVerdict tp(std::uint64_t size, EngineId id = EngineId::vllm) const {
        return rules(id).tp(input(id), size);
    }
};

}  // namespace kvgauge::testing
