// SPDX-License-Identifier: MIT
#include "native/app.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <SDL.h>

#include "data/catalog.h"
#include "native/measure_thread.h"
#include "native/png_file.h"
#include "native/settings.h"
#include "text/link.h"
#include "ui/app.h"
#include "ui/sdl/window.h"

namespace kvgauge {
namespace {

// Headers of GGUF and safetensors files lie at the front; nothing else is larger.
constexpr std::size_t kReadMost = 64u << 20;

std::string read_front(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::string bytes;
    char chunk[65536];
    while (bytes.size() < kReadMost && (in.read(chunk, sizeof chunk), in.gcount() > 0)) {
        bytes.append(chunk, static_cast<std::size_t>(in.gcount()));
    }
    return bytes;
}

void open_file(ui::App& app, const std::string& path) {
    if (path.empty()) return;
    app.take(std::filesystem::path(path).filename().string(), read_front(path));
}

ui::Host host() {
    ui::Host h;
    h.copy_text = [](std::string_view text) { SDL_SetClipboardText(std::string(text).c_str()); };
    h.open_url = [](std::string_view url) { SDL_OpenURL(std::string(url).c_str()); };
    return h;
}

int no_window(const std::string& why) {
    std::fprintf(stderr,
                 "kvgauge: no window could be opened (%s). Without a display use the subcommands: "
                 "kvgauge help.\n",
                 why.c_str());
    return 1;
}

int screenshot(const AppOptions& o) {
    // The offscreen driver draws with Mesa where there is no display at all.
    if (std::getenv("SDL_VIDEODRIVER") == nullptr)
        SDL_SetHint(SDL_HINT_VIDEODRIVER, "offscreen,x11,wayland");
    ui::App app(builtin_catalog(), host());
    app.set_link(o.link);
    open_file(app, o.open_file);
    ui::Window window(app);
    ui::WindowOptions w;
    w.width = o.width > 0 ? o.width : 1280;
    w.height = o.height > 0 ? o.height : 800;
    w.dpr = 1;
    w.hidden = true;
    if (const std::string why = window.open(w); !why.empty()) return no_window(why);
    // Some frames: fonts, and views that compute in steps.
    for (int i = 0; i < 500 && (window.frame() == 0 || i < 4); ++i) {
    }
    int width = 0, height = 0;
    const std::vector<unsigned char> pixels = window.pixels(width, height);
    if (!write_png(o.screenshot, pixels, width, height)) {
        std::fprintf(stderr, "kvgauge: %s could not be written.\n", o.screenshot.c_str());
        return 1;
    }
    return 0;
}

void remember(ui::Window& window, const ui::App& app, Settings s) {
    const Uint32 flags = SDL_GetWindowFlags(window.handle());
    s.maximized = (flags & SDL_WINDOW_MAXIMIZED) != 0;
    if (!s.maximized && (flags & SDL_WINDOW_FULLSCREEN) == 0) {
        SDL_GetWindowPosition(window.handle(), &s.x, &s.y);
        SDL_GetWindowSize(window.handle(), &s.width, &s.height);
    }
    s.link = app.link();
    s.theme = app.presentation().theme;
    s.lang = app.presentation().lang;
    save_settings(s);
}

void title(ui::Window& window, const ui::App& app) {
    const std::string text = app.report().sentence + " – kvgauge";
    SDL_SetWindowTitle(window.handle(), text.c_str());
}

int interactive(const AppOptions& o) {
    const Settings saved = load_settings();
    ui::Host all = host();
    all.measurer = make_measure_thread();
    all.save_text = [](std::string_view name, std::string_view text) {
        std::error_code e;
        const auto path = std::filesystem::absolute(std::filesystem::path(name), e);
        std::ofstream out(path, std::ios::binary);
        out << text;
        out.close();
        return out ? path.string() : std::string();
    };
    ui::App app(builtin_catalog(), std::move(all));
    std::string link = o.link.empty() ? saved.link : o.link;
    // Theme and language are kept apart from the scenario: a link given does not undo them.
    if (!saved.theme.empty() && link.find("theme=") == link.npos) link += "&theme=" + saved.theme;
    if (!saved.lang.empty() && link.find("lang=") == link.npos) link += "&lang=" + saved.lang;
    app.set_link(link.starts_with("&") ? "v=1" + link : link);
    open_file(app, o.open_file);
    ui::Window window(app);
    ui::WindowOptions w;
    w.width = o.width > 0 ? o.width : saved.width;
    w.height = o.height > 0 ? o.height : saved.height;
    w.x = saved.x;
    w.y = saved.y;
    w.maximized = saved.maximized && o.width == 0;
    if (const std::string why = window.open(w); !why.empty()) return no_window(why);
    SDL_SetWindowMinimumSize(window.handle(), 360, 480);
    std::uint64_t shown = 0;
    int wait = 0;
    while (!window.quit()) {
        SDL_Event e;
        if (wait != 0) {  // asleep until something happens
            const int got = wait < 0 ? SDL_WaitEvent(&e) : SDL_WaitEventTimeout(&e, wait);
            if (got != 0) window.event(e);
        }
        window.poll();
        for (const std::string& path : window.take_dropped()) {
            open_file(app, path);
        }
        wait = window.frame();
        if (app.revision() != shown) {
            shown = app.revision();
            title(window, app);
        }
    }
    remember(window, app, saved);
    return 0;
}

}  // namespace

int run_app(const AppOptions& o) {
    return o.screenshot.empty() ? interactive(o) : screenshot(o);
}

}  // namespace kvgauge
