// SPDX-License-Identifier: MIT
#include "model/kv_heads.h"

namespace kvgauge {

Count kv_projection_params(const ModelSpec& m) {
    Count sum;
    for (const LayerRun& r : m.layers) {
        const AttentionSpec& a = r.layer.attn;
        if (a.kind == AttnKind::none) continue;
        if (a.kind == AttnKind::mla) {
            const std::uint64_t nope = a.k_dim > a.mla_rope ? a.k_dim - a.mla_rope : 0;
            sum += ((Count(a.mla_rank) + a.mla_rope) * m.hidden +
                    Count(a.q_heads) * (nope + a.v_dim) * a.mla_rank) *
                   r.count;
            continue;
        }
        Count width;
        if (a.k_proj) width += Count(a.kv_heads) * a.k_dim;
        if (a.v_proj) width += Count(a.kv_heads) * a.v_dim;
        sum += width * (Count(m.hidden) + (a.qkv_bias ? 1 : 0)) * r.count;
    }
    return sum;
}

}  // namespace kvgauge
