// SPDX-License-Identifier: MIT
#include "ui/factors.h"

#include "text/numbers.h"
#include "ui/number_text.h"

namespace kvgauge::ui {
namespace {

// The attention that every layer has, if all layers are the same and keep every token.
const AttentionSpec* uniform_attention(const ModelSpec& m) {
    const AttentionSpec* first = first_attention(m);
    if (first == nullptr || first->kind != AttnKind::full || first->k_dim != first->v_dim)
        return nullptr;
    for (const LayerRun& run : m.layers) {
        const AttentionSpec& a = run.layer.attn;
        if (a.kind != AttnKind::full || a.kv_heads != first->kv_heads || a.k_dim != first->k_dim ||
            a.v_dim != first->v_dim || !a.owns_cache || a.index_bytes != 0) {
            return nullptr;
        }
    }
    return first;
}

}  // namespace

std::vector<Factor> row_factors(const Ui& u, const Session& s, std::string_view row) {
    const bool request = row == "kv.bytes_per_request";
    if (!request && row != "kv.bytes_per_token" && row != "kv.bytes_per_token_full") return {};
    const Estimate& e = s.estimate;
    const AttentionSpec* a = e.model ? uniform_attention(*e.model) : nullptr;
    if (a == nullptr || e.kv_types.k != e.kv_types.v) return {};
    const std::string bytes = general(bytes_per_element(e.kv_types.k), 4);
    std::vector<Factor> out{
        {"2", u.tr(Str::ui_factor_kv)},
        {grouped(std::uint64_t{a->kv_heads}), u.tr(Str::ui_factor_heads)},
        {grouped(std::uint64_t{a->k_dim}), u.tr(Str::ui_factor_dim)},
        {grouped(std::uint64_t{layer_count(*e.model)}), u.tr(Str::ui_factor_layers)},
    };
    if (request) out.push_back({grouped(s.scenario.ctx), u.tr(Str::ui_factor_tokens)});
    out.push_back({bytes, u.tr(Str::ui_factor_bytes)});
    return out;
}

std::string row_note(const Ui& u, const Session& s, std::string_view row) {
    const std::optional<Str> note = find_string("ui.note." + std::string(row));
    if (!note) return {};
    const Estimate& e = s.estimate;
    const std::string blocks =
        e.plan && e.plan->block_tokens > 0
            ? grouped((s.scenario.ctx + e.plan->block_tokens - 1) / e.plan->block_tokens)
            : "–";
    const std::string block = e.plan ? grouped(e.plan->block_tokens) : "–";
    return u.tr(*note, {grouped(s.scenario.ctx), std::string(display_name(e.engine)), blocks, block,
                        grouped(s.scenario.batch)});
}

}  // namespace kvgauge::ui
