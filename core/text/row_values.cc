// SPDX-License-Identifier: MIT
#include "text/row_values.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/kv_heads.h"

namespace kvgauge {
namespace {

using Maybe = std::optional<RowValue>;
using S = Scenario;
using E = Estimate;

// A double that is a whole number is written as one.
std::variant<std::uint64_t, double, std::string_view> number(double v) {
    if (v >= 0 && v < 9007199254740992.0 && v == std::floor(v)) {
        return static_cast<std::uint64_t>(v);
    }
    return v;
}

Maybe count(Count v, Basis basis = Basis::exact) {
    if (v.overflow()) return std::nullopt;
    return RowValue{v.value(), basis, {}, {}};
}
Maybe real(double v, Basis basis = Basis::exact) {
    if (!std::isfinite(v)) return std::nullopt;
    return RowValue{number(v), basis, {}, {}};
}
Maybe word(std::string_view v) {
    return RowValue{v, Basis::exact, {}, {}};
}
Maybe quantity(const Quantity& q) {
    if (!std::isfinite(q.value)) return std::nullopt;
    if (q.basis == Basis::exact) return RowValue{number(q.value), q.basis, {}, {}};
    return RowValue{number(q.value), q.basis, q.low, q.high};
}

bool has_experts(const ModelSpec& m) {
    return std::any_of(m.layers.begin(), m.layers.end(),
                       [](const LayerRun& r) { return r.layer.ffn.experts != 0; });
}
bool refused(const Estimate& e) {
    return e.tp && e.tp->verdict == Verdict::error;
}
Basis model_basis(const Estimate& e) {
    return e.model->assumed.empty() ? Basis::exact : Basis::assumed;
}
Basis params_basis(const Estimate& e) {
    const ModelSpec& m = *e.model;
    return m.params_assumed && m.stated_params == 0 ? Basis::assumed : Basis::exact;
}
Basis format_basis(const Estimate& e) {
    // Bytes read from a header or an index need no count of parameters.
    const bool read = e.checkpoint && *e.checkpoint == Bytes(e.model->weight_bytes);
    return weaker(info(e.weights.kind).mix ? Basis::derived : Basis::exact,
                  read ? Basis::exact : params_basis(e));
}
Basis gpu_basis(const Estimate& e) {
    return e.gpu.visible_assumed ? Basis::assumed : Basis::exact;
}
// Blocks of a cache that does not grow by equal ones are a stand-in.
Basis block_basis(const Estimate& e) {
    return e.traffic->even ? Basis::exact : Basis::assumed;
}
Basis plan_basis(const Estimate& e) {
    return e.plan->assumed ? Basis::assumed : Basis::exact;
}

// A number of the plan with the ends of its band.
template <class Get>
Maybe of_plan(const Estimate& e, Get&& get) {
    if (!e.plan) return std::nullopt;
    Quantity q{static_cast<double>(get(*e.plan)), {}, {}, Basis::exact};
    q.basis = weaker(e.budget ? e.budget->kv.basis : Basis::exact, plan_basis(e));
    if (e.plan_low && e.plan_high) {
        q.low = static_cast<double>(get(*e.plan_low));
        q.high = static_cast<double>(get(*e.plan_high));
    }
    return quantity(q);
}

// A part of the speed; a group the engine refuses has none.
template <class Get>
Maybe of_speed(const Estimate& e, Get&& get) {
    if (!e.speed || refused(e)) return std::nullopt;
    return get(*e.speed);
}

// A part of one token's time: as well known as the whole.
Maybe part(const Estimate& e, double (*get)(const Speed&)) {
    return of_speed(e, [get](const Speed& v) { return real(get(v), v.tpot.basis); });
}
// The same, left out where it does not arise.
Maybe rare_part(const Estimate& e, double (*get)(const Speed&)) {
    if (!e.speed || !(get(*e.speed) > 0)) return std::nullopt;
    return part(e, get);
}

Quantity over(const Quantity& q, double by) {
    Quantity r{q.value / by, q.low, q.high, q.basis};
    if (r.low) r.low = *r.low / by;
    if (r.high) r.high = *r.high / by;
    return r;
}

const std::
    array
        kRows{
            RowKind{"model.params", Str::row_model_params, "1",
                    [](const S&, const E& e) -> Maybe {
                        return e.params ? count(e.params->total, params_basis(e)) : std::nullopt;
                    }},
            RowKind{"model.params_active", Str::row_model_params_active, "1",
                    [](const S&, const E& e) -> Maybe {
                        return e.params && has_experts(*e.model)
                                   ? count(e.params->active, params_basis(e))
                                   : std::nullopt;
                    }},
            RowKind{"model.params_vision", Str::row_model_params_vision, "1",
                    [](const S&, const E& e) -> Maybe {
                        const bool some = e.params && e.params->vision.value() != 0;
                        return some ? count(e.params->vision) : std::nullopt;
                    }},
            RowKind{"model.weight_bytes", Str::row_model_weight_bytes, "B",
                    [](const S&, const E& e) -> Maybe {
                        const bool known = e.params && e.checkpoint;
                        return known ? count(*e.checkpoint, format_basis(e)) : std::nullopt;
                    }},

            RowKind{"kv.bytes_per_token", Str::row_kv_bytes_per_token, "B",
                    [](const S&, const E& e) -> Maybe {
                        return e.kv ? real(e.kv->bytes_per_token, model_basis(e)) : std::nullopt;
                    }},
            RowKind{"kv.bytes_per_token_full", Str::row_kv_bytes_per_token_full, "B",
                    [](const S&, const E& e) -> Maybe {
                        return e.kv ? real(e.kv->bytes_per_token_full, model_basis(e))
                                    : std::nullopt;
                    }},
            RowKind{"kv.index_bytes_per_token", Str::row_kv_index_bytes_per_token, "B",
                    [](const S&, const E& e) -> Maybe {
                        const bool some = e.kv && e.kv->index_bytes_per_token > 0;
                        return some ? real(e.kv->index_bytes_per_token, model_basis(e))
                                    : std::nullopt;
                    }},
            RowKind{"kv.bytes_per_request", Str::row_kv_bytes_per_request, "B",
                    [](const S&, const E& e) -> Maybe {
                        const bool some = e.kv && e.ctx != 0;
                        return some ? count(e.kv->bytes_per_request, model_basis(e)) : std::nullopt;
                    }},
            RowKind{"kv.bytes_per_request_all_full", Str::row_kv_bytes_per_request_all_full, "B",
                    [](const S&, const E& e) -> Maybe {
                        const bool some = e.kv && e.ctx != 0;
                        return some ? count(e.kv->bytes_per_request_all_full, model_basis(e))
                                    : std::nullopt;
                    }},
            RowKind{"kv.state_bytes_per_request", Str::row_kv_state_bytes_per_request, "B",
                    [](const S&, const E& e) -> Maybe {
                        return e.kv ? count(e.kv->state_bytes_per_request, model_basis(e))
                                    : std::nullopt;
                    }},

            RowKind{"tp.verdict", Str::row_tp_verdict, "word",
                    [](const S&, const E& e) -> Maybe {
                        return e.tp ? word(name(e.tp->verdict)) : std::nullopt;
                    }},
            RowKind{"tp.reason", Str::row_tp_reason, "text", nullptr},
            RowKind{"tp.valid", Str::row_tp_valid, "text", nullptr},
            RowKind{"tp.kv_heads_per_gpu", Str::row_tp_kv_heads_per_gpu, "1",
                    [](const S&, const E& e) -> Maybe {
                        return e.tp && !refused(e) ? real(e.tp->kv_heads_per_gpu) : std::nullopt;
                    }},
            RowKind{"tp.copies", Str::row_tp_copies, "1",
                    [](const S&, const E& e) -> Maybe {
                        return e.tp && !refused(e) ? real(e.tp->copies) : std::nullopt;
                    }},

            RowKind{"weights.bytes_per_gpu", Str::row_weights_bytes_per_gpu, "B",
                    [](const S&, const E& e) -> Maybe {
                        return e.weights_per_gpu ? count(*e.weights_per_gpu, format_basis(e))
                                                 : std::nullopt;
                    }},
            RowKind{"budget.gpu_bytes", Str::row_budget_gpu_bytes, "B",
                    [](const S&, const E& e) -> Maybe {
                        return e.budget ? count(e.budget->gpu_bytes, gpu_basis(e)) : std::nullopt;
                    }},
            RowKind{"budget.usable_bytes", Str::row_budget_usable_bytes, "B",
                    [](const S& s, const E& e) -> Maybe {
                        const bool some = e.budget && !s.kv_budget;
                        return some ? count(e.budget->usable_bytes, gpu_basis(e)) : std::nullopt;
                    }},
            RowKind{"budget.overhead_bytes", Str::row_budget_overhead_bytes, "B",
                    [](const S& s, const E& e) -> Maybe {
                        return e.budget && !s.kv_budget ? quantity(e.budget->overhead)
                                                        : std::nullopt;
                    }},
            RowKind{"budget.kv_bytes", Str::row_budget_kv_bytes, "B",
                    [](const S&, const E& e) -> Maybe {
                        return e.budget ? quantity(e.budget->kv) : std::nullopt;
                    }},

            RowKind{"engine.version", Str::row_engine_version, "text", nullptr},
            RowKind{"kv.bytes_per_token_per_gpu", Str::row_kv_bytes_per_token_per_gpu, "B",
                    [](const S&, const E& e) -> Maybe {
                        const bool some = e.plan && e.plan->token_bytes > 0;
                        return some ? real(e.plan->token_bytes, plan_basis(e)) : std::nullopt;
                    }},
            RowKind{"kv.bytes_per_request_per_gpu", Str::row_kv_bytes_per_request_per_gpu, "B",
                    [](const S&, const E& e) -> Maybe {
                        return e.plan ? count(e.plan->request_bytes_per_gpu, plan_basis(e))
                                      : std::nullopt;
                    }},
            RowKind{"kv.bytes_per_request_reserved_per_gpu",
                    Str::row_kv_bytes_per_request_reserved_per_gpu, "B",
                    [](const S&, const E& e) -> Maybe {
                        return e.plan ? count(e.plan->reserved_per_request, plan_basis(e))
                                      : std::nullopt;
                    }},
            RowKind{"engine.block_tokens", Str::row_engine_block_tokens, "1",
                    [](const S&, const E& e) -> Maybe {
                        return e.plan ? count(e.plan->block_tokens, plan_basis(e)) : std::nullopt;
                    }},
            RowKind{"engine.blocks", Str::row_engine_blocks, "1",
                    [](const S&, const E& e) -> Maybe {
                        return of_plan(e, [](const CachePlan& c) { return c.blocks; });
                    }},
            RowKind{"engine.kv_tokens", Str::row_engine_kv_tokens, "1",
                    [](const S&, const E& e) -> Maybe {
                        return of_plan(e, [](const CachePlan& c) { return c.tokens; });
                    }},
            RowKind{"engine.max_concurrency", Str::row_engine_max_concurrency, "1",
                    [](const S&, const E& e) -> Maybe {
                        return of_plan(e, [](const CachePlan& c) { return c.max_concurrency; });
                    }},
            RowKind{"engine.longest_ctx", Str::row_engine_longest_ctx, "1",
                    [](const S&, const E& e) -> Maybe {
                        return of_plan(e, [](const CachePlan& c) { return c.longest_ctx; });
                    }},
            RowKind{"engine.log", Str::row_engine_log, "text", nullptr},

            RowKind{"batch.max", Str::row_batch_max, "1",
                    [](const S&, const E& e) -> Maybe {
                        return e.batch ? quantity(e.batch->max) : std::nullopt;
                    },
                    "requests"},
            RowKind{"batch.max_slo", Str::row_batch_max_slo, "1",
                    [](const S&, const E& e) -> Maybe {
                        return e.batch && e.batch->max_slo ? quantity(*e.batch->max_slo)
                                                           : std::nullopt;
                    }},
            RowKind{"batch.limit", Str::row_batch_limit, "word",
                    [](const S&, const E& e) -> Maybe {
                        return e.batch ? word(name(e.batch->limit)) : std::nullopt;
                    },
                    "limit"},

            RowKind{"attn.group_size", Str::row_attn_group_size, "1",
                    [](const S&, const E& e) -> Maybe {
                        return e.speed ? real(e.speed->group_size) : std::nullopt;
                    }},
            RowKind{"attn.intensity", Str::row_attn_intensity, "FLOP/B",
                    [](const S&, const E& e) -> Maybe {
                        return e.speed ? real(e.speed->intensity) : std::nullopt;
                    }},
            RowKind{"attn.kv_proj_params", Str::row_attn_kv_proj_params, "1",
                    [](const S&, const E& e) -> Maybe {
                        return e.params ? count(kv_projection_params(*e.model)) : std::nullopt;
                    }},
            RowKind{"attn.kv_proj_flops", Str::row_attn_kv_proj_flops, "1",
                    [](const S&, const E& e) -> Maybe {
                        return e.params ? count(kv_projection_params(*e.model) * 2) : std::nullopt;
                    }},
            RowKind{"gpu.ridge", Str::row_gpu_ridge, "FLOP/B",
                    [](const S&, const E& e) -> Maybe {
                        const Basis basis = e.gpu.assumed ? Basis::assumed : Basis::exact;
                        return e.speed ? real(e.speed->ridge, basis) : std::nullopt;
                    }},
            RowKind{"attn.backend", Str::row_attn_backend, "text", nullptr},

            RowKind{"decode.floor_s", Str::row_decode_floor_s, "s",
                    [](const S&, const E& e) -> Maybe {
                        return of_speed(e, [](const Speed& v) { return quantity(v.floor); });
                    },
                    "floor"},
            RowKind{"decode.tpot_s", Str::row_decode_tpot_s, "s",
                    [](const S&, const E& e) -> Maybe {
                        return of_speed(e, [](const Speed& v) { return quantity(v.tpot); });
                    },
                    "tpot"},
            RowKind{"decode.weights_s", Str::row_decode_weights_s, "s",
                    [](const S&, const E& e) -> Maybe {
                        return part(e, [](const Speed& v) { return v.step.linear; });
                    }},
            RowKind{"decode.kv_s", Str::row_decode_kv_s, "s",
                    [](const S&, const E& e) -> Maybe {
                        return part(e, [](const Speed& v) { return v.step.kv; });
                    }},
            RowKind{"decode.all_reduce_s", Str::row_decode_all_reduce_s, "s",
                    [](const S&, const E& e) -> Maybe {
                        return part(e, [](const Speed& v) { return v.step.all_reduce; });
                    }},
            RowKind{"decode.fixed_s", Str::row_decode_fixed_s, "s",
                    [](const S&, const E& e) -> Maybe {
                        return part(e, [](const Speed& v) { return v.step.fixed; });
                    }},
            RowKind{"decode.draft_s", Str::row_decode_draft_s, "s",
                    [](const S&, const E& e) -> Maybe {
                        return rare_part(e, [](const Speed& v) { return v.step.draft; });
                    }},
            RowKind{"decode.hop_s", Str::row_decode_hop_s, "s",
                    [](const S&, const E& e) -> Maybe {
                        return rare_part(e, [](const Speed& v) { return v.step.hop; });
                    }},
            RowKind{"decode.tokens_per_step", Str::row_decode_tokens_per_step, "1",
                    [](const S&, const E& e) -> Maybe {
                        const bool some = e.speed && e.speed->tokens_per_step > 1;
                        return some ? real(e.speed->tokens_per_step, Basis::assumed) : std::nullopt;
                    }},
            RowKind{"decode.prefill_share_s", Str::row_decode_prefill_share_s, "s",
                    [](const S&, const E& e) -> Maybe {
                        return part(e, [](const Speed& v) { return v.prefill_share; });
                    }},
            RowKind{"decode.tokens_per_s", Str::row_decode_tokens_per_s, "1/s",
                    [](const S&, const E& e) -> Maybe {
                        return of_speed(e, [](const Speed& v) { return quantity(v.tokens_per_s); });
                    },
                    "tok/s"},
            RowKind{"decode.tokens_per_s_per_gpu", Str::row_decode_tokens_per_s_per_gpu, "1/s",
                    [](const S&, const E& e) -> Maybe {
                        return of_speed(e, [](const Speed& v) {
                            return quantity(over(v.tokens_per_s, static_cast<double>(v.gpus)));
                        });
                    },
                    "tok/s/gpu"},
            RowKind{"decode.batch_ridge", Str::row_decode_batch_ridge, "1",
                    [](const S&, const E& e) -> Maybe {
                        return of_speed(
                            e, [](const Speed& v) { return real(v.batch_ridge, Basis::derived); });
                    }},
            RowKind{"decode.batch_kv_equals_weights", Str::row_decode_batch_kv_equals_weights, "1",
                    [](const S&, const E& e) -> Maybe {
                        return of_speed(e, [](const Speed& v) {
                            return real(v.batch_kv_equals_weights, Basis::derived);
                        });
                    }},
            RowKind{"prefill.floor_s", Str::row_prefill_floor_s, "s",
                    [](const S&, const E& e) -> Maybe {
                        return of_speed(e,
                                        [](const Speed& v) { return quantity(v.prefill_floor); });
                    }},
            RowKind{"prefill.ttft_s", Str::row_prefill_ttft_s, "s",
                    [](const S&, const E& e) -> Maybe {
                        return of_speed(e, [](const Speed& v) { return quantity(v.ttft); });
                    },
                    "ttft"},
            RowKind{"decode.tpot_default_s", Str::row_decode_tpot_default_s, "s",
                    [](const S&, const E& e) -> Maybe {
                        if (!e.speed_default || refused(e)) return std::nullopt;
                        return quantity(e.speed_default->tpot);
                    }},
            RowKind{"prefill.ttft_default_s", Str::row_prefill_ttft_default_s, "s",
                    [](const S&, const E& e) -> Maybe {
                        if (!e.speed_default || refused(e)) return std::nullopt;
                        return quantity(e.speed_default->ttft);
                    }},
            RowKind{"calibration.residual", Str::row_calibration_residual, "1",
                    [](const S& s, const E& e) -> Maybe {
                        if (!e.speed_default || !s.calibration || !s.calibration->residual)
                            return std::nullopt;
                        return real(*s.calibration->residual, Basis::measured);
                    }},
            RowKind{"calibration.device", Str::row_calibration_device, "text", nullptr},

            RowKind{"traffic.concurrency", Str::row_traffic_concurrency, "1",
                    [](const S&, const E& e) -> Maybe {
                        return e.traffic ? quantity(e.traffic->traffic.expected) : std::nullopt;
                    }},
            RowKind{"traffic.concurrency_1pct", Str::row_traffic_concurrency_1pct, "1",
                    [](const S&, const E& e) -> Maybe {
                        return e.traffic ? quantity(e.traffic->traffic.at_one_per_cent)
                                         : std::nullopt;
                    }},
            RowKind{"traffic.mean_in", Str::row_traffic_mean_in, "1",
                    [](const S&, const E& e) -> Maybe {
                        return e.traffic ? real(e.traffic->traffic.mean_in) : std::nullopt;
                    }},
            RowKind{"traffic.mean_out", Str::row_traffic_mean_out, "1",
                    [](const S&, const E& e) -> Maybe {
                        return e.traffic ? real(e.traffic->traffic.mean_out) : std::nullopt;
                    }},
            RowKind{"traffic.cut", Str::row_traffic_cut, "1",
                    [](const S&, const E& e)
                        -> Maybe { return e.traffic ? real(e.traffic->cut) : std::nullopt; }},
            RowKind{"traffic.blocks_per_request", Str::row_traffic_blocks_per_request, "1",
                    [](const S&, const E& e) -> Maybe {
                        return e.traffic
                                   ? real(e.traffic->traffic.blocks_per_request, block_basis(e))
                                   : std::nullopt;
                    }},
            RowKind{"traffic.longest_blocks", Str::row_traffic_longest_blocks, "1",
                    [](const S&, const E& e) -> Maybe {
                        return e.traffic ? count(e.traffic->traffic.longest_blocks, block_basis(e))
                                         : std::nullopt;
                    }},
            RowKind{"traffic.blocks", Str::row_traffic_blocks, "1",
                    [](const S&, const E& e) -> Maybe {
                        if (!e.traffic) return std::nullopt;
                        return count(e.traffic->blocks,
                                     weaker(block_basis(e), e.traffic->traffic.expected.basis));
                    }},
            RowKind{"traffic.seed", Str::row_traffic_seed, "1",
                    [](const S& s, const E& e) -> Maybe {
                        return e.traffic ? count(s.mix.seed) : std::nullopt;
                    }},
        };

}  // namespace

double RowValue::real() const {
    if (const auto* n = std::get_if<std::uint64_t>(&value)) return static_cast<double>(*n);
    if (const auto* d = std::get_if<double>(&value)) return *d;
    return 0;
}

std::span<const RowKind> row_kinds() {
    return kRows;
}

const RowKind* find_row(std::string_view id) {
    for (const RowKind& r : kRows) {
        if (r.id == id || (!r.alias.empty() && r.alias == id)) return &r;
    }
    return nullptr;
}

}  // namespace kvgauge
