// SPDX-License-Identifier: MIT
// Owns: the question. One plain value that a link, a command line, a JSON object and the form all
// spell; an empty optional means "the default of the model, engine and version".
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "model/calibration.h"
#include "model/dtype.h"
#include "model/engine_id.h"
#include "model/lengths.h"
#include "model/model_spec.h"
#include "model/weight_format.h"

namespace kvgauge {

// model=custom: a model typed in. Missing fields are named, never guessed.
struct CustomModel {
    std::optional<std::uint64_t> layers, q_heads, head_dim, hidden, inter, vocab, params;
    std::optional<std::uint64_t> experts, experts_active;
    std::optional<std::uint64_t> window, window_layers;  // window: tokens; layers that have it
    std::optional<std::uint64_t> mla_rank, mla_rope;
    bool operator==(const CustomModel&) const = default;
};

// A GPU typed in, or single figures of a catalog GPU replaced. Bytes, bytes/s, FLOP/s.
struct GpuOverrides {
    std::optional<std::uint64_t> memory;
    std::optional<double> bandwidth, flops16, flops8, flops4, link;
    bool operator==(const GpuOverrides&) const = default;
};

enum class SpecKind : std::uint8_t { none, native, mtp, eagle, ngram };  // native: `spec=N`
struct Speculation {
    SpecKind kind = SpecKind::none;
    std::uint32_t tokens = 0;
    bool operator==(const Speculation&) const = default;
};

enum class SplitMode : std::uint8_t { none, layer, row, tensor };  // llama.cpp

struct Scenario {
    std::string model = "llama-3-8b";  // catalog id, "custom", or the name of an imported model
    ModelRef imported;                 // set: an imported file is the model; compared by identity
    std::string model_source;          // where it came from: the path or name given
    std::string source_key;            // the key that named it: "model-config", "gguf", ...
    std::optional<std::uint64_t> kv_heads;  // what-if; in custom models the number itself
    CustomModel custom;

    std::string gpu = "a100-80gb-sxm";
    std::optional<std::uint64_t> gpus;  // default tp * pp * dp
    GpuOverrides gpu_own;

    EngineId engine = EngineId::vllm;
    std::optional<Version> engine_version;  // empty: the newest known
    std::uint64_t tp = 1, pp = 1, dp = 1, dcp = 1;
    bool ep = false;

    WeightKind weights = WeightKind::automatic;
    DType kv = DType::automatic;
    std::optional<DType> kv_k, kv_v;  // llama.cpp: K and V apart
    DType state_dtype = DType::automatic;

    std::uint64_t ctx = 8192;            // tokens of one sequence at most
    std::uint64_t batch = 1;             // concurrent sequences to price
    std::uint64_t in = 1024, out = 256;  // prompt and output tokens

    std::optional<double> util;              // memory fraction, the engine's own meaning
    std::optional<std::uint64_t> overhead;   // bytes per GPU
    std::optional<std::uint64_t> kv_budget;  // bytes per GPU, replaces the budget arithmetic

    std::optional<std::uint64_t> block, max_batched, max_seqs;
    Speculation spec;
    std::optional<bool> prefix_caching, hybrid, eager;

    std::optional<std::uint64_t> slots, ubatch, ngl;  // llama.cpp
    std::optional<bool> unified, swa_full;
    std::optional<SplitMode> split;

    bool dp_attention = false;
    std::optional<std::uint64_t> cross_tokens;

    std::optional<double> tpot_max, ttft_max;  // seconds
    std::optional<Calibration> calibration;
    LengthMix mix;  // traffic.* rows, where given

    bool operator==(const Scenario&) const = default;
};

}  // namespace kvgauge
