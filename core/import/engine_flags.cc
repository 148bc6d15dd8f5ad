// SPDX-License-Identifier: MIT
#include "import/engine_flags.h"

#include <array>

namespace kvgauge {
namespace {

using K = FlagKind;

constexpr auto kVllm = std::to_array<FlagRule>({
    {"model", "model"},
    {"tensor-parallel-size", "tp"},
    {"tp", "tp"},
    {"pipeline-parallel-size", "pp"},
    {"pp", "pp"},
    {"data-parallel-size", "dp"},
    {"dp", "dp"},
    {"decode-context-parallel-size", "dcp"},
    {"dcp", "dcp"},
    {"enable-expert-parallel", "ep", K::on},
    {"no-enable-expert-parallel", "ep", K::off},
    {"quantization", "weights"},
    {"q", "weights"},
    {"kv-cache-dtype", "kv"},
    {"max-model-len", "ctx", K::tokens},
    {"gpu-memory-utilization", "util"},
    {"kv-cache-memory-bytes", "kv-budget"},
    {"kv-cache-memory", "kv-budget"},
    {"block-size", "block"},
    {"max-num-batched-tokens", "max-batched", K::tokens},
    {"max-num-seqs", "max-seqs"},
    {"speculative-config", "spec", K::spec_config},
    {"sc", "spec", K::spec_config},
    {"speculative-config.num-speculative-tokens", "spec"},
    {"num-speculative-tokens", "spec"},
    {"enable-prefix-caching", "prefix-caching", K::on},
    {"no-enable-prefix-caching", "prefix-caching", K::off},
    {"disable-hybrid-kv-cache-manager", "hybrid", K::off},
    {"no-disable-hybrid-kv-cache-manager", "hybrid", K::on},
    {"enforce-eager", "eager", K::on},
    {"no-enforce-eager", "eager", K::off},
    {"mamba-ssm-cache-dtype", "state-dtype"},
    {"dtype", "", K::note},
    {"num-gpu-blocks-override", "", K::note},
    {"cpu-offload-gb", "", K::note},
});

constexpr auto kSglang = std::to_array<FlagRule>({
    {"model-path", "model"},
    {"model", "model"},
    {"tensor-parallel-size", "tp"},
    {"tp-size", "tp"},
    {"tp", "tp"},
    {"pipeline-parallel-size", "pp"},
    {"pp-size", "pp"},
    {"pp", "pp"},
    {"data-parallel-size", "dp"},
    {"dp-size", "dp"},
    {"dp", "dp"},
    {"expert-parallel-size", "ep", K::size_on},
    {"ep-size", "ep", K::size_on},
    {"ep", "ep", K::size_on},
    {"enable-ep-moe", "ep", K::on},
    {"enable-dp-attention", "dp-attention", K::on},
    {"quantization", "weights"},
    {"kv-cache-dtype", "kv"},
    {"context-length", "ctx"},
    {"mem-fraction-static", "util"},
    {"page-size", "block"},
    {"max-running-requests", "max-seqs"},
    {"speculative-num-draft-tokens", "spec"},
    {"disable-radix-cache", "prefix-caching", K::off},
    {"disable-cuda-graph", "eager", K::on},
    {"disable-hybrid-swa-memory", "hybrid", K::off},
    {"mamba-ssm-dtype", "state-dtype"},
    {"dtype", "", K::note},
    {"max-total-tokens", "", K::note},
    {"chunked-prefill-size", "max-batched"},
});

constexpr auto kTrtllm = std::to_array<FlagRule>({
    {"model", "model"},
    {"tp-size", "tp"},
    {"tensor-parallel-size", "tp"},
    {"pp-size", "pp"},
    {"pipeline-parallel-size", "pp"},
    {"ep-size", "ep", K::size_on},
    {"moe-expert-parallel-size", "ep", K::size_on},
    {"max-batch-size", "max-seqs"},
    {"max-num-tokens", "max-batched"},
    {"max-seq-len", "ctx"},
    {"kv-cache-free-gpu-memory-fraction", "util"},
    {"free-gpu-memory-fraction", "util"},
    {"kv-cache-dtype", "kv"},
    {"enable-attention-dp", "dp-attention", K::on},
    {"tokens-per-block", "block"},
    // trtllm-bench
    {"tp", "tp"},
    {"pp", "pp"},
    {"ep", "ep", K::size_on},
    {"kv-cache-free-gpu-mem-fraction", "util"},
    {"enable-block-reuse", "prefix-caching", K::on},
});

constexpr auto kTgi = std::to_array<FlagRule>({
    {"model-id", "model"},
    {"num-shard", "tp"},
    {"quantize", "weights"},
    {"kv-cache-dtype", "kv"},
    {"max-total-tokens", "ctx"},
    {"max-batch-size", "max-seqs"},
    {"max-batch-prefill-tokens", "max-batched"},
    {"cuda-memory-fraction", "util"},
    {"speculate", "spec"},
    {"dtype", "", K::note},
});

constexpr auto kLlamacpp = std::to_array<FlagRule>({
    {"m", "gguf"},
    {"model", "gguf"},
    {"model-path", "gguf"},
    {"hf", "model"},
    {"hfr", "model"},
    {"hf-repo", "model"},
    {"c", "ctx"},
    {"ctx-size", "ctx"},
    {"n-ctx", "ctx"},
    {"np", "slots"},
    {"parallel", "slots"},
    {"ub", "ubatch"},
    {"ubatch-size", "ubatch"},
    {"n-ubatch", "ubatch"},
    {"ctk", "kv-k"},
    {"cache-type-k", "kv-k"},
    {"ctv", "kv-v"},
    {"cache-type-v", "kv-v"},
    {"ngl", "ngl"},
    {"gpu-layers", "ngl"},
    {"n-gpu-layers", "ngl"},
    {"sm", "split"},
    {"split-mode", "split"},
    {"kvu", "unified", K::on},
    {"kv-unified", "unified", K::on},
    {"no-kv-unified", "unified", K::off},
    {"swa-full", "swa-full", K::on},
    {"mla", "", K::note},
    {"mla-use", "", K::note},
    {"ot", "", K::note},
    {"override-tensor", "", K::note},
    {"ts", "", K::note},
    {"tensor-split", "", K::note},
    {"nkvo", "", K::flag_note},
    {"no-kv-offload", "", K::flag_note},
});

constexpr auto kLmdeploy = std::to_array<FlagRule>({
    {"model-path", "model"},
    {"model", "model"},
    {"tp", "tp"},
    {"dp", "dp"},
    {"ep", "ep", K::size_on},
    {"session-len", "ctx"},
    {"max-batch-size", "max-seqs"},
    {"cache-max-entry-count", "util"},
    {"cache-block-seq-len", "block"},
    {"quant-policy", "kv", K::quant_policy},
    {"max-prefill-token-num", "max-batched"},
    {"speculative-num-draft-tokens", "spec"},
    {"enable-prefix-caching", "prefix-caching", K::on},
    {"eager-mode", "eager", K::on},
    {"dtype", "", K::note},
    {"model-format", "weights"},
});

// Frequent switches that take no value and may stand before a positional model.
constexpr std::array<std::string_view, 24> kSwitches{"trust-remote-code",
                                                     "disable-log-requests",
                                                     "disable-log-stats",
                                                     "enable-auto-tool-choice",
                                                     "async-scheduling",
                                                     "no-async-scheduling",
                                                     "enable-chunked-prefill",
                                                     "no-enable-chunked-prefill",
                                                     "enable-log-requests",
                                                     "enable-reasoning",
                                                     "disable-custom-all-reduce",
                                                     "enable-lora",
                                                     "enable-metrics",
                                                     "log-requests",
                                                     "enable-torch-compile",
                                                     "disable-overlap-schedule",
                                                     "jinja",
                                                     "mlock",
                                                     "no-mmap",
                                                     "no-warmup",
                                                     "metrics",
                                                     "slots",
                                                     "language-model-only",
                                                     "use-v2-block-manager"};

struct Image {
    std::string_view part;
    EngineId engine;
};
constexpr std::array<Image, 11> kImages{{
    {"ollama", EngineId::llamacpp},  // its tags count Ollama's releases
    {"vllm-openai", EngineId::vllm},
    {"sglang", EngineId::sglang},
    {"text-generation-inference", EngineId::tgi},
    {"tensorrt-llm", EngineId::trtllm},
    {"tensorrt_llm", EngineId::trtllm},
    {"trtllm", EngineId::trtllm},
    {"llama.cpp", EngineId::llamacpp},
    {"lmdeploy", EngineId::lmdeploy},
    {"rocm/vllm", EngineId::vllm},
    {"vllm", EngineId::vllm},
}};

}  // namespace

std::span<const FlagRule> flag_rules(EngineId e) {
    switch (e) {
        case EngineId::sglang:
            return kSglang;
        case EngineId::trtllm:
            return kTrtllm;
        case EngineId::tgi:
            return kTgi;
        case EngineId::llamacpp:
            return kLlamacpp;
        case EngineId::lmdeploy:
            return kLmdeploy;
        case EngineId::vllm:
            return kVllm;
        case EngineId::none:
        case EngineId::hf:
            break;
    }
    return {};
}

std::string flag_name(std::string_view written) {
    while (!written.empty() && written.front() == '-') written.remove_prefix(1);
    std::string out(written);
    for (char& c : out) {
        if (c == '_') c = '-';
    }
    return out;
}

const FlagRule* find_flag(EngineId e, std::string_view flag) {
    const FlagRule* begins = nullptr;
    std::size_t n = 0;
    for (const FlagRule& r : flag_rules(e)) {
        if (r.flag == flag) return &r;
        if (flag.size() >= 5 && r.flag.starts_with(flag)) {
            begins = &r;
            ++n;
        }
    }
    return n == 1 && e != EngineId::llamacpp ? begins : nullptr;
}

bool is_bare_switch(std::string_view flag) {
    for (std::string_view s : kSwitches) {
        if (s == flag) return true;
    }
    return false;
}

std::optional<NamedEngine> engine_of_image(std::string_view image) {
    for (const Image& i : kImages) {
        const std::size_t at = image.find(i.part);
        if (at == std::string_view::npos) continue;
        NamedEngine out{i.engine, {}};
        const std::size_t colon = image.find(':', at);
        if (colon == std::string_view::npos || i.part == "ollama") return out;
        std::string_view tag = image.substr(colon + 1);
        // "rocm6.4.1_vllm_0.9.1_20250715"
        constexpr std::string_view kInside = "vllm_";
        if (const std::size_t in = tag.find(kInside); in != std::string_view::npos)
            tag.remove_prefix(in + kInside.size());
        if (tag.starts_with('v')) tag.remove_prefix(1);
        // "0.26.0-cu129", "0.5.5.post3": a version begins with digits, a point and digits.
        std::size_t end = 0;
        bool point = false;
        while (end < tag.size() && ((tag[end] >= '0' && tag[end] <= '9') || tag[end] == '.')) {
            point = point || tag[end] == '.';
            ++end;
        }
        if (point && end > 2 && tag[0] != '.') {
            std::string_view number = tag.substr(0, end);
            while (number.ends_with('.')) number.remove_suffix(1);
            // NVIDIA's own builds are tagged by year and month: 25.09.
            const bool date = image.starts_with("nvcr.io") && number.find('.') == 2;
            if (!date) out.version = number;
        }
        return out;
    }
    return std::nullopt;
}

}  // namespace kvgauge
