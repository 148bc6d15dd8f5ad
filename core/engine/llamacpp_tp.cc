// SPDX-License-Identifier: MIT
// llama.cpp's split modes. `layer` and `row` place whole layers; `tensor` (#19378) cuts K and V at
// head boundaries without copies.
#include <algorithm>
#include <array>
#include <string_view>

#include "engine/llamacpp.h"
#include "engine/tp_rules.h"

namespace kvgauge::engine::llamacpp {
namespace {

// llama-arch.cpp:1132 of b11118.
constexpr std::array<std::string_view, 34> kRefused{
    "grok", "mpt", "plamo2", "minicpm3", "gemma3n", "mamba", "mamba2", "jamba", "falcon-h1",
    "olmo2", "olmoe", "deepseek2", "deepseek32", "hy-v4", "dots3note", "glm-dsa", "bitnet", "t5",
    "nemotron-h", "nemotron-h-moe", "granite-hybrid", "minimax-01", "minimax-m2", "minimax-m3",
    "mistral4", "kimi-linear", "bailingmoe3", "kimi-k3", "qwen3tts", "qwen4exp",
    // b10256 only, served by b11118:
    "deepseek4", "lfm2", "lfm2moe", ""};
constexpr std::size_t kRefusedNow = 30;

// Hugging Face model types under their GGUF names, where they differ by more than '_' and '-'.
constexpr std::array<std::array<std::string_view, 2>, 16> kNames{{
    {"deepseek_v2", "deepseek2"},
    {"deepseek_v3", "deepseek2"},
    {"deepseek_v32", "deepseek32"},
    {"deepseek_v4", "deepseek4"},
    {"kimi_k2", "deepseek2"},
    {"gemma3n_text", "gemma3n"},
    {"falcon_h1", "falcon-h1"},
    {"nemotron_h", "nemotron-h"},
    {"granitemoehybrid", "granite-hybrid"},
    {"minimax_text_01", "minimax-01"},
    {"minimax", "minimax-01"},
    {"minimax_m2", "minimax-m2"},
    {"glm_moe_dsa", "glm-dsa"},
    {"kimi_linear", "kimi-linear"},
    {"lfm2_moe", "lfm2moe"},
    {"grok-1", "grok"},
}};

bool refused(std::string_view arch, bool older) {
    const std::size_t n = older ? kRefused.size() - 1 : kRefusedNow;
    return std::find(kRefused.begin(), kRefused.begin() + static_cast<std::ptrdiff_t>(n), arch) !=
           kRefused.begin() + static_cast<std::ptrdiff_t>(n);
}

// #27574 (2026-08-23) lies between the builds read, b10256 and b11118; the build is estimated.
constexpr Version kFewHeads{10600, 0, 0, true, 1};

TpVerdict tensor(const EngineInput& in, std::uint64_t n, std::uint64_t kv) {
    TpVerdict v;
    if (tensor_split_refused(in)) {
        return refusal(TpRule::unsupported, n, 0, 0, "LLAMA_SPLIT_MODE_TENSOR not implemented");
    }
    v.a = kv;
    v.b = n;
    v.kv_heads_per_gpu = static_cast<double>(kv) / static_cast<double>(n);
    if (kv % n == 0) {
        v.a = kv / n;
        return v;
    }
    v.verdict = Verdict::ok_uneven;
    v.rule = TpRule::kv_uneven;
    if (in.version < kFewHeads && (kv == 1 || n > kv)) {
        v.verdict = Verdict::unsafe;
        v.rule = TpRule::unchecked;
        v.fragment = "GGML_BACKEND_SPLIT_AXIS_0";
    }
    return v;
}

}  // namespace

bool tensor_split_refused(const EngineInput& in) {
    const bool older = in.version < kFewHeads;
    if (refused(in.model.architecture, older)) return true;
    for (const auto& [hf, gguf] : kNames) {
        if (in.model.model_type == hf) return refused(gguf, older);
    }
    return refused(in.model.model_type, older);
}

}  // namespace kvgauge::engine::llamacpp

namespace kvgauge::engine {

TpVerdict llamacpp_tp(const EngineInput& in, std::uint64_t size) {
    TpVerdict v;
    if (refuses_size(in, size, v)) return v;
    const AttentionSpec* a = first_attention(in.model);
    const std::uint64_t kv = a == nullptr ? 0 : a->kind == AttnKind::mla ? 1 : a->kv_heads;
    if (size > 1 && in.scenario.split == SplitMode::tensor && kv != 0) {
        // The layers with the fewest heads are cut worst.
        std::uint64_t least = kv;
        for (const LayerRun& run : in.model.layers) {
            const AttentionSpec& l = run.layer.attn;
            if (l.kind == AttnKind::none || l.kv_heads == 0 || l.kind == AttnKind::mla) continue;
            least = std::min<std::uint64_t>(least, l.kv_heads);
        }
        return llamacpp::tensor(in, size, least);
    }
    // Whole layers: each GPU holds all heads of its own.
    v.a = kv;
    v.kv_heads_per_gpu = static_cast<double>(kv);
    return v;
}

}  // namespace kvgauge::engine
