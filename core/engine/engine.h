// SPDX-License-Identifier: MIT
// Owns: the questions kvgauge asks of a serving engine. One file per engine answers them; versions
// are data inside that file. `rules(id)` is the only dispatch.
// All byte counts are per GPU of the tensor-parallel group unless a name says otherwise.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/engine_id.h"
#include "model/gpu_spec.h"
#include "model/kv_cache.h"
#include "model/model_spec.h"
#include "model/quantity.h"
#include "model/scenario.h"
#include "model/units.h"
#include "model/weight_format.h"

namespace kvgauge {

// Everything an engine's rule may look at, resolved: no optional is left to guess.
struct EngineInput {
    const ModelSpec& model;
    const GpuSpec& gpu;
    const Scenario& scenario;
    EngineId engine = EngineId::vllm;
    Version version;
    WeightFormat weights;  // in effect
    KvTypes kv;            // in effect for this engine (auto resolved)
};

enum class Verdict : std::uint8_t { ok, ok_replicated, ok_uneven, ok_fallback, error, unsafe };
std::string_view name(Verdict);

// The rule that decides, as data: text/ turns it into words. a, b, c are the numbers of the rule.
enum class TpRule : std::uint8_t {
    divides,          // all rules hold: a = KV heads per GPU
    kv_replicated,    // a KV heads on b GPUs, c copies
    kv_uneven,        // a KV heads over b GPUs, whole heads, not equally
    q_heads,          // a query heads do not divide by b
    kv_heads,         // a KV heads neither divide by b nor b by a
    kv_heads_strict,  // a KV heads do not divide by b, and the engine does not copy heads
    mlp_width,        // width a does not divide by b
    moe_width,        // expert width a does not divide by b
    experts,          // a experts, size b
    fp8_block,        // a / b = c is not a multiple of the FP8 block
    quant_group,      // a / b = c is not a multiple of the group size
    vocab,            // padded vocabulary a does not divide by b
    state_heads,      // a linear-attention or Mamba heads do not divide by b
    state_groups,
    vision_heads,     // a vision heads do not divide by b, and the tower must
    vision_fallback,  // a vision heads do not divide by b: the tower is copied or data-parallel
    latent_copied,    // MLA: the latent is on every one of b GPUs
    dcp,              // decode context parallel size a not possible at tp b; c the largest possible
    dp_attention,
    pipeline,     // a layers over b stages
    gpus,         // a GPUs needed, b there
    unsupported,  // the engine or version does not serve this model; text names it
    unchecked,    // the engine checks nothing here; failures were reported
};

struct TpVerdict {
    Verdict verdict = Verdict::ok;
    TpRule rule = TpRule::divides;
    std::uint64_t a = 0, b = 0, c = 0;
    double kv_heads_per_gpu = 0;  // heads one GPU stores (MLA: 1 latent)
    double copies = 1;            // of each KV head in the group
    const char* fragment = "";    // short searchable piece of the engine's own text
    bool operator==(const TpVerdict&) const = default;
};

// Memory that is neither weights nor KV, in parts, where the engine's rules tell them apart.
struct OverheadParts {
    Quantity activation;  // peak of the profiling run
    Quantity other;       // driver context, communication, allocator
    Quantity graphs;      // CUDA graphs, where they are taken from the budget
};

// The memory one GPU offers for KV.
struct Budget {
    Bytes gpu_bytes;     // the total this engine divides
    Bytes usable_bytes;  // its share by the memory fraction
    Bytes weight_bytes;
    Quantity overhead;  // activations, non-torch, graphs: a band unless given
    std::optional<OverheadParts> parts;
    Quantity kv;  // never below 0
    double util = 0;
    bool util_default = true;
};

// How the engine cuts a KV budget.
struct CachePlan {
    Bytes bytes_per_token_per_gpu;  // what it stores for one token, when a whole number
    double token_bytes = 0;         // the same, fractional where windows or groups make it so
    Bytes request_bytes_per_gpu;    // steady: kv.bytes_per_request on one GPU
    Bytes reserved_per_request;     // what it reserves for one ctx-token request
    Bytes pool_bytes;               // what it allocates for all requests together
    std::uint64_t block_tokens = 1;
    std::uint64_t blocks = 0;
    std::uint64_t tokens = 0;        // as the engine prints it
    double max_concurrency = 0;      // as the engine prints it
    std::uint64_t max_requests = 0;  // whole ctx-token requests at once, by memory alone
    std::uint64_t max_seqs = 0;      // the engine's own cap in effect, 0 = none
    bool fits = false;               // the engine starts: at least one request of ctx tokens
    std::uint64_t longest_ctx = 0;   // longest single request that fits
    bool assumed = false;            // a rule was extrapolated for this model or version
};

// Attention kernels an engine takes; names as engines and papers use them.
enum class Kernels : std::uint8_t {
    unknown,
    fa2,
    fa3,
    fa4,
    flashinfer,
    trtllm_gen,
    triton,
    flex,
    xformers,
    flash_attn_mla,
    flashmla,
    flashinfer_mla,
    cutlass_mla,
    triton_mla,
    trtllm_mla,
    flash_attn_mla_sparse,
    flashmla_sparse,
    flashinfer_mla_sparse,
    rocm,
    tensorrt_llm,
    ggml,
    turbomind,
    sdpa,
};
std::string_view name(Kernels);

struct AttentionChoice {
    Kernels kernels = Kernels::unknown;
    bool kv_ok = true;         // the KV dtype in effect is served by these kernels
    const char* why = "";      // one sentence
    const char* limit = "";    // what to expect where kv_ok is false
    std::uint64_t block = 16;  // tokens per block these kernels need at least
};

struct EngineRules {
    EngineId id;
    Version newest;  // used when no version is given
    double (*default_util)(const EngineInput&);
    DType (*kv_auto)(const EngineInput&);  // what `kv=auto` becomes
    TpVerdict (*tp)(const EngineInput&, std::uint64_t tp);
    Bytes (*weights_per_gpu)(const EngineInput&);
    Budget (*budget)(const EngineInput&);
    CachePlan (*plan)(const EngineInput&, Bytes kv_budget);
    std::string (*log)(const EngineInput&, const CachePlan&, Bytes kv_budget);
    AttentionChoice (*attention)(const EngineInput&);
    std::string (*backend)(const EngineInput&);  // the choice in words
    // The plans of three budgets at once, where they share work; null: three times `plan`.
    std::array<CachePlan, 3> (*plans)(const EngineInput&, const std::array<Bytes, 3>&) = nullptr;
};

const EngineRules& rules(EngineId);

// Whether the engine starts at this size, well or not.
constexpr bool accepted(const TpVerdict& v) {
    return v.verdict != Verdict::error && v.verdict != Verdict::unsafe;
}
// Tensor-parallel sizes 1..64 that pass every rule of this model and engine: bit n - 1 is size n.
std::uint64_t valid_sizes(const EngineInput&);
// The accepted size nearest to `tp`, the larger one of two; 0 if none up to 64.
std::uint64_t nearest_size(const EngineInput&, std::uint64_t tp);
// The decode context parallel size that removes the copies of KV heads at `tp`; 1: none is
// accepted.
std::uint64_t dcp_without_copies(const EngineInput&, std::uint64_t tp);

}  // namespace kvgauge
