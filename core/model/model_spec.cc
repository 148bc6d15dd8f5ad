// SPDX-License-Identifier: MIT
#include "model/model_spec.h"

namespace kvgauge {

std::uint32_t layer_count(const ModelSpec& m) {
    std::uint32_t n = 0;
    for (const LayerRun& r : m.layers) n += r.count;
    return n;
}

const AttentionSpec* first_attention(const ModelSpec& m) {
    for (const LayerRun& r : m.layers) {
        if (r.count != 0 && r.layer.attn.kind != AttnKind::none) return &r.layer.attn;
    }
    return nullptr;
}

ModelSpec with_kv_heads(ModelSpec m, std::uint32_t kv_heads) {
    const auto change = [kv_heads](std::vector<LayerRun>& runs) {
        for (LayerRun& r : runs) {
            AttentionSpec& a = r.layer.attn;
            if (a.kind == AttnKind::full || a.kind == AttnKind::sliding ||
                a.kind == AttnKind::chunked) {
                a.kv_heads = kv_heads;
            }
        }
    };
    change(m.layers);
    change(m.mtp);
    m.weight_bytes = 0;  // an exact figure belongs to the model as it was
    return m;
}

}  // namespace kvgauge
