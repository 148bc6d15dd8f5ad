// SPDX-License-Identifier: MIT
#include "text/tp_text.h"

#include <array>

#include "text/numbers.h"

namespace kvgauge {
namespace {

// Counted things: "1 KV head", "8 KV heads".
std::string counted(Lang l, std::uint64_t n, Str one, Str many) {
    return n == 1 ? std::string(text(l, one)) : say(l, many, {plain(n)});
}

std::string times(Lang l, std::uint64_t n) {
    return n == 2 ? std::string(text(l, Str::word_twice)) : say(l, Str::word_times, {plain(n)});
}

std::string uneven_cut(Lang l, const TpVerdict& v, std::uint32_t group, Str unit) {
    const std::string_view what = text(l, unit);
    const std::string of = plain(std::uint64_t{group});
    if (v.b <= 1) return say(l, Str::reason_uneven_width, {plain(v.c), what, of});
    return say(l, Str::reason_uneven_cut, {plain(v.a), plain(v.b), plain(v.c), what, of});
}

}  // namespace

std::string tp_reason(const TpVerdict& v, EngineId id, std::uint64_t tp, std::uint32_t group,
                      Lang l) {
    const std::string_view engine = display_name(id);
    const std::string a = plain(v.a), b = plain(v.b), c = plain(v.c);
    const std::string kv_heads = counted(l, v.a, Str::word_kv_head, Str::word_kv_heads);
    switch (v.rule) {
        case TpRule::divides:
            if (tp <= 1) return say(l, Str::reason_divides_one_gpu, {kv_heads});
            return say(l, Str::reason_divides, {kv_heads, plain(tp)});
        case TpRule::kv_replicated:
            return say(l, Str::reason_kv_replicated, {kv_heads, b, times(l, v.c)});
        case TpRule::kv_uneven: {
            const std::uint64_t by = v.b == 0 ? 1 : v.b;
            return say(l, Str::reason_kv_uneven,
                       {kv_heads, b, plain(v.a / by), plain((v.a + by - 1) / by)});
        }
        case TpRule::q_heads:
            return say(l, Str::reason_q_heads,
                       {counted(l, v.a, Str::word_query_head, Str::word_query_heads), b});
        case TpRule::kv_heads:
            return say(l, Str::reason_kv_heads, {kv_heads, b, a});
        case TpRule::kv_heads_strict:
            return say(l, Str::reason_kv_heads_strict, {kv_heads, b, engine});
        case TpRule::mlp_width:
            return say(l, Str::reason_mlp_width, {a, b});
        case TpRule::moe_width:
            return say(l, Str::reason_moe_width, {a, b});
        case TpRule::experts:
            return say(l, Str::reason_experts,
                       {counted(l, v.a, Str::word_one_expert, Str::word_experts), b});
        case TpRule::fp8_block:
            return uneven_cut(l, v, group, Str::word_fp8_blocks);
        case TpRule::quant_group:
            return uneven_cut(l, v, group, Str::word_quant_groups);
        case TpRule::vocab:
            return say(l, Str::reason_vocab, {a, b});
        case TpRule::state_heads:
            return say(l, Str::reason_state_heads, {a, b});
        case TpRule::state_groups:
            return say(l, Str::reason_state_groups, {a, b});
        case TpRule::vision_heads:
            return say(l, Str::reason_vision_heads, {a, b});
        case TpRule::vision_fallback:
            return say(l, Str::reason_vision_fallback, {a, b});
        case TpRule::latent_copied:
            if (v.b <= 1) return std::string(text(l, Str::reason_latent));
            return say(l, Str::reason_latent_copied, {b, times(l, v.c)});
        case TpRule::dcp:
            return say(l, Str::reason_dcp, {a, b, v.c == 0 ? "1" : c});
        case TpRule::dp_attention:
            return say(l, Str::reason_dp_attention, {a, b});
        case TpRule::pipeline:
            return say(l, Str::reason_pipeline,
                       {counted(l, v.a, Str::word_one_layer, Str::word_layers), b});
        case TpRule::gpus:
            return say(l, Str::reason_gpus, {a, b});
        case TpRule::unsupported:
            return say(l, Str::reason_unsupported, {engine});
        case TpRule::unchecked:
            return say(l, Str::reason_unchecked, {engine, kv_heads, b});
    }
    return {};
}

std::string tp_short(const TpVerdict& v, Lang l) {
    const std::string a = grouped(v.a), b = grouped(v.b), c = grouped(v.c);
    const auto with = [&](Str s) { return say(l, s, {a, b, c}); };
    switch (v.rule) {
        case TpRule::q_heads:
            return with(Str::rule_q_heads);
        case TpRule::kv_heads:
        case TpRule::kv_heads_strict:
            return with(Str::rule_kv_heads);
        case TpRule::mlp_width:
            return with(Str::rule_mlp_width);
        case TpRule::moe_width:
            return with(Str::rule_moe_width);
        case TpRule::experts:
            return with(Str::rule_experts);
        case TpRule::fp8_block:
            return with(Str::rule_fp8_block);
        case TpRule::quant_group:
            return with(Str::rule_quant_group);
        case TpRule::vocab:
            return with(Str::rule_vocab);
        case TpRule::state_heads:
            return with(Str::rule_state_heads);
        case TpRule::state_groups:
            return with(Str::rule_state_groups);
        case TpRule::vision_heads:
            return with(Str::rule_vision_heads);
        case TpRule::dcp:
            return with(Str::rule_dcp);
        case TpRule::dp_attention:
            return with(Str::rule_dp_attention);
        case TpRule::pipeline:
            return with(Str::rule_pipeline);
        case TpRule::gpus:
            return with(Str::rule_gpus);
        default:
            return std::string(text(l, Str::rule_unsupported));
    }
}

std::string tp_sizes(std::uint64_t sizes) {
    std::string s;
    for (std::uint64_t n = 1; n <= 64; ++n) {
        if ((sizes >> (n - 1) & 1) == 0) continue;
        if (!s.empty()) s += ' ';
        s += plain(n);
    }
    return s;
}

}  // namespace kvgauge
