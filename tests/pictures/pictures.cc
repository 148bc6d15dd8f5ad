// SPDX-License-Identifier: MIT
// Draws the pictures of docs/pictures without a display: pictures OUT [NAME...].
// A picture is a link, a size and what the user did before: where the pointer rests, what was
// typed. Words in braces are keys: {tab} {enter} {esc} {down} {palette} {click}; {log},
// {measurement} and {command} are pasted, {drop} is a file held over the window.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <SDL.h>
#include <imgui.h>

#include "data/catalog.h"
#include "model/scenario.h"
#include "probe/measurement.h"
#include "small_png.h"
#include "text/measurement.h"
#include "ui/app.h"
#include "ui/log_example.h"
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
    {"derivation-light", "&theme=light", 1280, 800, 1, 560, 318, "{click}"},
    {"palette-dark", "&theme=dark", 1280, 800, 1, -1, -1, "{palette}70b h100 4x fp8 32k"},
    {"model-list-light", "&theme=light", 1280, 800, 1, 150, 106, "{click}qwen"},
    {"focus-dark", "&theme=dark", 1280, 800, 1, -1, -1, "{tab}{tab}{tab}{tab}{tab}{tab}"},
    {"field-error-light", "&theme=light", 1280, 800, 1, 190, 608, "{click}many{enter}"},
    {"does-not-fit-dark", "&theme=dark&model=llama-3-70b"},
    {"may-fit-light", "&theme=light&gpu=l4-24gb&ctx=32k"},
    {"refused-light", "&theme=light&kv-heads=4&tp=8&engine=tgi"},
    {"memory-dark", "&theme=dark&view=memory&model=gemma-3-27b"},
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
    {"log-read-light", "&theme=light", 1280, 800, 1, -1, -1, "{log}"},
    {"measure-dark", "&theme=dark&view=measure"},
    {"measured-dark", "&theme=dark", 1280, 800, 1, -1, -1, "{measurement}"},
    {"share-light", "&theme=light&view=share", 1280, 800, 1, 400, 390, "{click}"},
    {"traffic-dark", "&theme=dark&view=batch&in-mean=1024&in-p95=3072&out-mean=256&out-p95=768"},
    {"traffic-ko-light",
     "&theme=light&lang=ko&view=batch&in-mean=3000&in-p95=9000&out-mean=500&out-p95=1500"},
    {"command-light", "&theme=light&gpu=h100-80gb-sxm", 1280, 800, 1, -1, -1, "{command}"},
    {"drop-dark", "&theme=dark", 1280, 800, 1, -1, -1, "{drop}"},
    {"compare-ko-light", "&theme=light&lang=ko&view=compare"},
    {"overview-700-dark", "&theme=dark", 700, 900},
    {"speed-900-light", "&theme=light&view=speed", 900, 1000},
    {"memory-760-dark", "&theme=dark&view=memory&model=gemma-3-27b", 760, 1000},
    {"plan-1024-ko-dark", "&theme=dark&lang=ko&view=plan", 1024, 768},
    {"phone-390-dark", "&theme=dark", 390, 844, 2},
    {"phone-390-light", "&theme=light", 390, 844, 2},
    {"phone-390-ko-light", "&theme=light&lang=ko&view=parallel", 390, 844, 1},
    {"phone-390-batch-dark", "&theme=dark&view=batch&in-mean=1024&in-p95=3072", 390, 844, 1},
    {"phone-390-speed-ko-dark", "&theme=dark&lang=ko&view=speed", 390, 844, 1},
    {"phone-390-memory-light", "&theme=light&view=memory&model=gemma-3-27b", 390, 844, 1},
    {"phone-390-plan-light", "&theme=light&view=plan", 390, 844, 1},
    {"phone-390-log-dark", "&theme=dark", 390, 844, 1, -1, -1, "{log}"},
    {"phone-390-measured-light", "&theme=light", 390, 844, 1, -1, -1, "{measurement}"},
    {"phone-390-compare-dark", "&theme=dark&view=compare", 390, 844, 1},
    {"phone-390-share-light", "&theme=light&view=share", 390, 844, 1},
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

constexpr const char* kCommand =
    "vllm serve meta-llama/Meta-Llama-3-70B-Instruct --tensor-parallel-size 4 "
    "--max-model-len 32768 --quantization fp8 --port 8000";

Case decode(std::uint32_t batch, std::uint32_t ctx, double us) {
    Case c;
    c.kernel = KernelKind::decode;
    c.shape = {.batch = batch, .ctx = ctx, .q_heads = 32, .kv_heads = 8, .head_dim = 128};
    c.bytes = std::uint64_t{batch} * ctx * 4096;  // 2 x 8 heads x 128 x 2 B
    c.samples_ns = {us * 1e3, us * 1e3, us * 1e3};
    c.statistics = summarize(c.samples_ns);
    return c;
}

// Public kernel table rows: A100 SXM, vLLM 0.14, FlashAttention-2, 32/8 heads, bf16, and their fit.
std::string public_rows() {
    Measurement m;
    m.device = {.id = "cuda:0",
                .name = "NVIDIA A100-SXM4-80GB",
                .cache_bytes = 41'943'040,
                .bandwidth = 2.039e12,
                .peak_flops16 = 312e12,
                .units = 108};
    m.time = "2026-01-02T03:04:05Z";
    m.cases = {decode(8, 32768, 651.32), decode(32, 4096, 418.95), decode(128, 1024, 343.06),
               decode(8, 16384, 341.62), decode(32, 1024, 122.97)};
    m.fit.device = m.device.name;
    m.fit.e_kv = 0.761;
    m.fit.t0 = 26.3e-6;
    m.fit.residual = 0.053;
    return measurement_json(m);
}

void act(ui::App& app, ui::Window& window, const Picture& p) {
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
        if (word == "log") app.take("log.txt", ui::kLogExample);
        if (word == "measurement") app.take("measured.json", public_rows());
        if (word == "command") app.take("clipboard", kCommand);
        if (word == "drop") app.set_drop_target(true);
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
    act(app, window, p);
    if (p.x >= 0) io.AddMousePosEvent(p.x, p.y);
    for (int i = 0; i < 500 && (window.frame() == 0 || i < 4); ++i) {
    }
    int w = 0, h = 0;
    const std::vector<unsigned char> pixels = window.pixels(w, h);
    const std::string path = folder + "/" + p.name + ".png";
    window.close();
    if (write_small_png(path, pixels, w, h)) return true;
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
