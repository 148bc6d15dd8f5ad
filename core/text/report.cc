// SPDX-License-Identifier: MIT
#include "text/report.h"

#include <array>
#include <cmath>

#include "text/derivation.h"
#include "text/numbers.h"
#include "text/sentence.h"
#include "text/tp_text.h"
#include "text/words.h"

namespace kvgauge {
namespace {

using Value = std::variant<std::uint64_t, double, std::string>;

// A double that is a whole number is written as one.
Value number(double v) {
    if (v >= 0 && v < 9007199254740992.0 && v == std::floor(v)) {
        return static_cast<std::uint64_t>(v);
    }
    return v;
}

struct Builder {
    std::vector<Row>& rows;
    Lang lang;

    void add(std::string_view id, Str label, std::string_view unit, Value v, Basis basis,
             std::string how) {
        rows.push_back({id,
                        std::string(text(lang, label)),
                        unit,
                        std::move(v),
                        basis,
                        {},
                        {},
                        std::move(how)});
    }
    void count(std::string_view id, Str label, std::string_view unit, Count v, std::string how,
               Basis basis = Basis::exact) {
        if (!v.overflow()) add(id, label, unit, v.value(), basis, std::move(how));
    }
    void quantity(std::string_view id, Str label, std::string_view unit, const Quantity& q,
                  std::string how) {
        if (!std::isfinite(q.value)) return;
        add(id, label, unit, number(q.value), q.basis, std::move(how));
        if (q.basis == Basis::exact) return;
        rows.back().low = q.low;
        rows.back().high = q.high;
    }
    void real(std::string_view id, Str label, std::string_view unit, double v, Basis basis,
              std::string how) {
        if (std::isfinite(v)) add(id, label, unit, number(v), basis, std::move(how));
    }
    void word(std::string_view id, Str label, std::string_view v, std::string how = {}) {
        add(id, label, "word", std::string(v), Basis::exact, std::move(how));
    }
    void words(std::string_view id, Str label, std::string v, Basis basis = Basis::exact) {
        if (!v.empty()) add(id, label, "text", std::move(v), basis, {});
    }
    std::string say(Str s, std::initializer_list<std::string_view> parts) const {
        return kvgauge::say(lang, s, parts);
    }
    std::string plain_text(Str s) const { return std::string(text(lang, s)); }
};

Basis model_basis(const ModelSpec& m) {
    return m.assumed.empty() ? Basis::exact : Basis::assumed;
}

bool has_experts(const ModelSpec& m) {
    for (const LayerRun& r : m.layers) {
        if (r.layer.ffn.experts != 0) return true;
    }
    return false;
}

void model_rows(Builder& b, const Estimate& e) {
    if (!e.params) return;
    const Params& p = *e.params;
    b.count("model.params", Str::row_model_params, "1", p.total,
            b.plain_text(e.model->stated_params != 0 ? Str::how_params_stated : Str::how_params));
    if (has_experts(*e.model)) {
        b.count("model.params_active", Str::row_model_params_active, "1", p.active,
                b.plain_text(Str::how_params_active));
    }
    if (p.vision.value() != 0) {
        b.count("model.params_vision", Str::row_model_params_vision, "1", p.vision,
                b.plain_text(Str::how_params));
    }
    if (e.checkpoint) {
        const Basis basis = info(e.weights.kind).mix ? Basis::derived : Basis::exact;
        b.count("model.weight_bytes", Str::row_model_weight_bytes, "B", *e.checkpoint,
                how_weights(b.lang, e), basis);
    }
}

void kv_rows(Builder& b, const Scenario& s, const Estimate& e) {
    if (!e.kv) return;
    const KvSizes& k = *e.kv;
    const ModelSpec& m = *e.model;
    const DType all = s.kv == DType::automatic ? m.kv : s.kv;
    const KvTypes types{s.kv_k.value_or(all), s.kv_v.value_or(all), s.state_dtype};
    const Basis basis = model_basis(m);
    b.real("kv.bytes_per_token", Str::row_kv_bytes_per_token, "B", k.bytes_per_token, basis,
           how_token(b.lang, m, types, false, k.bytes_per_token));
    b.real("kv.bytes_per_token_full", Str::row_kv_bytes_per_token_full, "B", k.bytes_per_token_full,
           basis, how_token(b.lang, m, types, true, k.bytes_per_token_full));
    if (k.index_bytes_per_token > 0) {
        b.real("kv.index_bytes_per_token", Str::row_kv_index_bytes_per_token, "B",
               k.index_bytes_per_token, basis, {});
    }
    if (e.ctx != 0) {
        b.count("kv.bytes_per_request", Str::row_kv_bytes_per_request, "B", k.bytes_per_request,
                how_request(b.lang, m, types, e.ctx, e.cross_tokens, false, k.bytes_per_request),
                basis);
        b.count("kv.bytes_per_request_all_full", Str::row_kv_bytes_per_request_all_full, "B",
                k.bytes_per_request_all_full,
                how_request(b.lang, m, types, e.ctx, e.cross_tokens, true,
                            k.bytes_per_request_all_full),
                basis);
    }
    b.count("kv.state_bytes_per_request", Str::row_kv_state_bytes_per_request, "B",
            k.state_bytes_per_request, b.plain_text(Str::how_state), basis);
}

void tp_rows(Builder& b, const Scenario& s, const Estimate& e) {
    if (!e.tp) return;
    const TpVerdict& v = *e.tp;
    const std::string reason = tp_reason(v, e.engine, s.tp, e.weights.group, b.lang);
    b.word("tp.verdict", Str::row_tp_verdict, name(v.verdict), reason);
    b.words("tp.reason", Str::row_tp_reason, reason);
    b.words("tp.valid", Str::row_tp_valid, tp_sizes(valid_sizes(engine_input(s, e))));
    if (v.verdict == Verdict::error) return;
    b.real("tp.kv_heads_per_gpu", Str::row_tp_kv_heads_per_gpu, "1", v.kv_heads_per_gpu,
           Basis::exact, reason);
    b.real("tp.copies", Str::row_tp_copies, "1", v.copies, Basis::exact, reason);
}

void weight_rows(Builder& b, const Scenario& s, const Estimate& e) {
    if (!e.weights_per_gpu) return;
    const bool one = s.tp * s.pp == 1;
    std::string how = one || !e.checkpoint
                          ? b.plain_text(Str::how_one_gpu)
                          : b.say(Str::how_sharded,
                                  {grouped(e.checkpoint->value()) + " B", grouped(s.tp * s.pp)});
    b.count("weights.bytes_per_gpu", Str::row_weights_bytes_per_gpu, "B", *e.weights_per_gpu,
            std::move(how), info(e.weights.kind).mix ? Basis::derived : Basis::exact);
}

void budget_rows(Builder& b, const Scenario& s, const Estimate& e) {
    if (!e.budget) return;
    const Budget& u = *e.budget;
    const std::string engine(display_name(e.engine));
    b.count("budget.gpu_bytes", Str::row_budget_gpu_bytes, "B", u.gpu_bytes,
            b.say(Str::how_gpu_bytes, {engine, e.gpu.name}),
            e.gpu.visible_assumed ? Basis::assumed : Basis::exact);
    if (!s.kv_budget) {
        b.count("budget.usable_bytes", Str::row_budget_usable_bytes, "B", u.usable_bytes,
                b.say(Str::how_usable, {binary_size(u.gpu_bytes.real()), plain(u.util)}),
                e.gpu.visible_assumed ? Basis::assumed : Basis::exact);
        b.quantity("budget.overhead_bytes", Str::row_budget_overhead_bytes, "B", u.overhead,
                   b.plain_text(s.overhead ? Str::how_given : Str::how_overhead));
    }
    b.quantity("budget.kv_bytes", Str::row_budget_kv_bytes, "B", u.kv,
               s.kv_budget ? b.plain_text(Str::how_given)
                           : b.say(Str::how_kv, {binary_size(u.usable_bytes.real()),
                                                 binary_size(u.weight_bytes.real()),
                                                 binary_size(u.overhead.value)}));
}

// A number of the plan with the ends of its band.
void plan_number(Builder& b, const Estimate& e, std::string_view id, Str label,
                 double (*get)(const CachePlan&), std::string how) {
    Quantity q{get(*e.plan), {}, {}, Basis::exact};
    q.basis = weaker(e.budget ? e.budget->kv.basis : Basis::exact,
                     e.plan->assumed ? Basis::assumed : Basis::exact);
    if (e.plan_low && e.plan_high) {
        q.low = get(*e.plan_low);
        q.high = get(*e.plan_high);
    }
    b.quantity(id, label, "1", q, std::move(how));
}

void plan_rows(Builder& b, const Scenario& s, const Estimate& e) {
    if (!e.plan) return;
    const CachePlan& p = *e.plan;
    const std::string engine(display_name(e.engine));
    const Basis basis = p.assumed ? Basis::assumed : Basis::exact;
    const std::string per_gpu = b.say(Str::how_per_gpu, {engine, grouped(s.tp)});
    if (p.token_bytes > 0) {
        b.real("kv.bytes_per_token_per_gpu", Str::row_kv_bytes_per_token_per_gpu, "B",
               p.token_bytes, basis, per_gpu);
    }
    b.count("kv.bytes_per_request_per_gpu", Str::row_kv_bytes_per_request_per_gpu, "B",
            p.request_bytes_per_gpu, per_gpu, basis);
    b.count("kv.bytes_per_request_reserved_per_gpu", Str::row_kv_bytes_per_request_reserved_per_gpu,
            "B", p.reserved_per_request,
            b.say(Str::how_reserved, {grouped(p.block_tokens), grouped(e.ctx)}), basis);
    const std::string kv =
        s.kv_budget ? grouped(*s.kv_budget) : grouped(std::floor(e.budget->kv.value));
    b.count("engine.block_tokens", Str::row_engine_block_tokens, "1", p.block_tokens,
            b.say(Str::how_kv_tokens, {engine}), basis);
    plan_number(
        b, e, "engine.blocks", Str::row_engine_blocks,
        [](const CachePlan& c) { return static_cast<double>(c.blocks); },
        b.say(Str::how_blocks, {kv, grouped(p.block_tokens), grouped(p.token_bytes)}));
    plan_number(
        b, e, "engine.kv_tokens", Str::row_engine_kv_tokens,
        [](const CachePlan& c) { return static_cast<double>(c.tokens); },
        b.say(Str::how_kv_tokens, {engine}));
    plan_number(
        b, e, "engine.max_concurrency", Str::row_engine_max_concurrency,
        [](const CachePlan& c) { return c.max_concurrency; }, b.say(Str::how_kv_tokens, {engine}));
    plan_number(
        b, e, "engine.longest_ctx", Str::row_engine_longest_ctx,
        [](const CachePlan& c) { return static_cast<double>(c.longest_ctx); },
        b.plain_text(Str::how_longest));
    const Bytes budget =
        s.kv_budget ? Bytes(*s.kv_budget) : Bytes(static_cast<std::uint64_t>(e.budget->kv.value));
    std::string log = rules(e.engine).log(engine_input(s, e), p, budget);
    while (!log.empty() && log.back() == '\n') log.pop_back();
    b.words("engine.log", Str::row_engine_log, std::move(log),
            weaker(basis, e.budget ? e.budget->kv.basis : Basis::exact));
}

void batch_rows(Builder& b, const Scenario& s, const Estimate& e) {
    if (!e.batch) return;
    std::string how;
    if (e.batch->limit == Limit::refused) {
        how = b.plain_text(Str::how_batch_refused);
    } else if (e.batch->limit == Limit::max_seqs) {
        how = b.say(Str::how_batch_cap, {grouped(e.plan->max_requests), grouped(e.plan->max_seqs)});
    } else {
        const std::string kv =
            s.kv_budget ? grouped(*s.kv_budget) : grouped(std::floor(e.budget->kv.value));
        how = b.say(Str::how_batch, {kv, grouped(e.plan->reserved_per_request.value())});
    }
    b.quantity("batch.max", Str::row_batch_max, "1", e.batch->max, std::move(how));
    if (e.batch->max_slo) {
        b.quantity("batch.max_slo", Str::row_batch_max_slo, "1", *e.batch->max_slo,
                   b.plain_text(Str::how_slo));
    }
    b.word("batch.limit", Str::row_batch_limit, name(e.batch->limit));
}

void attention_rows(Builder& b, const Scenario& s, const Estimate& e) {
    if (e.speed) {
        const Speed& v = *e.speed;
        b.real("attn.group_size", Str::row_attn_group_size, "1", v.group_size, Basis::exact,
               b.plain_text(Str::how_group));
        b.real("attn.intensity", Str::row_attn_intensity, "FLOP/B", v.intensity, Basis::exact,
               b.plain_text(Str::how_intensity));
        b.real("gpu.ridge", Str::row_gpu_ridge, "FLOP/B", v.ridge,
               e.gpu.assumed ? Basis::assumed : Basis::exact,
               b.say(Str::how_ridge, {flop_rate(e.gpu.flops16), bandwidth(e.gpu.bandwidth)}));
    }
    if (e.model && !e.gpu.id.empty()) {
        b.words("attn.backend", Str::row_attn_backend, rules(e.engine).backend(engine_input(s, e)));
    }
}

void speed_rows(Builder& b, const Scenario& s, const Estimate& e) {
    if (!e.speed || (e.tp && e.tp->verdict == Verdict::error)) return;
    const Speed& v = *e.speed;
    b.quantity("decode.floor_s", Str::row_decode_floor_s, "s", v.floor,
               b.plain_text(Str::how_floor));
    b.quantity("decode.tpot_s", Str::row_decode_tpot_s, "s", v.tpot,
               b.say(Str::how_tpot,
                     {duration(v.step.linear), duration(v.step.kv), duration(v.step.all_reduce),
                      duration(v.step.fixed), duration(v.prefill_share)}));
    b.quantity("decode.tokens_per_s", Str::row_decode_tokens_per_s, "1/s", v.tokens_per_s,
               b.say(Str::how_throughput, {grouped(s.batch), grouped(s.out), grouped(s.out - 1)}));
    b.real("decode.batch_ridge", Str::row_decode_batch_ridge, "1", v.batch_ridge, Basis::derived,
           b.say(Str::how_batch_ridge, {three_digits(v.batch_ridge_peak)}));
    b.real("decode.batch_kv_equals_weights", Str::row_decode_batch_kv_equals_weights, "1",
           v.batch_kv_equals_weights, Basis::derived, b.plain_text(Str::how_batch_kv));
    b.quantity("prefill.floor_s", Str::row_prefill_floor_s, "s", v.prefill_floor,
               b.say(Str::how_prefill_floor, {grouped(s.in)}));
    const double share = v.ttft.value > 0 ? v.prefill_floor.value / v.ttft.value : 0;
    b.quantity(
        "prefill.ttft_s", Str::row_prefill_ttft_s, "s", v.ttft,
        b.say(Str::how_ttft, {grouped(s.in), three_digits(100 * share) + " %", grouped(s.batch)}));
}

}  // namespace

std::string_view name(Answer a) {
    constexpr std::array<std::string_view, 5> kNames{"fits", "may_fit", "does_not_fit", "refused",
                                                     "unknown"};
    return kNames[static_cast<std::size_t>(a)];
}

std::string_view name(Basis b) {
    constexpr std::array<std::string_view, 4> kNames{"exact", "derived", "measured", "assumed"};
    return kNames[static_cast<std::size_t>(b)];
}

std::string basis_word(Lang l, Basis b) {
    constexpr std::array kWords{Str::basis_exact, Str::basis_derived, Str::basis_measured,
                                Str::basis_assumed};
    return std::string(text(l, kWords[static_cast<std::size_t>(b)]));
}

const Row* Report::find(std::string_view id) const {
    for (const Row& r : rows) {
        if (r.id == id) return &r;
    }
    return nullptr;
}

Report report(const Scenario& s, const Estimate& e, Lang lang) {
    Report r;
    r.issues = in_language(lang, e.issues);
    r.rows.reserve(48);
    Builder b{r.rows, lang};
    if (e.model) {
        model_rows(b, e);
        kv_rows(b, s, e);
        tp_rows(b, s, e);
        weight_rows(b, s, e);
        budget_rows(b, s, e);
        b.words("engine.version", Str::row_engine_version, engine_word(e.engine, e.version));
        if (e.engine == EngineId::none) r.rows.back().value = std::string("none");
        plan_rows(b, s, e);
        batch_rows(b, s, e);
        attention_rows(b, s, e);
        speed_rows(b, s, e);
    }
    write_sentence(r, s, e, lang);
    return r;
}

namespace {

std::string number_text(std::string_view unit, double v, bool exact_count) {
    if (unit == "B") return binary_size(v);
    if (unit == "s") return duration(v);
    if (unit == "1/s") return three_digits(v) + " tok/s";
    if (unit == "FLOP/B") return three_digits(v) + " FLOP/B";
    return exact_count ? grouped(v) : three_digits(v);
}

}  // namespace

std::string value_text(const Row& r) {
    if (const auto* s = std::get_if<std::string>(&r.value)) return *s;
    if (const auto* n = std::get_if<std::uint64_t>(&r.value)) {
        return r.unit == "1" ? grouped(*n) : number_text(r.unit, static_cast<double>(*n), true);
    }
    return number_text(r.unit, std::get<double>(r.value), false);
}

std::string range_text(const Row& r) {
    if (!r.low || !r.high) return {};
    const bool whole = *r.low == std::floor(*r.low) && *r.high == std::floor(*r.high);
    std::string low = number_text(r.unit, *r.low, whole),
                high = number_text(r.unit, *r.high, whole);
    // The unit once, at the end.
    const std::size_t a = low.rfind(' '), b = high.rfind(' ');
    if (a != std::string::npos && b != std::string::npos && low.substr(a) == high.substr(b)) {
        low.resize(a);
    }
    return low + "–" + high;
}

}  // namespace kvgauge
