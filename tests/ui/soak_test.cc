// SPDX-License-Identifier: MIT
// A user who never tires: random edits by every door (fields, links, clicks, keys, words, wheel,
// files, undo), one frame or more after each. Nothing asserts, nothing drawn is not a number, and
// memory is no greater after the last edit than after the first third, when the window shows the
// same again. KVGAUGE_SOAK: edits, 3,000. KVGAUGE_SOAK_SEED: another walk.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "headless.h"
#include "text/fields.h"
#include "ui/log_example.h"
#include "ui/session.h"

namespace kvgauge::ui {
namespace {

// SplitMix64 (Steele, Lea, Flood 2014).
class Dice {
  public:
    explicit Dice(std::uint64_t seed) : state_(seed) {}
    std::uint64_t roll(std::uint64_t sides) {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return (z ^ (z >> 31)) % sides;
    }
    template <class List>
    decltype(auto) of(const List& list) {
        return list[static_cast<std::size_t>(roll(std::size(list)))];
    }

  private:
    std::uint64_t state_;
};

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    const std::uint64_t n = text != nullptr ? std::strtoull(text, nullptr, 10) : 0;
    return n != 0 ? n : otherwise;
}

constexpr const char* kTexts[] = {"",     "0",     "1",    "2",    "7",     "8k",
                                  "128k", "16",    "64",   "1024", "40GiB", "80GB",
                                  "90%",  "0.5",   "-1",   "1e9",  "fp8",   "bf16",
                                  "on",   "off",   "auto", "abc",  "mtp:1", "18446744073709551615",
                                  "none", "3.3e12"};
constexpr const char* kLinks[] = {
    "v=1",
    "v=1&model=qwen3-32b&tp=4&gpu=h100-80gb-sxm&ctx=32k",
    "v=1&model=gemma-3-27b&engine=sglang&kv=fp8",
    "v=1&model=custom&layers=4&q-heads=8&kv-heads=2&head-dim=64&hidden=512&vocab=100",
    "v=1&model=no-such-model&ctx=what&future=1",
    "v=9&model=gpt-oss-120b&batch=4096&in=100000",
    "v=1&engine=llamacpp&split=row&ngl=10&gpu=rtx-4090-24gb",
    "v=1&in-mean=1024&in-p95=3072&out-mean=256&out-p95=768"};
constexpr ImGuiKey kKeys[] = {
    ImGuiKey_Tab,       ImGuiKey_Escape,    ImGuiKey_Enter,      ImGuiKey_Space, ImGuiKey_UpArrow,
    ImGuiKey_DownArrow, ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_Home,  ImGuiKey_End,
    ImGuiKey_Backspace, ImGuiKey_Delete,    ImGuiKey_PageDown,   ImGuiKey_K,     ImGuiKey_Z,
    ImGuiKey_Y,         ImGuiKey_A};
constexpr std::pair<float, float> kSizes[] = {
    {1280, 800}, {390, 844}, {820, 1180}, {1920, 1080}, {320, 400}};
constexpr std::string_view kFiles[] = {
    kLogExample,
    "vllm serve Qwen/Qwen2.5-7B -tp 2 --max-model-len 8k",
    "no log at all\n",
    "{\"model_type\":",
    "GGUF",
    R"({"architectures":["LlamaForCausalLM"],"model_type":"llama","hidden_size":2048,
        "num_hidden_layers":16,"num_attention_heads":32,"num_key_value_heads":8,
        "intermediate_size":8192,"vocab_size":128256})"};

class Soak {
  public:
    explicit Soak(std::uint64_t seed) : dice_(seed) {}

    void edit() {
        ImGuiIO& io = ImGui::GetIO();
        switch (dice_.roll(12)) {
            case 0:
            case 1:
                h_.app.set_field(dice_.of(fields()).key, dice_.of(kTexts));
                break;
            case 2:
                if (const Field& f = dice_.of(fields()); !f.choices.empty())
                    h_.app.set_field(f.key, dice_.of(f.choices));
                else
                    h_.app.set_field("model", dice_.of(builtin_catalog().models()).spec->id);
                break;
            case 3:
                h_.app.set_field("gpu", dice_.of(builtin_catalog().gpus()).spec.id);
                break;
            case 4:
            case 5:
                if (!h_.app.items().empty()) {
                    const Item& i = dice_.of(h_.app.items());
                    click(i.x + i.w * static_cast<float>(dice_.roll(100)) / 100, i.y + i.h / 2);
                }
                break;
            case 6:
                press(dice_.of(kKeys), dice_.roll(3) == 0);
                break;
            case 7:
                io.AddInputCharactersUTF8(dice_.of(kTexts));
                break;
            case 8:
                io.AddMouseWheelEvent(0, static_cast<float>(dice_.roll(5)) - 2);
                io.AddMousePosEvent(static_cast<float>(dice_.roll(1280)),
                                    static_cast<float>(dice_.roll(800)));
                break;
            case 9: {
                Presentation p = h_.app.presentation();
                p.view = view_id(static_cast<View>(dice_.roll(kViewCount)));
                // New fonts are a second's work: seldom.
                if (dice_.roll(100) == 0) p.lang = p.lang == "ko" ? "en" : "ko";
                if (dice_.roll(100) == 0) p.theme = p.theme == "dark" ? "light" : "dark";
                h_.app.set_presentation(p);
                break;
            }
            case 10:
                h_.app.set_link(Headless::with_view(
                    dice_.of(kLinks), view_id(static_cast<View>(dice_.roll(kViewCount)))));
                break;
            case 11:
                if (dice_.roll(4) == 0) {
                    std::tie(h_.w, h_.h) = dice_.of(kSizes);
                } else {
                    h_.app.take("dropped", dice_.of(kFiles));
                }
                break;
        }
        h_.frame();
    }

    // Bytes in use when the window stands at the first screen again.
    std::size_t at_rest() {
        h_.w = 1280;
        h_.h = 800;
        for (int i = 0; i < 6; ++i) h_.press(ImGuiKey_Escape);
        Presentation p = h_.app.presentation();
        p.view.clear();
        p.lang = "en";
        p.theme = "light";
        h_.app.set_presentation(p);
        h_.app.set_link("v=1");
        h_.frames(120);
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
        return mallinfo2().uordblks + mallinfo2().hblkhd;
#else
        return 0;
#endif
    }
    std::string where() const {
        return h_.app.link();
    }

  private:
    void click(float x, float y) {
        ImGuiIO& io = ImGui::GetIO();
        io.AddMousePosEvent(x, y);
        h_.frame();
        if (dice_.roll(10) == 0) io.AddKeyEvent(ImGuiMod_Ctrl, true);
        io.AddMouseButtonEvent(0, true);
        h_.frame();
        io.AddMouseButtonEvent(0, false);
        io.AddKeyEvent(ImGuiMod_Ctrl, false);
    }
    void press(ImGuiKey key, bool ctrl) {
        ImGuiIO& io = ImGui::GetIO();
        if (ctrl) io.AddKeyEvent(ImGuiMod_Ctrl, true);
        io.AddKeyEvent(key, true);
        h_.frame();
        io.AddKeyEvent(key, false);
        if (ctrl) io.AddKeyEvent(ImGuiMod_Ctrl, false);
    }
    Dice dice_;
    Headless h_;
};

TEST(Soak, RandomEditsNeitherAssertNorGrow) {
    const std::uint64_t edits = setting("KVGAUGE_SOAK", 3000);
    Soak soak(setting("KVGAUGE_SOAK_SEED", 1));
    const auto walk = [&](std::uint64_t n) {
        for (std::uint64_t i = 0; i < n && !testing::Test::HasFatalFailure(); ++i) soak.edit();
        return soak.at_rest();
    };
    const std::size_t third = walk(edits / 3);
    std::size_t now = third;
    for (int i = 2; i <= 3; ++i) {
        now = walk(edits / 3);
        if (testing::Test::HasFatalFailure()) FAIL() << soak.where();
        std::printf("%llu edits: %.1f MiB in use, %+lld B since the first third\n",
                    static_cast<unsigned long long>(edits / 3) * static_cast<unsigned>(i),
                    static_cast<double>(now) / 1048576.0,
                    static_cast<long long>(now) - static_cast<long long>(third));
    }
    // What is kept has bounds (200 steps of undo, one log, one measurement, lists) and may stand
    // fuller or emptier by this much; 100,000 edits that each forgot 16 bytes would pass it.
    EXPECT_LE(now, third + (1u << 20));
}

}  // namespace
}  // namespace kvgauge::ui
