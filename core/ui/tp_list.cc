// SPDX-License-Identifier: MIT
#include "ui/tp_list.h"

#include <algorithm>

#include "text/numbers.h"
#include "ui/choices.h"
#include "ui/marks.h"
#include "ui/number_text.h"

namespace kvgauge::ui {
namespace {

constexpr float kRow = 25;

std::string heads_text(double heads) {
    return general(heads, 4);
}

Str refusal_key(TpRule rule) {
    switch (rule) {
        case TpRule::q_heads:
            return Str::ui_tp_q_heads;
        case TpRule::kv_heads:
        case TpRule::kv_heads_strict:
            return Str::ui_tp_kv_heads;
        case TpRule::mlp_width:
            return Str::ui_tp_mlp;
        case TpRule::moe_width:
            return Str::ui_tp_moe;
        case TpRule::experts:
            return Str::ui_tp_experts;
        case TpRule::fp8_block:
            return Str::ui_tp_fp8_block;
        case TpRule::quant_group:
            return Str::ui_tp_group;
        case TpRule::vocab:
            return Str::ui_tp_vocab;
        case TpRule::state_heads:
        case TpRule::state_groups:
            return Str::ui_tp_state;
        case TpRule::gpus:
            return Str::ui_tp_gpus;
        default:
            return Str::ui_tp_refused;
    }
}

struct Line {
    std::string sizes;
    TpVerdict verdict;
    std::uint64_t first = 0;
};

}  // namespace

std::string tp_words(const Ui& u, const TpVerdict& v) {
    if (v.verdict == Verdict::error) return u.tr(refusal_key(v.rule), {grouped(v.a), grouped(v.b)});
    if (v.rule == TpRule::latent_copied) return u.tr(Str::ui_tp_latent, {heads_text(v.copies)});
    if (v.copies > 1) {
        const std::string copies = heads_text(v.copies);
        return v.copies == 2 ? std::string(u.tr(Str::ui_tp_twice))
                             : u.tr(Str::ui_tp_copies, {copies});
    }
    if (v.verdict == Verdict::unsafe) return std::string(u.tr(Str::ui_tp_unsafe));
    if (v.rule == TpRule::kv_uneven) return std::string(u.tr(Str::ui_tp_uneven));
    if (v.verdict == Verdict::ok_fallback) return std::string(u.tr(Str::ui_tp_fallback));
    if (v.kv_heads_per_gpu <= 0) return std::string(u.tr(Str::ui_tp_starts));
    return u.tr(v.kv_heads_per_gpu == 1 ? Str::ui_tp_one_head : Str::ui_tp_heads,
                {heads_text(v.kv_heads_per_gpu)});
}

float tp_list(Ui& u, Session& s, Rect r) {
    const std::string engine(display_name(s.estimate.engine));
    u.text(r.x, r.y, Face::b14b, u.t.text,
           u.fit(Face::b14b, u.tr(Str::ui_tp_title, {engine}), r.w));
    float y = r.y + 30;
    std::vector<Line> lines;
    const auto verdict = [&](std::uint64_t tp) {
        return tp_verdict(s.scenario, s.catalog, s.scenario.engine, tp);
    };
    for (const std::uint64_t tp : {1u, 2u, 4u, 8u, 16u}) {
        if (const auto v = verdict(tp)) lines.push_back({grouped(tp), *v, tp});
    }
    // Sizes between the powers of two: one line for those with the same fate as 3.
    if (const auto three = verdict(3)) {
        Line odd{"3", *three, 3};
        for (const std::uint64_t tp : {5u, 6u}) {
            const auto v = verdict(tp);
            if (v && v->verdict == three->verdict && v->rule == three->rule &&
                odd.sizes.size() < 4) {
                odd.sizes += ", " + grouped(tp);
            }
        }
        lines.push_back(std::move(odd));
    }
    if (lines.empty()) {
        return u.wrap(r.x, y, r.w, Face::b14, u.t.text2, u.tr(Str::ui_tp_unknown));
    }
    for (const Line& l : lines) {
        const Sign sign = sign_of(l.verdict.verdict);
        const float cy = y + u.line_height(Face::b14) * .5f;
        const Rect row{r.x - 8, y - 4, r.w + 8, kRow};
        const Hit h = u.hit("tp-" + grouped(l.first), row);
        if (h.hover) u.fill(row, u.t.field_hover, 6);
        if (h.focus) u.focus_ring(row, 6);
        if (l.first == s.scenario.tp) u.circle(r.x - 3, cy, 2.5f, u.t.accent);
        u.text(r.x + 26, y, Face::b14b, sign == Sign::cross ? u.t.text2 : u.t.text, l.sizes,
               Align::right);
        draw_sign(u, r.x + 44, cy, sign, sign_color(u.t, sign));
        u.text(r.x + 62, y, Face::b14, u.t.text2,
               u.fit(Face::b14, tp_words(u, l.verdict), r.right() - r.x - 62));
        if (h.click) {
            set_tp(s.next, l.first);
            s.edited_by = "tp";
        }
        y += kRow;
    }
    return y;
}

}  // namespace kvgauge::ui
