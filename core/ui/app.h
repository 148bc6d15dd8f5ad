// SPDX-License-Identifier: MIT
// Owns: the application one frame at a time, the same for page and window. A shell hands in size,
// events (through ImGui's IO) and files; it reads revision, link, report and the rectangles of the
// last frame. The app knows no SDL, no browser and no clock of its own.
// Sizes and rectangles are in CSS pixels (points); the shell sets ImGui's framebuffer scale.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/catalog.h"
#include "estimate.h"
#include "text/fields.h"
#include "text/report.h"
#include "ui/type.h"

namespace kvgauge::ui {

class Measurer;

// What only a shell can do. Empty functions: the action is shown as not available here.
struct Host {
    std::function<void(std::string_view)> copy_text;
    std::function<void(std::string_view url)> open_url;
    std::function<void(Lang)> need_fonts;  // glyphs of this language are wanted from the next frame
    // Writes or offers a file; returns where it is, for a notice.
    std::function<std::string(std::string_view name, std::string_view text)> save_text;
    std::shared_ptr<Measurer> measurer;  // empty: nothing can be measured here
    std::string page_url;                // of the page, up to the last slash; before a link's #
    bool dom_text_fields = false;        // the page lays an <input> over text fields
};

enum class ItemKind : std::uint8_t { button, slider, text, link, plot };
// A control of the last frame, in tab order. Tab goes only to stops: of a row of tabs that is the
// chosen one, arrows lead to the others.
struct Item {
    std::string id;
    ItemKind kind = ItemKind::button;
    float x = 0, y = 0, w = 0, h = 0;
    bool focused = false;
    bool stop = true;
};

// A text field that the page may lay a DOM input over.
struct TextField {
    std::string id;
    float x = 0, y = 0, w = 0, h = 0;
    std::string text, placeholder;
    bool open = false;  // typed into now: the palette or a list waits for its words
};

struct TextRun;

class App {
  public:
    App(const Catalog&, Host);
    ~App();

    // Input from outside.
    void set_link(std::string_view link);  // Back button, hand edit, --link
    void set_scenario(const Scenario&);
    bool set_field(std::string_view key, std::string_view text);  // the DOM form; false: an issue
    void set_presentation(const Presentation&);  // language, theme, view
    void text_input(std::string_view id, std::string_view text, bool composing);
    void open_search();
    // A dropped or pasted file: config.json, GGUF or safetensors header, log, calibration, link.
    // Returns why it was refused; empty: taken.
    std::string take(std::string_view name, std::string_view bytes);
    void set_drop_target(bool over);  // a file is held over the window
    void set_system_dark(bool dark);  // followed until the user chooses a theme

    // The faces to draw with; the shell loads them again when dpr, dark() or lang() changes.
    void set_fonts(const Fonts&);
    bool dark() const;
    Lang lang() const;

    // Draws the whole window into the current ImGui frame.
    void frame(float width, float height);

    // What came of it.
    const Scenario& scenario() const;
    const Presentation& presentation() const;
    std::uint64_t revision() const;  // bumped whenever scenario, presentation or answer changed
    std::string link() const;        // canonical
    const Estimate& estimate() const;
    const Report& report() const;
    std::span<const Item> items() const;
    std::optional<TextField> text_field() const;
    int ms_to_next_frame() const;  // 0: at once; -1: nothing moves until the next event
    float content_height() const;  // what a narrow page wants; 0: the window's own height

    // The keyboard, for a page where Tab must be able to leave the canvas.
    bool tab_stays(bool backwards) const;  // Tab has a next control here
    bool escape_closes() const;            // Escape has something to close
    bool typing() const;                   // a text field has the keyboard
    void enter(bool at_end);               // focus came by Tab
    void leave();                          // and went

    // Records every text of the next frames, for tests.
    void trace(std::vector<TextRun>*);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace kvgauge::ui
