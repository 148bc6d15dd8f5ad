// SPDX-License-Identifier: MIT
// The CPU probe as the page and the program use it; no figure is judged.
#include "native/probe_cpu.h"

#include <gtest/gtest.h>

#include "probe/session.h"

namespace kvgauge {
namespace {

constexpr MeasureLimits small{.memory_cap = 16u << 20, .threads = 1};

CaseShape decode_shape(DType kv, std::uint32_t page = 0) {
    CaseShape s;
    s.ctx = 300;
    s.kv_heads = 2;
    s.q_heads = 8;
    s.head_dim = 64;
    s.kv = kv;
    s.page = page;
    s.threads = 1;
    return s;
}

TEST(CpuProbe, ComputesWhatItShould) {
    EXPECT_EQ(make_cpu_probe()->self_test(), "");
}

TEST(CpuProbe, SaysWhatItIs) {
    const DeviceInfo device = make_cpu_probe()->device();
    EXPECT_EQ(device.id, "cpu");
    EXPECT_FALSE(device.name.empty());
    EXPECT_FALSE(device.arch.empty());
    EXPECT_GE(device.units, 1u);
    EXPECT_GT(device.cache_bytes, 0u);
    EXPECT_EQ(device.problem, "");
}

TEST(CpuProbe, HasMemoryAndDecodeKernelsOnly) {
    const auto probe = make_cpu_probe();
    EXPECT_TRUE(probe->has(KernelKind::read, DType::bf16));
    EXPECT_TRUE(probe->has(KernelKind::decode, DType::fp8));
    EXPECT_FALSE(probe->has(KernelKind::decode, DType::q4_0));
    EXPECT_FALSE(probe->has(KernelKind::gemm, DType::bf16));
    EXPECT_FALSE(probe->has(KernelKind::prefill, DType::bf16));
}

TEST(CpuProbe, CountsAndTimesADecodeBesideARead) {
    const auto probe = make_cpu_probe();
    for (const DType kv : {DType::fp16, DType::bf16, DType::fp8}) {
        CaseShape s = decode_shape(kv);
        const Prepared ready = probe->prepare(KernelKind::decode, s, small);
        ASSERT_EQ(ready.refusal, "");
        // K and V of 300 tokens, 2 heads of 64.
        EXPECT_EQ(ready.bytes, 2u * 300 * 2 * 64 * (kv == DType::fp8 ? 1 : 2));
        EXPECT_EQ(ready.flops, 4u * 300 * 8 * 64);
        const Sample sample = probe->sample(nullptr);
        EXPECT_GT(sample.ns, 0);
        EXPECT_GT(sample.read_ns, 0);
        EXPECT_EQ(sample.failure, "");
    }
}

TEST(CpuProbe, PagesAndCopiesRunToo) {
    const auto probe = make_cpu_probe();
    CaseShape paged = decode_shape(DType::bf16, 16);
    ASSERT_EQ(probe->prepare(KernelKind::decode, paged, small).refusal, "");
    EXPECT_GT(probe->sample(nullptr).ns, 0);
    CaseShape copy;
    copy.bytes = 1 << 20;
    copy.threads = 1;
    const Prepared ready = probe->prepare(KernelKind::copy, copy, small);
    EXPECT_EQ(ready.bytes, 1u << 20);  // half read, half written
    EXPECT_GT(probe->sample(nullptr).ns, 0);
}

TEST(CpuProbe, RefusesWithFigures) {
    const auto probe = make_cpu_probe();
    CaseShape s = decode_shape(DType::bf16);
    s.ctx = 1 << 20;
    const Prepared ready = probe->prepare(KernelKind::decode, s, small);
    EXPECT_NE(ready.refusal.find("MB, allowed are 17 MB"), std::string::npos) << ready.refusal;
    EXPECT_FALSE(ready.fatal);
    s = decode_shape(DType::bf16);
    s.head_dim = 72;
    EXPECT_NE(probe->prepare(KernelKind::decode, s, small).refusal.find("head_dim 72"),
              std::string::npos);
}

TEST(CpuProbe, ASampleThatWasStoppedHasNoTime) {
    const auto probe = make_cpu_probe();
    CaseShape s = decode_shape(DType::bf16);
    ASSERT_EQ(probe->prepare(KernelKind::decode, s, small).refusal, "");
    const std::atomic<bool> stop{true};
    EXPECT_EQ(probe->sample(&stop).ns, 0);
}

TEST(CpuProbe, ASessionOfOneShapeComesToAFit) {
    const auto probe = make_cpu_probe();
    MeasureRequest request;
    request.quick = true;
    request.limits = {.memory_cap = 300u << 20, .threads = 1};
    ASSERT_EQ(parse_shape("ctx=4k,q-heads=8,kv-heads=8,head-dim=128,kv=bf16", request.shape), "");
    double now = 0;
    Session session(
        *probe, request, [&now] { return now += 1e-3; },
        StopRule{.min_samples = 2, .max_samples = 3, .precision = 1, .max_seconds = 10});
    while (session.step(1)) {
    }
    const Measurement m = session.result();
    EXPECT_EQ(m.failure, "");
    ASSERT_GE(m.cases.size(), 3u);
    EXPECT_EQ(m.cases[0].kernel, KernelKind::read);
    for (const Case& c : m.cases) EXPECT_GE(c.statistics.n, 2u);
    EXPECT_TRUE(m.fit.bandwidth);
}

}  // namespace
}  // namespace kvgauge
