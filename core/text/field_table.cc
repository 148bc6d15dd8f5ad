// SPDX-License-Identifier: MIT
// The table of keys, in the order in which links write them.
#include <array>

#include "model/limits.h"
#include "text/calibration.h"
#include "text/fields.h"
#include "text/lengths.h"
#include "text/numbers.h"
#include "text/words.h"

namespace kvgauge {
namespace {

using Words = std::optional<std::string>;

std::string not_accepted(std::string_view text, std::string_view accepts) {
    return quoted_text(text) + " is not accepted: " + std::string(accepts) + ".";
}

std::string nearest(const std::vector<std::string>& ids) {
    std::string out;
    for (const std::string& id : ids) out += (out.empty() ? " Nearest: " : ", ") + id;
    return out.empty() ? out : out + ".";
}

// Functions of the keys that are words. Each `*_accepts` says in words what is taken.
Words set_model(Scenario& s, std::string_view text, const Catalog& c) {
    if (lower_case(text) == "custom") {
        s.model = "custom";
    } else if (const ModelEntry* m = c.model(text)) {
        s.model = m->spec->id;
    } else {
        return quoted_text(text) + " is no model of the catalog." +
               nearest(c.nearest_models(text, 3));
    }
    s.imported = nullptr;
    s.model_source.clear();
    s.source_key.clear();
    return std::nullopt;
}
std::string get_model(const Scenario& s) {
    return s.model;
}

Words set_gpu(Scenario& s, std::string_view text, const Catalog& c) {
    if (lower_case(text) == "custom") {
        s.gpu = "custom";
    } else if (const GpuEntry* g = c.gpu(text)) {
        s.gpu = g->spec.id;
    } else {
        return quoted_text(text) + " is no GPU of the catalog." + nearest(c.nearest_gpus(text, 3));
    }
    return std::nullopt;
}
std::string get_gpu(const Scenario& s) {
    return s.gpu;
}

constexpr std::string_view kEngineAccepts =
    "none, vllm, sglang, trtllm, llamacpp, tgi, lmdeploy or hf, with a version if wanted: "
    "vllm@0.20";
Words set_engine(Scenario& s, std::string_view text, const Catalog&) {
    const auto w = read_engine(text);
    if (!w) return not_accepted(text, kEngineAccepts);
    s.engine = w->engine;
    s.engine_version = w->version;
    return std::nullopt;
}
std::string get_engine(const Scenario& s) {
    return engine_word(s.engine, s.engine_version);
}

constexpr std::string_view kWeightsAccepts =
    "auto, bf16, fp16, fp32, fp8, fp8_block, int8, int4, awq, gptq, mxfp4, mxfp8, nvfp4, nf4 or a "
    "GGUF type such as q8_0 or q4_k_m";
Words set_weights(Scenario& s, std::string_view text, const Catalog&) {
    const auto w = read_weight_kind(text);
    if (!w) return not_accepted(text, kWeightsAccepts);
    s.weights = *w;
    return std::nullopt;
}
std::string get_weights(const Scenario& s) {
    return s.weights == WeightKind::automatic ? "auto" : std::string(name(s.weights));
}

constexpr std::string_view kKvAccepts =
    "auto, bf16, fp16, fp32, fp8, int8, int4, nvfp4, q8_0, q5_1, q5_0, q4_1, q4_0 or iq4_nl";
Words set_kv(Scenario& s, std::string_view text, const Catalog&) {
    const auto t = read_dtype(text);
    if (!t) return not_accepted(text, kKvAccepts);
    s.kv = *t;
    return std::nullopt;
}
std::string get_kv(const Scenario& s) {
    return std::string(name(s.kv));
}

template <std::optional<DType> Scenario::*Member>
Words set_part(Scenario& s, std::string_view text, const Catalog&) {
    const auto t = read_dtype(text);
    if (!t) return not_accepted(text, kKvAccepts);
    if (*t == DType::automatic) {
        (s.*Member).reset();
    } else {
        s.*Member = *t;
    }
    return std::nullopt;
}
template <std::optional<DType> Scenario::*Member>
std::string get_part(const Scenario& s) {
    return s.*Member ? std::string(name(*(s.*Member))) : std::string();
}

constexpr std::string_view kStateAccepts = "auto, bf16, fp16 or fp32";
Words set_state(Scenario& s, std::string_view text, const Catalog&) {
    const auto t = read_dtype(text);
    if (!t ||
        (*t != DType::automatic && *t != DType::bf16 && *t != DType::fp16 && *t != DType::fp32)) {
        return not_accepted(text, kStateAccepts);
    }
    s.state_dtype = *t;
    return std::nullopt;
}
std::string get_state(const Scenario& s) {
    return std::string(name(s.state_dtype));
}

constexpr std::string_view kSpecAccepts =
    "a number of speculated tokens from 0 to 1,024, alone or as mtp:N, eagle:N or ngram:N";
Words set_spec(Scenario& s, std::string_view text, const Catalog&) {
    const auto v = read_speculation(text);
    if (!v) return not_accepted(text, kSpecAccepts);
    s.spec = *v;
    return std::nullopt;
}
std::string get_spec(const Scenario& s) {
    return speculation_word(s.spec);
}

constexpr std::string_view kSplitAccepts = "none, layer, row or tensor";
Words set_split(Scenario& s, std::string_view text, const Catalog&) {
    const auto v = read_split(text);
    if (!v) return not_accepted(text, kSplitAccepts);
    s.split = *v;
    return std::nullopt;
}
std::string get_split(const Scenario& s) {
    return s.split ? std::string(split_word(*s.split)) : std::string();
}

constexpr std::string_view kCalibrationAccepts =
    "the numbers of a measurement as name:number, parted by commas, such as e_w:0.91,e_kv:0.89; on "
    "the command line the file that measure --save wrote";
Words set_calibration(Scenario& s, std::string_view text, const Catalog&) {
    std::string why;
    auto c = parse_calibration_text(text, why);
    if (!c) return why + "; accepted are " + std::string(kCalibrationAccepts) + ".";
    s.calibration = std::move(c);
    return std::nullopt;
}
std::string get_calibration(const Scenario& s) {
    return s.calibration ? calibration_text(*s.calibration) : std::string();
}

constexpr std::string_view kLengthsAccepts =
    "a table of requests seen: in:out or in:out:count, parted by ~ or one a line, such as "
    "100:10:3~200:30; on the command line also a file or - for standard input";
Words set_lengths(Scenario& s, std::string_view text, const Catalog&) {
    std::string why;
    auto seen = read_lengths(text, s.in, s.out, why);
    if (seen.empty()) return why + " Accepted is " + std::string(kLengthsAccepts) + ".";
    s.mix.seen = std::move(seen);
    return std::nullopt;
}
std::string get_lengths(const Scenario& s) {
    return lengths_text(s.mix.seen);
}

// Choices offered by forms; readers accept more spellings.
constexpr std::array<std::string_view, 8> kEngineChoices{"none",     "vllm", "sglang",   "trtllm",
                                                         "llamacpp", "tgi",  "lmdeploy", "hf"};
constexpr std::array<std::string_view, 17> kWeightChoices{
    "auto", "bf16",  "fp16",  "fp32", "fp8",  "fp8_block", "int8",   "int4",  "awq",
    "gptq", "mxfp4", "nvfp4", "nf4",  "q8_0", "q6_k",      "q5_k_m", "q4_k_m"};
constexpr std::array<std::string_view, 14> kKvChoices{"auto", "bf16", "fp16",  "fp32",  "fp8",
                                                      "int8", "int4", "nvfp4", "q8_0",  "q5_1",
                                                      "q5_0", "q4_1", "q4_0",  "iq4_nl"};
constexpr std::array<std::string_view, 4> kStateChoices{"auto", "bf16", "fp16", "fp32"};
constexpr std::array<std::string_view, 4> kSplitChoices{"none", "layer", "row", "tensor"};

template <std::size_t N>
using Names = std::array<std::string_view, N>;
constexpr Names<2> kModelAliases{"m", "model-id"};
constexpr Names<2> kGpuAliases{"device-name", "gpu-type"};
constexpr Names<2> kTpAliases{"tensor-parallel", "tensor-parallel-size"};
constexpr Names<2> kPpAliases{"pipeline-parallel", "pipeline-parallel-size"};
constexpr Names<2> kDpAliases{"data-parallel", "data-parallel-size"};
constexpr Names<1> kDcpAliases{"decode-context-parallel-size"};
constexpr Names<2> kEpAliases{"enable-expert-parallel", "expert-parallel"};
constexpr Names<2> kWeightAliases{"quantization", "weight-dtype"};
constexpr Names<2> kKvAliases{"kv-cache-dtype", "kv-dtype"};
constexpr Names<2> kCtxAliases{"context", "max-model-len"};
constexpr Names<2> kBatchAliases{"concurrency", "requests"};
constexpr Names<3> kInAliases{"isl", "input-len", "prompt-tokens"};
constexpr Names<3> kOutAliases{"osl", "output-len", "output-tokens"};
constexpr Names<2> kUtilAliases{"gpu-memory-utilization", "mem-fraction-static"};
constexpr Names<1> kBlockAliases{"block-size"};
constexpr Names<1> kBatchedAliases{"max-num-batched-tokens"};
constexpr Names<1> kSeqsAliases{"max-num-seqs"};
constexpr Names<1> kSpecAliases{"num-speculative-tokens"};
constexpr Names<1> kEagerAliases{"enforce-eager"};

// One row. `at` names the Scenario's own member.
#define KVGAUGE_AT(member) [](Scenario& s) -> Slot { return &s.member; }

constexpr double real(std::uint64_t v) {
    return static_cast<double>(v);
}

Field number(std::string_view key, std::span<const std::string_view> aliases, FieldKind kind,
             Group group, std::string_view unit, limits::Range range, std::string_view accepts,
             std::string_view help, Slot (*slot)(Scenario&)) {
    return Field{.key = key,
                 .aliases = aliases,
                 .kind = kind,
                 .group = group,
                 .unit = unit,
                 .accepts = accepts,
                 .help = help,
                 .choices = {},
                 .min = real(range.min),
                 .max = real(range.max),
                 .slot = slot};
}
Field real_number(std::string_view key, std::span<const std::string_view> aliases, FieldKind kind,
                  Group group, std::string_view unit, limits::RealRange range,
                  std::string_view accepts, std::string_view help, Slot (*slot)(Scenario&)) {
    return Field{.key = key,
                 .aliases = aliases,
                 .kind = kind,
                 .group = group,
                 .unit = unit,
                 .accepts = accepts,
                 .help = help,
                 .choices = {},
                 .min = range.min,
                 .max = range.max,
                 .slot = slot};
}
Field toggle(std::string_view key, std::span<const std::string_view> aliases, Group group,
             std::string_view help, Slot (*slot)(Scenario&)) {
    return Field{.key = key,
                 .aliases = aliases,
                 .kind = FieldKind::toggle,
                 .group = group,
                 .unit = "",
                 .accepts = "on or off",
                 .help = help,
                 .choices = {},
                 .slot = slot};
}
Field word(std::string_view key, std::span<const std::string_view> aliases, Group group,
           std::string_view accepts, std::string_view help,
           std::span<const std::string_view> choices,
           Words (*set)(Scenario&, std::string_view, const Catalog&),
           std::string (*get)(const Scenario&)) {
    return Field{.key = key,
                 .aliases = aliases,
                 .kind = choices.empty() ? FieldKind::text : FieldKind::choice,
                 .group = group,
                 .unit = "",
                 .accepts = accepts,
                 .help = help,
                 .choices = choices,
                 .set_text = set,
                 .get_text = get};
}

constexpr std::string_view kCtxAccepts = "whole tokens from 1 to 1,073,741,824, such as 8192 or 8k";
constexpr std::string_view kTokensOrNone =
    "whole tokens from 0 to 1,073,741,824, such as 1024 or 1k";
constexpr std::string_view kHeadsAccepts = "a whole number from 1 to 65,536";
constexpr std::string_view kWidthAccepts = "a whole number from 1 to 16,777,216";
constexpr std::string_view kParallelAccepts = "a whole number from 1 to 1,024";
constexpr std::string_view kBytesAccepts =
    "bytes from 1 to 1 EiB (1,152,921,504,606,846,976), such as 80GiB or 80GB";
constexpr std::string_view kBytesOrNone =
    "bytes from 0 to 1 EiB (1,152,921,504,606,846,976), such as 2.3GiB";
constexpr std::string_view kRateAccepts = "a rate from 1 to 1e21, such as 3.35TB/s or 989e12";
constexpr std::string_view kFractionAccepts = "a share from 0.01 to 1, such as 0.9 or 90%";
constexpr std::string_view kMixAccepts = "tokens from 1 to 1,073,741,824, such as 900, 300.5 or 4k";
constexpr std::string_view kTargetAccepts = "milliseconds from 0.001 to 100,000,000, such as 30";

std::vector<Field> make_fields() {
    using K = FieldKind;
    using G = Group;
    namespace l = limits;
    return {
        word("model", kModelAliases, G::model, "a model of the catalog or custom",
             "Model: catalog id, full name or Hugging Face id; custom for a model typed in", {},
             set_model, get_model),
        number("kv-heads", {}, K::count, G::model, "heads", l::heads, kHeadsAccepts,
               "KV heads: what-if for a catalog model, the number itself for a custom one",
               KVGAUGE_AT(kv_heads)),
        number("layers", {}, K::count, G::model, "layers", l::layers,
               "a whole number from 1 to 4,096", "Custom model: decoder layers",
               KVGAUGE_AT(custom.layers)),
        number("q-heads", {}, K::count, G::model, "heads", l::heads, kHeadsAccepts,
               "Custom model: query heads", KVGAUGE_AT(custom.q_heads)),
        number("head-dim", {}, K::count, G::model, "elements", l::head_dim, kHeadsAccepts,
               "Custom model: head dimension", KVGAUGE_AT(custom.head_dim)),
        number("hidden", {}, K::count, G::model, "elements", l::width, kWidthAccepts,
               "Custom model: hidden size", KVGAUGE_AT(custom.hidden)),
        number("inter", {}, K::count, G::model, "elements", l::width, kWidthAccepts,
               "Custom model: width of the feed-forward layer (of one expert, if there are any)",
               KVGAUGE_AT(custom.inter)),
        number("vocab", {}, K::count, G::model, "entries", l::width, kWidthAccepts,
               "Custom model: vocabulary size", KVGAUGE_AT(custom.vocab)),
        number("params", {}, K::count, G::model, "parameters", l::params,
               "a whole number from 1 to 1,000,000,000,000,000",
               "Custom model: parameters, used for the weights", KVGAUGE_AT(custom.params)),
        number("experts", {}, K::count, G::model, "experts", l::experts, kHeadsAccepts,
               "Custom model: routed experts of a layer", KVGAUGE_AT(custom.experts)),
        number("experts-active", {}, K::count, G::model, "experts", l::experts, kHeadsAccepts,
               "Custom model: experts used for one token", KVGAUGE_AT(custom.experts_active)),
        number("window", {}, K::tokens, G::model, "tokens", l::tokens, kCtxAccepts,
               "Custom model: sliding window", KVGAUGE_AT(custom.window)),
        number("window-layers", {}, K::count, G::model, "layers", l::Range{0, l::layers.max},
               "a whole number from 0 to 4,096",
               "Custom model: layers that have the window (all, if not given)",
               KVGAUGE_AT(custom.window_layers)),
        number("mla-rank", {}, K::count, G::model, "elements", l::head_dim, kHeadsAccepts,
               "Custom model: rank of the MLA latent", KVGAUGE_AT(custom.mla_rank)),
        number("mla-rope", {}, K::count, G::model, "elements", l::Range{0, l::head_dim.max},
               "a whole number from 0 to 65,536", "Custom model: rotary part of the MLA latent",
               KVGAUGE_AT(custom.mla_rope)),

        word("gpu", kGpuAliases, G::hardware, "a GPU of the catalog or custom",
             "GPU: catalog id or name; custom for one typed in", {}, set_gpu, get_gpu),
        number("gpus", {}, K::count, G::hardware, "GPUs", l::gpus,
               "a whole number from 1 to 1,048,576", "GPUs there are (default: tp x pp x dp)",
               KVGAUGE_AT(gpus)),
        number("gpu-mem", {}, K::bytes, G::hardware, "bytes", l::bytes, kBytesAccepts,
               "Own GPU: memory a process sees", KVGAUGE_AT(gpu_own.memory)),
        real_number("gpu-bw", {}, K::rate, G::hardware, "bytes/s", l::rate, kRateAccepts,
                    "Own GPU: memory bandwidth", KVGAUGE_AT(gpu_own.bandwidth)),
        real_number("gpu-flops", {}, K::rate, G::hardware, "FLOP/s", l::rate, kRateAccepts,
                    "Own GPU: dense 16-bit rate", KVGAUGE_AT(gpu_own.flops16)),
        real_number("gpu-flops8", {}, K::rate, G::hardware, "FLOP/s", l::rate, kRateAccepts,
                    "Own GPU: dense 8-bit rate", KVGAUGE_AT(gpu_own.flops8)),
        real_number("gpu-flops4", {}, K::rate, G::hardware, "FLOP/s", l::rate, kRateAccepts,
                    "Own GPU: dense 4-bit rate", KVGAUGE_AT(gpu_own.flops4)),
        real_number("gpu-link", {}, K::rate, G::hardware, "bytes/s", l::rate, kRateAccepts,
                    "Own GPU: GPU-to-GPU link, per direction", KVGAUGE_AT(gpu_own.link)),
        word("calibration", {}, G::hardware, kCalibrationAccepts,
             "Measured numbers in place of the speed model's own", {}, set_calibration,
             get_calibration),

        word("engine", {}, G::engine, kEngineAccepts,
             "Serving engine, with a version if wanted (vllm@0.20); none: plain arithmetic",
             kEngineChoices, set_engine, get_engine),
        number("tp", kTpAliases, K::count, G::engine, "GPUs", l::tp, kParallelAccepts,
               "Tensor-parallel size", KVGAUGE_AT(tp)),
        number("pp", kPpAliases, K::count, G::engine, "stages", l::parallel, kParallelAccepts,
               "Pipeline-parallel size", KVGAUGE_AT(pp)),
        number("dp", kDpAliases, K::count, G::engine, "replicas", l::parallel, kParallelAccepts,
               "Data-parallel size", KVGAUGE_AT(dp)),
        number("dcp", kDcpAliases, K::count, G::engine, "GPUs", l::parallel, kParallelAccepts,
               "Decode context parallel size", KVGAUGE_AT(dcp)),
        toggle("ep", kEpAliases, G::engine, "Expert parallelism", KVGAUGE_AT(ep)),
        word("weights", kWeightAliases, G::engine, kWeightsAccepts,
             "Weight format, when it is not the checkpoint's own", kWeightChoices, set_weights,
             get_weights),
        word("kv", kKvAliases, G::engine, kKvAccepts, "KV cache dtype", kKvChoices, set_kv, get_kv),
        word("kv-k", {}, G::engine, kKvAccepts, "llama.cpp: dtype of K", kKvChoices,
             set_part<&Scenario::kv_k>, get_part<&Scenario::kv_k>),
        word("kv-v", {}, G::engine, kKvAccepts, "llama.cpp: dtype of V", kKvChoices,
             set_part<&Scenario::kv_v>, get_part<&Scenario::kv_v>),
        word("state-dtype", {}, G::engine, kStateAccepts, "Dtype of SSM and linear-attention state",
             kStateChoices, set_state, get_state),

        number("ctx", kCtxAliases, K::tokens, G::workload, "tokens", l::tokens, kCtxAccepts,
               "Maximum sequence length (max_model_len, n_ctx)", KVGAUGE_AT(ctx)),
        number("batch", kBatchAliases, K::count, G::workload, "sequences", l::batch,
               "a whole number from 1 to 1,000,000", "Concurrent sequences to price",
               KVGAUGE_AT(batch)),
        number("in", kInAliases, K::tokens, G::workload, "tokens", l::tokens, kCtxAccepts,
               "Prompt tokens", KVGAUGE_AT(in)),
        number("out", kOutAliases, K::tokens, G::workload, "tokens", l::tokens, kCtxAccepts,
               "Output tokens", KVGAUGE_AT(out)),

        real_number("util", kUtilAliases, K::fraction, G::engine, "1", l::fraction,
                    kFractionAccepts,
                    "Memory fraction, the engine's own meaning (gpu_memory_utilization, "
                    "mem_fraction_static, free fraction)",
                    KVGAUGE_AT(util)),
        number("overhead", {}, K::bytes, G::engine, "bytes", l::bytes_or_none, kBytesOrNone,
               "Bytes per GPU that are neither KV nor weights, when known", KVGAUGE_AT(overhead)),
        number("kv-budget", {}, K::bytes, G::engine, "bytes", l::bytes_or_none, kBytesOrNone,
               "KV bytes per GPU, when known (a log's available KV cache memory)",
               KVGAUGE_AT(kv_budget)),
        number("block", kBlockAliases, K::tokens, G::engine, "tokens", l::block,
               "whole tokens from 1 to 1,048,576", "Tokens of one KV block or page",
               KVGAUGE_AT(block)),
        number("max-batched", kBatchedAliases, K::tokens, G::engine, "tokens", l::tokens,
               kCtxAccepts, "Most tokens of one step (max_num_batched_tokens)",
               KVGAUGE_AT(max_batched)),
        number("max-seqs", kSeqsAliases, K::count, G::engine, "sequences", l::batch,
               "a whole number from 1 to 1,000,000", "Most sequences at once (max_num_seqs)",
               KVGAUGE_AT(max_seqs)),
        word("spec", kSpecAliases, G::engine, kSpecAccepts,
             "Speculated tokens: N, mtp:N, eagle:N or ngram:N", {}, set_spec, get_spec),
        toggle("prefix-caching", {}, G::engine, "Prefix caching", KVGAUGE_AT(prefix_caching)),
        toggle("hybrid", {}, G::engine, "Hybrid KV cache manager", KVGAUGE_AT(hybrid)),
        toggle("eager", kEagerAliases, G::engine, "No CUDA graphs", KVGAUGE_AT(eager)),
        number("slots", {}, K::count, G::engine, "sequences", l::slots,
               "a whole number from 1 to 65,536", "llama.cpp: parallel slots", KVGAUGE_AT(slots)),
        number("ubatch", {}, K::tokens, G::engine, "tokens", l::tokens, kCtxAccepts,
               "llama.cpp: physical batch", KVGAUGE_AT(ubatch)),
        toggle("unified", {}, G::engine, "llama.cpp: one KV buffer for all slots",
               KVGAUGE_AT(unified)),
        toggle("swa-full", {}, G::engine, "llama.cpp: window layers keep the whole context",
               KVGAUGE_AT(swa_full)),
        word("split", {}, G::engine, kSplitAccepts, "llama.cpp: how layers are split over GPUs",
             kSplitChoices, set_split, get_split),
        number("ngl", {}, K::count, G::engine, "layers", l::Range{0, 65536},
               "a whole number from 0 to 65,536", "llama.cpp: layers on the GPU", KVGAUGE_AT(ngl)),
        toggle("dp-attention", {}, G::engine, "Attention data parallelism",
               KVGAUGE_AT(dp_attention)),
        number("cross-tokens", {}, K::tokens, G::workload, "tokens", l::tokens_or_none,
               kTokensOrNone, "Encoder or image tokens of cross-attention models",
               KVGAUGE_AT(cross_tokens)),
        real_number("tpot-max", {}, K::milliseconds, G::workload, "ms", l::target_s, kTargetAccepts,
                    "Longest time per output token accepted", KVGAUGE_AT(tpot_max)),
        real_number("ttft-max", {}, K::milliseconds, G::workload, "ms", l::target_s, kTargetAccepts,
                    "Longest time to the first token accepted", KVGAUGE_AT(ttft_max)),
        real_number("in-mean", {}, K::tokens, G::workload, "tokens", l::length, kMixAccepts,
                    "Prompt tokens when they differ: the mean", KVGAUGE_AT(mix.in.mean)),
        real_number("in-p50", {}, K::tokens, G::workload, "tokens", l::length, kMixAccepts,
                    "Prompt tokens when they differ: the median", KVGAUGE_AT(mix.in.p50)),
        real_number("in-p95", {}, K::tokens, G::workload, "tokens", l::length, kMixAccepts,
                    "Prompt tokens when they differ: the 95th percentile", KVGAUGE_AT(mix.in.p95)),
        real_number("out-mean", {}, K::tokens, G::workload, "tokens", l::length, kMixAccepts,
                    "Output tokens when they differ: the mean", KVGAUGE_AT(mix.out.mean)),
        real_number("out-p50", {}, K::tokens, G::workload, "tokens", l::length, kMixAccepts,
                    "Output tokens when they differ: the median", KVGAUGE_AT(mix.out.p50)),
        real_number("out-p95", {}, K::tokens, G::workload, "tokens", l::length, kMixAccepts,
                    "Output tokens when they differ: the 95th percentile", KVGAUGE_AT(mix.out.p95)),
        word("lengths", {}, G::workload, kLengthsAccepts,
             "Lengths of requests seen, in place of a distribution", {}, set_lengths, get_lengths),
        number("seed", {}, K::count, G::workload, "1", l::seed,
               "a whole number from 0 to 1,000,000,000",
               "Of the simulation of requests whose lengths differ", KVGAUGE_AT(mix.seed)),
    };
}

}  // namespace

std::span<const Field> fields() {
    static const std::vector<Field> kFields = make_fields();
    return kFields;
}

}  // namespace kvgauge
