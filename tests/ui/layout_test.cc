// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include "headless.h"
#include "ui/log_example.h"
#include "ui/session.h"

namespace kvgauge::ui {
namespace {

// One of each outcome of UI states: fits, engine reserves more, the engine's own cap, weights too
// big, not one request, range across zero, size refused, unknown.
const std::vector<std::string>& states() {
    static const std::vector<std::string> all{
        "v=1&model=llama-3-8b&tpot-max=30&batch=32",
        "v=1&model=gemma-3-27b",
        "v=1&model=llama-3-8b&ctx=1k&max-seqs=256",
        "v=1&model=llama-3-70b",
        "v=1&model=llama-3-8b&ctx=128k&gpu=l4-24gb",
        "v=1&model=llama-3-8b&gpu=l4-24gb&ctx=32k",
        "v=1&model=llama-3-8b&kv-heads=4&tp=8&engine=tgi",
        "v=1&model=custom",
        "v=1&model=deepseek-v3&gpu=h200-141gb-sxm&tp=8",
    };
    return all;
}

// Ink of two pieces of text on each other. One pixel of touching is no fault: boxes hold the
// leading.
bool collide(const TextRun& a, const TextRun& b) {
    const Rect x = a.box.inset(1, 3), y = b.box.inset(1, 3);
    return x.overlaps(y);
}

std::string collisions(const Headless& h) {
    std::string out;
    for (std::size_t i = 0; i < h.texts.size(); ++i) {
        for (std::size_t j = i + 1; j < h.texts.size(); ++j) {
            if (!collide(h.texts[i], h.texts[j])) continue;
            out += "\"" + h.texts[i].text + "\" and \"" + h.texts[j].text + "\"; ";
        }
    }
    return out;
}

TEST(Layout, TheAnswerHasOneHeightInAllStates) {
    for (const float w : {1024.0f, 1280.0f, 1920.0f}) {
        Headless h(w, 800);
        for (const char* lang : {"en", "ko"}) {
            for (const std::string& link : states()) {
                h.show(link + "&lang=" + lang);
                const Item* tab = h.item("tab-overview");
                ASSERT_NE(tab, nullptr) << link;
                EXPECT_EQ(tab->y, 48 + 178) << link;
                EXPECT_EQ(tab->h, 40) << link;
            }
        }
    }
}

TEST(Layout, NoTextLiesOnAnother) {
    for (const auto& [w, hgt] :
         std::vector<std::pair<float, float>>{{1024, 800}, {1280, 800}, {1920, 1080}, {390, 844}}) {
        Headless h(w, hgt);
        for (const char* lang : {"en", "ko"}) {
            for (const std::string& link : states()) {
                for (int v = 0; v < kViewCount; ++v) {
                    const std::string full =
                        Headless::with_view(link + "&lang=" + lang, view_id(static_cast<View>(v)));
                    h.app.set_link(full);
                    h.frames(3);
                    EXPECT_EQ(collisions(h), "") << w << " " << full;
                }
            }
        }
    }
}

// Between the phone and the desk: the sidebar leaves the views less than half.
TEST(Layout, TheFirstScreenFitsBetweenPhoneAndDesk) {
    for (const float w : {720.0f, 820.0f, 960.0f, 1100.0f}) {
        Headless h(w, 1000);
        for (const char* lang : {"en", "ko"}) {
            h.show(std::string("v=1&tpot-max=30&batch=32&lang=") + lang);
            EXPECT_EQ(collisions(h), "") << w << " " << lang;
            for (const TextRun& t : h.texts) EXPECT_LE(t.box.right(), w + 1) << t.text;
        }
    }
}

TEST(Layout, NoTextLiesOnAnotherInALog) {
    // A second log whose model is not known and whose parts are not printed.
    std::string other(kLogExample);
    other.replace(other.find("Meta-Llama-3-8B"), 15, "not-in-the-list");
    for (const auto& [w, hgt] :
         std::vector<std::pair<float, float>>{{1024, 800}, {1280, 800}, {1920, 1080}, {390, 844}}) {
        Headless h(w, hgt);
        for (const char* lang : {"en", "ko"}) {
            for (const std::string& log : {std::string(kLogExample), other}) {
                h.app.set_link(std::string("v=1&lang=") + lang);
                ASSERT_EQ(h.app.take("log.txt", log), "");
                h.frames(4);
                EXPECT_EQ(collisions(h), "") << w << " " << lang;
            }
        }
    }
}

TEST(Layout, NothingNeedsScrollingOnTheFirstScreen) {
    Headless h(1280, 800);
    for (const std::string& link : states()) {
        h.show(link);
        for (const TextRun& t : h.texts) {
            EXPECT_LE(t.box.right(), 1281) << link << ": " << t.text;
            EXPECT_LE(t.box.bottom(), 801) << link << ": " << t.text;
        }
        for (const Item& i : h.app.items()) {
            EXPECT_LE(i.y + i.h, 800) << link << ": " << i.id;
            EXPECT_GE(i.x, 0) << link << ": " << i.id;
        }
    }
}

TEST(Layout, TheAnswerIsTheReportsOwn) {
    Headless h;
    for (const std::string& link : states()) {
        h.show(link);
        // Cut with an ellipsis where it is longer than the window: its beginning still stands.
        const std::string begin = h.app.report().sentence.substr(0, 24);
        EXPECT_NE(h.text(begin), nullptr) << link << ": " << begin;
    }
}

TEST(Layout, ReadOutsShowTheRowsOfTheReport) {
    Headless h;
    h.show("v=1&model=llama-3-8b&ctx=8192");
    // 2 x 8 heads x 128 x 32 layers x 2 bytes = 131,072 B = 128 KiB; x 8,192 tokens = 1 GiB.
    EXPECT_NE(h.text("131,072 B"), nullptr);
    EXPECT_NE(h.text("1.00"), nullptr);
    h.show("v=1&model=llama-3-8b&ctx=32k");
    EXPECT_NE(h.text("4.00"), nullptr);
}

}  // namespace
}  // namespace kvgauge::ui
