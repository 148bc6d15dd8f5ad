// SPDX-License-Identifier: MIT
// Owns: start-up logs of serving engines -> what they say, as numbers. Any text may be fed: a whole
// `docker logs` dump, prefixes, colours, several ranks in any order, several runs, noise. Memory
// stays bounded whatever the length: lines over 64 KiB are cut, lists end at fixed counts.
// Bytes are per GPU; engines print GiB, SGLang and vLLM V0 label it "GB". A number that the text
// cuts off is not read.
// Lines: vLLM (V0 and V1), SGLang, TensorRT-LLM, llama.cpp and its forks, Ollama, LMDeploy, TGI, as
// printed by the releases of 2023 to 2026.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/dtype.h"
#include "model/engine_id.h"

namespace kvgauge {

struct DeviceBytes {
    std::string device;  // "CUDA0", "CPU", "CPU_Mapped"
    double bytes = 0;
    bool operator==(const DeviceBytes&) const = default;
};

// One cache that llama.cpp allocated: all keys and values of one kind of layer, or states.
struct CacheLine {
    double bytes = 0;
    std::optional<std::uint64_t> cells, layers, seqs, streams;
    std::string k_type, v_type;  // "f16"; a latent cache has no V
    std::optional<double> k_bytes, v_bytes;
    bool recurrent = false;  // R and S states in place of K and V
    bool operator==(const CacheLine&) const = default;
};

// One run of one engine.
struct Observation {
    std::optional<EngineId> engine;
    bool v0 = false;                 // vLLM's first engine
    std::string wrapper;             // "ollama", "AutoDeploy"
    std::string fork;                // "ik_llama.cpp"
    std::string version_text;        // as printed
    std::optional<Version> version;  // a release; builds such as 0.1.dev15917 name none
    std::string model;               // name or path, as printed
    std::string model_class;         // "Qwen2ForCausalLM"
    std::string gpu;                 // first device named
    std::string attention;           // backend named

    // Settings.
    std::optional<std::uint64_t> tp, pp, dp, dcp;
    std::optional<std::uint64_t> ranks;  // tensor-parallel ranks that spoke
    std::optional<std::uint64_t> ctx;    // max_model_len, context_len, n_ctx, max_seq_len
    std::optional<std::uint64_t> max_batched, max_seqs, block_tokens, spec_tokens;
    std::optional<bool> ep, eager, prefix_caching, dp_attention;
    std::string dtype, quantization, kv_dtype;  // as printed
    std::optional<double> util;
    std::optional<std::uint64_t> slots, n_ctx_seq, ubatch, gpu_layers, all_layers;
    std::optional<bool> unified;

    // Memory of one rank, bytes.
    std::optional<double> total, usable, free_at_start;
    std::optional<double> weights, activation, non_torch, peak_torch;
    std::optional<double> graphs, graphs_estimated;
    std::vector<double> kv_available;  // one value a rank that printed it, at most 64
    std::optional<double> kv_bytes;    // allocated: K + V, or the sum of the cache lines
    std::optional<double> k_bytes, v_bytes;
    std::optional<double> before_weights, after_weights, after_pools;  // free memory (SGLang)

    // Capacity, as printed.
    std::optional<std::uint64_t> kv_tokens, blocks, cpu_blocks;
    std::optional<double> block_bytes;  // of one block (LMDeploy)
    std::optional<double> concurrency;
    std::optional<std::uint64_t> concurrency_len;
    std::optional<std::uint64_t> window_tokens;  // second pool (SWA)
    std::optional<std::uint64_t> state_slots;
    std::optional<double> conv_bytes, ssm_bytes;
    std::optional<std::uint64_t> padding_layers;
    std::optional<double> padding_percent, state_padding_percent;
    std::optional<double> needed_kv;           // of a refusal
    std::optional<std::uint64_t> longest_len;  // its estimated maximum length

    // llama.cpp.
    std::vector<DeviceBytes> model_buffers, kv_buffers, compute_buffers;  // at most 64 each
    std::vector<CacheLine> caches;                                        // at most 8
    std::optional<double> file_bytes, params;

    std::vector<std::string> errors;  // the engine's own, at most 8, cut to 240 characters
    bool operator==(const Observation&) const = default;
};

struct EngineLog {
    std::vector<Observation> runs;  // at most 16; later runs are counted only
    std::uint64_t more_runs = 0;
    std::uint64_t lines = 0, recognised = 0;
    std::vector<std::string> unknown;  // lines about memory that were not understood, at most 16
};

// Reads a text in pieces of any size.
class EngineLogReader {
  public:
    EngineLogReader();
    ~EngineLogReader();
    EngineLogReader(EngineLogReader&&) noexcept;
    EngineLogReader& operator=(EngineLogReader&&) noexcept;
    void feed(std::string_view piece);
    EngineLog finish();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

EngineLog read_engine_log(std::string_view text);

}  // namespace kvgauge
