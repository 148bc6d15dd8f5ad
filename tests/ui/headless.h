// SPDX-License-Identifier: MIT
// Owns: the application without a window: ImGui with no backend, fed by its event queue.
#pragma once
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <imgui.h>

#include "data/catalog.h"
#include "ui/app.h"
#include "ui/builtin_fonts.h"
#include "ui/ink.h"
#include "ui/type.h"

namespace kvgauge::ui {

inline FontFiles builtin_files() {
    return {builtin_font(BuiltinFont::regular), builtin_font(BuiltinFont::semibold),
            builtin_font(BuiltinFont::regular_ko), builtin_font(BuiltinFont::semibold_ko)};
}

class Headless {
  public:
    explicit Headless(float width = 1280, float height = 800, Host host = {})
        : app(builtin_catalog(), std::move(host)), w(width), h(height) {
        IMGUI_CHECKVERSION();
        context_ = ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.ConfigInputTextCursorBlink = false;
        app.trace(&texts);
    }
    ~Headless() { ImGui::DestroyContext(context_); }

    void frame() {
        ImGui::SetCurrentContext(context_);
        ImGuiIO& io = ImGui::GetIO();
        const bool korean = app.lang() == Lang::ko;
        if (!loaded_ || korean != korean_ || app.dark() != dark_) {
            loaded_ = true;
            korean_ = korean;
            dark_ = app.dark();
            fonts = load_fonts(*io.Fonts, builtin_files(), 1, dark_, korean_);
            unsigned char* pixels = nullptr;
            int tw = 0, th = 0;
            io.Fonts->GetTexDataAsAlpha8(&pixels, &tw, &th);
            app.set_fonts(fonts);
        }
        io.DisplaySize = {w, h};
        io.DeltaTime = 1 / 60.0f;
        texts.clear();
        ImGui::NewFrame();
        app.frame(w, h);
        ImGui::Render();
        check();
    }
    void frames(int n) {
        for (int i = 0; i < n; ++i) frame();
    }
    // A link of a view; the first screen has no key.
    static std::string with_view(std::string link, std::string_view view) {
        if (!view.empty()) link += "&view=" + std::string(view);
        return link;
    }
    // A link replaces what was there, as the address bar of a page does.
    void show(std::string_view link) {
        app.set_link(link);
        frames(3);
    }
    void press(ImGuiKey key, ImGuiKey mod = ImGuiKey_None) {
        ImGuiIO& io = ImGui::GetIO();
        if (mod != ImGuiKey_None) io.AddKeyEvent(mod, true);
        io.AddKeyEvent(key, true);
        frames(2);
        io.AddKeyEvent(key, false);
        if (mod != ImGuiKey_None) io.AddKeyEvent(mod, false);
        frames(3);
    }
    void type(const char* text) {
        ImGui::GetIO().AddInputCharactersUTF8(text);
        frames(4);
    }
    void click(float x, float y) {
        ImGuiIO& io = ImGui::GetIO();
        io.AddMousePosEvent(x, y);
        frames(2);
        io.AddMouseButtonEvent(0, true);
        frames(2);
        io.AddMouseButtonEvent(0, false);
        frames(3);
    }
    const Item* item(std::string_view id) const {
        for (const Item& i : app.items()) {
            if (i.id == id) return &i;
        }
        return nullptr;
    }
    void click(std::string_view id) {
        const Item* i = item(id);
        ASSERT_NE(i, nullptr) << id;
        click(i->x + i->w * .5f, i->y + i->h * .5f);
    }
    const TextRun* text(std::string_view part) const {
        for (const TextRun& t : texts) {
            if (t.text.find(part) != std::string::npos) return &t;
        }
        return nullptr;
    }

    App app;
    float w, h;
    Fonts fonts;
    std::vector<TextRun> texts;  // of the last frame
    int vertices = 0;

  private:
    // What was drawn is finite and not nothing.
    void check() {
        const ImDrawData* d = ImGui::GetDrawData();
        ASSERT_NE(d, nullptr);
        vertices = d->TotalVtxCount;
        ASSERT_GT(vertices, 0);
        int bad = 0;
        for (int i = 0; i < d->CmdListsCount; ++i) {
            for (const ImDrawVert& v : d->CmdLists[i]->VtxBuffer) {
                if (!std::isfinite(v.pos.x) || !std::isfinite(v.pos.y)) ++bad;
            }
        }
        ASSERT_EQ(bad, 0) << app.link();
    }
    ImGuiContext* context_ = nullptr;
    bool loaded_ = false, korean_ = false, dark_ = true;
};

}  // namespace kvgauge::ui
