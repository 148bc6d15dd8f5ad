// SPDX-License-Identifier: MIT
#include "text/sentence.h"

#include <algorithm>
#include <bit>

#include "text/fields.h"
#include "text/numbers.h"
#include "text/tp_text.h"

namespace kvgauge {
namespace {

std::uint64_t whole(double v) {
    return v > 0 ? static_cast<std::uint64_t>(v) : 0;
}

std::string sum(std::string a, const std::string& b) {
    if (b.empty()) return a;
    return a.empty() ? b : a + " " + b;
}

// A key of scenarios, as opposed to a field of a model file.
bool is_key(std::string_view key) {
    return find_field(key) != nullptr;
}

struct Words {
    Report& r;
    const Scenario& s;
    const Estimate& e;
    Lang lang;

    std::string say(Str id, std::initializer_list<std::string_view> parts) const {
        return kvgauge::say(lang, id, parts);
    }
    std::string engine() const { return std::string(display_name(e.engine)); }

    void not_known() const {
        r.answer = Answer::unknown;
        const auto error = std::find_if(e.issues.begin(), e.issues.end(), [](const Issue& i) {
            return i.severity == Severity::error;
        });
        if (error == e.issues.end()) {
            r.sentence = text(lang, Str::say_unknown);
            return;
        }
        r.second = issue_text(lang, *error);
        const std::string_view code = error->code;
        if (!e.model && !s.model_source.empty() && !is_key(error->key)) {
            r.sentence = error->key.empty() ? std::string(text(lang, Str::say_unknown_file))
                                            : say(Str::say_unknown_config, {error->key});
        } else if (code.starts_with("unknown_model")) {
            r.sentence = text(lang, Str::say_unknown_model);
        } else if (code.starts_with("unknown_gpu")) {
            r.sentence = text(lang, Str::say_unknown_gpu);
        } else if (code == "missing_field" || code == "missing_weights") {
            r.sentence = say(Str::say_unknown_field, {error->key});
        } else if (!error->key.empty()) {
            r.sentence = say(Str::say_unknown_value, {error->key});
        } else {
            r.sentence = text(lang, Str::say_unknown);
        }
    }

    void refused() const {
        r.answer = Answer::refused;
        r.sentence = say(Str::say_refused, {engine(), grouped(s.tp), tp_short(*e.tp, lang)});
        const std::uint64_t sizes = valid_sizes(engine_input(s, e));
        const auto largest = static_cast<std::uint64_t>(64 - std::countl_zero(sizes));
        r.second = largest == 0 ? say(Str::say_refused_none, {engine()})
                                : say(Str::say_refused_largest, {engine(), grouped(largest)});
        r.second = sum(r.second, others());
    }

    // Engines that start at the refused size, and the copies they make.
    std::string others() const {
        std::string names;
        double copies = 1;
        int n = 0;
        for (EngineId id : {EngineId::vllm, EngineId::sglang, EngineId::trtllm, EngineId::tgi,
                            EngineId::lmdeploy}) {
            if (id == e.engine) continue;
            EngineInput in = engine_input(s, e);
            in.engine = id;
            in.version = rules(id).newest;
            const TpVerdict v = rules(id).tp(in, s.tp);
            if (!accepted(v)) continue;
            if (n++ != 0) names += ", ";
            names += display_name(id);
            copies = std::max(copies, v.copies);
        }
        if (n == 0) return {};
        const std::string tp = grouped(s.tp);
        if (copies > 1) {
            return say(n == 1 ? Str::say_refused_others_copies_one : Str::say_refused_others_copies,
                       {names, tp, grouped(copies)});
        }
        return say(n == 1 ? Str::say_refused_others_one : Str::say_refused_others, {names, tp});
    }

    void may_fit(std::uint64_t low, std::uint64_t high) const {
        r.answer = Answer::may_fit;
        r.sentence = say(Str::say_may_fit, {grouped(low), grouped(high), grouped(s.ctx)});
        Row overhead;
        overhead.unit = "B";
        overhead.low = e.budget->overhead.low;
        overhead.high = e.budget->overhead.high;
        r.second = say(Str::say_may_fit_why, {range_text(overhead)});
    }

    void too_big() const {
        r.answer = Answer::does_not_fit;
        const Budget& u = *e.budget;
        const double weights = u.weight_bytes.real(), usable = u.usable_bytes.real();
        const bool alone = weights >= usable;
        const double need = alone ? weights : weights + u.overhead.value;
        r.sentence =
            say(alone ? Str::say_too_big : Str::say_too_big_with_overhead, {binary_size(need)});
        r.second = say(Str::say_too_big_why,
                       {e.gpu.name, binary_size(usable), binary_size(need - usable)});
    }

    void one_request() const {
        r.answer = Answer::does_not_fit;
        const double budget = s.kv_budget ? static_cast<double>(*s.kv_budget)
                              : e.budget  ? e.budget->kv.value
                                          : 0;
        r.sentence = say(Str::say_one_request,
                         {grouped(s.ctx), binary_size(e.plan->reserved_per_request.real())});
        r.second =
            say(Str::say_one_request_why, {binary_size(budget), grouped(e.plan->longest_ctx)});
    }

    std::string targets() const {
        if (!e.batch->max_slo) return {};
        const std::string all = grouped(whole(e.batch->max.value));
        const std::string some = grouped(whole(e.batch->max_slo->value));
        if (e.batch->limit == Limit::tpot) {
            return say(Str::limit_tpot, {some, all, duration(*s.tpot_max)});
        }
        if (e.batch->limit == Limit::ttft) {
            return say(Str::limit_ttft, {some, all, duration(*s.ttft_max)});
        }
        std::string out;
        if (s.tpot_max) out = say(Str::limit_tpot_all, {duration(*s.tpot_max)});
        if (s.ttft_max) out = sum(out, say(Str::limit_ttft_all, {duration(*s.ttft_max)}));
        return out;
    }

    void fits() const {
        r.answer = Answer::fits;
        const std::uint64_t n = whole(e.batch->max.value);
        r.sentence = say(n == 1 ? Str::say_fits_one : Str::say_fits, {grouped(n), grouped(s.ctx)});
        const CachePlan& p = *e.plan;
        const double steady = p.request_bytes_per_gpu.real();
        const double reserved = p.reserved_per_request.real();
        std::string binds;
        if (p.max_seqs != 0 && p.max_requests > p.max_seqs) {
            binds = say(Str::limit_max_seqs,
                        {grouped(p.max_seqs), grouped(p.max_requests - p.max_seqs)});
        } else if (steady > 0 && reserved > 1.05 * steady) {
            binds =
                say(Str::limit_reserved, {engine(), binary_size(reserved), binary_size(steady)});
        } else {
            binds = text(lang, Str::limit_memory);
        }
        r.second = sum(binds, targets());
    }
};

}  // namespace

void write_sentence(Report& r, const Scenario& s, const Estimate& e, Lang lang) {
    const Words w{r, s, e, lang};
    if (e.tp && e.tp->verdict == Verdict::error) return w.refused();
    if (!e.model || !e.batch || !e.plan) return w.not_known();
    const Quantity& max = e.batch->max;
    const std::uint64_t low = whole(max.low.value_or(max.value));
    const std::uint64_t high = whole(max.high.value_or(max.value));
    if (low != high) r.range = grouped(low) + "–" + grouped(high);
    if (low == 0 && high != 0) return w.may_fit(low, high);
    if (max.value >= 1) return w.fits();
    if (e.batch->limit == Limit::weights && e.budget) return w.too_big();
    w.one_request();
}

}  // namespace kvgauge
