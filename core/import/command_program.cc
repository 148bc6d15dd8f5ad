// SPDX-License-Identifier: MIT
#include "import/command_program.h"

#include <algorithm>
#include <array>
#include <utility>

#include "import/engine_flags.h"

namespace kvgauge {
namespace {

std::string_view base_name(std::string_view path) {
    const std::size_t at = path.find_last_of("/\\");
    return at == std::string_view::npos ? path : path.substr(at + 1);
}

// The image of `docker run`: the last word that names one and is no path.
std::optional<CommandStart> container(const ShellCommand& c) {
    std::optional<CommandStart> found;
    for (std::size_t i = 0; i < c.size(); ++i) {
        const std::string_view text = c[i].text;
        if (text.empty() || std::string_view("-/~.").find(text[0]) != std::string_view::npos ||
            text.find('/') == std::string_view::npos || text.find(":/") != std::string_view::npos) {
            continue;
        }
        // After the image come the engine's own words.
        if (found) break;
        if (auto image = engine_of_image(text)) {
            found = CommandStart{image->engine, std::move(image->version), i + 1,
                                 image->engine == EngineId::vllm};
        }
    }
    return found;
}

struct Module {
    std::string_view name;  // of `python -m`
    EngineId engine;
};
constexpr std::array<Module, 5> kModules{{{"vllm.entrypoints", EngineId::vllm},
                                          {"sglang.launch_server", EngineId::sglang},
                                          {"sglang_router.launch_server", EngineId::sglang},
                                          {"sglang.bench_", EngineId::sglang},
                                          {"llama_cpp.server", EngineId::llamacpp}}};

constexpr std::array<std::string_view, 3> kLlama{"llama-server", "llama-cli", "llama-bench"};

constexpr EnvironmentFlag kEnvironment[] = {
    {"MODEL_ID", EngineId::tgi, "model-id"},
    {"NUM_SHARD", EngineId::tgi, "num-shard"},
    {"MAX_TOTAL_TOKENS", EngineId::tgi, "max-total-tokens"},
    {"CUDA_MEMORY_FRACTION", EngineId::tgi, "cuda-memory-fraction"},
    {"QUANTIZE", EngineId::tgi, "quantize"},
    {"KV_CACHE_DTYPE", EngineId::tgi, "kv-cache-dtype"},
    {"MAX_BATCH_SIZE", EngineId::tgi, "max-batch-size"},
    {"MAX_BATCH_PREFILL_TOKENS", EngineId::tgi, "max-batch-prefill-tokens"},
    {"DTYPE", EngineId::tgi, "dtype"},
    {"LLAMA_ARG_MODEL", EngineId::llamacpp, "model"},
    {"LLAMA_ARG_HF_REPO", EngineId::llamacpp, "hf-repo"},
    {"LLAMA_ARG_CTX_SIZE", EngineId::llamacpp, "ctx-size"},
    {"LLAMA_ARG_N_PARALLEL", EngineId::llamacpp, "parallel"},
    {"LLAMA_ARG_N_GPU_LAYERS", EngineId::llamacpp, "n-gpu-layers"},
    {"LLAMA_ARG_CACHE_TYPE_K", EngineId::llamacpp, "cache-type-k"},
    {"LLAMA_ARG_CACHE_TYPE_V", EngineId::llamacpp, "cache-type-v"},
    {"LLAMA_ARG_UBATCH", EngineId::llamacpp, "ubatch-size"},
    {"LLAMA_ARG_SPLIT_MODE", EngineId::llamacpp, "split-mode"},
    {"LLAMA_ARG_KV_UNIFIED", EngineId::llamacpp, "kv-unified"},
    {"LLAMA_ARG_SWA_FULL", EngineId::llamacpp, "swa-full"},
    {"OLLAMA_CONTEXT_LENGTH", EngineId::llamacpp, "ctx-size"},
    {"OLLAMA_NUM_PARALLEL", EngineId::llamacpp, "parallel"},
    {"OLLAMA_KV_CACHE_TYPE", EngineId::llamacpp, "cache-type-k"},
    {"OLLAMA_KV_CACHE_TYPE", EngineId::llamacpp, "cache-type-v"},
};

// NAME=value -> the pair.
bool assignment(const ShellWord& w, Environment& to) {
    const std::size_t at = w.text.find('=');
    if (at == std::string::npos || at == 0) return false;
    const std::string name = w.text.substr(0, at);
    const auto name_char = [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
               c == '_';
    };
    if (!std::all_of(name.begin(), name.end(), name_char)) return false;
    constexpr std::size_t kMost = 256;
    if (to.size() < kMost) to.emplace_back(name, ShellWord{w.text.substr(at + 1), w.unresolved});
    return true;
}

// Names of an engine's package.
std::string_view package_of(EngineId e) {
    switch (e) {
        case EngineId::vllm:
            return "vllm";
        case EngineId::sglang:
            return "sglang";
        case EngineId::lmdeploy:
            return "lmdeploy";
        case EngineId::trtllm:
            return "tensorrt-llm";
        default:
            return "";
    }
}

}  // namespace

std::optional<CommandStart> find_program(const ShellCommand& c) {
    const auto word = [&c](std::size_t i) -> std::string_view {
        return i < c.size() ? std::string_view(c[i].text) : std::string_view();
    };
    const auto start = [](EngineId e, std::size_t first, bool positional = false) {
        return CommandStart{e, {}, first, positional};
    };
    for (std::size_t i = 0; i < c.size(); ++i) {
        const std::string_view text = word(i), next = word(i + 1);
        std::string_view base = base_name(text), release;
        if (const std::size_t at = base.find('@'); at != std::string_view::npos) {
            release = base.substr(at + 1);  // uvx vllm@0.10.2 serve
            base = base.substr(0, at);
        }
        if (base == "vllm" && next == "serve") {
            return CommandStart{EngineId::vllm, std::string(release), i + 2, true};
        }
        if (base == "sglang" && next == "serve") return start(EngineId::sglang, i + 2, true);
        for (const Module& m : kModules) {
            if (!text.starts_with(m.name)) continue;
            const bool serve = next == "serve";  // vllm.entrypoints.cli.main serve
            return start(m.engine, i + (serve ? 2u : 1u), serve);
        }
        if (base == "trtllm-serve") {
            return start(EngineId::trtllm, i + (next == "serve" ? 2u : 1u), true);
        }
        if (base == "trtllm-bench" || base == "trtllm-eval") return start(EngineId::trtllm, i + 1);
        if (base == "sglang-router") return start(EngineId::sglang, i + 1);
        if (base == "text-generation-launcher") return start(EngineId::tgi, i + 1);
        for (std::string_view name : kLlama) {
            if (base.find(name) != std::string_view::npos) {
                return start(EngineId::llamacpp, i + 1);
            }
        }
        if (base == "ollama" && (next == "serve" || next == "start" || next == "run")) {
            return start(EngineId::llamacpp, i + 2, next == "run");
        }
        if (base != "lmdeploy") continue;
        if (next == "serve" && word(i + 2) == "api_server")
            return start(EngineId::lmdeploy, i + 3, true);
        if (next == "chat") return start(EngineId::lmdeploy, i + 2, true);
    }
    return std::nullopt;
}

std::optional<CommandStart> find_start(const ShellCommand& c) {
    const auto image = container(c);
    auto start = find_program(c);
    if (!start) return image;
    if (image && image->engine == start->engine && start->version.empty())
        start->version = image->version;
    return start;
}

std::string required_version(const std::vector<ShellCommand>& commands, EngineId engine) {
    const std::string_view package = package_of(engine);
    if (package.empty()) return {};
    for (const ShellCommand& c : commands) {
        for (const ShellWord& w : c) {
            const std::size_t equals = w.text.find("==");
            if (w.unresolved || equals == std::string::npos) continue;
            std::string_view name = std::string_view(w.text).substr(0, equals);
            name = name.substr(0, std::min(name.find('['), name.size()));
            if (flag_name(name) != package) continue;
            return w.text.substr(equals + 2, w.text.find_first_of(",;", equals) - equals - 2);
        }
    }
    return {};
}

void collect_environment(const ShellCommand& c, Environment& to) {
    std::size_t i = 0;
    if (!c.empty() && (c[0].text == "export" || c[0].text == "env")) i = 1;
    constexpr std::string_view kUnit = "Environment=";  // systemd
    for (; i < c.size(); ++i) {
        ShellWord w = c[i];
        if (w.text.starts_with(kUnit)) w.text.erase(0, kUnit.size());
        if (!assignment(w, to)) break;
    }
    for (; i < c.size(); ++i) {
        constexpr std::string_view kEnv = "--env=";
        if (c[i].text.starts_with(kEnv)) {
            assignment({c[i].text.substr(kEnv.size()), c[i].unresolved}, to);
        } else if ((c[i].text == "-e" || c[i].text == "--env") && i + 1 < c.size()) {
            assignment(c[i + 1], to);
        }
    }
}

std::span<const EnvironmentFlag> environment_flags() {
    return kEnvironment;
}

std::optional<EngineId> engine_of_variable(std::string_view variable) {
    if (!variable.starts_with("OLLAMA_") && !variable.starts_with("LLAMA_ARG_")) {
        return std::nullopt;
    }
    for (const EnvironmentFlag& e : kEnvironment) {
        if (e.variable == variable) return e.engine;
    }
    return std::nullopt;
}

}  // namespace kvgauge
