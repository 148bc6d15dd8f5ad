// SPDX-License-Identifier: MIT
// The published figures of Ainslie et al. 2023 (arXiv 2305.13245, table 1) stand beside the tables
// of KV heads, and only there.
#include "headless.h"

namespace kvgauge::ui {
namespace {

TEST(BatchView, ShowsThePublishedFiguresAsHistory) {
    Headless h(1280, 900);
    h.show("v=1&model=llama-3-8b&view=batch");
    // 64, 8 and 1 KV heads: 1.51, 0.28 and 0.24 s a sample, mean score 47.2, 47.1 and 46.6.
    std::string shown;
    for (const TextRun& t : h.texts) shown += t.text + " ";
    for (const char* figure :
         {"1.51", "47.2", "0.28", "47.1", "0.24", "46.6", "T5 XXL", "not scaled"}) {
        EXPECT_NE(shown.find(figure), std::string::npos) << figure;
    }
    h.show("v=1&model=deepseek-v3&tp=8&view=batch");  // no KV heads to choose
    shown.clear();
    for (const TextRun& t : h.texts) shown += t.text + " ";
    EXPECT_EQ(shown.find("1.51"), std::string::npos);
}

}  // namespace
}  // namespace kvgauge::ui
