// SPDX-License-Identifier: MIT
// Requests of different lengths in the Batch view: the answers stand there as the report has them,
// fields change the keys, and lengths that contradict each other are said.
#include <cmath>
#include <string>

#include "headless.h"
#include "text/numbers.h"
#include "ui/traffic_block.h"

namespace kvgauge::ui {
namespace {

constexpr const char* kMixed = "v=1&view=batch&in-mean=1024&in-p95=3072&out-mean=256&out-p95=768";

TEST(TrafficBlock, TheViewShowsTheReportsNumbers) {
    Headless h;
    h.show(kMixed);
    for (const char* id : {"traffic.concurrency", "traffic.concurrency_1pct"}) {
        const Row* row = h.app.report().find(id);
        ASSERT_NE(row, nullptr) << id;
        const double v = std::holds_alternative<double>(row->value)
                             ? std::get<double>(row->value)
                             : static_cast<double>(std::get<std::uint64_t>(row->value));
        EXPECT_NE(h.text(grouped(std::floor(v))), nullptr) << id;
        EXPECT_NE(h.item("row-" + std::string(id)), nullptr) << id;
    }
    EXPECT_EQ(h.item("traffic-begin"), nullptr);
    // A click on the number opens its derivation.
    h.click("row-traffic.concurrency");
    EXPECT_NE(h.text("traffic.concurrency"), nullptr);
}

TEST(TrafficBlock, ALinkBeginsAndAnotherEnds) {
    Headless h;
    h.show("v=1&view=batch");
    EXPECT_FALSE(h.app.scenario().mix.given());
    h.click("traffic-begin");
    ASSERT_TRUE(h.app.scenario().mix.given());
    EXPECT_EQ(h.app.scenario().mix.in.mean, 1024);  // in=1024 by default
    EXPECT_EQ(h.app.scenario().mix.in.p95, 3072);
    EXPECT_EQ(h.app.scenario().mix.out.mean, 256);
    EXPECT_NE(h.app.report().find("traffic.concurrency"), nullptr);
    h.click("traffic-end");
    EXPECT_FALSE(h.app.scenario().mix.given());
    EXPECT_EQ(h.app.report().find("traffic.concurrency"), nullptr);
}

TEST(TrafficBlock, AFieldSetsItsKey) {
    Headless h;
    h.show(kMixed);
    h.click("in-p95");
    h.type("2000");
    h.press(ImGuiKey_Enter);
    EXPECT_EQ(h.app.scenario().mix.in.p95, 2000);
    EXPECT_NE(h.app.link().find("in-p95=2000"), std::string::npos) << h.app.link();
}

TEST(TrafficBlock, LengthsThatContradictEachOtherAreSaid) {
    Headless h;
    h.show("v=1&view=batch&in-mean=1000&in-p95=100");
    EXPECT_EQ(h.app.report().find("traffic.concurrency"), nullptr);
    EXPECT_NE(h.text("contradict"), nullptr);
}

TEST(TrafficBlock, BinsHoldEveryRequest) {
    Scenario s;
    s.mix.seen = {{100, 28, 3}, {1000, 24, 1}};  // totals 128 and 1024
    const LengthBins bins = length_bins(s, 10);
    ASSERT_EQ(bins.weight.size(), 10u);
    EXPECT_LT(bins.low, 128);
    EXPECT_GT(bins.high, 1024);
    // log2(1024 x 1.1 / (128 / 1.1)) = 3.275 octaves, 0.1375 from either end: bins 0 and 9.
    EXPECT_EQ(bins.weight[0], 1);
    EXPECT_NEAR(bins.weight[9], 1.0 / 3, 1e-12);
    for (std::size_t i = 1; i < 9; ++i) EXPECT_EQ(bins.weight[i], 0) << i;
}

}  // namespace
}  // namespace kvgauge::ui
