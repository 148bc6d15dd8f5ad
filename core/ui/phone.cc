// SPDX-License-Identifier: MIT
#include "ui/phone.h"

#include <algorithm>

#include "ui/answer.h"
#include "ui/button.h"
#include "ui/inputs.h"
#include "ui/limit_plot.h"
#include "ui/notices.h"
#include "ui/palette.h"
#include "ui/pane.h"
#include "ui/readouts.h"
#include "ui/views.h"

namespace kvgauge::ui {
namespace {

constexpr float kTop = 52, kTabs = 56, kMargin = 16, kPlot = 236;

bool scenario_chip(Ui& u, Session& s, Rect r) {
    const Hit h = u.hit("scenario", r);
    u.field_box(r, h, 8);
    const std::string_view edit = u.tr(Str::ui_phone_edit);
    const float w = u.width(Face::b14b, edit);
    u.text_mid(r.x + 12, r.mid_y(), Face::b14b, u.t.text,
               u.fit(Face::b14b, short_words(s), r.w - w - 36));
    u.text_mid(r.right() - 12, r.mid_y(), Face::b14b, u.t.accent, edit, Align::right);
    return h.click;
}

void phone_overview(Ui& u, Session& s, Rect& c) {
    u.hline(0, c.right() + kMargin, c.y, u.t.line);
    c.cut_top(16);
    const std::vector<Readout> all = main_readouts(u, s, true);
    for (std::size_t i = 0; i < 4 && i < all.size(); ++i) {
        const float x = c.x + static_cast<float>(i & 1) * (c.w * .5f + 8);
        readout(u, s, {x, c.y + static_cast<float>(i >> 1) * 82, c.w * .5f - 8, 76}, all[i]);
    }
    c.cut_top(172);
    u.text(c.x, c.y + 14, Face::b14, u.t.text2, "TP");
    tp_row(u, s, {c.x + 36, c.y, c.w - 36, 44});
    c.cut_top(60);
    u.hline(0, c.right() + kMargin, c.y, u.t.line);
    c.cut_top(14);
    u.text(c.x, c.y, Face::b14b, u.t.text, u.tr(Str::ui_plot_limit_title));
    c.cut_top(22);
    limit_plot(u, s, c.cut_top(std::max(kPlot, c.h - 8)), true);
}

// Five places; the last leads to all others.
void tab_bar(Ui& u, Session& s, TopAction& action, Rect r) {
    u.fill(r, u.t.side);
    u.hline(0, r.right(), r.y, u.t.line);
    constexpr View views[] = {View::overview, View::batch, View::parallel, View::speed};
    for (int i = 0; i < 5; ++i) {
        const Rect c{r.x + static_cast<float>(i) * r.w / 5, r.y, r.w / 5, r.h};
        const bool more = i == 4;
        const View v = views[std::min(i, 3)];
        const bool on = !more && s.view() == v;
        const std::string_view label = u.tr(more ? Str::ui_tab_more : tab_name(v));
        const Hit h = u.hit(more ? "tab-more" : tab_id(v), c);
        const Face face = on ? Face::c12b : Face::c12;
        const float w = u.width(face, label);
        u.text_mid(c.mid_x(), c.mid_y(), face, on ? u.t.text : u.t.text2, label, Align::mid);
        if (on) u.fill({c.mid_x() - w * .5f, c.y, w, 2}, u.t.accent);
        if (h.focus) u.focus_ring(c.inset(6, 8), 6);
        if (!h.click) continue;
        if (more)
            action = TopAction::palette;
        else
            s.presentation.view = view_id(v);
    }
}

}  // namespace

PhoneResult draw_phone(Ui& u, Session& s, Rect page) {
    PhoneResult out;
    out.action = top_bar(u, s, page.cut_top(kTop), u.t.dark);
    const Rect tabs = page.cut_bottom(kTabs);
    const View view = s.view();
    // The answer's height depends on its words; what it took in the last frame is close enough.
    const float answer_h = s.phone_answer > 0 ? s.phone_answer : 260;
    const float body = view == View::overview ? 172 + 60 + 16 + 14 + 22 + kPlot
                                              : view_height(s, page.w - 2 * kMargin) + 32;
    const float want = 12 + 44 + 20 + answer_h + body + 12;
    const float notices = notices_height(u, s, page.w - 2 * kMargin);
    const float whole = want + (notices > 0 ? notices + 16 : 0);
    {
        Pane pane(u, "phone", page, std::max(whole, page.h));
        Rect c = pane.rect.inset(kMargin, 0);
        c.cut_top(12);
        if (scenario_chip(pane.u, s, c.cut_top(44))) out.action = TopAction::palette;
        c.cut_top(20);
        const float end = answer_narrow(pane.u, s, c);
        s.phone_answer = end - c.y;
        c.cut_top(end - c.y);
        if (notices > 0) {
            c.cut_top(8);
            draw_notices(pane.u, s, c.cut_top(notices));
            c.cut_top(8);
        }
        if (view == View::overview) {
            phone_overview(pane.u, s, c);
        } else {
            pane.u.hline(0, page.right(), c.y, u.t.line);
            c.cut_top(20);
            draw_view(view, pane.u, s, c);
        }
    }
    tab_bar(u, s, out.action, tabs);
    out.height = whole + kTop + kTabs;
    return out;
}

}  // namespace kvgauge::ui
