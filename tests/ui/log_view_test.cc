// SPDX-License-Identifier: MIT
// The Log view: from a pasted text to a waterfall, and what its buttons do to the scenario.
#include <string>

#include "headless.h"
#include "ui/log_example.h"

namespace kvgauge::ui {
namespace {

TEST(LogView, WithoutALogItSaysWhatToDo) {
    Headless h;
    h.show("v=1&view=log");
    EXPECT_NE(h.text("SGLang"), nullptr);
    EXPECT_NE(h.item("log-example"), nullptr);
    h.click("log-example");
    EXPECT_NE(h.text("53.29"), nullptr);
    // 0.9 x 79.22 - 14.96 - 53.29 = 3.05
    EXPECT_NE(h.text("Use 3.05 GiB"), nullptr);
    EXPECT_NE(h.text("Reconciled to 0.00 GiB"), nullptr);
}

TEST(LogView, APastedLogOpensItAndChangesNothing) {
    Headless h;
    h.show("v=1&model=llama-3-70b&gpu=h200-141gb-sxm");
    const Scenario before = h.app.scenario();
    EXPECT_EQ(h.app.take("clipboard", kLogExample), "");
    h.frames(3);
    EXPECT_EQ(h.app.presentation().view, "log");
    EXPECT_EQ(h.app.scenario(), before);
    // Steps of the log: total, kept free, weights, non-torch, activations, KV.
    for (const char* figure : {"79.22", "7.92", "14.96", "1.79", "1.26", "53.29"}) {
        EXPECT_NE(h.text(figure), nullptr) << figure;
    }
    EXPECT_NE(h.text("not the scenario"), nullptr);
}

TEST(LogView, TheLogBecomesTheScenarioAndUndoTakesItBack) {
    Headless h;
    h.show("v=1&model=llama-3-70b&gpu=h200-141gb-sxm");
    const Scenario before = h.app.scenario();
    h.app.take("log.txt", kLogExample);
    h.frames(3);
    h.click("log-make");
    EXPECT_EQ(h.app.scenario().model, "llama-3-8b");
    EXPECT_EQ(h.app.scenario().util, 0.9);
    EXPECT_EQ(h.item("log-make"), nullptr);
    EXPECT_EQ(h.text("not the scenario"), nullptr);
    h.app.leave();
    h.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    EXPECT_EQ(h.app.scenario(), before);
}

TEST(LogView, TheFittedOverheadIsKeptInTheLink) {
    Headless h;
    h.show("v=1");
    h.app.take("log.txt", kLogExample);
    h.frames(3);
    h.click("log-make");
    h.click("log-use");
    ASSERT_TRUE(h.app.scenario().overhead);
    EXPECT_NEAR(static_cast<double>(*h.app.scenario().overhead) / 1073741824.0, 3.048, 0.001);
    EXPECT_NE(h.app.link().find("overhead="), std::string::npos) << h.app.link();
    // The button did its work; the log is still the scenario's.
    EXPECT_EQ(h.text("not the scenario"), nullptr);
    const Row* kv = h.app.report().find("budget.kv_bytes");
    ASSERT_NE(kv, nullptr);
    EXPECT_FALSE(kv->low && kv->high && *kv->low != *kv->high);
}

TEST(LogView, RunsOfOneTextAreChosen) {
    Headless h;
    std::string two(kLogExample);
    std::string second(kLogExample);
    second.replace(second.find("53.29"), 5, "51.00");
    second.replace(second.find("16.22"), 5, "18.51");
    h.app.take("log.txt", two + second);
    h.frames(3);
    if (h.item("log-run-1") == nullptr) GTEST_SKIP() << "the reader takes them for one run";
    h.click("log-run-1");
    EXPECT_NE(h.text("51.00"), nullptr);
    EXPECT_EQ(h.text("53.29"), nullptr);
}

TEST(LogView, TextThatIsNoLogIsRefusedWithItsFirstLine) {
    Headless h;
    h.show("v=1");
    const std::string why = h.app.take("notes.txt", "Dear diary\nnothing");
    EXPECT_NE(why.find("Dear diary"), std::string::npos);
    h.frames(3);
    EXPECT_EQ(h.app.presentation().view, "");
    EXPECT_NE(h.text("Dear diary"), nullptr);
}

TEST(LogView, AHostileLogDrawsAtEverySize) {
    // Figures that no machine has, and a name that is no text.
    const std::string odd =
        "INFO llm_engine.py:249] Initializing an LLM engine (v0.6.5) with config: "
        "model='\xff\xfe<b>', tensor_parallel_size=1024, max_seq_len=1\n"
        "INFO worker.py:241] Memory profiling results: total_gpu_memory=0.01GiB "
        "non_torch_memory=900000.79GiB peak_torch_memory=0.00GiB kv_cache_size=99999.29GiB "
        "gpu_memory_utilization=0.00\n"
        "INFO gpu_executor.py:113] # GPU blocks: 0, # CPU blocks: 18446744073709551615\n";
    for (const auto& [w, height] : {std::pair{1280.f, 800.f}, {390.f, 844.f}, {320.f, 240.f}}) {
        Headless h(w, height);
        h.app.take("log.txt", odd);
        h.frames(3);
        ASSERT_FALSE(::testing::Test::HasFatalFailure()) << w;
        for (std::size_t n = 0; n < odd.size(); n += 17) {
            h.app.take("log.txt", std::string_view(odd).substr(0, n));
            h.frames(2);
        }
    }
}

}  // namespace
}  // namespace kvgauge::ui
