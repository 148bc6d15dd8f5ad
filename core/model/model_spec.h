// SPDX-License-Identifier: MIT
// Owns: what a model is, as a program of layers: for each layer what it caches per token, what
// constant state it keeps and which matrices it holds. Counts are heads, elements and tokens.
// A ModelSpec is filled by an importer or the catalog and never changed afterwards.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/dtype.h"
#include "model/units.h"
#include "model/weight_format.h"

namespace kvgauge {

// What an attention layer keeps.
enum class AttnKind : std::uint8_t {
    none,        // no attention in this layer
    full,        // every token
    sliding,     // the last `window` tokens
    chunked,     // the tokens of the current chunk of `window` tokens (Llama 4 local layers)
    mla,         // one latent vector of mla_rank + mla_rope per token, shared by all heads
    compressed,  // DeepSeek-V4: a window, and one latent entry per `compress_ratio` tokens
    cross,       // keys and values of the encoder or of image tokens, fixed per request
};

struct AttentionSpec {
    AttnKind kind = AttnKind::none;
    std::uint32_t q_heads = 0;
    std::uint32_t kv_heads = 0;  // of the cache as trained; MLA caches one latent whatever it says
    std::uint32_t k_dim = 0;     // head dimension of K
    std::uint32_t v_dim = 0;     // head dimension of V
    std::uint64_t window = 0;    // tokens; sliding, chunked and compressed
    bool owns_cache = true;      // false: reads the cache of an earlier layer (shared KV)
    // MLA and compressed: one entry of mla_rank + mla_rope elements.
    std::uint32_t mla_rank = 0;
    std::uint32_t mla_rope = 0;
    std::uint32_t q_rank = 0;          // low-rank query projection, 0 = none
    std::uint32_t compress_ratio = 0;  // tokens per compressed entry, 0 = window only
    std::uint64_t compress_state_bytes = 0;  // fp32 compressor state per sequence
    // Sparse-attention index kept beside the cache: bytes per token (DSA: 128 fp8 + 4 scale = 132),
    // per `compress_ratio` tokens in a compressed layer.
    std::uint32_t index_bytes = 0;
    std::uint32_t index_heads = 0;
    std::uint32_t index_dim = 0;
    // Parameters beside the projections.
    bool qkv_bias = false;
    bool o_bias = false;
    bool output_gate = false;  // the query projection is twice as wide (Qwen3-Next)
    bool k_proj = true;        // false: no matrix of its own (shared KV layers of Gemma 4)
    bool v_proj = true;        // false: V is made of K's projection, yet cached apart
    std::uint64_t norm_params = 0;  // q/k norms, sinks and other small vectors: replicated
    bool operator==(const AttentionSpec&) const = default;
};

// Constant state of a linear-attention, SSM or convolution layer, per sequence.
enum class StateKind : std::uint8_t { none, mamba1, mamba2, gdn, kda, lightning, short_conv, rwkv, rg_lru };

struct StateSpec {
    StateKind kind = StateKind::none;
    std::uint64_t ssm_elements = 0;   // recurrent matrix state
    std::uint64_t conv_elements = 0;  // convolution history
    bool ssm_fp32 = false;            // the model asks for fp32 recurrent state
    // Shape, for engines that shard or pad it.
    std::uint32_t k_heads = 0;   // GDN/KDA key heads
    std::uint32_t v_heads = 0;   // GDN/KDA value heads; Mamba 2, lightning: heads
    std::uint32_t k_dim = 0;     // GDN/KDA key dim; Mamba: d_state
    std::uint32_t v_dim = 0;     // GDN/KDA value dim; Mamba: head dim
    std::uint32_t groups = 0;    // Mamba 2 B/C groups
    std::uint32_t conv = 0;      // convolution width
    std::uint64_t params = 0;         // all parameters of the mixer
    std::uint64_t sharded_params = 0; // of these, divided by TP (the rest is replicated)
    bool operator==(const StateSpec&) const = default;
};

struct FfnSpec {
    std::uint32_t inter = 0;      // dense width, 0 = no dense FFN
    bool gated = true;            // gate, up and down; else up and down
    bool bias = false;
    // Mixture of experts, in place of the dense FFN or beside it.
    std::uint32_t experts = 0;
    std::uint32_t experts_active = 0;
    std::uint32_t expert_inter = 0;
    std::uint32_t expert_hidden = 0;    // width the routed experts work in, 0 = hidden
    std::uint32_t shared_inter = 0;     // summed width of the shared experts
    std::uint64_t router_params = 0;    // router and shared-expert gate: replicated
    std::uint64_t bias_params = 0;      // expert biases, sharded with the experts
    bool operator==(const FfnSpec&) const = default;
};

struct LayerSpec {
    AttentionSpec attn;
    StateSpec state;
    FfnSpec ffn;
    std::uint64_t norm_params = 0;   // layer norms: replicated
    std::uint64_t other_params = 0;  // anything else, replicated
    bool operator==(const LayerSpec&) const = default;
};

// `count` equal layers in a row.
struct LayerRun {
    std::uint32_t count = 0;
    LayerSpec layer;
    bool operator==(const LayerRun&) const = default;
};

// What a GGUF file says beside the shapes: llama.cpp's placement and cache depend on it.
struct GgufFacts {
    bool present = false;
    bool latent_expanded = false;  // written without MLA keys: llama.cpp caches K and V of every head
    bool counts_mtp = false;       // the MTP layers are blocks of the file and count in its KV bytes
    std::uint64_t embedding_bytes = 0;  // token embedding, kept in host memory; 0 = not known
    std::uint64_t head_bytes = 0;       // output matrix; 0 = tied (a second copy of the embedding)
    std::uint64_t mtp_bytes = 0;        // MTP blocks, not in weight_bytes
    bool operator==(const GgufFacts&) const = default;
};

struct ModelSpec {
    std::string id;           // catalog id, or a name given by the importer
    std::string name;         // "Llama 3 8B"
    std::string model_type;   // as config.json says; engines key exceptions by it
    std::string architecture; // "LlamaForCausalLM"; GGUF: general.architecture
    std::uint64_t hidden = 0;
    std::uint64_t vocab = 0;
    bool tied_embeddings = false;
    bool head_bias = false;
    std::uint64_t position_params = 0;  // learned positions (GPT-2, OPT)
    std::uint64_t final_norm_params = 0;
    std::uint64_t max_ctx = 0;          // the model's own maximum, 0 = not stated
    std::vector<LayerRun> layers;       // decoder layers in order
    std::vector<LayerRun> mtp;          // multi-token-prediction layers, used only when asked
    std::uint64_t encoder_params = 0;   // encoder of an encoder-decoder, no KV of its own
    std::uint64_t vision_params = 0;    // vision and audio towers where the config allows
    std::uint32_t vision_heads = 0;     // attention heads of the vision tower, 0 = none
    std::uint64_t cross_tokens = 0;     // default encoder/image tokens of cross layers
    bool params_known = true;           // false: a size is missing, parameters are a lower bound
    bool params_assumed = false;        // counted by rules not checked for this architecture
    std::uint64_t stated_params = 0;    // `params` typed in or published by the file; 0 = none
    WeightFormat weights;               // what the checkpoint stores
    std::uint64_t weight_bytes = 0;     // exact bytes from a header or index, 0 = by formula
    GgufFacts gguf;
    DType kv = DType::bf16;             // the checkpoint's own KV dtype (`kv=auto`)
    std::vector<std::string> assumed;   // sentences: what the importer had to assume
    bool operator==(const ModelSpec&) const = default;
};

// Layers in total, MTP layers not counted.
std::uint32_t layer_count(const ModelSpec&);
// The first layer with attention, or nullptr: heads of a plain decoder.
const AttentionSpec* first_attention(const ModelSpec&);
// The same model with `kv_heads` KV heads in every full, sliding and chunked layer (a what-if).
ModelSpec with_kv_heads(ModelSpec, std::uint32_t kv_heads);

using ModelRef = std::shared_ptr<const ModelSpec>;

}  // namespace kvgauge
