// SPDX-License-Identifier: MIT
// Which layers keep every token and which a window.
#include <string>

#include "import/config_draft.h"

namespace kvgauge {
namespace {

enum class Word : std::uint8_t { full, sliding, chunked, other };

Word classify(std::string_view w) {
    if (w == "full_attention" || w == "attention" || w == "global_attention" || w == "global" ||
        w == "full") {
        return Word::full;
    }
    if (w == "sliding_attention" || w == "sliding_window" || w == "local_attention" ||
        w == "sliding_window_attention" || w == "local" || w == "swa") {
        return Word::sliding;
    }
    if (w == "chunked_attention") return Word::chunked;
    return Word::other;
}

// "LLLG": one letter a layer, repeated. Empty: not such a pattern.
std::string_view letter_pattern(const Draft& d) {
    const std::string_view p = d.f.word({"sliding_window_pattern"});
    return p.find_first_not_of("LG") == std::string_view::npos ? p : std::string_view();
}

void by_words(Draft& d, const std::vector<std::string_view>& words) {
    std::uint64_t window = 0;
    for (std::size_t i = 0; i < d.layers.size(); ++i) {
        AttentionSpec a = plain_attention(d);
        const Word w = classify(words[i]);
        if (w == Word::other) {
            d.fail("layer_types", "layer_types has \"" + std::string(words[i].substr(0, 40)) +
                                      "\"; accepted for this model are full_attention, " +
                                      "sliding_attention and chunked_attention");
            return;
        }
        if (w != Word::full) {
            if (window == 0) window = read_window(d, true);
            if (d.failed) return;
            set_window(a, w == Word::sliding ? AttnKind::sliding : AttnKind::chunked, window);
        }
        d.layers[i].attn = a;
    }
}

// Fields that speak of windows, on a model whose rule for them is not known.
void refuse_unknown_window(Draft& d) {
    for (const std::string_view name :
         {"sliding_window", "sliding_window_size", "attention_window_size",
          "sliding_window_pattern", "attention_chunk_size"}) {
        const JsonValue v = d.f.find({name});
        if (v.is_null()) continue;
        if (const auto w = v.whole(); w && d.m.max_ctx != 0 && *w >= d.m.max_ctx) continue;
        if (const auto n = v.number(); n && *n <= 0) continue;
        if (const auto b = v.boolean(); b && !*b) continue;
        if (!d.f.flag({"use_sliding_window"}, true)) continue;
        d.fail(name, std::string(name) + " is " + v.text() +
                         ", and for this architecture it is not known which layers it concerns; "
                         "accepted is a layer_types list");
        return;
    }
}

}  // namespace

AttentionSpec plain_attention(const Draft& d) {
    AttentionSpec a;
    a.kind = AttnKind::full;
    a.q_heads = d.q_heads;
    a.kv_heads = d.kv_heads;
    a.k_dim = d.k_dim;
    a.v_dim = d.v_dim;
    a.output_gate =
        d.family.output_gate && (d.family.gate_always || d.f.flag({"attn_output_gate"}, true));
    return a;
}

void set_window(AttentionSpec& a, AttnKind kind, std::uint64_t window) {
    a.kind = kind;
    a.window = window;
}

std::uint64_t read_window(Draft& d, bool needed) {
    const Names names = {"sliding_window", "sliding_window_size", "attention_window_size",
                         "window_size", "attention_chunk_size"};
    if (const auto w = d.f.count_or_none(names, kMaxTokens)) return *w;
    // The key is there but null or 0: no window. Not there at all: the class's own.
    if (!d.f.written("sliding_window") && d.family.window != 0) {
        d.f.note("sliding_window",
                 "sliding_window is absent; " + std::to_string(d.family.window) +
                     " is the default of this configuration class in transformers");
        return d.family.window;
    }
    if (needed) {
        d.fail("sliding_window",
               "sliding_window is missing, and some layers keep a window; accepted are whole "
               "numbers from 1 to " +
                   std::to_string(kMaxTokens));
    }
    return 0;
}

std::vector<std::string_view> layer_words(Draft& d) {
    auto words = d.f.words({"layer_types", "layers_block_type", "block_types"});
    if (!words) return {};
    if (words->size() < d.layers.size()) {
        d.fail("layer_types", "layer_types has " + std::to_string(words->size()) + " entries for " +
                                  std::to_string(d.layers.size()) + " layers");
        return {};
    }
    return *words;
}

void read_attention(Draft& d) {
    const auto words = layer_words(d);
    if (d.failed) return;
    if (!words.empty()) return by_words(d, words);
    for (LayerSpec& l : d.layers) l.attn = plain_attention(d);

    const std::size_t n = d.layers.size();
    switch (d.family.layout) {
        case Layout::full:
            return;
        case Layout::unknown:
            return refuse_unknown_window(d);
        case Layout::sliding:
            if (const std::uint64_t w = read_window(d, false); w != 0) {
                for (LayerSpec& l : d.layers) set_window(l.attn, AttnKind::sliding, w);
            }
            return;
        case Layout::switched: {
            if (!d.f.flag({"use_sliding_window"}, false)) return;
            const std::uint64_t w = read_window(d, false);
            if (w == 0) return;
            // transformers: layers below max_window_layers keep every token.
            const std::uint64_t from = d.f.find({"max_window_layers"}).whole().value_or(0);
            for (std::size_t i = 0; i < n; ++i) {
                if (i >= from) set_window(d.layers[i].attn, AttnKind::sliding, w);
            }
            return;
        }
        case Layout::interval: {
            const std::uint64_t w = read_window(d, false);
            if (w == 0) return;
            const std::string_view letters = letter_pattern(d);
            std::uint64_t every = d.family.interval;
            if (letters.empty()) {
                if (const auto p = d.f.count({"sliding_window_pattern", "_sliding_window_pattern",
                                              "global_attn_every_n_layers"},
                                             kMaxLayers)) {
                    every = *p;
                }
            }
            for (std::size_t i = 0; i < n; ++i) {
                const bool full =
                    letters.empty() ? (i + 1) % every == 0 : letters[i % letters.size()] == 'G';
                if (!full) set_window(d.layers[i].attn, AttnKind::sliding, w);
            }
            return;
        }
    }
}

}  // namespace kvgauge
