// SPDX-License-Identifier: MIT
#include "model/weights.h"

#include <gtest/gtest.h>

#include "known_models.h"

namespace kvgauge {
namespace {

using testing::dense;
using testing::llama3_8b;

WeightFormat format(WeightKind k) {
    WeightFormat f;
    f.kind = k;
    return f;
}

TEST(Weights, Llama3_8bParameters) {
    // embedding 128256 * 4096 = 525336576, the head as much; a layer: q, o 4096^2 each, k, v
    // 1024 * 4096 each, three FFN matrices 14336 * 4096 = 218103808; * 32 = 6979321856; norms
    // (2 * 32 + 1) * 4096 = 266240. Sum 8030261248, the published count.
    const Params p = params(llama3_8b());
    EXPECT_EQ(p.total, Count(8030261248));
    EXPECT_EQ(p.active, Count(8030261248));
    EXPECT_EQ(p.head, Count(525336576));
    EXPECT_EQ(p.linear, Count(6979321856 + 266240));
    EXPECT_EQ(p.vision, Count(0));
}

TEST(Weights, TiedEmbeddingIsOneTensorReadAsHead) {
    ModelSpec m = llama3_8b();
    m.tied_embeddings = true;
    const Params p = params(m);
    EXPECT_EQ(p.total, Count(8030261248 - 525336576));
    EXPECT_EQ(p.head, Count(525336576));
    EXPECT_EQ(p.linear, Count(6979321856 + 266240));
}

TEST(Weights, Llama3_8bCheckpoints) {
    const ModelSpec m = llama3_8b();
    EXPECT_EQ(checkpoint_bytes(m, format(WeightKind::bf16)), Bytes(16060522496));
    // 6979321856 * 4.15625 / 8 + (2 * 525336576 + 266240) * 2: the published 5.73 GB.
    EXPECT_EQ(checkpoint_bytes(m, format(WeightKind::awq)), Bytes(5727854592));
    // g_idx: 4 B per input row of 7 linears = (6 * 4096 + 14336) * 4 * 32 = 4980736 more.
    EXPECT_EQ(checkpoint_bytes(m, format(WeightKind::gptq)), Bytes(5732835328));
    // Every matrix 34/32 B an element, norms f32: 8029995008 * 34 / 32 + 266240 * 4.
    EXPECT_EQ(checkpoint_bytes(m, format(WeightKind::q8_0)), Bytes(8532934656));
    // bitsandbytes int8: 6979321856 and an fp32 per output row: q 4096, k 1024, v 1024, o 4096,
    // gate 14336, up 14336, down 4096 = 43008 rows * 4 B * 32 = 5505024. With the 16-bit rest
    // 2101878784: 9086705664. The index of a real file says 224 more: one byte of format tag per
    // matrix.
    EXPECT_EQ(checkpoint_bytes(m, format(WeightKind::int8)), Bytes(9086705664));
    // FP8 128x128: 6979321856 + 4 B per block (6979321856 / 16384 = 425984 blocks).
    EXPECT_EQ(checkpoint_bytes(m, format(WeightKind::fp8_block)),
              Bytes(6979321856 + 425984 * 4 + 2101878784));
    // nf4: half a byte and fp32 per 64.
    EXPECT_EQ(checkpoint_bytes(m, format(WeightKind::nf4)),
              Bytes(6979321856 / 2 + 6979321856 / 16 + 2101878784));
}

TEST(Weights, Llama3_8bShards) {
    // Linears and vocabulary divide, 266240 norms * 2 B stay whole: 16060522496 / 2 + 266240, ...
    // TP16: 8 KV heads on 16 GPUs, so K and V (2 * 1024 * 4096 * 32 * 2 B) are stored twice.
    const ModelSpec m = llama3_8b();
    const WeightFormat f = format(WeightKind::bf16);
    EXPECT_EQ(bytes_per_gpu(m, f, 1, 1, false), Bytes(16060522496));
    EXPECT_EQ(bytes_per_gpu(m, f, 2, 1, false), Bytes(8030527488));
    EXPECT_EQ(bytes_per_gpu(m, f, 4, 1, false), Bytes(4015529984));
    EXPECT_EQ(bytes_per_gpu(m, f, 8, 1, false), Bytes(2008031232));
    EXPECT_EQ(bytes_per_gpu(m, f, 16, 1, false), Bytes(1037836288));
}

TEST(Weights, PipelineStages) {
    // 32 layers on 2 stages: 16 each (218103808 + 8192 norm elements a layer), the embedding on the
    // first, the head and the last norm on the second, which is the heavier by 4096 elements.
    const std::uint64_t layer = 218103808 + 8192;
    EXPECT_EQ(bytes_per_gpu(llama3_8b(), format(WeightKind::bf16), 1, 2, false),
              Bytes((16 * layer + 525336576 + 4096) * 2));
    // 5 layers on 3 stages are dealt 2, 2, 1.
    const ModelSpec m = dense({5, 4, 2, 64, 256, 512, 64});
    const std::uint64_t small = 256 * 256 * 2 + 128 * 256 * 2 + 3 * 512 * 256 + 512;
    EXPECT_EQ(bytes_per_gpu(m, format(WeightKind::bf16), 1, 3, false),
              Bytes((2 * small + 64 * 256) * 2));
}

TEST(Weights, VocabularyIsPaddedTo64) {
    // 100 rows become 128, 64 on each of two GPUs, twice (embedding and head).
    const ModelSpec m = dense({1, 2, 2, 4, 8, 16, 100});
    const std::uint64_t layer = 4 * 8 * 8 + 3 * 16 * 8;
    EXPECT_EQ(bytes_per_gpu(m, format(WeightKind::bf16), 2, 1, false),
              Bytes((layer / 2 + 3 * 8 + 2 * 64 * 8) * 2));
}

TEST(Weights, Experts) {
    // Mixtral-8x7B: 32 layers, 32/8 heads of 128, hidden 4096, 8 experts of 14336, router 8 * 4096,
    // vocabulary 32000: 46702792704 parameters, published. Two experts at a time: 12879925248.
    ModelSpec m = dense({32, 32, 8, 128, 4096, 0, 32000});
    FfnSpec& f = m.layers[0].layer.ffn;
    f.experts = 8;
    f.experts_active = 2;
    f.expert_inter = 14336;
    f.router_params = 8 * 4096;
    const Params p = params(m);
    EXPECT_EQ(p.total, Count(46702792704));
    EXPECT_EQ(p.active, Count(46702792704 - 6ull * 3 * 14336 * 4096 * 32));
    // With expert parallelism 8 experts on 3 GPUs: the fullest holds 3 whole ones.
    const std::uint64_t expert = 3ull * 14336 * 4096 * 2;
    const WeightFormat bf16 = format(WeightKind::bf16);
    const std::uint64_t rest2 = bytes_per_gpu(m, bf16, 2, 1, false).value() - 32 * 8 * expert / 2;
    EXPECT_EQ(bytes_per_gpu(m, bf16, 2, 1, true), Bytes(rest2 + 32 * 4 * expert));
    // Experts in MXFP4 alone (gpt-oss): 4.25 bit there, 16 bit elsewhere.
    const std::uint64_t elements = 32ull * 8 * 3 * 14336 * 4096;
    EXPECT_EQ(checkpoint_bytes(m, effective_format(m, WeightKind::mxfp4)),
              Bytes((46702792704 - elements) * 2 + elements / 32 * 17));
}

TEST(Weights, LatentProjectionsAreCopied) {
    // DeepSeek-V3 attention: q_a 1536 * 7168, q_b 128 * 192 * 1536, kv_a 576 * 7168, kv_b
    // 128 * 256 * 512, o 7168 * 16384 (technical report, arXiv 2412.19437).
    ModelSpec m;
    m.hidden = 7168;
    LayerSpec l;
    l.attn.kind = AttnKind::mla;
    l.attn.q_heads = 128;
    l.attn.k_dim = 192;
    l.attn.v_dim = 128;
    l.attn.q_rank = 1536;
    l.attn.mla_rank = 512;
    l.attn.mla_rope = 64;
    m.layers.push_back({1, l});
    const std::uint64_t copied = (1536ull + 576) * 7168;
    const std::uint64_t cut = 128ull * 192 * 1536 + 128ull * 256 * 512 + 7168ull * 16384;
    EXPECT_EQ(params(m).total, Count(copied + cut));
    EXPECT_EQ(bytes_per_gpu(m, format(WeightKind::bf16), 8, 1, false),
              Bytes((copied + cut / 8) * 2));
}

TEST(Weights, StatedTotal) {
    ModelSpec m;
    m.stated_params = 7'000'000'000;
    EXPECT_EQ(params(m).total, Count(7'000'000'000));
    EXPECT_EQ(checkpoint_bytes(m, format(WeightKind::bf16)), Bytes(14'000'000'000));
    EXPECT_EQ(bytes_per_gpu(m, format(WeightKind::bf16), 2, 1, false), Bytes(7'000'000'000));
    ModelSpec l = llama3_8b();
    l.stated_params = 9'030'261'248;
    EXPECT_EQ(checkpoint_bytes(l, format(WeightKind::bf16)), Bytes(18'060'522'496));
}

TEST(Weights, ExactBytesFromAHeader) {
    ModelSpec m = llama3_8b();
    m.weight_bytes = 16'060'522'496;
    EXPECT_EQ(bytes_per_gpu(m, m.weights, 1, 1, false), Bytes(16060522496));
    EXPECT_EQ(bytes_per_gpu(m, m.weights, 2, 1, false), Bytes(8030527488));
    // Another format is by formula again.
    EXPECT_EQ(checkpoint_bytes(m, format(WeightKind::awq)), Bytes(5727854592));
}

TEST(Weights, AbsurdSizesOverflow) {
    ModelSpec m = dense(
        {4000000000u, 4000000000u, 4000000000u, 4000000000u, UINT64_MAX, 4000000000u, UINT64_MAX});
    EXPECT_TRUE(params(m).total.overflow());
    EXPECT_TRUE(checkpoint_bytes(m, format(WeightKind::awq)).overflow());
    EXPECT_TRUE(bytes_per_gpu(m, format(WeightKind::bf16), 2, 2, true).overflow());
}

TEST(WeightFormat, KindsAreInOrderAndParse) {
    for (const WeightKindInfo& i : weight_kinds()) {
        EXPECT_EQ(info(i.kind).name, i.name);
        EXPECT_EQ(parse_weight_kind(i.name), i.kind);
    }
    EXPECT_EQ(parse_weight_kind("auto"), WeightKind::automatic);
    EXPECT_FALSE(parse_weight_kind("bf17").has_value());
}

TEST(WeightFormat, EffectiveBits) {
    // A large square matrix must come to the effective bits of the table (mixes are figures).
    const std::uint64_t n = 1 << 14;
    for (const WeightKindInfo& i : weight_kinds()) {
        WeightFormat f = format(i.kind);
        if (i.kind == WeightKind::mlx) f.group = 64;
        const double bits = matrix_bytes(f, n, n).real() * 8 / (double(n) * n);
        EXPECT_NEAR(bits, i.bits, 0.005) << i.name;
    }
}

}  // namespace
}  // namespace kvgauge
