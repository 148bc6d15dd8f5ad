// SPDX-License-Identifier: MIT
#include "ui/app.h"

#include <algorithm>

#include <imgui.h>
#include <imgui_internal.h>

#include "text/link.h"
#include "ui/answer.h"
#include "ui/bars.h"
#include "ui/button.h"
#include "ui/derivation.h"
#include "ui/inputs.h"
#include "ui/keys.h"
#include "ui/notices.h"
#include "ui/palette.h"
#include "ui/pane.h"
#include "ui/phone.h"
#include "ui/select.h"
#include "ui/session.h"
#include "ui/take.h"
#include "ui/ui.h"
#include "ui/views.h"

namespace kvgauge::ui {

struct App::State {
    State(const Catalog& catalog, Host host) : session{catalog, std::move(host)} {}

    Session session;
    UiState ui;
    Fonts fonts;
    std::vector<Item> items;  // of the last frame
    std::optional<TextField> field;
    bool system_dark = true, styled_dark = false, styled = false;
    bool drop_target = false;
    int ms_to_next = 0;
    float content_height = 0;
    std::vector<TextRun>* trace = nullptr;

    bool dark() const {
        const std::string& t = session.presentation.theme;
        return t == "dark" || (t != "light" && system_dark);
    }
    void estimate_again() {
        session.estimate = kvgauge::estimate(session.scenario, session.catalog);
        session.report = kvgauge::report(session.scenario, session.estimate, session.lang());
        ++session.revision;
    }
    void put(const Scenario& s) {
        if (s == session.scenario) return;
        session.scenario = s;
        session.next = s;
        estimate_again();
    }
    void draw(float width, float height);
    void draw_wide(Ui&, Rect);
    void act(TopAction);
    void finish();
};

App::App(const Catalog& catalog, Host host)
    : state_(std::make_unique<State>(catalog, std::move(host))) {
    state_->estimate_again();
}
App::~App() = default;

void App::set_link(std::string_view text) {
    State& st = *state_;
    Link l = parse_link(text, st.session.catalog);
    // A link says nothing about theme and language: what the user chose stays.
    Presentation p = st.session.presentation;
    if (!l.view.lang.empty()) p.lang = l.view.lang;
    if (!l.view.theme.empty()) p.theme = l.view.theme;
    p.view = l.view.view;
    const bool language = p.lang != st.session.presentation.lang;
    st.session.presentation = p;
    st.session.unknown_keys = std::move(l.unknown);
    link_notices(st.session, l.notices);
    if (l.scenario == st.session.scenario) {
        if (language && st.session.host.need_fonts) st.session.host.need_fonts(st.session.lang());
        st.estimate_again();
        return;
    }
    if (st.session.revision > 1) st.session.history.record(st.session.scenario, {});
    st.put(l.scenario);
}

void App::set_scenario(const Scenario& s) {
    state_->session.history.record(state_->session.scenario, {});
    state_->put(s);
}

bool App::set_field(std::string_view key, std::string_view text) {
    State& st = *state_;
    const Scenario before = st.session.scenario;
    st.session.next = before;
    const bool good = type_field(st.session, st.ui, key, text);
    if (good && st.session.next != before) {
        st.session.history.record(before, key);
        const Scenario next = st.session.next;
        st.put(next);
    }
    return good;
}

void App::set_presentation(const Presentation& p) {
    Session& s = state_->session;
    if (p == s.presentation) return;
    const bool language = p.lang != s.presentation.lang;
    s.presentation = p;
    if (language && s.host.need_fonts) s.host.need_fonts(s.lang());
    state_->estimate_again();
}

void App::text_input(std::string_view id, std::string_view text, bool composing) {
    State& st = *state_;
    if (id == kSearchField) {
        palette_input(st.session, st.ui, text, composing);
    } else if (st.ui.editing.id == id) {
        // A list compares this with its last search and moves to the first row found.
        st.ui.editing.put(text);
    }
    st.ms_to_next = 0;
}

void App::open_search() {
    open_palette(state_->session, state_->ui);
}

std::string App::take(std::string_view name, std::string_view bytes) {
    State& st = *state_;
    st.session.next = st.session.scenario;
    std::string why = take_file(st.session, name, bytes);
    if (st.session.next != st.session.scenario) {
        st.session.history.record(st.session.scenario, {});
        const Scenario next = st.session.next;
        st.put(next);
    } else {
        ++st.session.revision;
    }
    st.ms_to_next = 0;
    return why;
}

void App::set_drop_target(bool over) {
    state_->drop_target = over;
}
void App::set_system_dark(bool dark) {
    state_->system_dark = dark;
}
void App::set_fonts(const Fonts& f) {
    state_->fonts = f;
}
bool App::dark() const {
    return state_->dark();
}
Lang App::lang() const {
    return state_->session.lang();
}
const Scenario& App::scenario() const {
    return state_->session.scenario;
}
const Presentation& App::presentation() const {
    return state_->session.presentation;
}
std::uint64_t App::revision() const {
    return state_->session.revision;
}
std::string App::link() const {
    const Session& s = state_->session;
    return format_link(s.scenario, s.presentation, s.unknown_keys);
}
const Estimate& App::estimate() const {
    return state_->session.estimate;
}
const Report& App::report() const {
    return state_->session.report;
}
std::span<const Item> App::items() const {
    return state_->items;
}
std::optional<TextField> App::text_field() const {
    return state_->field;
}
int App::ms_to_next_frame() const {
    return state_->ms_to_next;
}
float App::content_height() const {
    return state_->content_height;
}
void App::trace(std::vector<TextRun>* t) {
    state_->trace = t;
}

bool App::tab_stays(bool backwards) const {
    const Item *first = nullptr, *last = nullptr;
    for (const Item& i : state_->items) {
        if (!i.stop) continue;
        if (first == nullptr) first = &i;
        last = &i;
    }
    if (first == nullptr) return false;
    return (backwards ? first : last)->id != state_->ui.focus;
}

bool App::escape_closes() const {
    const Session& s = state_->session;
    const UiState& ui = state_->ui;
    return s.palette.open || !s.derivation.row.empty() || !ui.list.id.empty() ||
           !ui.editing.id.empty();
}

bool App::typing() const {
    return !state_->ui.editing.id.empty();
}

void App::enter(bool at_end) {
    UiState& ui = state_->ui;
    ui.focus.clear();
    for (const Item& i : state_->items) {
        if (i.stop && (at_end || ui.focus.empty())) ui.focus = i.id;
    }
    ui.focus_shown = true;
    ui.rested.clear();
}

void App::leave() {
    if (!state_->ui.editing.id.empty()) state_->ui.editing.id.clear();
    state_->ui.focus.clear();
    state_->ui.focus_shown = false;
    ImGui::ClearActiveID();
}

void App::State::act(TopAction a) {
    Presentation& p = session.presentation;
    switch (a) {
        case TopAction::none:
            return;
        case TopAction::palette:
        case TopAction::menu:
            open_palette(session, ui);
            return;
        case TopAction::copy_link:
            copy_link(session);
            return;
        case TopAction::theme:
            p.theme = dark() ? "light" : "dark";
            return;
        case TopAction::language:
            p.lang = session.lang() == Lang::ko ? "en" : "ko";
            return;
    }
}

void App::State::draw_wide(Ui& u, Rect page) {
    Session& s = session;
    act(top_bar(u, s, page.cut_top(kTopBar), dark()));
    const Rect status = page.cut_bottom(kStatusBar);
    {
        Rect side = page.cut_left(kInputsWidth);
        u.fill(side, u.t.side);
        u.vline(side.right() - 1, side.y, side.bottom(), u.t.line);
        Pane pane(u, "inputs", side, std::max(kInputsHeight, side.h));
        inputs(pane.u, s, pane.rect);
    }
    Rect main = page.inset(24, 0);
    main.cut_top(20);
    const Rect top = main.cut_top(kAnswerHeight);
    answer(u, s, top);
    if (!ui.error_field.empty()) {  // the last good answer, marked as such
        u.fill({top.x - 8, top.y - 8, top.w + 16, top.h + 8}, fade(u.t.bg, .45f));
        u.text(top.right(), top.y + 46, Face::c12b, u.t.bad, u.tr(Str::ui_answer_stale),
               Align::right);
    }
    std::vector<Tab> all;
    for (int i = 0; i < kViewCount; ++i) {
        const View v = static_cast<View>(i);
        all.push_back({tab_id(v), u.tr(tab_name(v))});
    }
    const int chosen = tabs(u, main.cut_top(40), all, static_cast<int>(s.view()));
    if (chosen >= 0) s.presentation.view = view_id(static_cast<View>(chosen));
    // The view scrolls when it wants more than there is; its margin is inside the scrolled part.
    Rect place{main.x - 8, main.y + 1, main.w + 16, main.h - 1};
    const float notices = notices_height(u, s, main.w);
    if (notices > 0) {
        Rect strip = place.cut_bottom(notices + 12);
        draw_notices(u, s, {main.x, strip.y + 6, main.w, notices});
    }
    const float want = view_height(s, main.w) + 28;
    {
        Pane pane(u, view_id(s.view()).empty() ? "overview" : view_id(s.view()), place,
                  std::max(want, place.h));
        Rect r = pane.rect.inset(8, 0);
        if (pane.scrolls) r.w -= 10;
        r.cut_top(20);
        r.cut_bottom(8);
        const Answer a = s.report.answer;
        if (s.view() == View::overview && (a == Answer::does_not_fit || a == Answer::refused)) {
            fitting_view(pane.u, s, r);
        } else {
            draw_view(s.view(), pane.u, s, r);
        }
    }
    status_bar(u, s, status);
}

void App::State::draw(float width, float height) {
    Session& s = session;
    const Theme& theme = dark() ? dark_theme() : light_theme();
    if (!styled || styled_dark != theme.dark) {
        apply_style(theme, ImGui::GetStyle());
        styled_dark = theme.dark;
        styled = true;
    }
    const Rect page{0, 0, width, height};
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({width, height});
    ImGui::Begin("kvgauge", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoSavedSettings);
    Ui u(ImGui::GetWindowDrawList(), theme, fonts, ui, s.lang(), width < kPhoneWidth);
    u.trace = trace;
    u.dom_text = s.host.dom_text_fields;
    u.fill(page, theme.bg);
    if (width < kPhoneWidth) {
        const PhoneResult r = draw_phone(u, s, page);
        content_height = r.height;
        act(r.action);
    } else {
        content_height = 0;
        draw_wide(u, page);
    }
    if (drop_target) draw_drop_target(u, page);
    ImGui::End();
    if (!s.derivation.row.empty()) draw_derivation(u, s, page);
    if (!ui.list.id.empty()) draw_list(u, page);
    if (s.palette.open) act(draw_palette(u, s, page));
}

// What the frame changed, compared and answered once.
void App::State::finish() {
    Session& s = session;
    if (!s.next_history.empty()) {  // undo or redo, asked for by a key
        const auto to =
            s.next_history == "undo" ? s.history.undo(s.scenario) : s.history.redo(s.scenario);
        s.next_history.clear();
        if (to) put(*to);
        ms_to_next = 0;
        return;
    }
    if (s.next != s.scenario) {
        s.history.record(s.scenario, s.edited_by);
        const Scenario next = s.next;
        put(next);
        ms_to_next = 0;
    }
    if (!ImGui::IsMouseDown(0) && s.edited_by.ends_with("-slider")) s.history.close_run();
}

void App::frame(float width, float height) {
    State& st = *state_;
    Session& s = st.session;
    if (st.fonts[Face::c12] == nullptr) return;
    st.ms_to_next = -1;
    s.next = s.scenario;
    s.edited_by.clear();
    s.cross_ctx.turn();
    s.cross_batch.turn();
    s.computing = false;
    s.measure_wait_ms = -1;
    const Presentation before = s.presentation;
    const UiState& ui = st.ui;
    const std::string focus_before = ui.focus;
    move_focus(st.ui, st.items);
    st.ui.items.clear();
    handle_keys(s, st.ui, st.dark());
    st.ui.overlay = s.palette.open || !s.derivation.row.empty() || !ui.list.id.empty();
    st.draw(width, height);
    st.items = st.ui.items;
    claim_keys();
    st.finish();
    auto field = search_field(s, st.ui);
    if (!field && st.field && st.field->open && !s.palette.open && ui.list.id.empty()) {
        // The frame that closes a list has only the list's items: the box itself comes in the next.
        field = st.field;
        field->open = false;
        field->text.clear();
        st.ms_to_next = 0;
    }
    st.field = std::move(field);
    if (!(before == s.presentation)) {
        if (before.lang != s.presentation.lang) {
            if (s.host.need_fonts) s.host.need_fonts(s.lang());
            s.report = kvgauge::report(s.scenario, s.estimate, s.lang());
        }
        ++s.revision;
        st.ms_to_next = 0;
    }
    if (ui.answered || ui.editing.opening || ui.list.opening || s.derivation.opening ||
        s.cross_ctx.now != s.cross_ctx.next || s.cross_batch.now != s.cross_batch.next ||
        focus_before != ui.focus || s.computing) {
        st.ms_to_next = 0;
    }
    if (st.ms_to_next < 0 && s.measure_wait_ms >= 0) st.ms_to_next = s.measure_wait_ms;
}

}  // namespace kvgauge::ui
