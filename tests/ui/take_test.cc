// SPDX-License-Identifier: MIT
// What is pasted or dropped on the window, wherever it is.
#include <string>

#include "headless.h"

namespace kvgauge::ui {
namespace {

constexpr const char* kCommand =
    "vllm serve meta-llama/Meta-Llama-3-70B-Instruct \\\n  --tensor-parallel-size 4 \\\n"
    "  --max-model-len 8192 --kv-cache-dtype fp8\n";

TEST(Take, AnEngineCommandFillsTheScenarioAndUndoTakesItBack) {
#ifdef __EMSCRIPTEN__
    GTEST_SKIP() << "the page has no reader of commands yet";
#endif
    Headless h;
    h.show("v=1&gpu=h100-80gb-sxm&batch=7");
    const Scenario before = h.app.scenario();
    EXPECT_EQ(h.app.take("clipboard", kCommand), "");
    h.frames(3);
    EXPECT_EQ(h.app.scenario().model, "llama-3-70b");
    EXPECT_EQ(h.app.scenario().tp, 4u);
    EXPECT_EQ(h.app.scenario().kv, DType::fp8);
    EXPECT_EQ(h.app.scenario().gpu, "h100-80gb-sxm");
    EXPECT_EQ(h.app.scenario().batch, 7u);
    EXPECT_NE(h.text("Command read"), nullptr);
    h.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    EXPECT_EQ(h.app.scenario(), before);
}

TEST(Take, ACommandIsTakenOnEveryView) {
#ifdef __EMSCRIPTEN__
    GTEST_SKIP() << "the page has no reader of commands yet";
#endif
    for (const char* view : {"memory", "parallel", "plan", "log", "share"}) {
        Headless h;
        h.show(std::string("v=1&view=") + view);
        EXPECT_EQ(h.app.take("clipboard", kCommand), "");
        h.frames(3);
        EXPECT_EQ(h.app.scenario().tp, 4u) << view;
        EXPECT_EQ(h.app.presentation().view, view);
    }
}

TEST(Take, ASentenceIsNoCommand) {
    Headless h;
    const Scenario before = h.app.scenario();
    EXPECT_NE(h.app.take("clipboard", "We serve with vllm, it is fast."), "");
    EXPECT_NE(h.app.take("clipboard", "ls -la\nmake test\n"), "");
    EXPECT_EQ(h.app.scenario(), before);
}

}  // namespace
}  // namespace kvgauge::ui
