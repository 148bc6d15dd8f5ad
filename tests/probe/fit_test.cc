// SPDX-License-Identifier: MIT
#include "probe/fit.h"

#include <gtest/gtest.h>

namespace kvgauge {
namespace {

Case timed(KernelKind kernel, std::uint64_t bytes, double seconds) {
    Case c;
    c.kernel = kernel;
    c.bytes = bytes;
    c.statistics.n = 30;
    c.statistics.median = seconds * 1e9;
    return c;
}

// A100 SXM: 2.039e12 B/s. The line of its FlashAttention-2 kernel in public tables: 26.3 us, 0.761.
TEST(Fit, FindsTheLineThatMadeThePoints) {
    std::vector<Point> points;
    for (const double bytes : {1.6e7, 6.7e7, 2.7e8, 1.07e9})
        points.push_back({bytes, 26.3e-6 + bytes / (0.761 * 2.039e12)});
    const auto line = fit_line(points);
    ASSERT_TRUE(line);
    EXPECT_NEAR(line->t0, 26.3e-6, 1e-10);
    EXPECT_NEAR(line->rate / 2.039e12, 0.761, 1e-6);
    EXPECT_NEAR(line->residual, 0, 1e-9);
}

TEST(Fit, NeverANegativeFixedCost) {
    // Two points whose straight line would cut the axis at -1 ms.
    const std::vector<Point> points{{1e9, 1e-3}, {2e9, 3e-3}};
    const auto line = fit_line(points);
    ASSERT_TRUE(line);
    EXPECT_EQ(line->t0, 0);
    // Weighted by 1/t^2 through the origin: s = sum(x/t) / sum(x^2/t^2) = (1e12 + 2e12/3) /
    // (1e24 + 4e24/9).
    EXPECT_NEAR(1 / line->rate, (1e12 + 2e12 / 3) / (1e24 + 4e24 / 9), 1e-18);
}

TEST(Fit, OneSizeIsNoLine) {
    const std::vector<Point> points{{1e9, 1e-3}, {1e9, 1.1e-3}};
    EXPECT_FALSE(fit_line(points));
    EXPECT_FALSE(fit_line({}));
}

TEST(Fit, CalibrationOfADeviceWithAKnownBandwidth) {
    DeviceInfo device;
    device.name = "A100";
    device.bandwidth = 2e12;
    device.peak_flops16 = 312e12;
    std::vector<Case> cases{timed(KernelKind::read, 1'000'000'000, 1e9 / 1.8e12)};
    for (const std::uint64_t bytes : {20'000'000u, 100'000'000u, 1'000'000'000u}) {
        Case c = timed(KernelKind::decode, bytes, 20e-6 + static_cast<double>(bytes) / 1.6e12);
        c.shape.kv = DType::bf16;
        cases.push_back(c);
        c = timed(KernelKind::decode, bytes, 30e-6 + static_cast<double>(bytes) / 1.2e12);
        c.shape.kv = DType::fp8;
        cases.push_back(c);
    }
    Case gemm = timed(KernelKind::gemm, 1, 2.0 * 4096 * 4096 * 4096 / (0.7 * 312e12));
    gemm.shape.m = 4096;
    gemm.flops = 2ull * 4096 * 4096 * 4096;
    cases.push_back(gemm);
    gemm = timed(KernelKind::gemm, 1, 2.0 * 256 * 4096 * 4096 / (0.5 * 312e12));
    gemm.shape.m = 256;
    gemm.flops = 2ull * 256 * 4096 * 4096;
    cases.push_back(gemm);

    const Calibration c = fit(device, cases, 2000.0);
    EXPECT_EQ(c.device, "A100");
    EXPECT_NEAR(c.e_w.value(), 0.9, 1e-9);
    EXPECT_NEAR(c.bandwidth.value(), 1.8e12, 1);
    EXPECT_NEAR(c.e_kv.value(), 0.8, 1e-6);
    EXPECT_NEAR(c.e_kv_fp8.value(), 0.6, 1e-6);
    EXPECT_NEAR(c.t0.value(), 20e-6, 1e-10);
    EXPECT_NEAR(c.mfu_pre.value(), 0.7, 1e-9);
    EXPECT_NEAR(c.mfu_dec.value(), 0.5, 1e-9);
    EXPECT_FALSE(c.mfu_attn);
    EXPECT_NEAR(c.tau.value(), 20e-6 + 10 * 2e-6, 1e-10);  // t0 + 10 launches
}

TEST(Fit, WarmRejectedAndForeignCasesStayOut) {
    DeviceInfo device;
    device.bandwidth = 1e12;
    std::vector<Case> cases;
    for (const double bytes : {1e8, 2e8, 4e8})
        cases.push_back(timed(KernelKind::decode, static_cast<std::uint64_t>(bytes), bytes / 8e11));
    Case warm = timed(KernelKind::decode, 10'000'000, 1e-6);
    warm.cold = false;
    cases.push_back(warm);
    Case impossible = timed(KernelKind::decode, 800'000'000, 1e-5);
    impossible.rejected = true;
    cases.push_back(impossible);
    EXPECT_NEAR(fit(device, cases).e_kv.value(), 0.8, 1e-6);
}

TEST(Fit, ACpuLineStandsBesideTheReadOfItsOwnThreads) {
    DeviceInfo device;  // no specified bandwidth
    std::vector<Case> cases{timed(KernelKind::read, 100'000'000, 1e8 / 20e9),
                            timed(KernelKind::read, 100'000'000, 1e8 / 35e9)};
    cases[0].shape.threads = 1;
    cases[1].shape.threads = 2;
    for (const double bytes : {2e7, 4e7, 8e7}) {
        Case c = timed(KernelKind::decode, static_cast<std::uint64_t>(bytes), bytes / 16e9);
        c.shape.threads = 1;
        cases.push_back(c);
    }
    // One size with two threads is no line: that of one thread counts, beside its 20 GB/s.
    Case two = timed(KernelKind::decode, 40'000'000, 4e7 / 30e9);
    two.shape.threads = 2;
    cases.push_back(two);
    EXPECT_NEAR(fit(device, cases).e_kv.value(), 0.8, 1e-6);
    two.bytes = 80'000'000;
    two.statistics.median *= 2;
    cases.push_back(two);
    EXPECT_NEAR(fit(device, cases).e_kv.value(), 30.0 / 35, 1e-6);
    EXPECT_NEAR(fit(device, cases).bandwidth.value(), 35e9, 1);
}

TEST(Plausible, OnlyAboveTheSpecificationByThreePercent) {
    EXPECT_TRUE(plausible(1.03e12, 1e12));
    EXPECT_FALSE(plausible(1.031e12, 1e12));
    EXPECT_TRUE(plausible(1e15, 0));  // unknown bandwidth
}

}  // namespace
}  // namespace kvgauge
