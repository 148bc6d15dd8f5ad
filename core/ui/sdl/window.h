// SPDX-License-Identifier: MIT
// Owns: the window of both shells: SDL2 events and an OpenGL 3 / WebGL 2 context around one App.
// The page owns its clock and hands in only the events it wants heard; the native program waits in
// SDL. Sizes in CSS pixels; the drawable is larger by the device pixel ratio.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ui/app.h"

struct SDL_Window;
union SDL_Event;

namespace kvgauge::ui {

struct WindowOptions {
    int width = 1280, height = 800;
    int x = -1, y = -1;  // -1: the system's choice
    bool maximized = false, hidden = false;
    float dpr = 0;                          // device pixels per CSS pixel; 0: the display's own
    const char* keyboard = "#kvg-keys";     // page only: the element whose key events are heard
    std::function<void()> wake;             // an event came: a frame is wanted
    std::function<float()> device_ratio;    // page only: asked at each frame
    std::function<void(const char*)> copy;  // page only: puts a text on the clipboard
    std::function<void(int& width, int& height)> drawable;  // page only: the canvas in pixels
};

class Window {
  public:
    explicit Window(App& app) : app_(app) {}
    ~Window() { close(); }
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    // Empty: open. Else why there is no window: no video driver, no OpenGL.
    std::string open(const WindowOptions&);
    void close();
    bool is_open() const { return window_ != nullptr; }

    // Hands an event to ImGui; true: the window should draw. Text files dropped on it are kept for
    // dropped(); a request to close for quit().
    bool event(const SDL_Event&);
    // Takes all events that wait. True: there was one.
    bool poll();
    // Draws one frame. Milliseconds to the next one: 0 at once, -1 when nothing moves.
    int frame();
    void resize(int width, int height);

    // Fonts fetched by the page, in place of those built in. The bytes must outlive the window.
    void add_faces(Lang, FontBytes regular, FontBytes semibold);

    // What the application would do with an event at a place, so that a page can keep the rest:
    // wheel up 1, down 2, drag 4, Escape 8, Tab 16, Shift Tab 32, text keys 64.
    unsigned wants(float x, float y) const;
    void touch(int phase, float x, float y);  // 0 down, 1 move, 2 up
    void focus(bool on, int direction);       // +1 by Tab, -1 by Shift Tab, 0 by pointer
    void paste(std::string_view text);
    void context_lost(bool lost);
    // Draws until ImGui has read all its input: before a copy event is answered.
    void flush();

    SDL_Window* handle() const { return window_; }
    bool quit() const { return quit_; }
    std::vector<std::string> take_dropped();  // paths
    // Pixels of the last frame, RGBA, top row first.
    std::vector<unsigned char> pixels(int& width, int& height) const;
    std::uint64_t frames() const { return frames_; }
    void count_input();  // some frames follow every event: hover delays, ImGui's spread of events

  private:
    bool for_the_window(std::string_view text);
    void load_faces();
    float ratio() const;

    App& app_;
    WindowOptions options_;
    SDL_Window* window_ = nullptr;
    void* gl_ = nullptr;
    float dpr_ = 0;
    bool dark_ = true, korean_ = false, lost_ = false, quit_ = false, faces_stale_ = true;
    bool typing_ = false;  // as of the last frame
    int frames_left_ = 0;
    std::uint64_t frames_ = 0;
    FontFiles files_;
    Fonts fonts_;
    std::string clipboard_;
    std::vector<std::string> dropped_;
};

}  // namespace kvgauge::ui
