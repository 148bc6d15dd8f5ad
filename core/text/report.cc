// SPDX-License-Identifier: MIT
#include "text/report.h"

#include <array>
#include <cmath>

#include "text/calibration.h"
#include "text/derivation.h"
#include "text/numbers.h"
#include "text/row_values.h"
#include "text/sentence.h"
#include "text/tp_text.h"
#include "text/words.h"

namespace kvgauge {
namespace {

struct Builder {
    std::vector<Row>& rows;
    const Scenario& s;
    const Estimate& e;
    Lang lang;

    // The row of this id, where the estimate has it.
    void row(std::string_view id, std::string how = {}) {
        const RowKind& kind = *find_row(id);
        const auto v = kind.get(s, e);
        if (!v) return;
        Row r{kind.id, label(kind), kind.unit, {}, v->basis, v->low, v->high, std::move(how)};
        if (const auto* n = std::get_if<std::uint64_t>(&v->value)) r.value = *n;
        if (const auto* d = std::get_if<double>(&v->value)) r.value = *d;
        if (const auto* w = std::get_if<std::string_view>(&v->value)) r.value = std::string(*w);
        rows.push_back(std::move(r));
    }
    void words(std::string_view id, std::string v, Basis basis = Basis::exact) {
        const RowKind& kind = *find_row(id);
        if (v.empty()) return;
        rows.push_back({kind.id, label(kind), kind.unit, std::move(v), basis, {}, {}, {}});
    }
    std::string label(const RowKind& kind) const { return std::string(text(lang, kind.label)); }
    std::string say(Str id, std::initializer_list<std::string_view> parts) const {
        return kvgauge::say(lang, id, parts);
    }
    std::string plain_text(Str id) const { return std::string(text(lang, id)); }
};

void model_rows(Builder& b) {
    const Estimate& e = b.e;
    if (!e.params) return;
    b.row("model.params",
          b.plain_text(e.model->stated_params != 0 ? Str::how_params_stated : Str::how_params));
    b.row("model.params_active", b.plain_text(Str::how_params_active));
    b.row("model.params_vision", b.plain_text(Str::how_params));
    if (e.checkpoint) b.row("model.weight_bytes", how_weights(b.lang, e));
}

void kv_rows(Builder& b) {
    const Scenario& s = b.s;
    const Estimate& e = b.e;
    if (!e.kv) return;
    const KvSizes& k = *e.kv;
    const ModelSpec& m = *e.model;
    const DType all = s.kv == DType::automatic ? m.kv : s.kv;
    const KvTypes types{s.kv_k.value_or(all), s.kv_v.value_or(all), s.state_dtype};
    const auto request = [&](bool all_full, Bytes bytes) {
        return how_request(b.lang, m, types, e.ctx, e.cross_tokens, all_full, bytes);
    };
    b.row("kv.bytes_per_token", how_token(b.lang, m, types, false, k.bytes_per_token));
    b.row("kv.bytes_per_token_full", how_token(b.lang, m, types, true, k.bytes_per_token_full));
    b.row("kv.index_bytes_per_token");
    b.row("kv.bytes_per_request", request(false, k.bytes_per_request));
    b.row("kv.bytes_per_request_all_full", request(true, k.bytes_per_request_all_full));
    b.row("kv.state_bytes_per_request", b.plain_text(Str::how_state));
}

void tp_rows(Builder& b) {
    const Estimate& e = b.e;
    if (!e.tp) return;
    const std::string reason = tp_reason(*e.tp, e.engine, b.s.tp, e.weights.group, b.lang);
    b.row("tp.verdict", reason);
    b.words("tp.reason", reason);
    b.words("tp.valid", tp_sizes(valid_sizes(engine_input(b.s, e))));
    b.row("tp.kv_heads_per_gpu", reason);
    b.row("tp.copies", reason);
}

void weight_rows(Builder& b) {
    const Estimate& e = b.e;
    if (!e.weights_per_gpu) return;
    const std::uint64_t gpus = b.s.tp * b.s.pp;
    b.row("weights.bytes_per_gpu",
          gpus == 1 || !e.checkpoint
              ? b.plain_text(Str::how_one_gpu)
              : b.say(Str::how_sharded, {grouped(e.checkpoint->value()) + " B", grouped(gpus)}));
}

void budget_rows(Builder& b) {
    if (!b.e.budget) return;
    const Budget& u = *b.e.budget;
    b.row("budget.gpu_bytes", b.say(Str::how_gpu_bytes, {display_name(b.e.engine), b.e.gpu.name}));
    b.row("budget.usable_bytes",
          b.say(Str::how_usable, {binary_size(u.gpu_bytes.real()), plain(u.util)}));
    b.row("budget.overhead_bytes", b.plain_text(b.s.overhead ? Str::how_given : Str::how_overhead));
    b.row("budget.kv_bytes", b.s.kv_budget ? b.plain_text(Str::how_given)
                                           : b.say(Str::how_kv, {binary_size(u.usable_bytes.real()),
                                                                 binary_size(u.weight_bytes.real()),
                                                                 binary_size(u.overhead.value)}));
}

std::string kv_budget_text(const Builder& b) {
    if (b.s.kv_budget) return grouped(*b.s.kv_budget);
    return grouped(std::floor(b.e.budget->kv.value));
}

void plan_rows(Builder& b) {
    const Estimate& e = b.e;
    if (!e.plan) return;
    const CachePlan& p = *e.plan;
    const std::string engine(display_name(e.engine));
    const std::string per_gpu = b.say(Str::how_per_gpu, {engine, grouped(b.s.tp)});
    const std::string printed = b.say(Str::how_kv_tokens, {engine});
    b.row("kv.bytes_per_token_per_gpu", per_gpu);
    b.row("kv.bytes_per_request_per_gpu", per_gpu);
    b.row("kv.bytes_per_request_reserved_per_gpu",
          b.say(Str::how_reserved, {grouped(p.block_tokens), grouped(e.ctx)}));
    b.row("engine.block_tokens", printed);
    b.row("engine.blocks", b.say(Str::how_blocks, {kv_budget_text(b), grouped(p.block_tokens),
                                                   grouped(p.token_bytes)}));
    b.row("engine.kv_tokens", printed);
    b.row("engine.max_concurrency", printed);
    b.row("engine.longest_ctx", b.plain_text(Str::how_longest));
    const Bytes budget = b.s.kv_budget ? Bytes(*b.s.kv_budget)
                                       : Bytes(static_cast<std::uint64_t>(e.budget->kv.value));
    std::string log = rules(e.engine).log(engine_input(b.s, e), p, budget);
    while (!log.empty() && log.back() == '\n') log.pop_back();
    b.words("engine.log", std::move(log),
            weaker(p.assumed ? Basis::assumed : Basis::exact,
                   e.budget ? e.budget->kv.basis : Basis::exact));
}

void batch_rows(Builder& b) {
    const Estimate& e = b.e;
    if (!e.batch) return;
    std::string how;
    if (e.batch->limit == Limit::refused) {
        how = b.plain_text(Str::how_batch_refused);
    } else if (e.batch->limit == Limit::max_seqs) {
        how = b.say(Str::how_batch_cap, {grouped(e.plan->max_requests), grouped(e.plan->max_seqs)});
    } else {
        how = b.say(Str::how_batch,
                    {kv_budget_text(b), grouped(e.plan->reserved_per_request.value())});
    }
    b.row("batch.max", std::move(how));
    b.row("batch.max_slo", b.plain_text(Str::how_slo));
    b.row("batch.limit");
}

void attention_rows(Builder& b) {
    const Estimate& e = b.e;
    b.row("attn.group_size", b.plain_text(Str::how_group));
    b.row("attn.intensity", b.plain_text(Str::how_intensity));
    b.row("attn.kv_proj_params", b.plain_text(Str::how_kv_proj));
    b.row("attn.kv_proj_flops", b.plain_text(Str::how_kv_proj_flops));
    b.row("gpu.ridge",
          b.say(Str::how_ridge, {flop_rate(e.gpu.flops16), bandwidth(e.gpu.bandwidth)}));
    if (!e.gpu.id.empty()) {
        b.words("attn.backend", rules(e.engine).backend(engine_input(b.s, e)));
    }
}

// What lies beyond the measurements that were compared: "routed experts, a sliding window".
std::string beyond_text(Lang lang, std::uint16_t beyond) {
    constexpr std::pair<Beyond, Str> kWords[] = {
        {Beyond::experts, Str::beyond_experts},
        {Beyond::latent, Str::beyond_latent},
        {Beyond::window, Str::beyond_window},
        {Beyond::state, Str::beyond_state},
        {Beyond::speculation, Str::beyond_speculation},
        {Beyond::pcie, Str::beyond_pcie},
        {Beyond::pipeline, Str::beyond_pipeline},
        {Beyond::attention_groups, Str::beyond_attention_groups},
        {Beyond::engine, Str::beyond_engine},
        {Beyond::format, Str::beyond_format},
        {Beyond::vendor, Str::beyond_vendor},
    };
    std::string out;
    for (const auto& [what, word] : kWords) {
        if ((beyond & bit(what)) == 0) continue;
        out += (out.empty() ? "" : ", ") + std::string(text(lang, word));
    }
    return out.empty() ? out : ". " + say(lang, Str::how_beyond, {out});
}

void speed_rows(Builder& b) {
    const Estimate& e = b.e;
    if (!e.speed) return;
    const Scenario& s = b.s;
    const Speed& v = *e.speed;
    const std::string beyond = beyond_text(b.lang, v.beyond);
    b.row("decode.floor_s", b.plain_text(Str::how_floor));
    std::string tpot = b.say(
        Str::how_tpot, {duration(v.step.linear), duration(v.step.kv), duration(v.step.all_reduce),
                        duration(v.step.fixed), duration(v.prefill_share)});
    if (v.step.hop > 0) tpot += " + " + b.say(Str::how_tpot_hop, {duration(v.step.hop)});
    if (v.tokens_per_step > 1) {
        tpot +=
            b.say(Str::how_tpot_drafted, {duration(v.step.draft), three_digits(v.tokens_per_step)});
    }
    b.row("decode.tpot_s", tpot + beyond);
    b.row("decode.weights_s", b.plain_text(Str::how_part_weights));
    b.row("decode.kv_s", b.plain_text(Str::how_part_kv));
    b.row("decode.all_reduce_s", b.plain_text(Str::how_part_all_reduce));
    b.row("decode.fixed_s", b.plain_text(Str::how_part_fixed));
    b.row("decode.draft_s", b.plain_text(Str::how_part_draft));
    b.row("decode.hop_s", b.plain_text(Str::how_part_hop));
    b.row("decode.tokens_per_step",
          b.say(Str::how_tokens_per_step, {three_digits(100 * SpeedConstants{}.accept) + " %"}));
    b.row("decode.prefill_share_s", b.plain_text(Str::how_part_prefill));
    b.row("decode.tokens_per_s",
          b.say(Str::how_throughput, {grouped(s.batch), grouped(s.out), grouped(s.out - 1)}));
    b.row("decode.tokens_per_s_per_gpu", b.say(Str::how_per_gpu_of, {grouped(v.gpus)}));
    b.row("decode.batch_ridge", b.say(Str::how_batch_ridge, {three_digits(v.batch_ridge_peak)}));
    b.row("decode.batch_kv_equals_weights", b.plain_text(Str::how_batch_kv));
    b.row("prefill.floor_s", b.say(Str::how_prefill_floor, {grouped(s.in)}));
    const double share = v.ttft.value > 0 ? v.prefill_floor.value / v.ttft.value : 0;
    b.row("prefill.ttft_s", b.say(Str::how_ttft, {grouped(s.in), three_digits(100 * share) + " %",
                                                  grouped(s.batch)}) +
                                beyond);
    if (!s.calibration || !e.speed_default) return;
    b.row("decode.tpot_default_s", b.plain_text(Str::how_without_calibration));
    b.row("prefill.ttft_default_s", b.plain_text(Str::how_without_calibration));
    b.row("calibration.residual", calibration_text(*s.calibration));
    b.words("calibration.device", s.calibration->device, Basis::measured);
}

void traffic_rows(Builder& b) {
    if (!b.e.traffic) return;
    const TrafficAnswer& a = *b.e.traffic;
    b.row("traffic.concurrency",
          b.say(Str::how_traffic, {grouped(a.blocks), three_digits(a.traffic.blocks_per_request)}));
    b.row("traffic.concurrency_1pct", b.say(Str::how_traffic_1pct, {grouped(b.s.mix.seed)}));
    b.row("traffic.mean_in");
    b.row("traffic.mean_out");
    b.row("traffic.cut");
    b.row("traffic.blocks_per_request", b.say(Str::how_traffic_blocks, {grouped(a.block_tokens)}));
    b.row("traffic.longest_blocks");
    b.row("traffic.blocks", a.even ? std::string() : b.plain_text(Str::how_traffic_uneven));
    b.row("traffic.seed");
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
    r.rows.reserve(66);
    Builder b{r.rows, s, e, lang};
    if (e.model) {
        model_rows(b);
        kv_rows(b);
        tp_rows(b);
        weight_rows(b);
        budget_rows(b);
        b.words("engine.version",
                e.engine == EngineId::none ? "none" : engine_word(e.engine, e.version));
        plan_rows(b);
        batch_rows(b);
        attention_rows(b);
        speed_rows(b);
        traffic_rows(b);
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
    if (low == high) return {};  // a range that reads "56-56" says nothing
    // The unit once, at the end.
    const std::size_t a = low.rfind(' '), b = high.rfind(' ');
    if (a != std::string::npos && b != std::string::npos && low.substr(a) == high.substr(b)) {
        low.resize(a);
    }
    return low + "–" + high;
}

}  // namespace kvgauge
