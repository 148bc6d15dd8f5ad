// SPDX-License-Identifier: MIT
#include "ui/sdl/window.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>

#include <SDL.h>
#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#else
#include <SDL_opengl.h>
#endif
#include <imgui.h>
#include <imgui_impl_opengl3.h>
#include <imgui_impl_sdl2.h>
#include <imgui_internal.h>

#include "ui/builtin_fonts.h"

namespace kvgauge::ui {
namespace {

// ImGui spreads quick events over frames, and a hover shows one frame late.
constexpr int kFramesAfterInput = 3;

// Every SDL event passes here: the one place that ends idleness. The sentinel that SDL pushes at
// each poll would keep a page awake for ever.
int watch(void* self, SDL_Event* e) {
    if (e->type != SDL_POLLSENTINEL) static_cast<Window*>(self)->count_input();
    return 0;
}

void set_hints(const WindowOptions& o) {
    SDL_SetHint(SDL_HINT_POLL_SENTINEL, "0");
#ifdef __EMSCRIPTEN__
    // Not the canvas: SDL prevents every Ctrl combination, Tab and F keys on the element it hears.
    SDL_SetHint(SDL_HINT_EMSCRIPTEN_KEYBOARD_ELEMENT, o.keyboard);
    SDL_SetHint(SDL_HINT_TOUCH_MOUSE_EVENTS, "0");
    for (Uint32 type : {SDL_FINGERDOWN, SDL_FINGERUP, SDL_FINGERMOTION}) {
        SDL_EventState(type, SDL_DISABLE);
    }
#else
    (void)o;
    SDL_SetHint(SDL_HINT_MOUSE_FOCUS_CLICKTHROUGH, "1");
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
#endif
}

void set_gl_attributes() {
#ifdef __EMSCRIPTEN__
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_ES);
#endif
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 0);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
    SDL_GL_SetAttribute(SDL_GL_STENCIL_SIZE, 0);
}

#ifdef __EMSCRIPTEN__
constexpr const char* kGlsl = "#version 300 es";
#else
constexpr const char* kGlsl = "#version 130";
#endif

}  // namespace

std::string Window::open(const WindowOptions& o) {
    if (window_ != nullptr) return {};
    options_ = o;
    set_hints(o);
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return SDL_GetError();
    set_gl_attributes();
    Uint32 flags = SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    if (o.hidden) flags |= SDL_WINDOW_HIDDEN;
    if (o.maximized) flags |= SDL_WINDOW_MAXIMIZED;
    const int place = SDL_WINDOWPOS_CENTERED;
    // With a given ratio the drawable is that much larger than asked: for pictures.
    const float scale = o.dpr > 0 ? o.dpr : 1;
    window_ = SDL_CreateWindow("kvgauge", o.x < 0 ? place : o.x, o.y < 0 ? place : o.y,
                               static_cast<int>(std::lround(static_cast<float>(o.width) * scale)),
                               static_cast<int>(std::lround(static_cast<float>(o.height) * scale)),
                               flags);
    gl_ = window_ != nullptr ? SDL_GL_CreateContext(window_) : nullptr;
    if (gl_ == nullptr) {
        const std::string why = SDL_GetError();
        if (window_ != nullptr) SDL_DestroyWindow(window_);  // takes SDL's listeners off the page
        window_ = nullptr;
        SDL_Quit();
        return why.empty() ? "OpenGL could not be started" : why;
    }
    SDL_GL_MakeCurrent(window_, gl_);
    if (ImGui::GetCurrentContext() == nullptr) ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.ConfigInputTextCursorBlink = false;  // a blinking cursor would keep an idle window awake
    ImGui_ImplSDL2_InitForOpenGL(window_, gl_);
    ImGui_ImplOpenGL3_Init(kGlsl);
#ifdef __EMSCRIPTEN__
    // SDL's clipboard is only inside the page; the backend set its own functions just now.
    io.ClipboardUserData = this;
    io.SetClipboardTextFn = [](void* self, const char* text) {
        Window* w = static_cast<Window*>(self);
        w->clipboard_ = text;
        if (w->options_.copy) w->options_.copy(text);
    };
    io.GetClipboardTextFn = [](void* self) {
        return static_cast<Window*>(self)->clipboard_.c_str();
    };
#endif
    if (files_.regular.empty()) files_.regular = builtin_font(BuiltinFont::regular);
    if (files_.semibold.empty()) files_.semibold = builtin_font(BuiltinFont::semibold);
    if (files_.regular_ko.empty()) files_.regular_ko = builtin_font(BuiltinFont::regular_ko);
    if (files_.semibold_ko.empty()) files_.semibold_ko = builtin_font(BuiltinFont::semibold_ko);
    faces_stale_ = true;
    lost_ = quit_ = false;
    SDL_AddEventWatch(watch, this);
    count_input();
    return {};
}

void Window::close() {
    if (window_ == nullptr) return;
    SDL_DelEventWatch(watch, this);
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplSDL2_Shutdown();
    SDL_GL_DeleteContext(gl_);
    SDL_DestroyWindow(window_);
    SDL_Quit();
    window_ = nullptr;
    gl_ = nullptr;
    dpr_ = 0;
    app_.set_fonts({});
}

void Window::count_input() {
    frames_left_ = std::max(frames_left_, kFramesAfterInput);
    if (options_.wake) options_.wake();
}

float Window::ratio() const {
    if (options_.dpr > 0) return options_.dpr;
    if (options_.device_ratio) return options_.device_ratio();
    int w = 0, h = 0, pw = 0, ph = 0;
    SDL_GetWindowSize(window_, &w, &h);
    SDL_GL_GetDrawableSize(window_, &pw, &ph);
    return w > 0 && pw > 0 ? static_cast<float>(pw) / static_cast<float>(w) : 1;
}

void Window::load_faces() {
    const float dpr = ratio();
    const bool korean = app_.lang() == Lang::ko;
    if (!faces_stale_ && dpr == dpr_ && app_.dark() == dark_ && korean == korean_) return;
    const bool first = dpr_ == 0;
    dpr_ = dpr;
    dark_ = app_.dark();
    korean_ = korean;
    faces_stale_ = false;
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    fonts_ = load_fonts(atlas, files_, dpr, dark_, korean);
    if (!first) ImGui_ImplOpenGL3_DestroyFontsTexture();
    atlas.Build();
    if (!first) ImGui_ImplOpenGL3_CreateFontsTexture();
    app_.set_fonts(fonts_);
}

void Window::add_faces(Lang lang, FontBytes regular, FontBytes semibold) {
    (lang == Lang::ko ? files_.regular_ko : files_.regular) = regular;
    (lang == Lang::ko ? files_.semibold_ko : files_.semibold) = semibold;
    faces_stale_ = true;
    count_input();
}

// A text field that is typed into takes what is pasted, but no log, command or file: it is left.
bool Window::for_the_window(std::string_view text) {
    if (!ImGui::GetIO().WantTextInput) return true;
    constexpr std::size_t kLongestWord = 160;
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
    if (text.size() <= kLongestWord && text.find('\n') == text.npos) return false;
    app_.leave();
    return true;
}

bool Window::event(const SDL_Event& e) {
    ImGui_ImplSDL2_ProcessEvent(&e);
    switch (e.type) {
        case SDL_QUIT:
            quit_ = true;
            break;
        case SDL_DROPBEGIN:
            app_.set_drop_target(true);
            break;
        case SDL_DROPCOMPLETE:
            app_.set_drop_target(false);
            break;
        case SDL_DROPFILE:
            dropped_.emplace_back(e.drop.file);
            SDL_free(e.drop.file);
            break;
        case SDL_DROPTEXT:
            app_.take("text", e.drop.file);
            SDL_free(e.drop.file);
            break;
        case SDL_KEYDOWN:
#ifndef __EMSCRIPTEN__
            // A page hears of a paste from the browser instead.
            if (e.key.keysym.sym == SDLK_v && (e.key.keysym.mod & (KMOD_CTRL | KMOD_GUI)) != 0) {
                char* text = SDL_GetClipboardText();
                if (text != nullptr && for_the_window(text)) app_.take("clipboard", text);
                SDL_free(text);
            }
#endif
            break;
        default:
            break;
    }
    return e.type != SDL_POLLSENTINEL;
}

bool Window::poll() {
    bool any = false;
    SDL_Event e;
    while (SDL_PollEvent(&e)) any |= event(e);
    return any;
}

int Window::frame() {
    if (window_ == nullptr || lost_) return -1;
    load_faces();
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplSDL2_NewFrame();
    ImGuiIO& io = ImGui::GetIO();
    int pw = 0, ph = 0;
    if (options_.drawable)
        options_.drawable(pw, ph);
    else
        SDL_GL_GetDrawableSize(window_, &pw, &ph);
    // SDL truncates both size and scale; text is crisp only with the exact ones.
    io.DisplayFramebufferScale = {dpr_, dpr_};
    io.DisplaySize = {(static_cast<float>(pw) + .01f) / dpr_,
                      (static_cast<float>(ph) + .01f) / dpr_};
    ImGui::NewFrame();
    app_.frame(std::floor(io.DisplaySize.x), std::floor(io.DisplaySize.y));
    ImGui::Render();
    glViewport(0, 0, pw, ph);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    if (!options_.hidden) SDL_GL_SwapWindow(window_);
    ++frames_;
    if (app_.typing() != typing_) {
        // ImGui hands a field the keyboard, and takes it back, some frames after it was asked.
        typing_ = !typing_;
        frames_left_ = kFramesAfterInput + 2;
    }
    if (frames_left_ > 0) --frames_left_;
    if (frames_left_ > 0 || ImGui::GetCurrentContext()->InputEventsQueue.Size > 0) return 0;
    return app_.ms_to_next_frame();
}

void Window::resize(int width, int height) {
    if (window_ == nullptr) return;
    SDL_SetWindowSize(window_, width, height);
    count_input();
    frame();  // setting the size cleared the canvas: draw in the same call
}

unsigned Window::wants(float x, float y) const {
    if (window_ == nullptr || lost_) return 0;
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    unsigned out = 0;
    for (const ImGuiWindow* w = g.HoveredWindow; w != nullptr;
         w = (w->Flags & ImGuiWindowFlags_ChildWindow) != 0 ? w->ParentWindow : nullptr) {
        if (w->ScrollMax.y <= 0) continue;
        if (w->Scroll.y > 0) out |= 1;
        if (w->Scroll.y < w->ScrollMax.y) out |= 2;
    }
    for (const Item& i : app_.items()) {
        const bool inside = x >= i.x && x < i.x + i.w && y >= i.y - 8 && y < i.y + i.h + 8;
        if (i.kind == ItemKind::slider && inside) out |= 4;
        if (i.kind == ItemKind::plot && i.focused && inside) out |= 3;  // the wheel zooms it
    }
    if (g.ActiveId != 0 || app_.escape_closes()) out |= 8;
    if (app_.tab_stays(false)) out |= 16;
    if (app_.tab_stays(true)) out |= 32;
    // ImGui says so one frame late.
    if (g.IO.WantTextInput || app_.typing()) out |= 64;
    return out;
}

void Window::touch(int phase, float x, float y) {
    if (window_ == nullptr) return;
    ImGuiIO& io = ImGui::GetIO();
    io.AddMouseSourceEvent(ImGuiMouseSource_TouchScreen);
    io.AddMousePosEvent(x, y);
    if (phase != 1) io.AddMouseButtonEvent(0, phase == 0);
    if (phase == 2) io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
    count_input();
}

void Window::focus(bool on, int direction) {
    if (window_ == nullptr) return;
    ImGuiIO& io = ImGui::GetIO();
    SDL_ResetKeyboard();
    io.AddFocusEvent(on);
    if (!on)
        app_.leave();
    else if (direction != 0)
        app_.enter(direction < 0);
    else {
        // Losing focus made ImGui forget the pointer, and SDL reports no motion at the same place.
        int mx = 0, my = 0;
        SDL_GetMouseState(&mx, &my);
        io.AddMousePosEvent(static_cast<float>(mx), static_cast<float>(my));
    }
    count_input();
}

void Window::paste(std::string_view text) {
    if (window_ == nullptr) return;
    ImGuiIO& io = ImGui::GetIO();
    if (for_the_window(text)) {
        app_.take("clipboard", text);
    } else {
        clipboard_ = text;
        // ImGuiMod_Shortcut asserts as an event.
        const ImGuiKey mod = io.ConfigMacOSXBehaviors ? ImGuiMod_Super : ImGuiMod_Ctrl;
        io.AddKeyEvent(mod, true);
        io.AddKeyEvent(ImGuiKey_V, true);
        io.AddKeyEvent(ImGuiKey_V, false);
        io.AddKeyEvent(mod, false);
    }
    count_input();
}

void Window::context_lost(bool lost) {
    if (window_ == nullptr) return;
    lost_ = lost;
    // Deleting is silent only while the context is lost; the next frame makes all anew.
    if (lost)
        ImGui_ImplOpenGL3_DestroyDeviceObjects();
    else
        count_input();
}

void Window::flush() {
    for (int i = 0; i < 8; ++i) {
        frame();
        if (window_ == nullptr || ImGui::GetCurrentContext()->InputEventsQueue.Size == 0) break;
    }
}

std::vector<std::string> Window::take_dropped() {
    return std::move(dropped_);
}

std::vector<unsigned char> Window::pixels(int& w, int& h) const {
    SDL_GL_GetDrawableSize(window_, &w, &h);
    const std::size_t stride = static_cast<std::size_t>(w) * 4;
    std::vector<unsigned char> up(stride * static_cast<std::size_t>(h));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, w, h, GL_RGBA, GL_UNSIGNED_BYTE, up.data());
    std::vector<unsigned char> out(up.size());
    for (int y = 0; y < h; ++y) {  // OpenGL's first row is the lowest
        std::memcpy(&out[static_cast<std::size_t>(y) * stride],
                    &up[static_cast<std::size_t>(h - 1 - y) * stride], stride);
    }
    return out;
}

}  // namespace kvgauge::ui
