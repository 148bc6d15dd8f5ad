// SPDX-License-Identifier: MIT
#include "ui/answer.h"

#include <algorithm>
#include <cmath>

#include "text/numbers.h"
#include "ui/marks.h"
#include "ui/memory_bar.h"
#include "ui/number_text.h"
#include "ui/parts_bar.h"
#include "ui/readout.h"

namespace kvgauge::ui {
namespace {

constexpr float kBarTop = 92, kBar = 36;

Sign outcome_sign(Answer o) {
    switch (o) {
        case Answer::fits:
            return Sign::tick;
        case Answer::may_fit:
            return Sign::warning;
        case Answer::unknown:
            return Sign::unknown;
        default:
            return Sign::cross;
    }
}

std::string band_text(const Quantity& q, std::string (*digits)(double)) {
    if (!q.low || !q.high || *q.low == *q.high) return {};
    return digits(*q.low) + "–" + digits(*q.high);
}

std::vector<PartLabel> part_labels(const Ui& u, const Session& s, Rect r, const MemoryParts& m) {
    const auto x = [&](double bytes) { return r.x + r.w * static_cast<float>(bytes / m.end()); };
    const Budget& b = *s.estimate.budget;
    std::vector<PartLabel> v;
    v.push_back({r.x,
                 u.t.weights,
                 std::string(u.tr(Str::ui_part_weights)),
                 binary_size(m.weights),
                 {},
                 {}});
    if (m.overhead > 0) {
        PartLabel p{x(m.weights),
                    u.t.overhead,
                    std::string(u.tr(Str::ui_part_overhead)),
                    short_gib(m.overhead) + " GiB",
                    band_text(b.overhead, short_gib),
                    {}};
        if (b.overhead.basis != Basis::exact) p.basis = b.overhead.basis;
        v.push_back(p);
    }
    std::string kv(u.tr(Str::ui_part_kv));
    const std::string n = grouped(static_cast<std::uint64_t>(m.requests));
    if (m.request > 0) kv = u.tr(m.requests == 1 ? Str::ui_part_kv_one : Str::ui_part_kv_many, {n});
    const double kv_from = m.weights + std::max(m.overhead, m.overhead_high);
    v.push_back({x(kv_from), u.t.kv, kv, binary_size(m.kv), {}, {}});
    const double left = m.total - m.weights - m.overhead - m.kv;
    if (left > m.total * 0.002) {
        v.push_back({x(m.total - left),
                     u.t.reserve,
                     std::string(u.tr(Str::ui_part_free)),
                     binary_size(left),
                     {},
                     {}});
    }
    return v;
}

void too_big_labels(const Ui& u, Rect r, float cy, const MemoryParts& m) {
    const float x = r.x + r.w * static_cast<float>(m.usable / m.end());
    const std::string usable = u.tr(Str::ui_part_usable, {binary_size(m.usable)});
    const float usable_left = x - 8 - u.width(Face::c12, usable);
    float at = draw_swatch(u, r.x, cy, u.t.weights);
    at = u.text_mid(at, cy, Face::c12, u.t.text2, u.tr(Str::ui_part_weights));
    at = u.text_mid(at + 6, cy, Face::c12b, u.t.text, binary_size(m.weights));
    if (usable_left > at + 18) u.text_mid(usable_left, cy, Face::c12, u.t.text2, usable);
    const std::string missing = binary_size(m.missing);
    const std::string_view word = u.tr(Str::ui_part_missing);
    const float w = u.width(Face::c12, word) + 6 + u.width(Face::c12b, missing);
    at = std::max(std::min(x + 10, r.right() - w), at + 18);
    at = u.text_mid(at, cy, Face::c12, u.t.bad, word);
    u.text_mid(at + 6, cy, Face::c12b, u.t.bad, missing);
}

// A size the engine refuses: which head would have to be cut.
void head_map(const Ui& u, Rect r, const TpVerdict& v, std::uint64_t heads, std::uint64_t gpus) {
    const int n = static_cast<int>(std::min<std::uint64_t>(gpus, 16));
    const float gap = 4;
    const float w = (r.w - gap * static_cast<float>(n - 1)) / static_cast<float>(n);
    for (int i = 0; i < n; ++i) {
        const Rect g{r.x + static_cast<float>(i) * (w + gap), r.y, w, r.h};
        u.hatch(g, fade(u.t.bad, .32f), 7, 1.3f);
        u.frame(g, fade(u.t.bad, .55f), 5);
        std::string text;
        const double share = static_cast<double>(heads) / static_cast<double>(gpus);
        if (heads > 0 && share < 1) {
            const std::string head = grouped(static_cast<std::uint64_t>(i * share));
            text = share == .5    ? u.tr(Str::ui_tp_half_of, {head})
                   : share == .25 ? u.tr(Str::ui_tp_quarter_of, {head})
                                  : u.tr(Str::ui_tp_part_of, {head});
        } else if (heads > 0) {
            text = u.tr(Str::ui_tp_heads_each, {general(share, 3)});
        }
        const float tw = u.width(Face::c12b, text) + 14;
        if (!text.empty() && tw < w - 4) {
            u.fill({g.mid_x() - tw * .5f, g.y + 8, tw, 20}, u.t.bg, 4);
            u.text_mid(g.mid_x(), g.mid_y(), Face::c12b, u.t.bad, text, Align::mid);
        }
        u.text(g.mid_x(), g.bottom() + 9, Face::c12, u.t.text3,
               w > 46 ? "GPU " + std::to_string(i) : std::to_string(i), Align::mid);
    }
    (void)v;
}

// Heads the verdict is about: query heads where they are what does not divide.
std::uint64_t refused_heads(const Estimate& e) {
    switch (e.tp->rule) {
        case TpRule::q_heads:
        case TpRule::kv_heads:
        case TpRule::kv_heads_strict:
        case TpRule::state_heads:
            return e.tp->a;
        default:
            return 0;
    }
}

void bar_block(Ui& u, Session& s, Rect bar, float cy, Answer o) {
    const auto parts = memory_parts(s.estimate);
    if (o == Answer::refused && s.estimate.tp && refused_heads(s.estimate) > 0) {
        const bool query = s.estimate.tp->rule == TpRule::q_heads;
        u.text_mid(bar.x, cy, Face::c12, u.t.text2,
                   u.tr(query ? Str::ui_tp_query_heads_over : Str::ui_tp_kv_heads_over));
        head_map(u, bar, *s.estimate.tp, refused_heads(s.estimate), s.scenario.tp);
        return;
    }
    if (!parts) {
        u.fill(bar, u.t.reserve, 5);
        u.hatch(bar, fade(u.t.text3, .25f), 7, 1.2f);
        return;
    }
    if (parts->too_big())
        too_big_labels(u, bar, cy, *parts);
    else
        label_row(u, bar, cy, part_labels(u, s, bar, *parts));
    memory_bar(u, bar, *parts, true);
}

// "Fits. 55 requests."
std::string short_sentence(const Ui& u, const Session& s) {
    const double n = s.estimate.batch->max.value;
    return u.tr(n == 1 ? Str::ui_phone_fits_one : Str::ui_phone_fits,
                {grouped(static_cast<std::uint64_t>(n))});
}

}  // namespace

void answer(Ui& u, Session& s, Rect r) {
    const Answer o = s.report.answer;
    const Sign sign = outcome_sign(o);
    const float lh = u.line_height(Face::h28b);
    draw_sign(u, r.x + 11, r.y + lh * .5f, sign, sign_color(u.t, sign),
              sign == Sign::tick ? 10.0f : 9.0f, 3);
    const std::string& range = s.report.range;
    const float range_w = range.empty() ? 0 : u.width(Face::b14, range) + 14;
    // Too narrow: the smaller face, then the tokens move to the second line.
    std::string sentence = s.report.sentence, second = s.report.second;
    const float room = r.w - 34 - range_w;
    const Face face = u.width(Face::h28b, sentence) <= room ? Face::h28b : Face::h22b;
    if (u.width(face, sentence) > room && o == Answer::fits && s.estimate.batch) {
        sentence = short_sentence(u, s);
        second = u.tr(Str::ui_phone_each, {grouped(s.scenario.ctx)}) + " " + second;
    }
    const float drop = (lh - u.line_height(face)) * .5f;
    const float end = u.text(r.x + 34, r.y + drop, face, u.t.text, u.fit(face, sentence, room));
    if (!range.empty()) {
        u.text(end + 14, r.y + lh - u.line_height(Face::b14) - 3, Face::b14, u.t.text3, range);
    }
    u.text(r.x, r.y + lh + 6, Face::b14, u.t.text2, u.fit(Face::b14, second, r.w));
    const Rect bar{r.x, r.y + kBarTop, r.w, kBar};
    bar_block(u, s, bar, bar.y - 13, o);
}

float answer_narrow(Ui& u, Session& s, Rect r) {
    const Answer o = s.report.answer;
    const Sign sign = outcome_sign(o);
    const float lh = u.line_height(Face::h22b);
    draw_sign(u, r.x + 9, r.y + lh * .5f, sign, sign_color(u.t, sign), 8, 2.6f);
    // The tokens move to the second line, so that the sentence stays on one.
    std::string sentence = s.report.sentence, second = s.report.second;
    if (o == Answer::fits && s.estimate.batch) {
        sentence = short_sentence(u, s);
        second = u.tr(Str::ui_phone_each, {grouped(s.scenario.ctx)}) + " " + second;
    }
    float y = u.wrap(r.x + 28, r.y, r.w - 28, Face::h22b, u.t.text, sentence);
    y = u.wrap(r.x, y + 2, r.w, Face::b14, u.t.text2, second) + 10;
    const Rect bar{r.x, y, r.w, 32};
    const auto parts = memory_parts(s.estimate);
    if (o == Answer::refused || !parts) {
        bar_block(u, s, bar, bar.y - 13, o);
        return y + 32 + 36;
    }
    memory_bar(u, bar, *parts, true);
    y += 32 + 34;
    const MemoryParts& m = *parts;
    const Budget& b = *s.estimate.budget;
    std::string overhead = band_text(b.overhead, short_gib);
    if (overhead.empty()) overhead = short_gib(m.overhead) + " GiB";
    const PartLabel cells[4] = {
        {0, u.t.weights, std::string(u.tr(Str::ui_part_weights)), binary_size(m.weights), {}, {}},
        {0, u.t.kv, std::string(u.tr(Str::ui_part_kv)), binary_size(m.kv), {}, {}},
        {0, u.t.overhead, std::string(u.tr(Str::ui_part_overhead)), overhead, {}, {}},
        {0,
         u.t.reserve,
         std::string(u.tr(Str::ui_part_free)),
         binary_size(std::max(m.total - m.weights - m.overhead - m.kv, 0.0)),
         {},
         {}},
    };
    for (int i = 0; i < 4; ++i) {
        const float x = r.x + static_cast<float>(i & 1) * (r.w * .5f + 8);
        const float cy = y + static_cast<float>(i >> 1) * 24 + 7;
        const float end = draw_swatch(u, x, cy, cells[i].color);
        u.text_mid(end, cy, Face::c12, u.t.text2, cells[i].name);
        u.text_mid(x + r.w * .5f - 8, cy, Face::c12b, u.t.text, cells[i].value, Align::right);
    }
    return y + 60;
}

}  // namespace kvgauge::ui
