// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "text/numbers.h"
#include "text/page_json.h"
#include "ui/button.h"
#include "ui/log_example.h"
#include "ui/log_steps.h"
#include "ui/marks.h"
#include "ui/number_text.h"
#include "ui/take.h"
#include "ui/views.h"

namespace kvgauge::ui {
namespace {

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
constexpr float kLabelsMost = 200, kLogColumn = 98, kNumbers = 190, kRow = 40, kBar = 24;
constexpr float kText = 760;  // no sentence is wider

std::string gib(double bytes) {
    return decimals(bytes / kGiB, 2);
}

std::string range_of(const Quantity& q, auto&& text) {
    if (!q.low || !q.high || *q.low == *q.high) return text(q.value);
    return text(*q.low) + "–" + text(*q.high);
}

std::string count_text(LogStep step, double v) {
    return step == LogStep::concurrency_of_budget ? decimals(v, 2) : grouped(std::floor(v));
}

const ReconcileRow* find(const Reconciliation& r, LogStep step) {
    for (const ReconcileRow& row : r.rows) {
        if (row.step == step) return &row;
    }
    return nullptr;
}

// Reconciled once for each revision of the scenario: what the log does not say is taken from it.
void update(Session& s) {
    ReadLog& l = *s.log;
    if (l.revision == s.revision) return;
    l.revision = s.revision;
    const Observation& o = l.log.runs[l.run];
    // A config that was given is taken for the log's model where the catalog does not know that.
    const bool known = s.scenario.imported != nullptr;
    l.answer = reconcile(o, s.scenario, s.catalog);
    if (!l.answer.model_known && known) l.answer = reconcile(o, s.scenario, s.catalog, true);
    l.words =
        scenario_words(l.answer.scenario, estimate(l.answer.scenario, s.catalog, Part::geometry));
    l.words += " · " + std::string(grouped(l.answer.scenario.ctx)) + " " +
               std::string(tr(s.lang(), Str::ui_log_tokens));
}

// The overheads are what a log is kept for: they make no other scenario of it.
bool is_scenario(const Session& s) {
    Scenario a = s.log->answer.scenario, b = s.scenario;
    a.overhead = b.overhead = std::nullopt;
    a.kv_budget = b.kv_budget = std::nullopt;
    a.calibration = b.calibration;
    return a == b;
}

void prompt(Ui& u, Session& s, Rect r) {
    const float w = std::min(r.w, 640.0f);
    u.text(r.x, r.y, Face::b14b, u.t.text, u.tr(Str::ui_log_title));
    float y = u.wrap(r.x, r.y + 26, w, Face::b14, u.t.text2, u.tr(Str::ui_log_how)) + 4;
    y = u.wrap(r.x, y, w, Face::b14, u.t.text2, u.tr(Str::ui_log_what)) + 26;
    float x = r.x;
    if (!u.dom_text) {
        const std::string_view paste = u.tr(Str::ui_log_paste);
        if (button(u, "log-paste", x, y, paste, u.touch ? "" : "Ctrl V", Weight::primary)) {
            const char* text = ImGui::GetClipboardText();
            take_file(s, "clipboard", text != nullptr ? text : "");
        }
        x += button_width(u, paste, u.touch ? "" : "Ctrl V") + 10;
    }
    if (button(u, "log-example", x, y, u.tr(Str::ui_log_example))) {
        take_file(s, {}, kLogExample);
        if (s.log) s.log->example = true;
    }
    s.log_height = y + 40 - r.y;
}

struct Columns {
    float bars = 0, bars_w = 0, log = 0, predicted = 0;  // the last two: right edges
    bool narrow = false;
};

void figures(const Ui& u, const Columns& c, float cy, const WaterStep& w, bool first) {
    const Face face = w.strong ? Face::b14b : Face::b14;
    std::string log = "–";
    if (w.observed) log = (first || w.level ? "" : "\xE2\x88\x92") + gib(*w.observed);
    u.text_mid(c.log, cy, face, w.observed ? u.t.text : u.t.text3, log, Align::right);
    if (!w.predicted) return;
    const bool range = w.predicted->low && w.predicted->high;
    const std::string text =
        range_of(*w.predicted, [&](double v) { return range ? short_gib(v) : gib(v); });
    u.text_mid(c.predicted, cy, Face::b14, w.inside ? u.t.text2 : u.t.warn, text, Align::right);
}

// Falling to the left; the prediction lies as hatching on each step.
float waterfall(const Ui& u, Rect r, const std::vector<WaterStep>& steps) {
    Columns c;
    c.narrow = r.w < 620;
    float labels = 138;
    for (const WaterStep& w : steps) {
        labels = std::max(labels, u.width(w.strong ? Face::b14b : Face::b14, w.label));
    }
    labels = std::min(labels + 12, kLabelsMost);
    c.predicted = r.right() - 8;
    c.log = r.right() - kLogColumn;
    c.bars = c.narrow ? r.x : r.x + labels;
    c.bars_w = c.narrow ? r.w : r.w - labels - kNumbers;
    u.text(c.log, r.y, Face::c12, u.t.text3, u.tr(Str::ui_log_column), Align::right);
    u.text(c.predicted, r.y, Face::c12, u.t.text3, u.tr(Str::ui_log_predicted), Align::right);
    double most = 1;
    for (const WaterStep& w : steps) {
        most = std::max({most, w.amount(), w.predicted ? w.predicted->value : 0});
    }
    const auto x = [&](double bytes) {
        return std::floor(c.bars +
                          c.bars_w * static_cast<float>(std::clamp(bytes / most, 0.0, 1.0)) + .5f);
    };
    float y = r.y + 20;
    const float row_h = c.narrow ? 46.0f : kRow, bar_h = c.narrow ? 12.0f : kBar;
    double at = most;
    float from_x = 0, from_y = 0;
    for (std::size_t i = 0; i < steps.size(); ++i, y += row_h) {
        const WaterStep& w = steps[i];
        const float cy = c.narrow ? y + 12 : y + row_h * .5f;
        const float top = c.narrow ? y + 26 : cy - bar_h * .5f;
        const double high = w.level ? w.amount() : at, low = w.level ? 0 : at - w.amount();
        const Rect bar{x(low), top, std::max(x(high) - x(low), 2.0f), bar_h};
        if (i > 0 && !c.narrow) u.vdash(from_x, from_y, top, u.t.line_strong, {3, 2});
        // A step that the log does not print is only predicted.
        u.fill(bar, w.observed ? w.color : fade(w.color, .35f), 4);
        if (w.predicted && w.predicted->low && w.predicted->high &&
            *w.predicted->high > *w.predicted->low) {
            const double a = w.level ? *w.predicted->low : at - *w.predicted->high;
            const double b = w.level ? *w.predicted->high : at - *w.predicted->low;
            u.hatch({x(a), top, std::max(x(b) - x(a), 3.0f), bar_h}, u.t.text, 5, 1.2f);
        } else if (!w.observed) {
            u.hatch(bar, u.t.text, 5, 1.2f);
        }
        u.text_mid(r.x, cy, w.strong ? Face::b14b : Face::b14, u.t.text,
                   u.fit(w.strong ? Face::b14b : Face::b14, w.label,
                         c.narrow ? r.w - kNumbers : labels - 12));
        figures(u, c, cy, w, i == 0);
        at = w.level ? (i == 0 ? w.amount() : at) : low;
        from_x = i == 0 ? x(w.amount()) : x(at);
        from_y = top + bar_h + 1;
    }
    return y;
}

struct Closing {
    Sign sign = Sign::unknown;
    std::string title, text;
};

Closing closing(const Ui& u, const ReadLog& l) {
    const Reconciliation& r = l.answer;
    const Observation& o = l.log.runs[l.run];
    Closing c;
    if (!r.model_known) {
        c.title = u.tr(Str::ui_log_no_model);
        return c;
    }
    const ReconcileRow* kv = find(r, LogStep::kv);
    if (kv == nullptr || !kv->observed || !kv->predicted) {
        c.title = u.tr(Str::ui_log_no_kv);
        return c;
    }
    const double low = kv->predicted->low.value_or(kv->predicted->value),
                 high = kv->predicted->high.value_or(kv->predicted->value);
    c.sign = kv->inside ? Sign::tick : Sign::warning;
    const auto left = log_remainder(o, r);
    if (left) {
        c.title =
            u.tr(Str::ui_log_reconciled, {decimals(std::max(0.0, std::fabs(*left) / kGiB), 2)}) +
            " ";
    }
    if (kv->inside) {
        c.title += u.tr(Str::ui_log_held);
    } else {
        const bool more = *kv->observed > high;
        c.title += u.tr(more ? Str::ui_log_above : Str::ui_log_below,
                        {gib(more ? *kv->observed - high : low - *kv->observed)});
    }
    for (const LogStep step : {LogStep::weights, LogStep::other, LogStep::activation}) {
        const ReconcileRow* row = find(r, step);
        if (row == nullptr || !row->observed || !row->predicted || row->inside) continue;
        const double a = row->predicted->low.value_or(row->predicted->value),
                     b = row->predicted->high.value_or(row->predicted->value);
        const bool more = *row->observed > b;
        c.text += u.tr(more ? Str::ui_log_part_above : Str::ui_log_part_below,
                       {label(step, u.lang), gib(more ? *row->observed - b : a - *row->observed)}) +
                  " ";
    }
    const ReconcileRow* beside = find(r, LogStep::beside);
    if (r.overhead && beside != nullptr && beside->predicted) {
        c.text += u.tr(Str::ui_log_together,
                       {gib(static_cast<double>(*r.overhead)),
                        range_of(*beside->predicted, [](double v) { return short_gib(v); })}) +
                  " " + u.tr(Str::ui_log_keeping, {gib(static_cast<double>(*r.overhead))});
    } else if (r.kv_budget) {
        c.text += u.tr(Str::ui_log_keeping_kv, {gib(static_cast<double>(*r.kv_budget))});
    }
    return c;
}

// The verdict with its one primary button: what was fitted goes into the scenario.
float verdict(Ui& u, Session& s, Rect r) {
    const Closing c = closing(u, *s.log);
    const Reconciliation& a = s.log->answer;
    std::string keep;
    bool held = false;
    if (a.overhead && a.model_known) {
        keep = u.tr(Str::ui_log_use, {gib(static_cast<double>(*a.overhead))});
        held = s.scenario.overhead == a.overhead;
    } else if (a.kv_budget && a.model_known) {
        keep = u.tr(Str::ui_log_use_kv, {gib(static_cast<double>(*a.kv_budget))});
        held = s.scenario.kv_budget == a.kv_budget;
    }
    const float bw = keep.empty() ? 0 : button_width(u, keep);
    const bool beside = r.w >= 620 && bw > 0;
    const float w = std::min(beside ? r.w - bw - 32 : r.w, kText);
    draw_sign(u, r.x + 7, r.y + 10, c.sign, sign_color(u.t, c.sign), 6);
    float y = u.wrap(r.x + 24, r.y, w - 24, Face::t16b, u.t.text, c.title) + 4;
    const float line = y;
    if (!c.text.empty()) y = u.wrap(r.x, y, w, Face::b14, u.t.text2, c.text) + 2;
    if (bw == 0) return y;
    const bool pressed = button(u, "log-use", beside ? r.right() - bw : r.x,
                                beside ? line + 12 : y + 18, keep, {}, Weight::primary, !held);
    if (!beside) y += 42;
    if (pressed && a.overhead) {
        s.next.overhead = a.overhead;
        s.next.kv_budget.reset();
    } else if (pressed) {
        s.next.kv_budget = a.kv_budget;
        s.next.overhead.reset();
    }
    return std::max(y, line + 34);
}

// Figures the engine derives from its KV bytes, each with the known reason where it differs.
float capacity(const Ui& u, Rect r, const Reconciliation& a) {
    float y = r.y;
    const bool narrow = r.w < 620;
    for (const ReconcileRow& row : a.rows) {
        if (!row.count || !row.observed) continue;
        if (y == r.y) {
            u.text(r.x, y, Face::b14b, u.t.text, u.tr(Str::ui_log_capacity));
            u.text(r.right() - kLogColumn, y + 2, Face::c12, u.t.text3, u.tr(Str::ui_log_column_n),
                   Align::right);
            u.text(r.right() - 8, y + 2, Face::c12, u.t.text3, u.tr(Str::ui_log_predicted),
                   Align::right);
            y += 28;
        }
        const float room = r.w - (narrow ? 200.0f : 220.0f);
        u.text(r.x, y, Face::b14, u.t.text2, u.fit(Face::b14, label(row.step, u.lang), room));
        const auto text = [&](double v) { return count_text(row.step, v); };
        u.text(r.right() - kLogColumn, y, Face::b14, u.t.text, text(*row.observed), Align::right);
        if (row.predicted) {
            // The best value: the range of a count is as wide as its budget's print.
            u.text(r.right() - 8, y, Face::b14, row.inside ? u.t.text2 : u.t.warn,
                   text(row.predicted->value), Align::right);
        }
        y += 24;
        if (row.cause != Cause::none && row.cause != Cause::rounding) {
            y = u.wrap(r.x, y - 3, std::min(room, kText), Face::c12, u.t.text3,
                       sentence(row.cause, u.lang)) +
                4;
        }
    }
    return y == r.y ? y : y + 12;
}

float causes(const Ui& u, Rect r, const ReadLog& l) {
    float y = r.y;
    const float w = std::min(r.w, kText);
    for (const ReconcileRow& row : l.answer.rows) {
        if (row.count || row.cause == Cause::none || row.cause == Cause::rounding) continue;
        if (!row.observed) continue;
        const bool odd = row.cause == Cause::unexplained;
        draw_sign(u, r.x + 6, y + 8, odd ? Sign::warning : Sign::tick, odd ? u.t.warn : u.t.text3,
                  4.5f, 1.5f);
        y = u.wrap(r.x + 20, y, w - 20, Face::c12, u.t.text2,
                   label(row.step, u.lang) + ": " + sentence(row.cause, u.lang)) +
            4;
    }
    for (const Issue& i : l.answer.issues) {
        if (i.severity == Severity::error) continue;
        y = u.wrap(r.x, y, w, Face::c12, u.t.text3, i.text) + 4;
    }
    for (const std::string& e : l.log.runs[l.run].errors) {
        draw_sign(u, r.x + 6, y + 8, Sign::cross, u.t.bad, 4.5f, 1.5f);
        y = u.wrap(r.x + 20, y, w - 20, Face::c12, u.t.text2, e) + 4;
    }
    if (!l.log.unknown.empty()) {
        y += 6;
        u.text(r.x, y, Face::c12b, u.t.text2, u.tr(Str::log_unknown));
        y += 20;
        for (const std::string& line : l.log.unknown) {
            u.text(r.x, y, Face::c12, u.t.text3, u.fit(Face::c12, line, r.w));
            y += 18;
        }
    }
    return y;
}

}  // namespace

void log_view(Ui& u, Session& s, Rect r) {
    if (!s.log || s.log->log.runs.empty()) {
        prompt(u, s, r);
        return;
    }
    update(s);
    ReadLog& l = *s.log;
    const float top = r.y;
    const std::string_view another = u.tr(Str::ui_log_another);
    const float title_end = u.wrap(r.x, r.y, r.w - u.width(Face::c12b, another) - 20, Face::b14b,
                                   u.t.text, u.tr(Str::ui_log_where));
    if (link(u, "log-close", r.right(), r.y, Face::c12b, another, Align::right)) {
        s.log.reset();
        s.log_height = 0;
        return;
    }
    float y = title_end + 1;
    const std::string what =
        u.tr(l.example ? Str::ui_log_example_of : Str::ui_log_of, {l.words}) +
        (is_scenario(s) ? std::string() : " " + std::string(u.tr(Str::ui_log_other_scenario)));
    const std::string_view make = u.tr(Str::ui_log_make);
    const float mw = is_scenario(s) ? 0 : u.width(Face::c12b, make) + 10;
    const bool same_line = u.width(Face::c12, what) + mw <= r.w;
    const float end = same_line ? u.text(r.x, y, Face::c12, u.t.text3, what) : r.x - 10;
    if (!same_line) y = u.wrap(r.x, y, r.w, Face::c12, u.t.text3, what);
    if (mw > 0) {
        if (link(u, "log-make", end + 10, y, Face::c12b, make)) s.next = l.answer.scenario;
        if (!same_line) y += 18;
    }
    y += 32;
    if (l.log.runs.size() > 1) {
        float x = r.x;
        for (std::size_t i = 0; i < l.log.runs.size(); ++i) {
            const std::string run = u.tr(Str::ui_log_run, {grouped(std::uint64_t{i + 1})});
            if (x + u.width(Face::c12b, run) > r.right()) break;
            if (i == l.run) {
                x = u.text(x, y, Face::c12b, u.t.text, run) + 14;
            } else {
                if (link(u, "log-run-" + std::to_string(i), x, y, Face::c12, run)) {
                    l.run = i;
                    l.revision = 0;
                    s.computing = true;
                }
                x += u.width(Face::c12, run) + 14;
            }
        }
        y += 24;
    }
    const std::vector<WaterStep> steps = water_steps(u, l.log.runs[l.run], l.answer);
    if (!steps.empty()) y = waterfall(u, {r.x, y, r.w, 0}, steps) + 10;
    u.hline(r.x, r.right(), y, u.t.line);
    y = verdict(u, s, {r.x, y + 16, r.w, 0}) + 16;
    y = capacity(u, {r.x, y, r.w, 0}, l.answer);
    y = causes(u, {r.x, y, r.w, 0}, l);
    s.log_height = y - top + 8;
}

}  // namespace kvgauge::ui
