// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "text/numbers.h"
#include "text/tp_text.h"
#include "ui/button.h"
#include "ui/marks.h"
#include "ui/number_text.h"
#include "ui/tp_list.h"
#include "ui/tp_matrix.h"
#include "ui/views.h"

namespace kvgauge::ui {
namespace {

constexpr float kInspector = 280, kGap = 40;

struct Place {
    std::size_t row = 0, column = 0;
    bool operator==(const Place&) const = default;
};

std::string row_name(const Ui& u, const MatrixRow& r) {
    if (r.engine == EngineId::hf) return "Transformers";
    if (r.engine != EngineId::llamacpp) return std::string(display_name(r.engine));
    return std::string(
        u.tr(r.split == SplitMode::tensor ? Str::ui_par_by_tensor : Str::ui_par_by_layer));
}

// What stands beside the sign: heads a GPU stores, or copies.
std::string cell_text(const TpVerdict& v) {
    switch (v.verdict) {
        case Verdict::error:
            return {};
        case Verdict::ok_replicated:
            return general(v.copies, 3) + "×";
        case Verdict::ok_uneven: {
            const double low = std::floor(v.kv_heads_per_gpu);
            if (v.rule == TpRule::kv_uneven && v.b > 0) {
                return grouped(v.a / v.b) + "–" + grouped((v.a + v.b - 1) / v.b);
            }
            return general(low, 3);
        }
        default:
            return v.kv_heads_per_gpu > 0 ? general(v.kv_heads_per_gpu, 3) : std::string();
    }
}

void draw_cell(const Ui& u, Rect c, const TpVerdict& v, bool chosen, bool hover) {
    const Sign sign = sign_of(v.verdict);
    const Rect plate = c.inset(3, 4);
    u.fill(plate, sign_plate(u.t, sign), 6);
    if (chosen)
        u.frame(plate, sign == Sign::tick ? u.t.accent : sign_color(u.t, sign), 6, 2);
    else if (hover)
        u.frame(plate, u.t.line_strong, 6);
    const std::string text = cell_text(v);
    const Color color = sign_color(u.t, sign);
    if (text.empty()) {
        draw_sign(u, c.mid_x(), c.mid_y(), sign, color, 5, 2);
        return;
    }
    const bool quiet = sign == Sign::tick;
    const float w = u.width(Face::b14b, text) + 17;
    const float x = c.mid_x() - w * .5f;
    draw_sign(u, x + 5, c.mid_y(), sign, quiet ? fade(color, .85f) : color, 4.2f, 1.6f);
    u.text_mid(x + 17, c.mid_y(), quiet ? Face::b14 : Face::b14b, quiet ? u.t.text : color, text);
}

void draw_bytes(const Ui& u, Rect r, float names, float w, const TpMatrix& m, const Session& s) {
    u.text(r.x, r.y + 2, Face::b14, u.t.text, u.fit(Face::b14, u.tr(Str::ui_par_token), names - 8));
    const std::string note =
        u.tr(Str::ui_par_token_note, {std::string(display_name(s.scenario.engine))});
    u.text(r.x, r.y + 22, Face::c12, u.t.text3, u.fit(Face::c12, note, names - 8));
    double most = 0;
    for (double b : m.token_bytes) most = std::max(most, b);
    double least = most;  // below the size where it stops shrinking, copies begin
    for (std::size_t j = 0; j < m.sizes.size(); ++j) {
        const Rect c{r.x + names + w * static_cast<float>(j), r.y, w, 40};
        const double b = m.token_bytes[j];
        if (b <= 0 || most <= 0) {
            u.text(c.mid_x(), c.y, Face::b14, u.t.text3, "–", Align::mid);
            continue;
        }
        const bool stalls = j > 0 && b >= least * .999 && b < most * .999;
        least = std::min(least, b);
        const Color color = stalls ? u.t.warn : u.t.kv;
        const float full = w - 14;
        u.fill({c.x + 7, c.y + 24, full, 6}, u.t.line, 3);
        u.fill({c.x + 7, c.y + 24, full * static_cast<float>(b / most), 6}, color, 3);
        u.text(c.mid_x(), c.y, Face::b14b, stalls ? u.t.warn : u.t.text, general(b / 1024, 3),
               Align::mid);
    }
}

void draw_legend(const Ui& u, float x, float y, float right) {
    constexpr std::pair<Sign, Str> all[] = {{Sign::tick, Str::ui_par_starts},
                                            {Sign::copies, Str::ui_par_copies},
                                            {Sign::uneven, Str::ui_par_uneven},
                                            {Sign::warning, Str::ui_par_unsafe},
                                            {Sign::cross, Str::ui_par_refused}};
    for (const auto& [sign, word] : all) {
        const std::string_view text = u.tr(word);
        if (x + 16 + u.width(Face::c12, text) > right) break;
        draw_sign(u, x + 5, y + u.line_height(Face::c12) * .5f, sign, sign_color(u.t, sign), 4,
                  1.6f);
        x = u.text(x + 16, y, Face::c12, u.t.text2, text) + 20;
    }
}

std::string plan_title(const Plan& p) {
    std::string out(display_name(p.engine));
    out += ", TP " + grouped(p.tp);
    if (p.dcp > 1) out += ", DCP " + grouped(p.dcp);
    return out;
}

std::string plan_note(const Ui& u, const Plan& p) {
    if (p.copies > 1) return u.tr(Str::ui_par_plan_copies, {general(p.copies, 3)});
    if (p.dcp > 1) return std::string(u.tr(Str::ui_par_plan_dcp));
    return u.tr(p.heads == 1 ? Str::ui_tp_one_head : Str::ui_tp_heads, {general(p.heads, 3)});
}

// The reason, word for word: a place, not a tooltip that runs away.
void inspector(Ui& u, Session& s, Rect r, const MatrixRow& row, std::uint64_t tp,
               const TpVerdict& v) {
    const Sign sign = sign_of(v.verdict);
    float y = r.y;
    draw_sign(u, r.x + 7, y + u.line_height(Face::t16b) * .5f, sign, sign_color(u.t, sign), 6,
              2.2f);
    std::string title = row_name(u, row);
    const std::string version = to_string(row.version);
    if (row.engine != EngineId::llamacpp && !version.empty()) title += " " + version;
    u.text(r.x + 24, y, Face::t16b, u.t.text,
           u.fit(Face::t16b, u.tr(Str::ui_par_at, {title, grouped(tp)}), r.w - 24));
    y += 30;
    y = u.wrap(r.x, y, r.w, Face::b14, u.t.text2,
               tp_reason(v, row.engine, tp, s.estimate.weights.group, u.lang)) +
        12;
    if (v.fragment != nullptr && *v.fragment != 0) {
        const std::string_view text = v.fragment;
        const float h = u.wrap_height(r.w - 24, Face::c12, text);
        const Rect box{r.x, y, r.w, h + 40};
        u.fill(box, u.t.dark ? u.t.field : u.t.field_hover, 8);
        u.text(box.x + 12, box.y + 10, Face::c12, u.t.text3,
               u.tr(sign == Sign::cross ? Str::ui_par_stops_with : Str::ui_par_says));
        if (link(u, "copy-fragment", box.right() - 12, box.y + 10, Face::c12,
                 u.tr(Str::ui_par_copy), Align::right) &&
            s.host.copy_text) {
            s.host.copy_text(text);
        }
        u.wrap(box.x + 12, box.y + 30, box.w - 24, Face::c12, u.t.text, text);
        y = box.bottom() + 20;
    }
    const std::vector<Plan> plans = other_plans(s.scenario, s.catalog, row, tp, v);
    const bool here = row.current && tp == s.scenario.tp;
    if (!here && v.verdict != Verdict::error) {
        if (button(u, "use-cell", r.x, y + 16, u.tr(Str::ui_par_use_this))) {
            s.next = at_cell(s.scenario, row, tp);
            s.edited_by.clear();
        }
        y += 48;
    }
    if (plans.empty()) return;
    u.text(r.x, y, Face::b14b, u.t.text, u.tr(Str::ui_par_instead));
    y += 26;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const Rect c{r.x, y, r.w, 44};
        const Hit h = u.hit("plan-" + std::to_string(i), c);
        u.hline(c.x, c.right(), c.y, u.t.line);
        if (h.hover) u.fill({c.x - 6, c.y + 1, c.w + 12, c.h}, u.t.field_hover, 6);
        if (h.focus) u.focus_ring(c, 6);
        u.text(c.x, c.y + 5, Face::b14b, u.t.text, plan_title(plans[i]));
        u.text(c.x, c.y + 23, Face::c12, u.t.text3, plan_note(u, plans[i]));
        u.text_mid(c.right(), c.mid_y(), Face::b14, u.t.accent, u.tr(Str::ui_par_use),
                   Align::right);
        if (h.click) {
            s.next = plans[i].scenario;
            s.edited_by.clear();
        }
        y += 46;
    }
}

// The matrix is one stop of the keyboard; arrows move the pinned cell.
void move_by_keys(const Ui& u, Session& s, const TpMatrix& m, Place at) {
    const auto step = [&](ImGuiKey more, ImGuiKey less) {
        return u.key("matrix", more) ? 1 : u.key("matrix", less) ? -1 : 0;
    };
    const int dx = step(ImGuiKey_RightArrow, ImGuiKey_LeftArrow);
    const int dy = step(ImGuiKey_DownArrow, ImGuiKey_UpArrow);
    if (dx == 0 && dy == 0) return;
    const int x =
        std::clamp(static_cast<int>(at.column) + dx, 0, static_cast<int>(m.sizes.size()) - 1);
    const int y = std::clamp(static_cast<int>(at.row) + dy, 0, static_cast<int>(m.rows.size()) - 1);
    s.pinned_cell = std::pair{y, x};
    s.pinned_revision = s.revision;
}

}  // namespace

void parallel_view(Ui& u, Session& s, Rect r) {
    TpMatrix& m = s.tp_matrix;
    m.update(s.scenario, s.catalog, s.revision);
    if (!s.estimate.model) {
        u.wrap(r.x, r.y, r.w, Face::b14, u.t.text2, u.tr(Str::ui_tp_unknown));
        return;
    }
    const bool beside = r.w >= 820;
    Rect side = beside ? r.cut_right(kInspector) : Rect{};
    if (beside) r.cut_right(kGap);
    u.text(r.x, r.y, Face::b14b, u.t.text, u.tr(Str::ui_par_title));
    const float names = r.w >= 560 ? 184.0f : 104.0f;
    const float w = (r.w - names) / static_cast<float>(m.sizes.size());
    float y = r.y + 34;
    Place current;
    for (std::size_t j = 0; j < m.sizes.size(); ++j) {
        const float x = r.x + names + w * (static_cast<float>(j) + .5f);
        const bool on = m.sizes[j] == s.scenario.tp;
        if (on) {
            current.column = j;
            u.fill({x - std::min(26.0f, w * .5f), y - 4, std::min(52.0f, w), 25}, u.t.accent_soft,
                   6);
        }
        u.text(x, y, on ? Face::b14b : Face::b14, on ? u.t.accent : u.t.text2,
               (w >= 50 ? "TP " : "") + grouped(m.sizes[j]), Align::mid);
    }
    y += 28;
    // Lower rows before the view has to scroll.
    const float below = r.bottom() - y - 98;
    const float row_h =
        std::clamp(std::floor(below / static_cast<float>(m.rows.size())), 34.0f, 40.0f);
    for (std::size_t i = 0; i < m.rows.size(); ++i) {
        if (m.rows[i].current) current.row = i;
    }
    Place shown = current;
    if (s.pinned_cell && s.pinned_revision == s.revision) {
        shown = {static_cast<std::size_t>(s.pinned_cell->first),
                 static_cast<std::size_t>(s.pinned_cell->second)};
    }
    const Rect grid{r.x + names, y, r.w - names, row_h * static_cast<float>(m.rows.size())};
    const Hit h = u.hit("matrix", grid, ItemKind::plot);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    Place pointed = shown;
    bool pointing = false;
    if (h.hover && w > 0) {
        pointed.column =
            std::min(static_cast<std::size_t>((mouse.x - grid.x) / w), m.sizes.size() - 1);
        pointed.row =
            std::min(static_cast<std::size_t>((mouse.y - grid.y) / row_h), m.rows.size() - 1);
        pointing = true;
        if (h.click) {
            s.pinned_cell =
                std::pair{static_cast<int>(pointed.row), static_cast<int>(pointed.column)};
            s.pinned_revision = s.revision;
            shown = pointed;
        }
    }
    move_by_keys(u, s, m, shown);
    for (std::size_t i = 0; i < m.rows.size(); ++i, y += row_h) {
        const MatrixRow& row = m.rows[i];
        u.hline(r.x, r.right(), y, u.t.line);
        const float cy = y + row_h * .5f;
        if (row.current) u.circle(r.x - 5, cy, 2.5f, u.t.accent);
        const Face face = row.current ? Face::b14b : Face::b14;
        const float end =
            u.text_mid(r.x, cy, face, u.t.text, u.fit(face, row_name(u, row), names - 8));
        const std::string version = to_string(row.version);
        if (end + 8 + u.width(Face::c12, version) < r.x + names - 4) {
            u.text_mid(end + 8, cy, Face::c12, u.t.text3, version);
        }
        for (std::size_t j = 0; j < row.cells.size(); ++j) {
            const Place at{i, j};
            draw_cell(u, {r.x + names + w * static_cast<float>(j), y, w, row_h}, row.cells[j],
                      at == shown, pointing && at == pointed);
        }
    }
    if (h.focus) u.focus_ring(grid, 6);
    u.hline(r.x, r.right(), y, u.t.line);
    y += 14;
    draw_bytes(u, {r.x, y, r.w, 44}, names, w, m, s);
    y += 54;
    draw_legend(u, r.x, y, r.right());
    y += 30;
    const Place& what = pointing ? pointed : shown;
    const MatrixRow& row = m.rows[what.row];
    if (beside)
        u.vline(side.x - 20, side.y, side.bottom(), u.t.line);
    else
        side = {r.x, y, r.w, r.bottom() - y};
    inspector(u, s, side, row, m.sizes[what.column], row.cells[what.column]);
}

}  // namespace kvgauge::ui
