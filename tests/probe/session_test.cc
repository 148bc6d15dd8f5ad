// SPDX-License-Identifier: MIT
// The session against a device that exists on paper only: every time it gives is a formula.
#include "probe/session.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace kvgauge {
namespace {

class PaperProbe : public Probe {
  public:
    DeviceInfo info{.id = "cuda:0", .name = "Paper", .bandwidth = 1e12, .units = 100};
    std::string wrong;       // of the self-test
    std::string refuse_big;  // cases above 500 MB
    bool refusal_is_fatal = false;
    int fail_at = -1;     // sample that loses the device
    double speed = 8e11;  // decode, bytes/s
    double jitter = 0;    // every second sample is slower by this share
    bool timeless = false;
    double now = 0;
    int prepared = 0, released = 0, samples = 0;

    DeviceInfo device() override { return info; }
    std::string self_test() override { return wrong; }
    bool has(KernelKind kernel, DType kv) const override {
        return kernel != KernelKind::gemm && kernel != KernelKind::prefill && kv != DType::fp8;
    }
    Prepared prepare(KernelKind kernel, CaseShape& shape, const MeasureLimits&) override {
        ++prepared;
        Prepared p;
        decode_ = kernel == KernelKind::decode;
        bytes_ = decode_ ? 2.0 * shape.batch * shape.ctx * shape.kv_heads * shape.head_dim * 2
                         : static_cast<double>(shape.bytes);
        p.bytes = static_cast<std::uint64_t>(bytes_);
        if (bytes_ > 5e8 && !refuse_big.empty()) {
            p.refusal = refuse_big;
            p.fatal = refusal_is_fatal;
        }
        return p;
    }
    Sample sample(const std::atomic<bool>*) override {
        Sample s;
        if (samples++ == fail_at) s.failure = "device lost";
        s.ns = (decode_ ? 10e-6 + bytes_ / speed : bytes_ / 9e11) * 1e9;
        if (samples % 2) s.ns *= 1 + jitter;
        if (timeless) return {};
        s.read_ns = bytes_ / 9e11 * 1e9;
        now += 2 * s.ns * 1e-9;
        return s;
    }
    void release() override { ++released; }

  private:
    bool decode_ = false;
    double bytes_ = 0;
};

Measurement run(PaperProbe& probe, bool quick = true) {
    MeasureRequest request;
    request.quick = quick;
    Session session(probe, request, [&] { return probe.now += 1e-6; });
    while (session.step(10)) {
    }
    EXPECT_TRUE(session.progress().finished);
    return session.result();
}

TEST(Session, MeasuresEveryCaseAndFitsThem) {
    PaperProbe probe;
    const Measurement m = run(probe);
    EXPECT_EQ(m.failure, "");
    ASSERT_GT(m.cases.size(), 10u);
    EXPECT_EQ(m.cases.front().kernel, KernelKind::read);
    for (const Case& c : m.cases) {
        EXPECT_NE(c.kernel, KernelKind::gemm);  // this device has none
        EXPECT_NE(c.shape.kv, DType::fp8);
        EXPECT_GE(c.statistics.n, 15u);
        EXPECT_FALSE(c.noisy);
        if (c.kernel != KernelKind::decode) continue;
        // read time / decode time of equal bytes.
        const auto bytes = static_cast<double>(c.bytes);
        EXPECT_NEAR(c.share_of_read.value(), bytes / 9e11 / (10e-6 + bytes / 8e11), 1e-9);
    }
    EXPECT_NEAR(m.fit.e_kv.value(), 0.8, 1e-3);
    EXPECT_NEAR(m.fit.t0.value(), 10e-6, 1e-8);
    EXPECT_NEAR(m.fit.e_w.value(), 0.9, 1e-6);
    EXPECT_FALSE(m.noisy());
}

TEST(Session, NoFigureWithoutASelfTest) {
    PaperProbe probe;
    probe.wrong = "mma.f16 lane 3: 1.0 instead of 2.0";
    const Measurement m = run(probe);
    EXPECT_TRUE(m.cases.empty());
    EXPECT_EQ(probe.prepared, 0);
    EXPECT_NE(m.failure.find("lane 3"), std::string::npos);
}

TEST(Session, AnUnusableDeviceIsOneSentence) {
    PaperProbe probe;
    probe.info.problem = "No NVIDIA driver.";
    EXPECT_EQ(run(probe).failure, "No NVIDIA driver.");
}

TEST(Session, ACaseThatDoesNotFitIsLeftOutAndSaid) {
    PaperProbe probe;
    probe.refuse_big = "needs 1.1 GB, 0.5 GB are free";
    const Measurement m = run(probe);
    EXPECT_EQ(m.failure, "");
    EXPECT_FALSE(m.cases.empty());
    bool said = false;
    for (const std::string& w : m.warnings) said |= w.find("needs 1.1 GB") != std::string::npos;
    EXPECT_TRUE(said);
}

TEST(Session, AFatalRefusalEndsIt) {
    PaperProbe probe;
    probe.refuse_big = "out of everything";
    probe.refusal_is_fatal = true;
    EXPECT_EQ(run(probe).failure, "out of everything");
}

TEST(Session, ADeviceLostInTheMiddleKeepsWhatWasMeasured) {
    PaperProbe probe;
    probe.fail_at = 100;
    const Measurement m = run(probe);
    EXPECT_EQ(m.failure, "device lost");
    EXPECT_FALSE(m.cases.empty());
}

TEST(Session, NoiseIsSeenAndReported) {
    PaperProbe probe;
    probe.jitter = 0.2;
    const Measurement m = run(probe);
    EXPECT_TRUE(m.noisy());
}

TEST(Session, FasterThanTheMemoryIsRejectedAndNotFitted) {
    PaperProbe probe;
    probe.speed = 2e12;  // twice the specification
    const Measurement m = run(probe);
    bool rejected = false;
    for (const Case& c : m.cases) rejected |= c.rejected;
    EXPECT_TRUE(rejected);
    EXPECT_FALSE(m.fit.e_kv && *m.fit.e_kv > 1.03);
}

TEST(Session, ADeviceWithoutTimesIsNotWaitedFor) {
    PaperProbe probe;
    probe.timeless = true;
    const Measurement m = run(probe);
    ASSERT_FALSE(m.cases.empty());
    EXPECT_EQ(m.cases[0].statistics.n, 0u);
    EXPECT_FALSE(m.fit.e_w);
}

TEST(Session, CancelEndsItAfterTheRunningSample) {
    PaperProbe probe;
    MeasureRequest request;
    Session session(probe, request, [&] { return probe.now += 1e-6; });
    std::atomic<bool> stop{false};
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(session.step(0, &stop));
    const int before = probe.samples;
    stop = true;
    EXPECT_FALSE(session.step(1000, &stop));
    EXPECT_EQ(probe.samples, before);
    EXPECT_TRUE(session.result().cancelled);
    EXPECT_GT(probe.released, 0);
}

// Two copies of every case take turns; a page gives 160 MiB.
TEST(Sweep, APageAsksForNoMoreThanItHas) {
    PaperProbe probe;
    probe.info = {.id = "cpu", .units = 1, .browser = true};
    MeasureRequest request;
    request.shape.q_heads = 32;
    request.shape.kv_heads = 8;
    request.shape.head_dim = 128;
    for (const bool quick : {true, false}) {
        request.quick = quick;
        int decodes = 0;
        for (const CaseSpec& c : sweep(request, probe.info, probe)) {
            const std::uint64_t kv = std::uint64_t{4096} * c.shape.batch * c.shape.ctx;
            EXPECT_LE(2 * std::max(kv, c.shape.bytes), std::uint64_t{160} << 20);
            decodes += c.kernel == KernelKind::decode;
        }
        EXPECT_GE(decodes, 4);
    }
}

TEST(Sweep, AModelOnAGpuIsMeasuredAtSeveralBatches) {
    PaperProbe probe;
    MeasureRequest request;
    request.quick = true;
    request.shape.q_heads = 64;
    request.shape.kv_heads = 8;
    request.shape.head_dim = 128;
    std::vector<std::uint32_t> batches;
    for (const CaseSpec& c : sweep(request, probe.info, probe)) {
        if (c.kernel != KernelKind::decode) continue;
        EXPECT_EQ(c.shape.group(), 8u);
        batches.push_back(c.shape.batch);
    }
    for (const std::uint32_t b : {1u, 8u, 32u, 128u}) {
        EXPECT_GE(std::count(batches.begin(), batches.end(), b), 2) << b;
    }
}

TEST(Shape, WordsOfTheContract) {
    MeasureShape s;
    EXPECT_EQ(parse_shape("ctx=32k,q-heads=64,kv-heads=8,head-dim=128,batch=4,kv=fp8,page=16", s),
              "");
    EXPECT_EQ(s.ctx, 32768u);
    EXPECT_EQ(s.q_heads, 64u);
    EXPECT_EQ(s.kv_heads, 8u);
    EXPECT_EQ(s.head_dim, 128u);
    EXPECT_EQ(s.batch, 4u);
    EXPECT_EQ(s.page, 16u);
    EXPECT_EQ(s.kv, DType::fp8);
}

TEST(Shape, WrongOnesAreNamed) {
    MeasureShape s;
    EXPECT_NE(parse_shape("heads=3", s).find("heads is no key"), std::string::npos);
    EXPECT_NE(parse_shape("ctx=many", s).find("ctx takes a whole number"), std::string::npos);
    EXPECT_NE(parse_shape("ctx=0", s).find("from 1"), std::string::npos);
    EXPECT_NE(parse_shape("kv=q4_0", s).find("q4_0 cannot be measured"), std::string::npos);
    s = {};
    EXPECT_NE(parse_shape("q-heads=30,kv-heads=8", s).find("not a multiple"), std::string::npos);
}

}  // namespace
}  // namespace kvgauge
