// SPDX-License-Identifier: MIT
#include <set>
#include <string>

#include "headless.h"

#include "ui/session.h"

namespace kvgauge::ui {
namespace {

std::string focused(const Headless& h) {
    for (const Item& i : h.app.items()) {
        if (i.focused) return i.id;
    }
    return {};
}

std::string last_stop(const Headless& h) {
    std::string id;
    for (const Item& i : h.app.items()) {
        if (i.stop) id = i.id;
    }
    return id;
}

TEST(Keyboard, TabVisitsEveryControlInOrderAndComesAround) {
    Headless h;
    h.show("v=1");
    std::vector<std::string> order;
    for (const Item& i : h.app.items()) {
        if (i.stop) order.push_back(i.id);
    }
    ASSERT_GT(order.size(), 25u);
    std::set<std::string> once(order.begin(), order.end());
    EXPECT_EQ(once.size(), order.size()) << "an id stands twice";
    for (const std::string& id : order) {
        h.press(ImGuiKey_Tab);
        EXPECT_EQ(focused(h), id);
    }
    EXPECT_FALSE(h.app.tab_stays(false));
    EXPECT_TRUE(h.app.tab_stays(true));
    h.press(ImGuiKey_Tab);
    EXPECT_EQ(focused(h), order.front());
    EXPECT_FALSE(h.app.tab_stays(true));
    h.press(ImGuiKey_Tab, ImGuiMod_Shift);
    EXPECT_EQ(focused(h), order.back());
}

TEST(Keyboard, FocusEntersAtEitherEndAndLeaves) {
    Headless h;
    h.show("v=1");
    h.app.enter(false);
    h.frames(2);
    EXPECT_EQ(focused(h), h.app.items().front().id);
    h.app.enter(true);
    h.frames(2);
    EXPECT_EQ(focused(h), last_stop(h));
    h.app.leave();
    h.frames(2);
    EXPECT_EQ(focused(h), "");
}

TEST(Keyboard, NumbersAreTypedAndKept) {
    Headless h;
    h.show("v=1");
    h.click("ctx");
    EXPECT_TRUE(h.app.escape_closes());
    h.type("32k");
    h.press(ImGuiKey_Enter);
    EXPECT_EQ(h.app.scenario().ctx, 32768u);
    h.click("ctx");
    h.type("77");
    h.press(ImGuiKey_Escape);
    EXPECT_EQ(h.app.scenario().ctx, 32768u);
    h.click("batch");
    h.type("12");
    h.press(ImGuiKey_Tab);  // keeps, and goes on
    EXPECT_EQ(h.app.scenario().batch, 12u);
    EXPECT_EQ(focused(h), "in");
    h.press(ImGuiKey_UpArrow);
    EXPECT_GT(h.app.scenario().in, 1024u);
}

TEST(Keyboard, ABadTextStaysInItsField) {
    Headless h;
    h.show("v=1");
    const Scenario before = h.app.scenario();
    h.click("ctx");
    h.type("many");
    h.press(ImGuiKey_Enter);
    EXPECT_EQ(h.app.scenario(), before);
    EXPECT_NE(h.text("many"), nullptr) << "the field lost what was typed";
    h.click("ctx");
    h.type("4096");
    h.press(ImGuiKey_Enter);
    EXPECT_EQ(h.app.scenario().ctx, 4096u);
    EXPECT_EQ(h.text("many"), nullptr);
}

TEST(Keyboard, UndoAndRedo) {
    Headless h;
    h.show("v=1");
    h.click("ctx");
    h.type("16k");
    h.press(ImGuiKey_Enter);
    h.app.leave();
    h.press(ImGuiKey_Z, ImGuiMod_Ctrl);
    EXPECT_EQ(h.app.scenario().ctx, 8192u);
    h.press(ImGuiKey_Y, ImGuiMod_Ctrl);
    EXPECT_EQ(h.app.scenario().ctx, 16384u);
}

TEST(Keyboard, DigitsChooseViewsAndLettersAct) {
    std::string copied;
    Host host;
    host.copy_text = [&](std::string_view s) { copied = s; };
    Headless h(1280, 800, host);
    h.show("v=1");
    h.press(ImGuiKey_4);
    EXPECT_EQ(h.app.presentation().view, "parallel");
    h.press(ImGuiKey_0);
    EXPECT_EQ(h.app.presentation().view, "share");
    h.press(ImGuiKey_1);
    EXPECT_EQ(h.app.presentation().view, "");
    h.press(ImGuiKey_L);
    EXPECT_EQ(copied, "#" + h.app.link());
    const bool dark = h.app.dark();
    h.press(ImGuiKey_T);
    EXPECT_NE(h.app.dark(), dark);
    h.press(ImGuiKey_K);
    EXPECT_EQ(h.app.lang(), Lang::ko);
}

TEST(Keyboard, SegmentsAndTabsMoveByArrows) {
    Headless h;
    h.show("v=1");
    h.click("tp");  // the middle of the row: 2 or 4
    const std::uint64_t tp = h.app.scenario().tp;
    h.press(ImGuiKey_RightArrow);
    EXPECT_EQ(h.app.scenario().tp, tp * 2);
    h.press(ImGuiKey_LeftArrow);
    h.press(ImGuiKey_LeftArrow);
    EXPECT_EQ(h.app.scenario().tp, tp / 2);
    h.click("tab-memory");
    EXPECT_EQ(h.app.presentation().view, "memory");
    h.press(ImGuiKey_RightArrow);
    EXPECT_EQ(h.app.presentation().view, "batch");
}

TEST(Keyboard, TheDerivationOpensAndClosesWithFocusBack) {
    std::string copied;
    Host host;
    host.copy_text = [&](std::string_view s) { copied = s; };
    Headless h(1280, 800, host);
    h.show("v=1");
    h.click("row-kv.bytes_per_request");
    EXPECT_TRUE(h.app.escape_closes());
    EXPECT_NE(h.text("1,073,741,824 B"), nullptr);
    EXPECT_NE(h.text("kv.bytes_per_request"), nullptr);
    h.click("copy-value");
    EXPECT_EQ(copied, "1,073,741,824 B");
    h.press(ImGuiKey_Escape);
    EXPECT_FALSE(h.app.escape_closes());
    EXPECT_EQ(focused(h), "row-kv.bytes_per_request");
    h.press(ImGuiKey_Enter);
    EXPECT_TRUE(h.app.escape_closes());
}

TEST(Keyboard, ThePaletteReadsAWholeScenario) {
    Headless h;
    h.show("v=1");
    h.press(ImGuiKey_K, ImGuiMod_Ctrl);
    EXPECT_TRUE(h.app.escape_closes());
    h.type("70b h100 4x fp8 32k");
    h.press(ImGuiKey_Enter);
    EXPECT_FALSE(h.app.escape_closes());
    EXPECT_EQ(h.app.scenario().gpu, "h100-80gb-sxm");
    EXPECT_EQ(h.app.scenario().tp, 4u);
    EXPECT_EQ(h.app.scenario().weights, WeightKind::fp8);
    EXPECT_EQ(h.app.scenario().ctx, 32768u);
    EXPECT_NE(h.app.scenario().model.find("70b"), std::string::npos);
}

TEST(Keyboard, AListIsSearchedAndChosenFrom) {
    Headless h;
    h.show("v=1");
    h.click("model");
    EXPECT_TRUE(h.app.escape_closes());
    h.type("qwen2.5 72b");
    h.press(ImGuiKey_Enter);
    EXPECT_EQ(h.app.scenario().model, "qwen2.5-72b");
    h.click("model");
    h.press(ImGuiKey_Escape);
    EXPECT_FALSE(h.app.escape_closes());
    EXPECT_EQ(h.app.scenario().model, "qwen2.5-72b");
}

TEST(Keyboard, TheFormSetsFieldsAsTheCanvasDoes) {
    Headless h;
    h.show("v=1");
    EXPECT_TRUE(h.app.set_field("ctx", "64k"));
    EXPECT_EQ(h.app.scenario().ctx, 65536u);
    EXPECT_FALSE(h.app.set_field("ctx", "nothing"));
    EXPECT_TRUE(h.app.set_field("ctx", ""));
    EXPECT_EQ(h.app.scenario().ctx, 8192u);
    EXPECT_FALSE(h.app.set_field("no-such-key", "1"));
}

}  // namespace
}  // namespace kvgauge::ui
