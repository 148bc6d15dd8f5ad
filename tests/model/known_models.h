// SPDX-License-Identifier: MIT
// Owns: a few public models written out by hand for tests. Shapes as in their config.json files.
#pragma once
#include "model/model_spec.h"

namespace kvgauge::testing {

struct Dense {
    std::uint32_t layers, q_heads, kv_heads, head_dim;
    std::uint64_t hidden, inter, vocab;
    bool tied = false;
};

// A Llama-shaped decoder: two norms of `hidden` a layer and a last one.
inline ModelSpec dense(const Dense& d) {
    ModelSpec m;
    m.model_type = "llama";
    m.hidden = d.hidden;
    m.vocab = d.vocab;
    m.tied_embeddings = d.tied;
    m.final_norm_params = d.hidden;
    LayerSpec l;
    l.attn.kind = AttnKind::full;
    l.attn.q_heads = d.q_heads;
    l.attn.kv_heads = d.kv_heads;
    l.attn.k_dim = l.attn.v_dim = d.head_dim;
    l.ffn.inter = static_cast<std::uint32_t>(d.inter);
    l.norm_params = 2 * d.hidden;
    m.layers.push_back({d.layers, l});
    return m;
}

inline ModelSpec llama3_8b() {
    return dense({32, 32, 8, 128, 4096, 14336, 128256});
}
inline ModelSpec llama3_70b() {
    return dense({80, 64, 8, 128, 8192, 28672, 128256});
}

}  // namespace kvgauge::testing
