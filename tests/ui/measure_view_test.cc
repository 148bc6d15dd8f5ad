// SPDX-License-Identifier: MIT
// The Measure view against a measurer that does what the test says.
#include <memory>
#include <string>
#include <vector>

#include "headless.h"
#include "text/measurement.h"
#include "ui/measure_plot.h"
#include "ui/measurer.h"

namespace kvgauge::ui {
namespace {

class PaperMeasurer final : public Measurer {
  public:
    std::optional<std::vector<DeviceInfo>> devices() override { return found; }
    void start(std::string_view device, const MeasureRequest& r) override {
        started = device;
        request = r;
        is_running = true;
    }
    void cancel() override { ++cancelled; }
    bool running() const override { return is_running; }
    Progress progress() const override { return now; }
    std::size_t cases() const override { return measured.cases.size(); }
    Measurement result() const override { return measured; }

    std::optional<std::vector<DeviceInfo>> found;
    std::string started;
    MeasureRequest request;
    bool is_running = false;
    int cancelled = 0;
    Progress now;
    Measurement measured;
};

DeviceInfo a100() {
    return {.id = "cuda:0",
            .name = "NVIDIA A100-SXM4-80GB",
            .cache_bytes = 41'943'040,
            .bandwidth = 2.039e12,
            .peak_flops16 = 312e12,
            .units = 108};
}

Case decode(std::uint32_t batch, std::uint32_t ctx, double us) {
    Case c;
    c.kernel = KernelKind::decode;
    c.shape = {.batch = batch, .ctx = ctx, .q_heads = 32, .kv_heads = 8, .head_dim = 128};
    c.bytes = std::uint64_t{batch} * ctx * 4096;  // 2 x 8 heads x 128 x 2 B
    c.samples_ns = {us * 1e3, us * 1e3, us * 1e3};
    c.statistics = summarize(c.samples_ns);
    return c;
}

// Public kernel table rows: A100 SXM, vLLM 0.14, FlashAttention-2, 32/8 heads, bf16.
Measurement public_rows() {
    Measurement m;
    m.device = a100();
    m.time = "2026-01-02T03:04:05Z";
    m.cases = {decode(8, 32768, 651.32), decode(32, 4096, 418.95), decode(128, 1024, 343.06),
               decode(8, 16384, 341.62), decode(32, 1024, 122.97)};
    m.fit.device = m.device.name;
    m.fit.e_kv = 0.761;
    m.fit.t0 = 26.3e-6;
    m.fit.residual = 0.053;
    return m;
}

struct Measuring {
    std::shared_ptr<PaperMeasurer> paper = std::make_shared<PaperMeasurer>();
    std::string saved;
    Headless h;
    explicit Measuring(float w = 1280, float height = 800)
        : h(w, height, [this] {
              Host host;
              host.measurer = paper;
              host.save_text = [this](std::string_view, std::string_view text) {
                  saved = text;
                  return std::string("/tmp/m.json");
              };
              return host;
          }()) {}
};

TEST(MeasureView, WithoutAMeasurerItPointsToTheNativeApp) {
    Headless h;
    h.show("v=1&view=measure");
    EXPECT_NE(h.text("native app"), nullptr);
    EXPECT_EQ(h.item("measure-start"), nullptr);
}

TEST(MeasureView, DevicesAreLookedForWithoutWaiting) {
    Measuring t;
    t.h.show("v=1&view=measure");
    EXPECT_NE(t.h.text("Looking"), nullptr);
    EXPECT_EQ(t.h.app.ms_to_next_frame(), 100);
    DeviceInfo broken{.id = "cuda:1", .name = "Lost", .problem = "The device is lost."};
    t.paper->found = std::vector{broken, a100()};
    t.h.frames(3);
    EXPECT_NE(t.h.text("The device is lost."), nullptr);
    EXPECT_NE(t.h.text("108 SMs"), nullptr);
    EXPECT_EQ(t.h.app.ms_to_next_frame(), -1);
    // The first that works is chosen, and the model's own heads are asked for.
    t.h.show("v=1&model=llama-3-70b&view=measure");
    t.h.click("measure-start");
    EXPECT_EQ(t.paper->started, "cuda:0");
    EXPECT_TRUE(t.paper->request.quick);
    EXPECT_EQ(t.paper->request.shape.q_heads, 64u);
    EXPECT_EQ(t.paper->request.shape.kv_heads, 8u);
    EXPECT_EQ(t.paper->request.shape.head_dim, 128u);
}

TEST(MeasureView, ARunShowsProgressAndCancels) {
    Measuring t;
    t.paper->found = std::vector{a100()};
    t.h.show("v=1&view=measure");
    t.h.click("measure-start");
    t.paper->measured = public_rows();
    t.paper->measured.fit = {};
    t.paper->now.done = 11;
    t.paper->now.total = 16;
    t.paper->now.seconds_left = 8.4;
    t.paper->now.samples = 31;
    t.paper->now.bytes = std::uint64_t{32} * 16384 * 4096;
    t.paper->now.now = CaseSpec{KernelKind::decode, decode(32, 16384, 1).shape};
    t.h.frames(3);
    EXPECT_NE(t.h.text("11 of 16"), nullptr);
    EXPECT_NE(t.h.text("32 × 16,384 tokens, sample 31"), nullptr);
    EXPECT_NE(t.h.text("9 s left"), nullptr);
    EXPECT_NE(t.h.text("8 × 32,768"), nullptr);
    EXPECT_EQ(t.h.app.ms_to_next_frame(), 100);
    // Nothing may be used before the end.
    EXPECT_EQ(t.h.item("measure-use"), nullptr);
    t.h.press(ImGuiKey_Escape);
    EXPECT_GE(t.paper->cancelled, 1);
    t.h.click("measure-cancel");
    EXPECT_GE(t.paper->cancelled, 2);
}

TEST(MeasureView, AResultIsUsedOnlyWhenAsked) {
    Measuring t;
    t.paper->found = std::vector{a100()};
    t.h.show("v=1&view=measure");
    t.h.click("measure-start");
    t.paper->measured = public_rows();
    t.paper->is_running = false;
    t.h.frames(3);
    EXPECT_FALSE(t.h.app.scenario().calibration);
    EXPECT_NE(t.h.text("76"), nullptr);    // share of the ceiling
    EXPECT_NE(t.h.text("26.3"), nullptr);  // fixed cost
    // batch 32: 1,281 and 1,091 GB/s of 2,039 against 1,572 to 1,649 elsewhere.
    EXPECT_NE(t.h.text("Slower at batch 32"), nullptr);
    t.h.click("measure-save");
    Issues issues;
    ASSERT_TRUE(parse_measurement(t.saved, issues));
    t.h.click("measure-use");
    ASSERT_TRUE(t.h.app.scenario().calibration);
    EXPECT_EQ(t.h.app.scenario().calibration->e_kv, 0.761);
    EXPECT_NE(t.h.app.link().find("calibration="), std::string::npos);
    EXPECT_EQ(t.h.app.report().find("decode.tpot_s")->basis, Basis::measured);
    // Default, calibrated and the fit's error side by side.
    EXPECT_NE(t.h.text("with calibration"), nullptr);
    EXPECT_NE(t.h.text("5.3 %"), nullptr);
    t.h.click("measure-drop");
    EXPECT_FALSE(t.h.app.scenario().calibration);
}

TEST(MeasureView, AProcessorsFiguresAreNotUsedForAGpu) {
    Measuring t;
    t.paper->found = std::vector{DeviceInfo{.id = "cpu", .name = "Paper CPU", .units = 2}};
    t.h.show("v=1&view=measure");
    t.h.click("measure-start");
    t.paper->measured = public_rows();
    t.paper->measured.device = t.paper->found->front();
    t.paper->measured.fit.bandwidth = 2e10;
    t.paper->is_running = false;
    t.h.frames(3);
    EXPECT_EQ(t.h.item("measure-use"), nullptr);
    EXPECT_NE(t.h.item("measure-save"), nullptr);
}

TEST(MeasureView, ADroppedFileCalibratesAndShowsItsPoints) {
    Headless h;
    h.show("v=1");
    EXPECT_EQ(h.app.take("m.json", measurement_json(public_rows())), "");
    h.frames(3);
    EXPECT_EQ(h.app.presentation().view, "measure");
    ASSERT_TRUE(h.app.scenario().calibration);
    EXPECT_EQ(h.app.scenario().calibration->device, "NVIDIA A100-SXM4-80GB");
    EXPECT_NE(h.text("measured ÷ predicted"), nullptr);
    EXPECT_NE(h.text("with calibration"), nullptr);
    EXPECT_EQ(h.item("measure-start"), nullptr);
    // A damaged one is a sentence and changes nothing.
    const Scenario before = h.app.scenario();
    EXPECT_NE(h.app.take("m.json", R"({"schema":"kvgauge.measurement/1"})"), "");
    EXPECT_EQ(h.app.scenario(), before);
}

TEST(MeasureView, DrawsEveryStateAtEverySize) {
    for (const auto& [w, height] :
         {std::pair{1280.f, 800.f}, {1024.f, 600.f}, {700.f, 500.f}, {390.f, 844.f}}) {
        for (const char* lang : {"en", "ko"}) {
            Measuring t(w, height);
            t.h.show(std::string("v=1&view=measure&lang=") + lang);
            t.paper->found = std::vector{a100()};
            t.h.frames(3);
            t.paper->is_running = true;
            t.h.frames(3);
            t.paper->measured = public_rows();
            t.paper->measured.warnings = {"The device was held back: thermal."};
            t.h.frames(3);
            t.paper->is_running = false;
            t.paper->measured.cases[0].noisy = t.paper->measured.cases[1].rejected = true;
            t.h.frames(3);
            t.paper->measured.failure = "The device is lost.";
            t.h.frames(3);
            ASSERT_FALSE(::testing::Test::HasFatalFailure()) << w << lang;
        }
    }
}

TEST(MeasurePlot, TheSlowBatchIsFoundByItsShare) {
    const Measurement m = public_rows();
    const KernelPrediction k{26.3e-6, 0.761, 2.039e12};
    const auto slow = slow_batch(decode_points(m), k);
    ASSERT_TRUE(slow);
    EXPECT_EQ(slow->batch, 32u);
    // 32 x 4096 x 4096 B / 418.95 us = 1,281 GB/s; 32 x 1024: 1,091; the median of two, by 2,039.
    EXPECT_NEAR(slow->share, (1281.5 + 1091.4) / 2 / 2039, 0.002);
    // Even runs have none.
    Measurement even = m;
    even.cases = {decode(8, 32768, 651), decode(8, 16384, 341), decode(1, 32768, 90),
                  decode(1, 131072, 335)};
    EXPECT_FALSE(slow_batch(decode_points(even), k));
    EXPECT_FALSE(slow_batch({}, k));
}

}  // namespace
}  // namespace kvgauge::ui
