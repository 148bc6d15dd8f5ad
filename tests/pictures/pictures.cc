// SPDX-License-Identifier: MIT
// Draws the pictures of docs/pictures without a display: pictures OUT [NAME...].
// A picture is a link, a size and what the user did before: where the pointer rests, what was
// typed. Words in braces are keys: {tab} {enter} {esc} {down} {palette} {click}.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <SDL.h>
#include <imgui.h>

#include "data/catalog.h"
#include "native/png_file.h"
#include "ui/app.h"
#include "ui/sdl/window.h"

namespace kvgauge {
namespace {

struct Picture {
    const char* name;
    const char* link;
    int width = 1280, height = 800;
    float dpr = 1;
    float x = -1, y = -1;  // the pointer
    const char* keys = "";
};

constexpr const char* kUsual = "v=1&model=llama-3-8b&batch=32&tpot-max=25";

constexpr Picture kPictures[] = {
    {"overview-dark", "&theme=dark"},
    {"overview-light", "&theme=light"},
    {"overview-ko-dark", "&theme=dark&lang=ko"},
    {"overview-1024-light", "&theme=light", 1024, 768},
    {"overview-1920-dark", "&theme=dark", 1920, 1080},
    {"derivation-light", "&theme=light", 1280, 800, 1, 560, 318, "{click}"},
    {"palette-dark", "&theme=dark", 1280, 800, 1, -1, -1, "{palette}70b h100 4x fp8 32k"},
    {"model-list-light", "&theme=light", 1280, 800, 1, 150, 106, "{click}qwen"},
    {"focus-dark", "&theme=dark", 1280, 800, 1, -1, -1, "{tab}{tab}{tab}{tab}{tab}{tab}"},
    {"field-error-light", "&theme=light", 1280, 800, 1, 190, 608, "{click}many{enter}"},
    {"does-not-fit-dark", "&theme=dark&model=llama-3-70b"},
    {"may-fit-light", "&theme=light&gpu=l4-24gb&ctx=32k"},
    {"refused-light", "&theme=light&kv-heads=4&tp=8&engine=tgi"},
    {"memory-dark", "&theme=dark&view=memory&model=gemma-3-27b"},
    {"memory-light", "&theme=light&view=memory&model=gemma-3-27b"},
    {"memory-hybrid-dark", "&theme=dark&view=memory&model=qwen3-next-80b-a3b&tp=4"},
    {"batch-hover-dark", "&theme=dark&view=batch", 1280, 800, 1, 900, 480},
    {"batch-light", "&theme=light&view=batch"},
    {"parallel-dark", "&theme=dark&view=parallel&kv-heads=4&engine=tgi&tp=8"},
    {"parallel-ko-light", "&theme=light&lang=ko&view=parallel&kv-heads=4&engine=tgi&tp=8"},
    {"speed-dark", "&theme=dark&view=speed", 1280, 1080},
    {"speed-light", "&theme=light&view=speed"},
    {"plan-dark", "&theme=dark&view=plan"},
    {"plan-light", "&theme=light&view=plan"},
    {"compare-light", "&theme=light&view=compare", 1280, 800, 1, 780, 354, "{click}{click}"},
    {"log-light", "&theme=light&view=log"},
    {"measure-dark", "&theme=dark&view=measure"},
    {"share-light", "&theme=light&view=share", 1280, 800, 1, 400, 390, "{click}"},
    {"phone-390-dark", "&theme=dark", 390, 844, 2},
    {"phone-390-light", "&theme=light", 390, 844, 2},
    {"phone-390-ko-light", "&theme=light&lang=ko&view=parallel", 390, 844, 2},
};

void press(ui::Window& window, ImGuiKey key, ImGuiKey mod = ImGuiKey_None) {
    ImGuiIO& io = ImGui::GetIO();
    if (mod != ImGuiKey_None) io.AddKeyEvent(mod, true);
    io.AddKeyEvent(key, true);
    window.frame();
    io.AddKeyEvent(key, false);
    if (mod != ImGuiKey_None) io.AddKeyEvent(mod, false);
    for (int i = 0; i < 3; ++i) window.frame();
}

void click(ui::Window& window, const Picture& p) {
    ImGuiIO& io = ImGui::GetIO();
    io.AddMousePosEvent(p.x, p.y);
    window.frame();
    for (const bool down : {true, false}) {
        io.AddMouseButtonEvent(0, down);
        for (int i = 0; i < 3; ++i) window.frame();
    }
}

void act(ui::Window& window, const Picture& p) {
    std::string_view rest = p.keys;
    while (!rest.empty()) {
        const std::size_t end = rest.front() == '{' ? rest.find('}') : rest.npos;
        if (end == rest.npos) {
            ImGui::GetIO().AddInputCharacter(static_cast<unsigned char>(rest.front()));
            rest.remove_prefix(1);
            for (int i = 0; i < 2; ++i) window.frame();
            continue;
        }
        const std::string_view word = rest.substr(1, end - 1);
        if (word == "tab") press(window, ImGuiKey_Tab);
        if (word == "enter") press(window, ImGuiKey_Enter);
        if (word == "esc") press(window, ImGuiKey_Escape);
        if (word == "down") press(window, ImGuiKey_DownArrow);
        if (word == "palette") press(window, ImGuiKey_K, ImGuiMod_Ctrl);
        if (word == "click") click(window, p);
        rest.remove_prefix(end + 1);
    }
}

// A later key of the same name replaces an earlier one, so a picture can differ in any of them.
std::string link_of(const Picture& p) {
    std::string_view extra = p.link;
    std::string out;
    std::string_view usual = kUsual;
    while (!usual.empty()) {
        const std::size_t end = std::min(usual.find('&'), usual.size());
        const std::string_view pair = usual.substr(0, end);
        const std::string key = "&" + std::string(pair.substr(0, pair.find('=') + 1));
        if (extra.find(key) == extra.npos) out += (out.empty() ? "" : "&") + std::string(pair);
        usual.remove_prefix(std::min(end + 1, usual.size()));
    }
    return out + std::string(extra);
}

bool draw(const Picture& p, const std::string& folder) {
    ui::App app(builtin_catalog(), {});
    app.set_link(link_of(p));
    ui::Window window(app);
    ui::WindowOptions o;
    o.width = p.width;
    o.height = p.height;
    o.dpr = p.dpr;
    o.hidden = true;
    if (const std::string why = window.open(o); !why.empty()) {
        std::fprintf(stderr, "no window: %s\n", why.c_str());
        return false;
    }
    ImGuiIO& io = ImGui::GetIO();
    io.ClearInputKeys();
    io.AddMousePosEvent(-1e4f, -1e4f);
    for (int i = 0; i < 4; ++i) window.frame();
    act(window, p);
    if (p.x >= 0) io.AddMousePosEvent(p.x, p.y);
    for (int i = 0; i < 500 && (window.frame() == 0 || i < 4); ++i) {
    }
    int w = 0, h = 0;
    const std::vector<unsigned char> pixels = window.pixels(w, h);
    const std::string path = folder + "/" + p.name + ".png";
    window.close();
    if (write_png(path, pixels, w, h)) return true;
    std::fprintf(stderr, "%s could not be written\n", path.c_str());
    return false;
}

}  // namespace
}  // namespace kvgauge

int main(int n, char** a) {
    if (n < 2) {
        std::fputs("pictures OUT [NAME...]\n", stderr);
        return 2;
    }
    setenv("SDL_VIDEODRIVER", "offscreen", 0);
    bool good = true;
    for (const kvgauge::Picture& p : kvgauge::kPictures) {
        bool wanted = n == 2;
        for (int i = 2; i < n; ++i) wanted = wanted || std::strcmp(a[i], p.name) == 0;
        if (wanted) good = kvgauge::draw(p, a[1]) && good;
    }
    return good ? 0 : 1;
}
