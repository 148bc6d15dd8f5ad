// SPDX-License-Identifier: MIT
#include "text/tp_text.h"

#include <fmt/format.h>

namespace kvgauge {
namespace {

std::string times(std::uint64_t n) {
    return n == 2 ? "twice" : fmt::format("{} times", n);
}

std::string plural(std::uint64_t n, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
}

std::string uneven_cut(const TpVerdict& v, std::uint32_t group, std::string_view what) {
    if (v.b <= 1)
        return fmt::format("Width {} is not a whole number of {} of {}.", v.c, what, group);
    return fmt::format("Width {} over {} GPUs is {}, not a whole number of {} of {}.", v.a, v.b,
                       v.c, what, group);
}

std::string english(const TpVerdict& v, EngineId id, std::uint64_t tp, std::uint32_t group) {
    const std::string_view engine = display_name(id);
    switch (v.rule) {
        case TpRule::divides:
            if (tp <= 1)
                return fmt::format("One GPU holds {}.", plural(v.a, "KV head", "KV heads"));
            return fmt::format("Every rule holds: {} on each of {} GPUs.",
                               plural(v.a, "KV head", "KV heads"), tp);
        case TpRule::kv_replicated:
            return fmt::format("{} on {} GPUs: each GPU stores one, so every head is stored {}.",
                               plural(v.a, "KV head", "KV heads"), v.b, times(v.c));
        case TpRule::kv_uneven:
            return fmt::format("{} on {} GPUs are placed as whole heads, {} to {} on one GPU.",
                               plural(v.a, "KV head", "KV heads"), v.b, v.a / (v.b ? v.b : 1),
                               v.b ? (v.a + v.b - 1) / v.b : v.a);
        case TpRule::q_heads:
            return fmt::format("{} do not divide by {}.", plural(v.a, "query head", "query heads"),
                               v.b);
        case TpRule::kv_heads:
            return fmt::format("{} do not divide by {}, and {} does not divide by {}.",
                               plural(v.a, "KV head", "KV heads"), v.b, v.b, v.a);
        case TpRule::kv_heads_strict:
            return fmt::format("{} do not divide by {}, and {} does not copy heads.",
                               plural(v.a, "KV head", "KV heads"), v.b, engine);
        case TpRule::mlp_width:
            return fmt::format("MLP width {} does not divide by {}.", v.a, v.b);
        case TpRule::moe_width:
            return fmt::format(
                "Expert width {} does not divide by {}; with expert parallelism whole "
                "experts are placed instead.",
                v.a, v.b);
        case TpRule::experts:
            return fmt::format("{} do not spread over {} GPUs.", plural(v.a, "expert", "experts"),
                               v.b);
        case TpRule::fp8_block:
            return uneven_cut(v, group, "FP8 blocks");
        case TpRule::quant_group:
            return uneven_cut(v, group, "quantisation groups");
        case TpRule::vocab:
            return fmt::format("The padded vocabulary of {} does not divide by {}.", v.a, v.b);
        case TpRule::state_heads:
            return fmt::format("{} linear-attention heads do not divide by {}.", v.a, v.b);
        case TpRule::state_groups:
            return fmt::format(
                "{} state groups do not divide by {}; only a single group is copied.", v.a, v.b);
        case TpRule::vision_heads:
            return fmt::format("{} attention heads of the vision tower do not divide by {}.", v.a,
                               v.b);
        case TpRule::vision_fallback:
            return fmt::format(
                "{} heads of the vision tower do not divide by {}: every GPU holds the "
                "whole tower. The language model divides.",
                v.a, v.b);
        case TpRule::latent_copied:
            return fmt::format("The latent cache has no heads to divide: {} GPUs store it {}.", v.b,
                               times(v.c));
        case TpRule::dcp:
            return fmt::format(
                "Decode context parallel size {} is not possible at TP {}; the largest "
                "is {}.",
                v.a, v.b, v.c == 0 ? 1 : v.c);
        case TpRule::dp_attention:
            return fmt::format("TP {} does not divide by {} attention groups.", v.b, v.a);
        case TpRule::pipeline:
            return fmt::format("{} cannot fill {} pipeline stages.", plural(v.a, "layer", "layers"),
                               v.b);
        case TpRule::gpus:
            return fmt::format("{} GPUs are needed, {} are there.", v.a, v.b);
        case TpRule::unsupported:
            return fmt::format("{} does not serve this model this way.", engine);
        case TpRule::unchecked:
            return fmt::format(
                "{} checks nothing here; crashes and wrong output were reported for "
                "{} on {} GPUs.",
                engine, plural(v.a, "KV head", "KV heads"), v.b);
    }
    return {};
}

}  // namespace

std::string tp_reason(const TpVerdict& v, EngineId id, std::uint64_t tp, std::uint32_t group,
                      Lang) {
    return english(v, id, tp, group);
}

std::string tp_sizes(std::uint64_t sizes) {
    std::string s;
    for (unsigned n = 1; n <= 64; ++n) {
        if ((sizes >> (n - 1) & 1) == 0) continue;
        if (!s.empty()) s += ' ';
        s += std::to_string(n);
    }
    return s;
}

}  // namespace kvgauge
