// SPDX-License-Identifier: MIT
#include "import/gguf_tensors.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "model/weights.h"

namespace kvgauge {
namespace {

std::uint32_t narrow(std::uint64_t v) {
    return static_cast<std::uint32_t>(v);
}

// The tensors of one block, by the part of their name after "blk.N.".
struct Block {
    std::vector<std::pair<std::string_view, const GgufTensor*>> tensors;

    const GgufTensor* find(std::string_view suffix) const {
        for (const auto& [name, t] : tensors) {
            if (name == suffix) return t;
        }
        return nullptr;
    }
    bool has(std::string_view suffix) const { return find(suffix) != nullptr; }
    // Row count of a matrix, i.e. its outputs; 0: not there.
    std::uint64_t rows(std::string_view suffix) const {
        const GgufTensor* t = find(suffix);
        return t == nullptr ? 0 : t->ne[1];
    }
    Count elements() const {
        Count n;
        for (const auto& [name, t] : tensors) n += t->elements;
        return n;
    }
};

struct Table {
    std::vector<Block> blocks;
    std::vector<const GgufTensor*> global;
    Count encoder;
};

bool take(std::string_view& s, std::string_view prefix) {
    if (s.substr(0, prefix.size()) != prefix) return false;
    s.remove_prefix(prefix.size());
    return true;
}

// "17.attn_q.weight" -> 17 and "attn_q.weight".
bool take_number(std::string_view& s, std::size_t& n) {
    const std::size_t dot = s.find('.');
    if (dot == 0 || dot == std::string_view::npos || dot > 6) return false;
    n = 0;
    for (const char c : s.substr(0, dot)) {
        if (c < '0' || c > '9') return false;
        n = n * 10 + static_cast<std::size_t>(c - '0');
    }
    s.remove_prefix(dot + 1);
    return true;
}

Table sort_tensors(std::span<const GgufTensor* const> tensors, std::size_t blocks) {
    Table t;
    t.blocks.resize(blocks);
    for (const GgufTensor* g : tensors) {
        std::string_view name = g->name;
        std::size_t n = 0;
        if (take(name, "enc.")) {
            t.encoder += g->elements;
            continue;
        }
        take(name, "dec.");
        if (take(name, "blk.") && take_number(name, n) && n < blocks) {
            t.blocks[n].tensors.emplace_back(name, g);
        } else {
            t.global.push_back(g);
        }
    }
    return t;
}

void attention(const Block& b, AttentionSpec& a) {
    const bool merged = b.has("attn_qkv.weight");
    a.qkv_bias = b.has("attn_q.bias") || b.has("attn_qkv.bias");
    a.o_bias = b.has("attn_output.bias");
    if (a.kind == AttnKind::mla || a.kind == AttnKind::compressed) return;
    a.k_proj = merged || b.has("attn_k.weight");
    a.v_proj = merged || b.has("attn_v.weight");
    const std::uint64_t q = b.rows("attn_q.weight"), width = std::uint64_t{a.q_heads} * a.k_dim;
    if (q != 0 && q == 2 * width) a.output_gate = true;
}

void feed_forward(const Block& b, FfnSpec& f) {
    if (const GgufTensor* up = b.find("ffn_up_exps.weight")) {
        f.experts = narrow(up->ne[2]);
        f.expert_inter = narrow(up->ne[1]);
        f.gated = b.has("ffn_gate_exps.weight");
    } else if (const GgufTensor* both = b.find("ffn_gate_up_exps.weight")) {
        f.experts = narrow(both->ne[2]);
        f.expert_inter = narrow(both->ne[1] / 2);
        f.gated = true;
    } else {
        f.experts = f.experts_active = f.expert_inter = 0;
        f.router_params = 0;
    }
    f.shared_inter = narrow(b.rows("ffn_up_shexp.weight"));
    if (const GgufTensor* r = b.find("ffn_gate_inp.weight")) f.router_params = r->elements;
    const std::uint64_t up = b.rows("ffn_up.weight"),
                        down_in = b.has("ffn_down.weight") ? b.find("ffn_down.weight")->ne[0] : 0;
    f.inter = narrow(down_in);
    // Phi-3 and ChatGLM keep gate and up in one matrix.
    if (down_in != 0 && f.experts == 0) f.gated = b.has("ffn_gate.weight") || up == 2 * down_in;
    f.bias = b.has("ffn_up.bias");
}

constexpr std::array<std::string_view, 6> kMixer{"ssm_",        "shortconv.", "time_mix",
                                                 "channel_mix", "attn_",      "indexer."};

void state(const Block& b, std::uint64_t hidden, bool attends, StateSpec& s) {
    Count all, sharded;
    for (const auto& [name, t] : b.tensors) {
        bool mixer = false;
        for (const std::string_view p : kMixer) {
            if (name.substr(0, p.size()) == p) mixer = p != "attn_" || !attends;
            if (mixer) break;
        }
        if (!mixer || name.find("norm") != std::string_view::npos) continue;
        all += t->elements;
        if (t->ne[1] > 1 && (t->ne[0] == hidden || t->ne[1] == hidden)) sharded += t->elements;
    }
    s.params = all.value();
    s.sharded_params = sharded.value();
}

// Parameters that the layer's fields account for.
std::uint64_t described(const LayerSpec& l, std::uint64_t hidden) {
    ModelSpec one;
    one.hidden = hidden;
    one.layers.push_back({1, l});
    return params(one).total.value();
}

void layer(const Block& b, std::uint64_t hidden, LayerSpec& l, LayerSpec* cross) {
    LayerSpec& f = cross != nullptr ? *cross : l;
    if (l.attn.kind != AttnKind::none) attention(b, l.attn);
    if (l.state.kind != StateKind::none) {
        state(b, hidden, l.attn.kind != AttnKind::none, l.state);
    }
    feed_forward(b, f.ffn);
    const std::uint64_t known =
        described(l, hidden) + (cross != nullptr ? described(*cross, hidden) : 0);
    const Count rest = b.elements() - known;
    f.other_params = rest.overflow() ? 0 : rest.value();
}

void globals(const Table& t, ModelSpec& m) {
    const GgufTensor* embedding = nullptr;
    const GgufTensor* output = nullptr;
    Count norm, other;
    for (const GgufTensor* g : t.global) {
        const std::string_view n = g->name;
        if (n == "token_embd.weight") {
            embedding = g;
        } else if (n == "output.weight") {
            output = g;
        } else if (n == "output.bias") {
            m.head_bias = true;
        } else if (n.find("norm") != std::string_view::npos) {
            norm += g->elements;
        } else if (n.substr(0, 5) != "rope_") {  // factors of rotary positions are no parameters
            other += g->elements;
        }
    }
    if (embedding != nullptr) {
        if (m.hidden == 0) m.hidden = embedding->ne[0];
        m.vocab = embedding->ne[1];
        m.gguf.embedding_bytes = embedding->bytes;
    }
    m.tied_embeddings = output == nullptr;
    if (output != nullptr) m.gguf.head_bytes = output->bytes;
    m.final_norm_params = norm.value();
    m.position_params = other.value();
    m.encoder_params = t.encoder.value();
}

}  // namespace

void gguf_tensors(std::span<const GgufTensor* const> tensors, GgufLayers& layers, ModelSpec& m,
                  Issues& issues) {
    const Table t = sort_tensors(tensors, layers.trunk.size() + layers.mtp.size());
    globals(t, m);
    for (std::size_t i = 0; i < t.blocks.size(); ++i) {
        const bool trunk = i < layers.trunk.size();
        LayerSpec& l = trunk ? layers.trunk[i] : layers.mtp[i - layers.trunk.size()];
        layer(t.blocks[i], m.hidden, l, i < layers.cross.size() ? &layers.cross[i] : nullptr);
    }
    Count all, drafting;
    std::string unknown;
    for (const GgufTensor* g : tensors) {
        all += g->bytes;
        if (g->bytes == 0 && g->elements != 0 && unknown.empty()) unknown = g->name;
    }
    for (std::size_t i = layers.trunk.size(); i < t.blocks.size(); ++i) {
        for (const auto& [name, g] : t.blocks[i].tensors) drafting += g->bytes;
    }
    if (!unknown.empty()) {
        issues.push_back({Severity::warning, unknown,
                          "The element type of tensor " + unknown +
                              " is not known; weight bytes are estimated."});
    } else if (!all.overflow()) {
        m.weight_bytes = (all - drafting).value();
        m.gguf.mtp_bytes = drafting.value();
    }
}

std::optional<WeightKind> gguf_main_kind(std::span<const GgufTensor* const> tensors) {
    struct Named {
        std::string_view type;
        WeightKind kind;
    };
    static constexpr Named kNamed[] = {
        {"f32", WeightKind::fp32},      {"f16", WeightKind::fp16},
        {"bf16", WeightKind::bf16},     {"q8_0", WeightKind::q8_0},
        {"q6_K", WeightKind::q6_k},     {"q5_K", WeightKind::q5_k_m},
        {"q5_0", WeightKind::q5_0},     {"q5_1", WeightKind::q5_1},
        {"q4_K", WeightKind::q4_k_m},   {"q4_0", WeightKind::q4_0},
        {"q4_1", WeightKind::q4_1},     {"q3_K", WeightKind::q3_k_m},
        {"q2_K", WeightKind::q2_k},     {"iq4_xs", WeightKind::iq4_xs},
        {"iq4_nl", WeightKind::iq4_nl}, {"mxfp4", WeightKind::mxfp4},
    };
    std::array<Count, std::size(kNamed)> sums{};
    Count others;
    for (const GgufTensor* g : tensors) {
        if (g->ne[1] <= 1) continue;
        const GgmlType* type = ggml_type(g->type);
        const auto* named = std::find_if(std::begin(kNamed), std::end(kNamed), [&](const Named& n) {
            return type != nullptr && n.type == type->name;
        });
        (named == std::end(kNamed) ? others : sums[static_cast<std::size_t>(named - kNamed)]) +=
            g->elements;
    }
    std::size_t best = 0;
    for (std::size_t i = 1; i < sums.size(); ++i) {
        if (sums[i].value() > sums[best].value()) best = i;
    }
    if (sums[best].value() == 0 || others.value() > sums[best].value()) return std::nullopt;
    return kNamed[best].kind;
}

}  // namespace kvgauge
