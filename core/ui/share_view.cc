// SPDX-License-Identifier: MIT
#include <algorithm>

#include "text/json.h"
#include "text/link.h"
#include "text/render.h"
#include "ui/button.h"
#include "ui/pane.h"
#include "ui/views.h"

namespace kvgauge::ui {
namespace {

constexpr float kList = 208, kGap = 32, kRow = 44;

struct Format {
    std::string_view id;
    Str name, note;
    std::string (*text)(const Session&);
};

std::string page_address(const Session& s, std::string_view page) {
    return s.host.page_url + std::string(page);
}

std::string link_text(const Session& s) {
    return page_address(s, {}) + "#" + format_link(s.scenario, s.presentation, s.unknown_keys);
}
std::string pinned_text(const Session& s) {
    return page_address(s, {}) + "#" + pinned_link(s.scenario, s.catalog);
}
std::string markdown_text(const Session& s) {
    return render_markdown(s.report, s.lang()) + "\n[kvgauge](" + link_text(s) + ")\n";
}
std::string csv_text(const Session& s) {
    return render_csv(s.report);
}
std::string json_text(const Session& s) {
    JsonOptions o;
    o.pretty = true;
    return estimate_json(kvgauge::Answered{s.scenario, s.estimate, s.report}, s.catalog, o);
}
std::string embed_text(const Session& s) {
    // A published figure must not change with the catalog, so the numbers are written out.
    return "<iframe src=\"" + page_address(s, "embed.html") + "#" +
           pinned_link(s.scenario, s.catalog) +
           "\" title=\"kvgauge\" width=\"100%\" height=\"340\" loading=\"lazy\" "
           "referrerpolicy=\"no-referrer\" allow=\"clipboard-write\"></iframe>\n";
}

constexpr Format kFormats[] = {
    {"share-link", Str::ui_share_link, Str::ui_share_link_note, link_text},
    {"share-pinned", Str::ui_share_pinned, Str::ui_share_pinned_note, pinned_text},
    {"share-markdown", Str::ui_share_markdown, Str::ui_share_markdown_note, markdown_text},
    {"share-csv", Str::ui_share_csv, Str::ui_share_csv_note, csv_text},
    {"share-json", Str::ui_share_json, Str::ui_share_json_note, json_text},
    {"share-embed", Str::ui_share_embed, Str::ui_share_embed_note, embed_text},
};

// Cuts at the width, also inside words: a link has no spaces.
float draw_preview(const Ui& u, float x, float y, float w, std::string_view text, bool ink) {
    const float lh = u.line_height(Face::c12) + 4;
    while (!text.empty()) {
        const std::size_t line_end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, line_end);
        do {
            std::size_t n = line.size();
            if (u.width(Face::c12, line) > w) {
                std::size_t low = 1, high = line.size();
                while (low + 1 < high) {  // the longest front that fits
                    const std::size_t mid = (low + high) / 2;
                    (u.width(Face::c12, line.substr(0, mid)) <= w ? low : high) = mid;
                }
                n = low;
                while (n > 1 && (static_cast<unsigned char>(line[n]) & 0xC0) == 0x80) --n;
                const std::size_t space = line.substr(0, n).rfind(' ');
                if (space != line.npos && space > n / 2) n = space + 1;
            }
            if (ink) u.text(x, y, Face::c12, u.t.text, line.substr(0, n));
            line.remove_prefix(n);
            y += lh;
        } while (!line.empty());
        text.remove_prefix(std::min(line_end + 1, text.size()));
    }
    return y;
}

}  // namespace

void share_view(Ui& u, Session& s, Rect r) {
    const bool beside = r.w >= 640;
    Rect list = beside ? r.cut_left(kList) : r.cut_top(kRow * std::size(kFormats) + 16);
    if (beside) r.cut_left(kGap);
    if (s.share_revision != s.revision) {
        s.share_revision = s.revision;
        s.share_text = kFormats[s.share_format].text(s);
    }
    float y = list.y;
    for (std::size_t i = 0; i < std::size(kFormats); ++i, y += kRow) {
        const Format& f = kFormats[i];
        const Rect row{list.x - 8, y, list.w + 8, kRow - 4};
        const Hit h = u.hit(f.id, row);
        const bool on = i == s.share_format;
        if (on)
            u.fill(row, u.t.accent_soft, 6);
        else if (h.hover)
            u.fill(row, u.t.field_hover, 6);
        if (h.focus) u.focus_ring(row, 6);
        u.text(row.x + 12, row.y + 3, on ? Face::b14b : Face::b14, u.t.text, u.tr(f.name));
        u.text(row.x + 12, row.y + 21, Face::c12, u.t.text3,
               u.fit(Face::c12, u.tr(f.note), row.w - 20));
        if (!h.click || on) continue;
        s.share_format = i;
        s.share_text = f.text(s);
        s.share_copied = false;
    }
    const Rect head = r.cut_top(44);
    const Format& f = kFormats[s.share_format];
    u.text(head.x, head.y + 6, Face::b14b, u.t.text, u.tr(f.name));
    const std::string_view copy = u.tr(s.share_copied ? Str::ui_top_copied : Str::ui_par_copy);
    if (button(u, "share-copy", head.right() - button_width(u, copy), head.y + 16, copy, {},
               Weight::primary, static_cast<bool>(s.host.copy_text))) {
        s.host.copy_text(s.share_text);
        s.share_copied = true;
    }
    u.fill(r, u.t.side, 8);
    u.frame(r, u.t.line, 8);
    const Rect inner = r.inset(14, 12);
    const float want = draw_preview(u, 0, 0, inner.w - 14, s.share_text, false);
    Pane pane(u, "share-text", inner, std::max(want, inner.h));
    draw_preview(pane.u, pane.rect.x, pane.rect.y, inner.w - 14, s.share_text, true);
}

}  // namespace kvgauge::ui
