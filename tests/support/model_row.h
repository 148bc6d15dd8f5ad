// SPDX-License-Identifier: MIT
// Owns: a ModelSpec -> the columns of models.tsv that it decides, in the notation described there.
// The inverse of generate.py and catalog_decode.cc; with it a row can be made from a config.json.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "model/model_spec.h"
#include "model/weight_format.h"

namespace kvgauge::testing {

inline void word(std::string& to, std::string_view w) {
    if (!to.empty() && to.back() != '[') to += ' ';
    to += w;
}
inline void word(std::string& to, std::string_view w, std::uint64_t n) {
    word(to, std::string(w) + ":" + std::to_string(n));
}

inline std::string_view attn_word(AttnKind k) {
    constexpr std::string_view names[] = {
        "none",
#define KVG_ATTN(word) #word,
#include "data/model_words.def"
    };
    return names[static_cast<std::size_t>(k)];
}
inline std::string_view state_word(StateKind k) {
    constexpr std::string_view names[] = {
        "none",
#define KVG_STATE(word) #word,
#include "data/model_words.def"
    };
    return names[static_cast<std::size_t>(k)];
}

inline std::string layer_words(const LayerSpec& l) {
    const LayerSpec none;
    std::string s = "[";
    if (l.attn.kind != AttnKind::none) word(s, attn_word(l.attn.kind));
    if (l.state.kind != StateKind::none) word(s, state_word(l.state.kind));
    // One head size for K and V is the rule.
    const bool same = l.attn.k_dim == l.attn.v_dim && l.attn.k_dim != 0;
    const auto number = [&](std::string_view w, std::uint64_t v, std::uint64_t fallback) {
        if (v == fallback || (same && w == "v")) return;
        word(s, same && w == "k" ? "d" : w, v);
    };
#define KVG_LAYER_NUMBER(w, member) number(#w, l.member, none.member);
#define KVG_LAYER_FLAG(w, member, set) \
    if (l.member != none.member) word(s, #w);
#include "data/model_words.def"
    return s + "]";
}

inline std::string model_words(const ModelSpec& m) {
    const ModelSpec none;
    std::string s;
#define KVG_MODEL_NUMBER(w, member) \
    if (m.member != none.member) word(s, #w, m.member);
#define KVG_MODEL_FLAG(w, member, set) \
    if (m.member != none.member) word(s, #w);
#include "data/model_words.def"
    return s;
}

inline std::string weight_words(const WeightFormat& f) {
    const WeightFormat none;
    std::string s(name(f.kind));
#define KVG_WEIGHT_NUMBER(w, member) \
    if (f.member != none.member) word(s, #w, f.member);
#include "data/model_words.def"
    constexpr std::string_view classes[] = {
#define KVG_CLASS(word) #word,
#include "data/model_words.def"
    };
    for (std::size_t i = 0; i < kMatrixClasses; ++i) {
        if (f.of[i] == WeightKind::automatic) continue;
        word(s, std::string(classes[i]) + ":" + std::string(name(f.of[i])));
    }
    return s;
}

// Writes runs of layers with names for the kinds, repeated groups in parentheses.
class ProgramWriter {
  public:
    // `names` are those given so far in the same row.
    std::string write(const std::vector<LayerRun>& runs) {
        std::vector<Item> items;
        std::vector<std::string> kinds;
        for (const LayerRun& r : runs) {
            const std::string text = layer_words(r.layer);
            auto at = std::find(kinds.begin(), kinds.end(), text);
            if (at == kinds.end()) at = kinds.insert(kinds.end(), text);
            items.push_back({r.count, static_cast<std::size_t>(at - kinds.begin())});
        }
        std::string out;
        if (kinds.size() == 1 && items.size() == 1) return times(items[0].count) + kinds[0];
        for (std::size_t i = 0; i < kinds.size(); ++i) word(out, letter(i) + "=" + kinds[i]);
        group(out, items, 0, items.size());
        return out;
    }

  private:
    struct Item {
        std::uint32_t count;
        std::size_t kind;
        bool operator==(const Item&) const = default;
    };
    static std::string letter(std::size_t i) {
        return i < 26 ? std::string(1, static_cast<char>('A' + i)) : "L" + std::to_string(i);
    }
    static std::string times(std::uint32_t n) {
        return n == 1 ? std::string() : std::to_string(n) + "x";
    }
    // At each place the group that covers most items by repetition.
    static void group(std::string& out, const std::vector<Item>& items, std::size_t from,
                      std::size_t end) {
        while (from < end) {
            std::size_t best = 1, repeats = 1;
            for (std::size_t p = 2; p <= (end - from) / 2; ++p) {
                std::size_t n = 1;
                while (from + (n + 1) * p <= end &&
                       std::equal(items.begin() + static_cast<std::ptrdiff_t>(from),
                                  items.begin() + static_cast<std::ptrdiff_t>(from + p),
                                  items.begin() + static_cast<std::ptrdiff_t>(from + n * p))) {
                    ++n;
                }
                if (n > 1 && n * p > best * repeats) {
                    best = p;
                    repeats = n;
                }
            }
            if (repeats == 1) {
                word(out, times(items[from].count) + letter(items[from].kind));
                ++from;
                continue;
            }
            std::string inner;
            for (std::size_t i = from; i < from + best; ++i) {
                word(inner, times(items[i].count) + letter(items[i].kind));
            }
            word(out, std::to_string(repeats) + "x(" + inner + ")");
            from += best * repeats;
        }
    }
};

struct ModelRow {
    std::string model, layers, mtp, weights, kv;
    bool operator==(const ModelRow&) const = default;
};

inline ModelRow model_row(const ModelSpec& m) {
    ModelRow r;
    r.model = model_words(m);
    r.layers = ProgramWriter().write(m.layers);
    if (!m.mtp.empty()) r.mtp = ProgramWriter().write(m.mtp);
    r.weights = weight_words(m.weights);
    r.kv = name(m.kv);
    return r;
}

}  // namespace kvgauge::testing
