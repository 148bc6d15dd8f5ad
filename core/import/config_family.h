// SPDX-License-Identifier: MIT
// Owns: what is known of each family of models beyond its config.json: the rule of its windows, and
// which norms and biases its layers have. A family that differs from another only in names or in
// these facts is a row, not code. Source of the facts: modeling_*.py and configuration_*.py of
// transformers 4.57 / 5.x and of the models' own repositories.
#pragma once
#include <cstdint>
#include <string_view>

namespace kvgauge {

struct Draft;

// Which layers slide when the file lists no layer_types.
enum class Layout : std::uint8_t {
    full,      // none
    sliding,   // all, when sliding_window is set
    switched,  // with use_sliding_window: those from max_window_layers on
    interval,  // all but every n-th
    unknown,   // not known: a window is refused
};

enum class Norm : std::uint8_t { none, weight, weight_bias };

// Query and key norms: weights per layer.
enum class QkNorm : std::uint8_t {
    none,
    per_head,       // one vector of head_dim each
    full,           // over all heads: q_heads * head_dim and kv_heads * head_dim
    flagged,        // per_head where use_qk_norm or qk_layernorm says so
    flagged_heads,  // a vector for every head where the flag says so (Cohere)
};

// A bias: there or not by default, and the field that decides when it is in the file.
struct Bias {
    bool fallback = false;
    std::string_view key = {};
};

enum class Router : std::uint8_t {
    plain,      // hidden x experts
    corrected,  // and one correction bias per expert
    by_method,  // corrected where topk_method is noaux_tc
    biased,     // a bias per expert as of a linear (gpt-oss)
};

struct Family {
    std::string_view name;
    Layout layout = Layout::full;
    std::uint8_t interval = 0;  // Layout::interval: n, where sliding_window_pattern is absent
    std::uint32_t window = 0;   // the class's window where the file has none
    std::uint8_t norms = 2;     // norms of `hidden` per layer
    Norm norm = Norm::weight;
    QkNorm qk_norm = QkNorm::none;
    Bias qkv = {};
    Bias o = {};
    Bias mlp = {};
    bool gated = true;  // gate, up and down
    bool tied = false;  // tie_word_embeddings where absent
    bool final_norm = true;
    bool head_bias = false;
    std::int8_t positions = -1;  // learned position rows beyond the context; -1 none
    std::uint8_t head_dim_default =
        0;  // head_dim of the class where the file has none, in units of 8
    Router router = Router::plain;
    bool shared_gate = false;  // a gate of `hidden` for the shared expert
    bool output_gate = false;  // attention output gate: queries twice as wide
    bool gate_always = false;
    void (*attention)(Draft&) = nullptr;  // in place of the common step
    void (*ffn)(Draft&) = nullptr;        // after the common feed-forward step
    void (*finish)(Draft&) = nullptr;     // after all steps
    bool plain = true;                    // attention is what a plain decoder has
    bool heads = true;                    // the common step reads heads and head dimensions
};

// A row of the table; nullptr: no such row.
const Family* family_named(std::string_view name);
// By the language model's model_type or an architecture name; nullptr: not known.
const Family* find_family(std::string_view model_type);
const Family* find_family_of_architecture(std::string_view architecture);
// The facts taken for a model of no known family.
const Family& unknown_family();

// Sizes that a nested text_config may leave out, because transformers writes only what differs from
// its configuration class.
struct ClassDefaults {
    std::string_view model_type;
    std::uint32_t layers, hidden, q_heads, kv_heads, head_dim, inter, vocab;  // 0 = no default
};
const ClassDefaults* class_defaults(std::string_view model_type);

// Tables are searched by bisection: every name in order, every family there.
bool family_names_sorted();

}  // namespace kvgauge
