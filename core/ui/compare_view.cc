// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "text/numbers.h"
#include "ui/answer.h"
#include "ui/button.h"
#include "ui/curves.h"
#include "ui/inputs.h"
#include "ui/marks.h"
#include "ui/memory_bar.h"
#include "ui/number_text.h"
#include "ui/readout.h"
#include "ui/views.h"

namespace kvgauge::ui {
namespace {

constexpr std::size_t kMost = 3;  // beside the base
constexpr float kNames = 164, kRow = 30;
constexpr float kTallRow = 46;  // with its name above the values

struct Line {
    std::string_view row;
    Str label;
};
constexpr Line kLines[] = {
    {"batch.max", Str::ui_mem_requests},
    {"kv.bytes_per_token_per_gpu", Str::ui_cmp_token},
    {"kv.bytes_per_request", Str::ui_ro_kv_request},
    {"weights.bytes_per_gpu", Str::ui_part_weights},
    {"budget.kv_bytes", Str::ui_part_kv},
    {"decode.tpot_s", Str::ui_ro_tpot},
    {"prefill.ttft_s", Str::ui_ro_ttft},
    {"decode.tokens_per_s", Str::ui_ro_rate},
};

std::string value_of(const Row& row) {
    const double v = number_of(row);
    if (row.unit == "B") return binary_size(v);
    if (row.unit == "s") return duration(v);
    if (row.unit == "1/s") return three_digits(v) + " tok/s";
    return grouped(v);
}

// "+12%": larger is not always better, so it has no colour.
std::string difference(double base, double v) {
    if (base == v) return {};
    if (base == 0) return {};
    const double share = v / base - 1;
    const double percent = std::fabs(share) * 100;
    const std::string digits = share >= 9      ? "×" + general(v / base, 3)
                               : percent >= 10 ? decimals(percent, 0) + "%"
                                               : general(percent, 2) + "%";
    if (share >= 9) return digits;
    return (share > 0 ? "+" : "−") + digits;
}

// The keys in which a scenario differs from the base, as they stand in a link.
std::string what_differs(const Scenario& base, const Scenario& s) {
    std::string out;
    for (const Field& f : fields()) {
        const std::string a = f.get(base), b = f.get(s);
        if (a == b || f.key == "model" || f.key == "gpu") continue;
        if (!out.empty()) out += ", ";
        out += std::string(f.key) + " " + (b.empty() ? f.effective(s) : b);
    }
    return out;
}

void update(Session& s) {
    if (s.compare_revision == s.revision && s.compared.size() == s.compare.size()) return;
    s.compare_revision = s.revision;
    s.compared.clear();
    for (const Scenario& c : s.compare) {
        Compared out{kvgauge::estimate(c, s.catalog, kWithoutTraffic), {}};
        out.report = kvgauge::report(c, out.estimate, s.lang());
        s.compared.push_back(std::move(out));
    }
}

struct Column {
    const Scenario* scenario;
    const Estimate* estimate;
    const Report* report;
};

void draw_head(Ui& u, Session& s, Rect r, const Column& c, std::size_t index) {
    const bool base = index == 0;
    const std::string model = c.estimate->model ? c.estimate->model->name : c.scenario->model;
    u.text(r.x, r.y, Face::b14b, u.t.text, u.fit(Face::b14b, model, r.w - (base ? 0 : 26)));
    const std::string gpus =
        grouped(c.scenario->gpus.value_or(c.scenario->tp * c.scenario->pp * c.scenario->dp));
    const std::string gpu = c.estimate->gpu.name.empty() ? c.scenario->gpu : c.estimate->gpu.name;
    u.text(r.x, r.y + 20, Face::c12, u.t.text2,
           u.fit(Face::c12, gpus + " × " + gpu + ", " + engine_name(*c.estimate), r.w));
    const std::string note =
        base ? std::string(u.tr(Str::ui_cmp_base)) : what_differs(s.scenario, *c.scenario);
    u.text(r.x, r.y + 38, Face::c12, u.t.text3, u.fit(Face::c12, note, r.w));
    if (base) return;
    const Rect cross{r.right() - 22, r.y - 2, 22, 22};
    const Hit h = u.hit("compare-remove-" + std::to_string(index), cross);
    if (h.hover) u.fill(cross, u.t.field_hover, 6);
    if (h.focus) u.focus_ring(cross, 6);
    draw_sign(u, cross.mid_x(), cross.mid_y(), Sign::cross, h.hover ? u.t.text : u.t.text3, 4,
              1.4f);
    if (h.click) s.compare.erase(s.compare.begin() + static_cast<std::ptrdiff_t>(index - 1));
}

void draw_column(Ui& u, Session& s, Rect r, const Column& c, const Column& base, std::size_t index,
                 double scale, float row_height) {
    draw_head(u, s, r, c, index);
    float y = r.y + 62;
    // The answer, and the bar on one scale for all columns.
    const Answer a = c.report->answer;
    const Sign sign = a == Answer::fits      ? Sign::tick
                      : a == Answer::may_fit ? Sign::warning
                      : a == Answer::unknown ? Sign::unknown
                                             : Sign::cross;
    draw_sign(u, r.x + 6, y + 8, sign, sign_color(u.t, sign), 5, 1.8f);
    u.text(r.x + 20, y, Face::c12, u.t.text2, u.fit(Face::c12, c.report->sentence, r.w - 20));
    y += 24;
    if (const auto parts = memory_parts(*c.estimate)) {
        const float w = r.w * static_cast<float>(std::min(parts->total / scale, 1.0));
        small_bar(u, {r.x, y, w, 16}, *parts);
    }
    y += 30;
    for (const Line& line : kLines) {
        const Row* row = c.report->find(line.row);
        const Row* first = base.report->find(line.row);
        const float cy = y + row_height - kRow * .5f;
        if (row == nullptr) {
            u.text_mid(r.x, cy, Face::b14, u.t.text3, "–");
        } else {
            const bool equal =
                index > 0 && first != nullptr && number_of(*first) == number_of(*row);
            const float end = u.text_mid(r.x, cy, equal ? Face::b14 : Face::b14b,
                                         equal ? u.t.text3 : u.t.text, value_of(*row));
            if (index > 0 && first != nullptr) {
                u.text_mid(end + 8, cy, Face::c12, u.t.text2,
                           difference(number_of(*first), number_of(*row)));
            }
        }
        y += row_height;
    }
}

// What to put beside the base: the edits that change most, and the base itself to be edited.
void draw_offers(Ui& u, Session& s, Rect r) {
    u.text(r.x, r.y, Face::b14b, u.t.text, u.tr(Str::ui_cmp_add));
    float y = r.y + 30;
    const auto& best = s.changes.best(s.scenario, s.estimate, s.catalog, s.revision);
    const auto& fitting = s.changes.fitting(s.scenario, s.estimate, s.catalog, s.revision);
    const auto& all = best.empty() ? fitting : best;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Rect row{r.x - 8, y - 5, r.w + 16, 28};
        const Hit h = u.hit("offer-" + std::to_string(i), row);
        if (h.hover) u.fill(row, u.t.field_hover, 6);
        if (h.focus) u.focus_ring(row, 6);
        u.text(r.x, y, Face::b14, u.t.accent, u.fit(Face::b14, change_label(all[i], u.lang), r.w));
        if (h.click) s.compare.push_back(all[i].scenario);
        y += 28;
    }
    y += 8;
    if (button(u, "compare-keep", r.x, y + 16, u.tr(Str::ui_cmp_keep)))
        s.compare.push_back(s.scenario);
    u.wrap(r.x, y + 44, r.w, Face::c12, u.t.text3, u.tr(Str::ui_cmp_note));
}

}  // namespace

void compare_view(Ui& u, Session& s, Rect r) {
    if (s.compare.size() > kMost) s.compare.erase(s.compare.begin(), s.compare.end() - kMost);
    update(s);
    std::vector<Column> columns{{&s.scenario, &s.estimate, &s.report}};
    for (std::size_t i = 0; i < s.compared.size(); ++i) {
        columns.push_back({&s.compare[i], &s.compared[i].estimate, &s.compared[i].report});
    }
    double scale = 1;
    for (const Column& c : columns) {
        if (const auto parts = memory_parts(*c.estimate)) scale = std::max(scale, parts->total);
    }
    const bool offers = columns.size() <= kMost;
    const float names = r.w >= 620 ? kNames : 0;
    const float slots = static_cast<float>(columns.size() + (offers ? 1 : 0));
    const float w = (r.w - names) / std::max(slots, names > 0 ? 3.0f : 2.0f);
    const float row_height = names > 0 ? kRow : kTallRow;
    float y = r.y + 62 + 24 + 30;
    for (const Line& line : kLines) {
        u.hline(r.x, r.x + names + w * static_cast<float>(columns.size()) - 16, y, u.t.line);
        if (names > 0)
            u.text_mid(r.x, y + kRow * .5f, Face::b14, u.t.text2,
                       u.fit(Face::b14, u.tr(line.label), names - 8));
        else
            u.text(r.x, y + 5, Face::c12, u.t.text3, u.tr(line.label));
        y += row_height;
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const Rect c{r.x + names + w * static_cast<float>(i), r.y, w - 20, r.h};
        draw_column(u, s, c, columns[i], columns[0], i, scale, row_height);
    }
    if (!offers) return;
    const Rect c{r.x + names + w * static_cast<float>(columns.size()), r.y, w - 8, r.h};
    u.vline(c.x - 14, c.y, c.y + 62 + 24 + 30 + row_height * std::size(kLines), u.t.line);
    draw_offers(u, s, c);
}

}  // namespace kvgauge::ui
