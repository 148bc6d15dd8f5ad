// SPDX-License-Identifier: MIT
#include "ui/notices.h"

#include <algorithm>

#include "ui/button.h"

namespace kvgauge::ui {
namespace {

constexpr float kPad = 16, kGap = 8;

struct Strip {
    std::string title, text;
    bool of_issues = false;
};

std::vector<Strip> strips(const Ui& u, const Session& s) {
    std::vector<Strip> out;
    std::string issues;
    int count = 0;
    bool error = false;
    if (s.issues_dismissed != s.revision) {
        for (const Issue& i : s.report.issues) {
            if (i.severity == Severity::notice) continue;
            error = error || i.severity == Severity::error;
            if (count++ < 2) issues += (issues.empty() ? "" : "  ") + i.text;
        }
    }
    if (count > 0) {
        out.push_back({std::string(u.tr(error ? Str::ui_notice_error : Str::ui_notice_warning)),
                       issues, true});
    }
    for (const Notice& n : s.notices) {
        if (out.size() < 2) out.push_back({n.title, n.text, false});
    }
    return out;
}

float strip_height(const Ui& u, const Strip& s, float width) {
    return 34 + u.wrap_height(width - 2 * kPad, Face::b14, s.text) + 8;
}

}  // namespace

void link_notices(Session& s, const Issues& notices) {
    s.notices.clear();
    std::string text;
    int count = 0;
    for (const Issue& i : notices) {
        if (count++ < 3) text += (text.empty() ? "" : " ") + i.text;
    }
    if (count == 0) return;
    s.notices.push_back(
        {std::string(tr(s.lang(), count == 1 ? Str::ui_notice_link_one : Str::ui_notice_link_many)),
         text});
}

float notices_height(const Ui& u, const Session& s, float width) {
    float h = 0;
    for (const Strip& strip : strips(u, s)) h += strip_height(u, strip, width) + kGap;
    return std::max(h - kGap, 0.0f);
}

void draw_notices(Ui& u, Session& s, Rect r) {
    int index = 0;
    for (const Strip& strip : strips(u, s)) {
        const Rect box = r.cut_top(strip_height(u, strip, r.w));
        r.cut_top(kGap);
        u.fill(box, u.t.accent_soft, 8);
        u.text(box.x + kPad, box.y + 12, Face::b14b, u.t.text, strip.title);
        u.wrap(box.x + kPad, box.y + 34, box.w - 2 * kPad, Face::b14, u.t.text2, strip.text);
        const std::string id = "dismiss-" + std::to_string(index++);
        if (link(u, id, box.right() - kPad, box.y + 12, Face::b14, u.tr(Str::ui_notice_dismiss),
                 Align::right)) {
            if (strip.of_issues)
                s.issues_dismissed = s.revision;
            else
                s.notices.clear();
            return;
        }
    }
}

void draw_drop_target(const Ui& u, Rect w) {
    u.fill(w, fade(u.t.scrim, .5f));
    u.frame(w.inset(6, 6), u.t.accent, 10, 2);
    const std::string_view text = u.tr(Str::ui_drop_title);
    const float tw = u.width(Face::t16b, text) + 48;
    const Rect plate{w.mid_x() - tw * .5f, w.mid_y() - 28, tw, 56};
    u.fill(plate, u.t.raised, 10);
    u.frame(plate, u.t.accent, 10);
    u.text_mid(plate.mid_x(), plate.mid_y(), Face::t16b, u.t.text, text, Align::mid);
}

}  // namespace kvgauge::ui
