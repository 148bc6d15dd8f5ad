// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "data/gqa_history.h"
#include "text/numbers.h"
#include "ui/limit_plot.h"
#include "ui/traffic_block.h"
#include "ui/views.h"

namespace kvgauge::ui {
namespace {

constexpr float kRow = 24;

// The article's two tables for this model: rows are MHA, GQA and MQA, columns are contexts.
struct HeadTable {
    Str title;
    std::string (*cell)(const CtxPoint&);
};

std::string bytes_cell(const CtxPoint& p) {
    return p.request_bytes > 0 ? binary_size(p.request_bytes) : "–";
}
std::string requests_cell(const CtxPoint& p) {
    return grouped(static_cast<std::uint64_t>(std::max(p.requests, 0.0)));
}

void head_table(Ui& u, Session& s, Rect r, const HeadTable& t,
                const std::vector<CtxCurve>& curves) {
    u.text(r.x, r.y, Face::b14b, u.t.text, u.tr(t.title));
    constexpr std::array<double, 4> contexts{2048, 8192, 32768, 131072};
    float y = r.y + 26;
    const bool narrow = r.w < 420;
    const float names = narrow ? 76 : 96;
    const float w = (r.w - names) / contexts.size();
    for (std::size_t i = 0; i < contexts.size(); ++i) {
        const float x = r.x + names + w * static_cast<float>(i + 1);
        u.text(x, y, Face::c12, u.t.text3, grouped(contexts[i]), Align::right);
    }
    y += 20;
    // From the most heads to the fewest, as the article has it.
    for (auto c = curves.rbegin(); c != curves.rend(); ++c) {
        u.hline(r.x, r.right(), y, u.t.line);
        const SeriesStyle style = series_style(u.t, c->head);
        const float cy = y + kRow * .5f;
        draw_mark(u, {r.x + 6, cy}, style.mark, style.color, 3.5f);
        HeadVariant head = c->head;
        head.is_model = head.kv_heads == 0;
        const bool strong = c->head.is_model;
        u.text_mid(r.x + 18, cy, strong ? Face::b14b : Face::b14, u.t.text, series_name(u, head));
        for (std::size_t i = 0; i < contexts.size(); ++i) {
            const float x = r.x + names + w * static_cast<float>(i + 1);
            const std::string cell = t.cell(c->at(contexts[i]));
            const Face face = narrow   ? (strong ? Face::c12b : Face::c12)
                              : strong ? Face::b14b
                                       : Face::b14;
            u.text_mid(x, cy, face, u.t.text, cell, Align::right);
        }
        y += kRow;
    }
    (void)s;
}

// The published figures beside the tables, as history.
std::string history(const Ui& u) {
    std::string figures;
    for (const GqaFigure& f : kGqaFigures) {
        if (!figures.empty()) figures += "; ";
        figures += u.tr(Str::ui_table_history_figure, {f.name, plain(std::uint64_t{f.kv_heads}),
                                                       plain(f.seconds), plain(f.score)});
    }
    return u.tr(Str::ui_table_history, {kGqaModel, figures});
}

}  // namespace

void batch_view(Ui& u, Session& s, Rect r) {
    const float traffic = traffic_height(s, r.w);
    if (traffic > 0) traffic_block(u, s, r.cut_top(traffic));
    const auto& curves = s.curves.by_context(s.scenario, s.catalog, s.estimate, s.revision);
    const float table_h = 46 + kRow * static_cast<float>(curves.size());
    const bool side_by_side = r.w >= 700;
    const bool heads = curves.size() > 1;
    const std::string published = heads ? history(u) : std::string();
    const float published_h = heads ? u.wrap_height(r.w, Face::c12, published) + 16 : 0;
    Rect note = r.cut_bottom(published_h);
    Rect tables = r.cut_bottom(side_by_side ? table_h : 2 * table_h + 24);
    r.cut_bottom(24);
    r.h = std::min(r.h, 480.0f + 26);
    tables.y = r.bottom() + 24;
    note.y = tables.bottom() + 16;
    if (heads) u.wrap(note.x, note.y, note.w, Face::c12, u.t.text3, published);
    u.text(r.x, r.y, Face::b14b, u.t.text, u.tr(Str::ui_plot_limit_title));
    traffic_begin(u, s, r.right(), r.y);
    r.cut_top(26);
    limit_plot(u, s, r, r.w < 500);
    const HeadTable bytes{Str::ui_table_bytes, bytes_cell};
    const HeadTable requests{Str::ui_table_requests, requests_cell};
    if (side_by_side) {
        const Rect left = tables.cut_left((tables.w - 48) * .5f);
        tables.cut_left(48);
        head_table(u, s, left, bytes, curves);
        head_table(u, s, tables, requests, curves);
    } else {
        head_table(u, s, tables.cut_top(table_h), bytes, curves);
        tables.cut_top(24);
        head_table(u, s, tables, requests, curves);
    }
}

}  // namespace kvgauge::ui
