// SPDX-License-Identifier: MIT
#include "kernels/plan.h"

namespace kvgauge::kernels {

DecodePlan plan_decode(const DecodeProblem& p, const Split& split) {
    DecodePlan plan;
    plan.head_tiles = head_tiles_for(p.group(), p.head_dim);
    const int heads = plan.head_tiles * dev::kHeadsPerTile;
    plan.head_blocks = (p.group() + heads - 1) / heads;
    plan.splits = split.splits;
    plan.keys_per_split = split.keys_per_split;
    if (plan.splits > 1)
        plan.workspace_bytes = static_cast<std::uint64_t>(p.batch) *
                               static_cast<std::uint64_t>(p.q_heads) *
                               static_cast<std::uint64_t>(plan.splits) *
                               static_cast<std::uint64_t>(p.head_dim + 2) * 4;
    return plan;
}

SplitInput split_input(const DecodeProblem& p, int slots) {
    const DecodePlan plan = plan_decode(p, {});
    SplitInput input;
    input.work_items = static_cast<std::int64_t>(p.batch) * p.kv_heads * plan.head_blocks;
    input.length = p.max_length;
    input.slots = slots;
    return input;
}

dev::DecodeParams decode_params(const DecodeProblem& p, const DecodePlan& plan, void* workspace) {
    constexpr float log2_e = 1.4426950408889634f;
    const std::int64_t bytes = element_bytes(p.element);
    dev::DecodeParams d{};
    d.q = static_cast<const unsigned char*>(p.q);
    d.k = static_cast<const unsigned char*>(p.k);
    d.v = static_cast<const unsigned char*>(p.v);
    d.out = static_cast<unsigned char*>(p.out);
    d.partial = static_cast<float*>(workspace);
    if (workspace != nullptr)
        d.partial_ml =
            d.partial + static_cast<std::int64_t>(p.batch) * p.q_heads * plan.splits * p.head_dim;
    d.lengths = p.lengths;
    d.page_table = p.page_table;
    d.block_bytes = p.strides.block * bytes;
    d.token_bytes = p.strides.token * bytes;
    d.head_bytes = p.strides.head * bytes;
    d.q_heads = p.q_heads;
    d.group = p.group();
    d.head_blocks = plan.head_blocks;
    d.splits = plan.splits;
    d.keys_per_split = plan.keys_per_split;
    d.table_stride = p.table_stride;
    while (p.paged() && (1 << d.page_shift) < p.page_tokens) ++d.page_shift;
    d.scale_log2 = p.scale * p.k_scale * log2_e;
    d.v_scale = p.v_scale;
    return d;
}

}  // namespace kvgauge::kernels
