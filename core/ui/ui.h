// SPDX-License-Identifier: MIT
// Owns: the tools of one frame: ink, words, and controls that take a rectangle. ImGui tells what
// the pointer does; which control the keyboard is on, and the order of Tab, are kept here, because
// a segmented row is one stop and a page must know when Tab leaves the canvas.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/report.h"
#include "text/strings.h"
#include "ui/app.h"
#include "ui/ink.h"

namespace kvgauge::ui {

inline std::string_view tr(Lang l, Str s) {
    return kvgauge::text(l, s);
}

struct Hit {
    bool hover = false;
    bool click = false;  // by pointer, Enter or Space
    bool held = false;
    bool focus = false;  // the keyboard is here and its ring is shown
};

// The text being typed into one field. Ends with Enter, Tab, Escape or a click elsewhere.
struct Editing {
    std::string id;        // empty: nothing is edited
    std::string original;  // before
    char text[256] = {};
    int generation = 0;            // a new ImGui id makes ImGui read `text` again
    bool opening = false;          // take the keyboard in this frame
    void put(std::string_view s);  // cut to what fits
};

struct Answered {  // what a field or list was given; picked up by its control in the next frame
    std::string id, text;
};

// A row of a list that drops down.
struct Option {
    std::string value, label, note;
    bool heading = false;
};

struct OpenList {
    std::string id;  // empty: closed
    Rect anchor;
    std::vector<Option> options;
    std::string current, search;
    bool searchable = false, opening = false;
    int cursor = -1;
};

// Kept from frame to frame.
struct UiState {
    std::string focus;         // id of the control the keyboard is on
    bool focus_shown = false;  // reached by keyboard: draw the ring
    std::string rested;        // the focused text field, left by Enter or Escape: not typed into
    Editing editing;
    OpenList list;
    std::optional<Answered> answered;
    std::string error_field, error_text;  // a field that refused its text keeps it
    std::string error_kept;
    std::vector<Item> items;  // of the frame being drawn, top layer only
    std::string stepping;     // a run of small edits of one control is one undo step
    bool overlay = false;     // a list, the palette or a derivation is open: it has the keyboard
};

class Ui : public Ink {
  public:
    Ui(ImDrawList* draw_list, const Theme& theme, const Fonts& faces, UiState& kept, Lang language,
       bool touched)
        : Ink(draw_list, theme, faces), state(kept), lang(language), touch(touched) {}
    // The same tools for the ImGui window that is current now.
    Ui here() const;
    // And for one that lies above all others while it is open.
    Ui above() const;

    std::string_view tr(Str s) const { return kvgauge::text(lang, s); }
    std::string tr(Str s, std::initializer_list<std::string_view> parts) const {
        return kvgauge::say(lang, s, parts);
    }

    // A place that can be clicked. `stop`: the keyboard stops here.
    Hit hit(std::string_view id, Rect, ItemKind = ItemKind::button, bool stop = true);
    void focus_ring(Rect, float radius) const;
    void field_box(Rect, const Hit&, float radius = 6, bool bad = false) const;

    // A key that the focused control takes.
    bool key(std::string_view id, ImGuiKey, bool repeat = true) const;
    bool focused(std::string_view id) const { return state.focus == id; }
    // What a field or list was given since the last frame.
    std::optional<std::string> answer(std::string_view id) const;

    // Text editing in place; draws nothing when the field is not the one being edited.
    bool editing(std::string_view id) const { return state.editing.id == id; }
    void edit(std::string_view id, std::string_view text);
    void edit_box(Rect, Face, std::string_view hint = {});
    void edit_end(bool keep);
    // The box of a search: the page lays its own input there, if it has one.
    void search_box(Rect, Face, std::string_view hint);

    UiState& state;
    bool topmost = false;  // drawn above the page
    Lang lang;
    bool touch;  // 44 px controls
    bool dom_text = false;

    float control() const { return touch ? 44.0f : 32.0f; }
};

// The box of a list that is searched.
inline constexpr std::string_view kListSearch = "list-search";

// Owner of keys that the interface takes from ImGui's own navigation.
inline constexpr ImGuiID kKeyOwner = 0x6B766761;

}  // namespace kvgauge::ui
