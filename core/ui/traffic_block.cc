// SPDX-License-Identifier: MIT
#include "ui/traffic_block.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/traffic.h"
#include "text/numbers.h"
#include "ui/button.h"
#include "ui/choices.h"
#include "ui/number_field.h"
#include "ui/plot.h"
#include "ui/readout.h"

namespace kvgauge::ui {
namespace {

constexpr float kForm = 356, kFormHeight = 148, kRow = 28;
constexpr std::size_t kBins = 44;
constexpr float kBelow = 28;  // to the next block

bool narrow(float w) {
    return w < 640;
}

struct Cell {
    std::string_view key;
    const std::optional<double>* value;
};

void length_row(Ui& u, Session& s, Rect r, Str label, const std::array<Cell, 3>& cells) {
    constexpr float kNames = 68;
    u.text_mid(r.x, r.mid_y(), Face::b14, u.t.text2, u.tr(label));
    r.cut_left(kNames);
    const float w = (r.w - 16) / 3;
    for (const Cell& c : cells) {
        const Rect box = r.cut_left(w);
        r.cut_left(8);
        const bool given = c.value->has_value();
        const std::string text =
            given ? grouped(std::round(**c.value)) : std::string(u.tr(Str::ui_traffic_open));
        const NumberEdit edit = number_field(u, box, {c.key, text, {}, !given, !given});
        if (edit.text)
            type_field(s, u.state, c.key, *edit.text);
        else if (edit.step != 0 && given)
            step_field(s, u.state, c.key, edit.step);
    }
}

bool of_this(std::string_view key) {
    return key.starts_with("in-") || key.starts_with("out-");
}

void form(Ui& u, Session& s, Rect r) {
    const LengthMix& m = s.scenario.mix;
    if (!m.seen.empty()) {
        double requests = 0;
        for (const LengthPair& p : m.seen) requests += p.weight;
        u.wrap(
            r.x, r.y + 6, r.w, Face::b14, u.t.text2,
            u.tr(Str::ui_traffic_seen, {grouped(requests), grouped(std::uint64_t{m.seen.size()})}));
        return;
    }
    Rect heads = r.cut_top(22);
    heads.cut_left(68);
    const float w = (heads.w - 16) / 3;
    for (const Str name : {Str::ui_traffic_mean, Str::ui_traffic_p50, Str::ui_traffic_p95}) {
        u.text(heads.x + 1, heads.y, Face::c12, u.t.text2, u.tr(name));
        heads.cut_left(w + 8);
    }
    length_row(u, s, r.cut_top(32), Str::ui_traffic_in,
               {{{"in-mean", &m.in.mean}, {"in-p50", &m.in.p50}, {"in-p95", &m.in.p95}}});
    r.cut_top(6);
    length_row(u, s, r.cut_top(32), Str::ui_traffic_out,
               {{{"out-mean", &m.out.mean}, {"out-p50", &m.out.p50}, {"out-p95", &m.out.p95}}});
    const bool wrong = of_this(u.state.error_field);
    u.wrap(r.x, r.y + 6, r.w, Face::c12, wrong ? u.t.bad : u.t.text3,
           wrong ? std::string_view(u.state.error_text) : u.tr(Str::ui_traffic_two));
}

std::string between(const Row& row) {
    if (!row.low || !row.high || *row.low == *row.high) return {};
    return grouped(std::floor(*row.low)) + "–" + grouped(std::floor(*row.high));
}

Readout read(const Session& s, std::string_view id, std::string_view label, std::string note) {
    Readout o;
    o.row = id;
    o.label = label;
    o.value = "–";
    if (const Row* row = s.row(id)) {
        o.value = grouped(std::floor(number_of(*row)));
        o.basis = row->basis;
        const std::string range = between(*row);
        if (!range.empty()) note = range + (note.empty() ? "" : ", " + note);
    }
    o.note = std::move(note);
    return o;
}

void answers(Ui& u, Session& s, Rect r, bool lines) {
    const double mean_in = s.estimate.traffic ? s.estimate.traffic->traffic.mean_in : 0;
    const double mean_out = s.estimate.traffic ? s.estimate.traffic->traffic.mean_out : 0;
    const std::array<Readout, 3> all{
        read(s, "traffic.concurrency", u.tr(Str::ui_traffic_expected),
             u.tr(Str::ui_traffic_mean_note,
                  {grouped(std::round(mean_in)), grouped(std::round(mean_out))})),
        read(s, "traffic.concurrency_1pct", u.tr(Str::ui_traffic_1pct), {}),
        read(s, "batch.max", u.tr(Str::ui_traffic_full),
             u.tr(Str::ui_ro_tokens, {grouped(s.scenario.ctx)}))};
    if (lines) {  // one each
        for (const Readout& o : all) {
            const Rect row = r.cut_top(kRow);
            const bool hot = explain(u, s, o.row, row);
            const float x = u.text_mid(row.x, row.mid_y(), Face::b14, u.t.text2, o.label);
            draw_basis(u, x + 10, row.mid_y(), o.basis, basis_color(u.t, o.basis));
            u.text_mid(row.right(), row.mid_y(), Face::b14b, u.t.text, o.value, Align::right);
            if (hot) u.hdash(row.x, x, row.bottom() - 4, u.t.text3, {2, 2});
        }
        return;
    }
    const float w = r.w / static_cast<float>(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Rect c{r.x + static_cast<float>(i) * w, r.y, w - 18, kReadoutHeight};
        if (i > 0) u.vline(c.x - 14, c.y, c.y + 64, u.t.line);
        readout(u, s, c, all[i]);
    }
}

// The lengths as columns on a log axis; what is longer than the context is hatched.
void picture(const Ui& u, const Scenario& s, Rect r) {
    const LengthBins bins = length_bins(s, kBins);
    if (bins.weight.empty() || r.w < 80) return;
    const Rect axis = r.cut_bottom(16);
    const double octaves = std::log2(bins.high / bins.low);
    const auto x = [&](double tokens) {
        return std::floor(r.x + r.w * static_cast<float>(std::log2(tokens / bins.low) / octaves));
    };
    const double ctx = static_cast<double>(s.ctx);
    for (std::size_t i = 0; i < bins.weight.size(); ++i) {
        const double from =
            bins.low * std::exp2(octaves * static_cast<double>(i) / static_cast<double>(kBins));
        const double to =
            bins.low * std::exp2(octaves * static_cast<double>(i + 1) / static_cast<double>(kBins));
        const float h = std::floor(r.h * static_cast<float>(bins.weight[i]));
        if (h < 1) continue;
        const Rect column{x(from), r.bottom() - h, std::max(x(to) - x(from) - 1, 1.0f), h};
        if (from >= ctx)
            u.hatch(column, u.t.bad, 4, 1.2f);
        else
            u.fill(column, u.t.kv);
    }
    u.hline(r.x, r.right(), r.bottom(), u.t.line_strong);
    float free = r.x - 1;
    for (double t = 1; t <= bins.high; t *= 2) {
        if (t < bins.low) continue;
        const std::string label = axis_tokens(t);
        const float w = u.width(Face::c12, label);
        if (x(t) - w * .5f < free || x(t) + w * .5f > r.right()) continue;
        u.text(x(t), axis.y + 3, Face::c12, u.t.text3, label, Align::mid);
        free = x(t) + w * .5f + 14;
    }
}

}  // namespace

LengthBins length_bins(const Scenario& s, std::size_t bins) {
    LengthBins out;
    const auto shape = [](const LengthShape& given, std::uint64_t constant) {
        return given.given() ? given : LengthShape{static_cast<double>(constant), {}, {}};
    };
    std::vector<LengthPair> pairs = s.mix.seen;
    if (pairs.empty()) pairs = pairs_of(shape(s.mix.in, s.in), shape(s.mix.out, s.out), s.mix.seed);
    double low = 1e300, high = 0;
    const auto total = [](const LengthPair& p) {
        return std::max(1.0, static_cast<double>(p.in) + static_cast<double>(p.out));
    };
    for (const LengthPair& p : pairs) {
        low = std::min(low, total(p));
        high = std::max(high, total(p));
    }
    if (high <= 0) return out;
    out.low = low / 1.1;
    out.high = std::max(high * 1.1, out.low * 2);
    out.weight.assign(bins, 0);
    const double octaves = std::log2(out.high / out.low);
    for (const LengthPair& p : pairs) {
        const double at = std::log2(total(p) / out.low) / octaves * static_cast<double>(bins);
        out.weight[std::min(static_cast<std::size_t>(std::max(at, 0.0)), bins - 1)] += p.weight;
    }
    const double most = *std::max_element(out.weight.begin(), out.weight.end());
    if (most > 0) {
        for (double& w : out.weight) w /= most;
    }
    return out;
}

float traffic_height(const Session& s, float width) {
    if (!s.scenario.mix.given()) return 0;
    return 30 + (narrow(width) ? kFormHeight + 3 * kRow + 112 : kFormHeight) + kBelow;
}

void traffic_begin(Ui& u, Session& s, float right, float y) {
    if (s.scenario.mix.given()) return;
    if (!link(u, "traffic-begin", right, y, Face::b14, u.tr(Str::ui_traffic_begin), Align::right))
        return;
    // A long tail, as served prompts have: one in twenty is three times the mean.
    const auto spread = [](LengthShape& l, std::uint64_t mean) {
        l.mean = static_cast<double>(std::max<std::uint64_t>(mean, 2));
        l.p95 = *l.mean * 3;
    };
    spread(s.next.mix.in, s.scenario.in);
    spread(s.next.mix.out, s.scenario.out);
    s.edited_by.clear();
}

void traffic_block(Ui& u, Session& s, Rect r) {
    if (!s.scenario.mix.given()) return;
    r.cut_bottom(kBelow);
    u.text(r.x, r.y, Face::b14b, u.t.text, u.tr(Str::ui_traffic_title));
    if (link(u, "traffic-end", r.right(), r.y, Face::b14, u.tr(Str::ui_traffic_end),
             Align::right)) {
        s.next.mix = {};
        s.edited_by.clear();
    }
    r.cut_top(30);
    const bool one_column = narrow(r.w);
    Rect left = one_column ? r.cut_top(kFormHeight) : r.cut_left(kForm);
    form(u, s, left);
    if (!one_column) r.cut_left(32);
    const Estimate& e = s.estimate;
    if (!e.traffic) {
        std::string why(u.tr(Str::ui_traffic_none));
        for (const Issue& i : s.report.issues) {
            if (i.key == "lengths") why = i.text;
        }
        u.wrap(r.x, r.y + 4, r.w, Face::b14, u.t.text2, why);
        return;
    }
    answers(u, s, r.cut_top(one_column ? 3 * kRow + 8 : 72), one_column);
    const double cut = e.traffic->cut;
    if (cut > 0) {
        const std::string text =
            u.tr(Str::ui_traffic_cut, {three_digits(cut * 100), grouped(s.scenario.ctx)});
        const Rect line = r.cut_bottom(u.wrap_height(r.w, Face::c12, text) + 4);
        u.wrap(line.x, line.y + 2, line.w, Face::c12, u.t.warn, text);
    }
    picture(u, s.scenario, r);
}

}  // namespace kvgauge::ui
