// SPDX-License-Identifier: MIT
#include "ui/select.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <imgui_internal.h>

namespace kvgauge::ui {
namespace {

constexpr float kRow = 32;

std::string lower(std::string_view s) {
    std::string out(s);
    for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

// Every word of the search is somewhere in the row, in any order.
bool matches(const Option& o, std::string_view search) {
    const std::string text = lower(o.label + " " + o.value + " " + o.note);
    const std::string want = lower(search);
    std::size_t at = 0;
    while (at < want.size()) {
        const std::size_t end = std::min(want.find(' ', at), want.size());
        if (text.find(want.substr(at, end - at)) == std::string::npos) return false;
        at = end + 1;
    }
    return true;
}

std::vector<int> shown_rows(const OpenList& list) {
    std::vector<int> rows;
    for (int i = 0; i < static_cast<int>(list.options.size()); ++i) {
        const Option& o = list.options[static_cast<std::size_t>(i)];
        if (o.heading ? list.search.empty() : matches(o, list.search)) rows.push_back(i);
    }
    return rows;
}

void move_cursor(OpenList& list, const std::vector<int>& rows, int step) {
    if (rows.empty()) return;
    const int n = static_cast<int>(rows.size());
    int at = static_cast<int>(std::find(rows.begin(), rows.end(), list.cursor) - rows.begin());
    if (at >= n) at = step > 0 ? -1 : n;
    for (int tries = 0; tries < n; ++tries) {
        at = std::clamp(at + step, 0, n - 1);
        list.cursor = rows[static_cast<std::size_t>(at)];
        if (!list.options[static_cast<std::size_t>(list.cursor)].heading) return;
    }
}

void draw_row(Ui& u, Rect r, const Option& o, bool current, bool cursor, bool hover) {
    if (o.heading) {
        u.text_mid(r.x + 12, r.mid_y() + 2, Face::c12b, u.t.text3, o.label);
        return;
    }
    if (cursor)
        u.fill(r, u.t.accent_soft, 6);
    else if (hover)
        u.fill(r, u.t.field_hover, 6);
    const float end = u.text_mid(r.x + 12, r.mid_y(), current ? Face::b14b : Face::b14, u.t.text,
                                 u.fit(Face::b14b, o.label, r.w - 24));
    if (o.note.empty()) return;
    const std::string note = u.fit(Face::c12, o.note, r.right() - end - 22);
    u.text_mid(end + 10, r.mid_y(), Face::c12, u.t.text3, note);
}

}  // namespace

std::optional<std::string> select(Ui& u, Rect r, const Select& s,
                                  const std::function<std::vector<Option>()>& options) {
    const Hit h = u.hit(s.id, r);
    const bool bad = u.state.error_field == s.id;
    u.field_box(r, h, 6, bad);
    const Face face = s.strong ? Face::b14b : Face::b14;
    const float note_room = s.note.empty() ? 0 : u.width(Face::c12, s.note) + 8;
    const std::string label = u.fit(face, s.label, r.w - 36);
    const float end = u.text_mid(r.x + 10, r.mid_y(), face, u.t.text, label);
    if (end + note_room < r.right() - 24) {
        u.text_mid(end + 8, r.mid_y(), Face::c12, u.t.text3, s.note);
    }
    u.chevron(r.right() - 14, r.mid_y(), h.hover ? u.t.text : u.t.text3);
    if (h.click || u.key(s.id, ImGuiKey_DownArrow, false)) {
        OpenList& list = u.state.list;
        list = OpenList{};
        list.id = s.id;
        list.anchor = r;
        list.options = options();
        list.current = s.value;
        list.searchable = s.searchable;
        list.opening = true;
        for (int i = 0; i < static_cast<int>(list.options.size()); ++i) {
            const Option& o = list.options[static_cast<std::size_t>(i)];
            if (!o.heading && o.value == s.value) list.cursor = i;
        }
    }
    return u.answer(s.id);
}

void draw_list(Ui& base, Rect window) {
    OpenList& list = base.state.list;
    if (list.id.empty()) return;
    const std::vector<int> rows = shown_rows(list);
    const bool opening = list.opening;
    list.opening = false;

    const float search = list.searchable ? 44 : 0;
    const float want = search + static_cast<float>(rows.size()) * kRow + 12;
    const float below = window.bottom() - list.anchor.bottom() - 12;
    const float above = list.anchor.y - window.y - 12;
    const bool down = below >= std::min(want, 240.0f) || below >= above;
    const float h = std::min({want, 420.0f, std::max(down ? below : above, 120.0f)});
    float w = std::max(list.anchor.w, list.searchable ? 380.0f : 220.0f);
    w = std::min(w, window.w - 24);
    const float x = std::min(list.anchor.x, window.right() - w - 12);
    const Rect box{x, down ? list.anchor.bottom() + 4 : list.anchor.y - h - 4, w, h};

    ImGui::SetNextWindowPos({box.x - 24, box.y - 24});
    ImGui::SetNextWindowSize({box.w + 48, box.h + 48});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, 0u);
    ImGui::Begin("##list", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
    ImGui::PopStyleColor();
    ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    base.state.items.clear();  // the keyboard stays in the list
    Ui u = base.above();

    u.shadow(box, 10);
    u.fill(box, u.t.raised, 10);
    u.frame(box, u.t.line_strong, 10);
    bool searched = false;
    Rect body = box.inset(6, 6);
    if (list.searchable) {
        const Rect field = body.cut_top(search);
        constexpr std::string_view id = kListSearch;
        if (opening) u.edit(id, "");
        u.state.items.push_back(
            {std::string(id), ItemKind::text, field.x, field.y, field.w, field.h, true, true});
        if (u.editing(id)) {
            u.search_box(field.inset(12, 0), Face::b14, u.tr(Str::ui_list_search));
            searched = list.search != u.state.editing.text;
            list.search = u.state.editing.text;
        }
        u.hline(box.x, box.right(), field.bottom() - 3, u.t.line);
    }

    bool close = false;
    if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) move_cursor(list, rows, 1);
    if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) move_cursor(list, rows, -1);
    const bool keyed =
        ImGui::IsKeyPressed(ImGuiKey_DownArrow) || ImGui::IsKeyPressed(ImGuiKey_UpArrow);
    // What is found now; the rows above are of the search before this letter.
    const std::vector<int> found = searched ? shown_rows(list) : rows;
    if (searched && !list.search.empty()) list.cursor = found.empty() ? -1 : found.front();

    ImGui::SetCursorScreenPos({body.x, body.y});
    ImGui::BeginChild("##rows", {body.w, body.h}, false, ImGuiWindowFlags_NoNav);
    Ui v = u.here();
    const float top = ImGui::GetCursorScreenPos().y;
    int chosen = -1;
    for (std::size_t k = 0; k < found.size(); ++k) {
        const int i = found[k];
        const Option& o = list.options[static_cast<std::size_t>(i)];
        const Rect r{body.x, top + static_cast<float>(k) * kRow, body.w - 4, kRow};
        const Hit hit = o.heading ? Hit{} : v.hit(o.value, r, ItemKind::button, false);
        draw_row(v, r, o, o.value == list.current, i == list.cursor, hit.hover);
        if (hit.click) chosen = i;
        if (i == list.cursor && (opening || keyed || searched)) {
            ImGui::SetScrollFromPosY(r.mid_y() - ImGui::GetWindowPos().y, 0.5f);
        }
    }
    if (found.empty()) {
        v.text_mid(body.x + 12, top + kRow * 0.5f, Face::b14, v.t.text3, v.tr(Str::ui_list_none));
    }
    ImGui::EndChild();

    const bool enter = ImGui::IsKeyPressed(ImGuiKey_Enter, false) ||
                       ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
    if (enter && !opening && list.cursor >= 0) chosen = list.cursor;
    if (chosen >= 0) {
        if (u.editing(kListSearch)) u.state.editing.id.clear();
        u.state.answered = Answered{list.id, list.options[static_cast<std::size_t>(chosen)].value};
        close = true;
    }
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (!opening && ImGui::IsMouseClicked(0) && !box.has(mouse.x, mouse.y)) close = true;
    if (ImGui::IsKeyPressed(ImGuiKey_Escape, false)) close = true;
    ImGui::End();
    if (close) {
        if (u.editing(kListSearch)) u.state.editing.id.clear();
        u.state.focus = list.id;
        list.id.clear();
    }
}

}  // namespace kvgauge::ui
