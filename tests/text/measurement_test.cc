// SPDX-License-Identifier: MIT
#include "text/measurement.h"

#include <gtest/gtest.h>

#include "probe/fit.h"

namespace kvgauge {
namespace {

Measurement example() {
    Measurement m;
    m.version = "0.1.0";
    m.time = "2026-01-02T03:04:05Z";
    m.quick = true;
    m.device = {.id = "cuda:0",
                .name = "NVIDIA A100-SXM4-80GB",
                .arch = "sm_80",
                .driver = "580.65",
                .runtime = "CUDA 13.0",
                .memory_bytes = 85'000'000'000,
                .free_bytes = 84'000'000'000,
                .cache_bytes = 41'943'040,
                .bandwidth = 2.039e12,
                .peak_flops16 = 312e12,
                .units = 108,
                .ecc = true,
                .power_limit_w = 400};
    m.clocks_before = {.known = true,
                       .sm_mhz = 1410,
                       .memory_mhz = 1593,
                       .max_memory_mhz = 1593,
                       .temperature_c = 41,
                       .power_w = 80,
                       .throttled = {}};
    Case read;
    read.bytes = 1'000'000'000;
    read.shape.bytes = read.bytes;
    read.samples_ns = {540000, 541000, 542000};
    read.statistics = summarize(read.samples_ns);
    read.clock = "gpu";
    m.cases.push_back(read);
    Case decode = read;
    decode.kernel = KernelKind::decode;
    decode.shape = {.batch = 8,
                    .ctx = 16384,
                    .q_heads = 64,
                    .kv_heads = 8,
                    .head_dim = 128,
                    .kv = DType::bf16,
                    .page = 16};
    decode.flops = 8'000'000'000;
    decode.splits = 6;
    decode.share_of_read = 0.93;
    decode.warnings = {"a \"quoted\" note"};
    m.cases.push_back(decode);
    m.fit = {.device = "NVIDIA A100-SXM4-80GB",
             .e_w = 0.91,
             .e_kv = 0.85,
             .t0 = 1.2e-5,
             .bandwidth = 1.85e12,
             .residual = 0.02};
    m.warnings = {"one"};
    return m;
}

TEST(MeasurementFile, GoesThereAndBack) {
    const Measurement m = example();
    Issues issues;
    const auto back = parse_measurement(measurement_json(m), issues);
    ASSERT_TRUE(back) << (issues.empty() ? "" : issues[0].text);
    EXPECT_TRUE(issues.empty());
    EXPECT_EQ(*back, m);
}

TEST(MeasurementFile, NamesAreThoseOfTheContract) {
    const std::string json = measurement_json(example());
    for (const char* text :
         {R"("schema":"kvgauge.measurement/1")", R"("kernel":"decode")", R"("batch":8)",
          R"("ctx":16384)", R"("q_heads":64)", R"("kv_heads":8)", R"("group":8)",
          R"("head_dim":128)", R"("kv":"bf16")", R"("samples_ns":[540000.0,541000.0,542000.0])",
          R"("mean":541000.0)", R"("stddev":1000.0)", R"("n":3)", R"("bytes":1000000000)",
          R"("flops":8000000000)", R"("share_of_read":0.93)", R"("fit":{)", R"("e_kv":0.85)"})
        EXPECT_NE(json.find(text), std::string::npos) << text;
    // 10^9 bytes in 541 us.
    EXPECT_NE(json.find(R"("gb_s":1848.42)"), std::string::npos);
}

TEST(MeasurementFile, ACalibrationIsItsFit) {
    Issues issues;
    const auto c = parse_calibration(measurement_json(example()), issues);
    ASSERT_TRUE(c);
    EXPECT_EQ(*c, example().fit);
}

TEST(MeasurementFile, WhatItIsNotIsNamed) {
    Issues issues;
    EXPECT_FALSE(parse_measurement("{", issues));
    EXPECT_FALSE(parse_measurement("{\"schema\":\"kvgauge.estimate/1\"}", issues));
    EXPECT_FALSE(parse_calibration("{\"schema\":\"kvgauge.measurement/1\"}", issues));
    EXPECT_FALSE(parse_calibration(
        R"({"schema":"kvgauge.measurement/1","fit":{"device":"x","e_kv":-1}})", issues));
    ASSERT_EQ(issues.size(), 4u);
    EXPECT_NE(issues[0].text.find("no measurement file"), std::string::npos);
    EXPECT_NE(issues[1].text.find("kvgauge.estimate/1"), std::string::npos);
    EXPECT_NE(issues[2].text.find("no fit"), std::string::npos);
    EXPECT_NE(issues[3].text.find("fit.e_kv is -1"), std::string::npos);
}

TEST(MeasurementFile, AKernelOfALaterVersionIsLeftOut) {
    std::string json = measurement_json(example());
    json.replace(json.find("\"decode\""), 8, "\"newer\"");
    Issues issues;
    const auto back = parse_measurement(json, issues);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->cases.size(), 1u);
}

TEST(MeasurementTables, HoldTheFiguresAndTheNotes) {
    Measurement m = example();
    m.cases[1].noisy = true;
    const std::string md = measurement_markdown(m);
    EXPECT_NE(
        md.find("| decode | 8 x 16384 tokens, 64/8 heads of 128, bf16, pages of 16 | 541.0 us |"),
        std::string::npos);
    EXPECT_NE(md.find("| 93 % | 3 | noisy |"), std::string::npos);
    EXPECT_NE(measurement_text(m).find("1848.4 GB/s"), std::string::npos);
    const std::string csv = measurement_csv(m);
    EXPECT_NE(csv.find("\ndecode,8,16384,64,8,8,128,bf16,16,0,"), std::string::npos);
    m.failure = "No NVIDIA driver.";
    EXPECT_NE(measurement_text(m).find("No NVIDIA driver."), std::string::npos);
}

TEST(Devices, OneAnswerForPeopleAndOneForPrograms) {
    DeviceInfo none;
    none.id = "cuda:0";
    none.problem = "No driver.";
    const std::vector<DeviceInfo> devices{none, example().device};
    EXPECT_NE(devices_text(devices).find("No driver."), std::string::npos);
    EXPECT_NE(devices_text(devices).find("108 SMs"), std::string::npos);
    EXPECT_NE(devices_json(devices).find("\"kvgauge.devices/1\""), std::string::npos);
}

}  // namespace
}  // namespace kvgauge
