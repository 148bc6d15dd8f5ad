// SPDX-License-Identifier: MIT
// Golden values are computed by hand from the formulas in model/speed.h with the default constants
// on an H100 of 3.35 TB/s, 989 TFLOP/s (fp8 1,979) and 450 GB/s NVLink; the arithmetic stands
// beside.
#include "model/speed.h"

#include <gtest/gtest.h>

namespace kvgauge {
namespace {

ModelSpec plain(std::uint32_t layers, std::uint64_t hidden, std::uint32_t q, std::uint32_t kv,
                std::uint32_t dim, std::uint32_t inter, std::uint64_t vocab) {
    ModelSpec m;
    m.hidden = hidden;
    m.vocab = vocab;
    LayerSpec l;
    l.attn.kind = AttnKind::full;
    l.attn.q_heads = q;
    l.attn.kv_heads = kv;
    l.attn.k_dim = l.attn.v_dim = dim;
    l.ffn.inter = inter;
    l.norm_params = 2 * hidden;
    m.final_norm_params = hidden;
    m.layers.push_back({layers, l});
    return m;
}

ModelSpec llama_8b() {
    return plain(32, 4096, 32, 8, 128, 14336, 128256);
}
ModelSpec llama_70b() {
    return plain(80, 8192, 64, 8, 128, 28672, 128256);
}

GpuSpec h100() {
    GpuSpec g;
    g.bandwidth = 3.35e12;
    g.flops16 = 989e12;
    g.flops8 = 1979e12;
    g.fp8 = true;
    g.link = 450e9;
    return g;
}

struct Case {
    ModelSpec model;
    GpuSpec gpu = h100();
    Params counts = params(model);
    WeightFormat weights;
    KvTypes kv;
    SpeedConstants constants;
    std::uint64_t tp = 1, batch = 1;
    std::uint64_t in = 1024, out = 256;

    SpeedInput input() const {
        SpeedInput asked{model,   gpu, counts,   weight_sums(model, weights).stream,
                         weights, kv,  constants};
        asked.cut.tp = asked.cut.attention_tp = tp;
        asked.in = in;
        asked.out = out;
        return asked;
    }
    // One step at this many tokens of context.
    StepTime step(std::uint64_t context) const {
        SpeedInput asked = input();
        asked.in = context;
        asked.out = 0;
        return SpeedModel(asked).step(static_cast<double>(batch));
    }
    Speed speed() const { return SpeedModel(input()).at(batch); }
};

constexpr double kTolerance = 0.0006e-3;  // half of the last printed digit, and norms

TEST(Speed, DecodeStepLlama8bOneSequence) {
    // W = 2 (6,979,321,856 + 525,336,576) = 15,009,316,864 B / (0.87 * 3.35e12) = 5.150 ms
    // KV = 8,192 * 131,072 / (0.87 * 3.35e12) = 0.368 ms; 32 layers * 55 us = 1.760 ms
    const Case c{llama_8b()};
    const StepTime t = c.step(8192);
    EXPECT_NEAR(t.linear, 5.150e-3, kTolerance);
    EXPECT_NEAR(t.kv, 0.368e-3, kTolerance);
    EXPECT_NEAR(t.fixed, 1.760e-3, kTolerance);
    EXPECT_EQ(t.all_reduce, 0);
    EXPECT_NEAR(t.total(), 7.278e-3, kTolerance);
}

TEST(Speed, DecodeStepLlama8bSixtyFour) {
    // KV is 64 times as much: 23.578 ms; the weights are read once for all.
    Case c{llama_8b()};
    c.batch = 64;
    const StepTime t = c.step(8192);
    EXPECT_NEAR(t.linear, 5.150e-3, kTolerance);
    EXPECT_NEAR(t.kv, 23.578e-3, kTolerance);
    EXPECT_NEAR(t.total(), 30.488e-3, kTolerance);
}

TEST(Speed, DecodeStepLlama70bFp8OverFourAndEight) {
    // TP4: W = (68,451,041,280 + 2 * 1,050,673,152) / 4 / (0.87 * 3.35e12) = 6.052 ms
    // KV = 32 * 4,096 * 2 * 80 * 2 * 128 * 1 B / (...) = 1.842 ms; 80 * 55 us = 4.4 ms
    // all-reduce 160 (5 us + 1.5 * 32 * 8192 * 2 / (0.5 * 450e9)) = 1.359 ms
    Case c{llama_70b()};
    c.weights.kind = WeightKind::fp8;
    c.kv.k = c.kv.v = DType::fp8;
    c.batch = 32;
    c.tp = 4;
    StepTime t = c.step(4096);
    EXPECT_NEAR(t.linear, 6.052e-3, kTolerance);
    EXPECT_NEAR(t.kv, 1.842e-3, kTolerance);
    EXPECT_NEAR(t.fixed, 4.400e-3, kTolerance);
    EXPECT_NEAR(t.all_reduce, 1.359e-3, kTolerance);
    EXPECT_NEAR(t.total(), 13.653e-3, 2 * kTolerance);
    c.tp = 8;
    t = c.step(4096);
    EXPECT_NEAR(t.linear, 3.026e-3, kTolerance);
    EXPECT_NEAR(t.kv, 0.921e-3, kTolerance);
    EXPECT_NEAR(t.all_reduce, 1.452e-3, kTolerance);
    EXPECT_NEAR(t.total(), 9.799e-3, 2 * kTolerance);
}

TEST(Speed, KvStopsDividingBeyondTheKvHeads) {
    Case c{llama_70b()};
    c.batch = 32;
    c.tp = 8;
    const double at8 = c.step(4096).kv;
    c.tp = 16;  // 8 KV heads: each stored twice
    EXPECT_DOUBLE_EQ(c.step(4096).kv, at8);
}

TEST(Speed, IntensityIsTheGroupSizeInSixteenBit) {
    // 2 g q / e: 8B g = 4, 70B g = 8; fp8 KV doubles it.
    EXPECT_DOUBLE_EQ(Case{llama_8b()}.speed().intensity, 4);
    Case c{llama_70b()};
    EXPECT_DOUBLE_EQ(c.speed().intensity, 8);
    c.kv.k = c.kv.v = DType::fp8;
    EXPECT_DOUBLE_EQ(c.speed().intensity, 16);
    EXPECT_NEAR(c.speed().ridge, 989e12 / 3.35e12, 1e-9);
}

TEST(Speed, BatchWhereGemmsTurnComputeBound) {
    // b* = (w/2) mfu_dec PF / (e_w BW) = 0.5 * 989e12 / (0.87 * 3.35e12) = 169.7; at peak 295.2
    const Speed s = Case{llama_8b()}.speed();
    EXPECT_NEAR(s.batch_ridge, 169.67, 0.01);
    EXPECT_NEAR(s.batch_ridge_peak, 295.22, 0.01);
}

TEST(Speed, BatchWhereKvEqualsWeights) {
    // W / (KV of one sequence): 15,009,316,864 / (1,024 * 131,072) = 111.8 at 1k tokens.
    Case c{llama_8b()};
    c.out = 0;
    EXPECT_NEAR(c.speed().batch_kv_equals_weights, 111.83, 0.01);
}

TEST(Speed, PrefillOnA100) {
    // A100: GEMM 2 * 1,024 * 6,979,321,856 / 312e12 = 45.81 ms; attention 2 * 32 * 32 * 128 *
    // 1,024^2 / 312e12 = 0.88 ms: floor 46.69 ms. T_pre = 45.81/0.7 + 0.88/0.5 + 1.76 = 68.97 ms.
    Case c{llama_8b()};
    c.gpu.bandwidth = 2.039e12;
    c.gpu.flops16 = 312e12;
    c.gpu.flops8 = 0;
    c.batch = 32;
    const Speed s = c.speed();
    EXPECT_NEAR(s.prefill_floor.value, 46.69e-3, 0.01e-3);
    EXPECT_NEAR(s.ttft.value, 68.97e-3, 0.02e-3);
    EXPECT_NEAR(*s.ttft.high, 33.0 / 2 * 68.97e-3, 0.3e-3);
    // Decode floor: (15.009e9 + 32 * 1,152 * 131,072) B / 2.039e12 = 9.73 ms.
    EXPECT_NEAR(s.floor.value, 9.73e-3, 0.01e-3);
    EXPECT_LE(s.floor.value, s.tpot.value);
}

// Two H100 over NVLink, fp8 weights of the 70B model, 5,000 tokens: GEMM 314.4 ms (2 x 5,000 x
// 68.45e9 / 2 / (0.55 x 1,979e12)), attention 33.1 ms (2 x 80 x 32 x 128 x 5,000^2 / (0.5 x
// 989e12)), all-reduce 58.3 ms (160 x 2 x 1/2 x 5,000 x 8,192 x 2 / (0.5 x 450e9)) without alpha,
// layers 4.4 ms: 410 ms. Between the tokens of 50 sequences land 49/500 of it without the 4.4 ms
// that each step has counted: 39.8 ms.
TEST(Speed, PrefillHasNoAlphaAndRidesInStepsAlreadyPaid) {
    Case c{llama_70b()};
    c.weights.kind = WeightKind::fp8;
    c.kv.k = c.kv.v = DType::fp8;
    c.tp = 2;
    c.constants.mfu_pre = 0.55;
    c.in = 5000;
    c.out = 500;
    c.batch = 50;
    const Speed s = c.speed();
    EXPECT_NEAR(s.ttft.value, 410.2e-3, 0.2e-3);
    EXPECT_NEAR(s.prefill_share, 49.0 / 500 * 405.8e-3, 0.02e-3);
}

TEST(Speed, MixtureReadsOnlyTheTouchedExperts) {
    // 8 experts, 2 active: one token reads 2 of 8; many tokens read all.
    ModelSpec m = plain(1, 1024, 8, 8, 128, 0, 1024);
    m.layers[0].layer.ffn.experts = 8;
    m.layers[0].layer.ffn.experts_active = 2;
    m.layers[0].layer.ffn.expert_inter = 4096;
    Case c{m};
    const double experts = 8.0 * 3 * 1024 * 4096 * 2;  // bytes
    const double rest = c.counts.linear.real() * 2 - experts + 2 * c.counts.head.real();
    const double bw = 0.87 * 3.35e12;
    EXPECT_NEAR(c.step(0).linear, (rest + experts / 4) / bw, 1e-12);
    c.batch = 64;
    // 1 - (1 - 1/4)^64 = 0.99999999
    EXPECT_NEAR(c.step(0).linear, (rest + experts) / bw, 1e-10);
}

TEST(Speed, MoreBandwidthIsNeverSlowerAndTheFloorIsBelow) {
    for (std::uint64_t batch = 1; batch <= 512; batch *= 2) {
        double last = 1e9;
        for (double bw = 0.3e12; bw < 9e12; bw *= 1.5) {
            Case c{llama_8b()};
            c.gpu.bandwidth = bw;
            c.batch = batch;
            const Speed s = c.speed();
            EXPECT_LE(s.tpot.value, last);
            EXPECT_LE(s.floor.value, *s.tpot.low);
            EXPECT_LE(s.prefill_floor.value, s.ttft.value);
            last = s.tpot.value;
        }
    }
}

}  // namespace
}  // namespace kvgauge
