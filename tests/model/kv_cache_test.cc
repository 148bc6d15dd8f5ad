// SPDX-License-Identifier: MIT
#include "model/kv_cache.h"

#include <gtest/gtest.h>

#include "known_models.h"

namespace kvgauge {
namespace {

using testing::dense;
using testing::llama3_70b;
using testing::llama3_8b;

const KvTypes kBf16{};

TEST(KvCache, Llama3_8bPerToken) {
    // 2 (K and V) * 32 layers * 8 KV heads * 128 * 2 B = 131072 B.
    const KvSizes k = kv_sizes(llama3_8b(), kBf16, 8192, 0);
    EXPECT_EQ(k.bytes_per_token, 131072);
    EXPECT_EQ(k.bytes_per_token_full, 131072);
    EXPECT_EQ(k.bytes_per_request, Bytes(1073741824));  // * 8192 = 1 GiB
    EXPECT_EQ(k.bytes_per_request_all_full, Bytes(1073741824));
    EXPECT_EQ(k.state_bytes_per_request, Bytes(0));
    EXPECT_EQ(k.index_bytes_per_token, 0);
}

TEST(KvCache, WhatIfHeads) {
    // 2048 / 8192 / 32768 / 131072 tokens: 0.25 / 1 / 4 / 16 GiB with 8 heads; MHA 4 times that,
    // MQA an eighth.
    for (const std::uint64_t ctx : {2048u, 8192u, 32768u, 131072u}) {
        const std::uint64_t gqa = ctx * gib / 8192;
        EXPECT_EQ(kv_sizes(llama3_8b(), kBf16, ctx, 0).bytes_per_request, Bytes(gqa));
        EXPECT_EQ(kv_sizes(with_kv_heads(llama3_8b(), 32), kBf16, ctx, 0).bytes_per_request,
                  Bytes(gqa * 4));
        EXPECT_EQ(kv_sizes(with_kv_heads(llama3_8b(), 1), kBf16, ctx, 0).bytes_per_request,
                  Bytes(gqa / 8));
    }
}

TEST(KvCache, Llama3_70b) {
    // 2 * 80 * 8 * 128 * 2 = 327680 B per token; * 8192 = 2684354560.
    EXPECT_EQ(kv_sizes(llama3_70b(), kBf16, 8192, 0).bytes_per_request, Bytes(2684354560));
}

TEST(KvCache, Types) {
    // Llama-3-8B at 8192 tokens, 1 GiB in 16 bit: q8_0 34/64 of it = 544 MiB, q4_0 18/64 = 288 MiB,
    // K q8_0 with V f16 784 MiB, nvfp4 9/32 = 288 MiB, int4 256 MiB (ggml block sizes).
    const auto mib_of = [](DType k, DType v) {
        return kv_sizes(llama3_8b(), {k, v, DType::automatic}, 8192, 0).bytes_per_request.value() /
               mib;
    };
    EXPECT_EQ(mib_of(DType::fp16, DType::fp16), 1024u);
    EXPECT_EQ(mib_of(DType::q8_0, DType::q8_0), 544u);
    EXPECT_EQ(mib_of(DType::q4_0, DType::q4_0), 288u);
    EXPECT_EQ(mib_of(DType::q8_0, DType::fp16), 784u);
    EXPECT_EQ(mib_of(DType::nvfp4, DType::nvfp4), 288u);
    EXPECT_EQ(mib_of(DType::int4, DType::int4), 256u);
    EXPECT_EQ(mib_of(DType::fp8, DType::fp8), 512u);
}

TEST(KvCache, SlidingWindow) {
    // Gemma 3 27B: 62 layers of 16 heads * 128, every 6th full (10), window 1024. One layer and
    // token: 2 * 16 * 128 * 2 = 8192 B. At 131072 tokens: 52 * 1024 * 8192 + 10 * 131072 * 8192
    // = 436207616 + 10737418240 = 11173625856; all full 62 * 131072 * 8192 = 66571993088.
    ModelSpec m = dense({10, 32, 16, 128, 5376, 21504, 262208, true});
    LayerRun sliding = m.layers[0];
    sliding.count = 52;
    sliding.layer.attn.kind = AttnKind::sliding;
    sliding.layer.attn.window = 1024;
    m.layers.push_back(sliding);
    const KvSizes k = kv_sizes(m, kBf16, 131072, 0);
    EXPECT_EQ(k.bytes_per_request, Bytes(11173625856));
    EXPECT_EQ(k.bytes_per_request_all_full, Bytes(66571993088));
    EXPECT_EQ(k.bytes_per_token, 62 * 8192);
    EXPECT_EQ(k.bytes_per_token_full, 10 * 8192);
    // A context inside the window keeps every token.
    EXPECT_EQ(kv_sizes(m, kBf16, 1000, 0).bytes_per_request, Bytes(1000ull * 62 * 8192));
}

TEST(KvCache, Latent) {
    // DeepSeek-V3: 61 layers, 512 + 64 elements, no factor 2: 61 * 576 * 2 = 70272 B per token.
    // V3.2 adds an index of 128 fp8 + one fp32 scale = 132 B per layer and token.
    ModelSpec m;
    LayerSpec l;
    l.attn.kind = AttnKind::mla;
    l.attn.mla_rank = 512;
    l.attn.mla_rope = 64;
    l.attn.q_heads = l.attn.kv_heads = 128;
    m.layers.push_back({61, l});
    EXPECT_EQ(kv_sizes(m, kBf16, 8192, 0).bytes_per_token, 70272);
    EXPECT_EQ(kv_sizes(m, kBf16, 8192, 0).bytes_per_request, Bytes(575668224));
    m.layers[0].layer.attn.index_bytes = 132;
    const KvSizes k = kv_sizes(m, kBf16, 8192, 0);
    EXPECT_EQ(k.index_bytes_per_token, 61 * 132);
    EXPECT_EQ(k.bytes_per_token, 70272 + 61 * 132);
    EXPECT_EQ(k.bytes_per_request, Bytes(575668224 + 61ull * 132 * 8192));
}

TEST(KvCache, CompressedLayers) {
    // DeepSeek-V4-Pro (config.json: 61 layers, ratio 128 on 31 and 4 on 30, head_dim 512, window
    // 128): entry 1024 B. At 8192: 61 * 128 * 1024 + 31 * 64 * 1024 + 30 * 2048 * 1024 = 72941568,
    // index 68 B per 4 tokens on 30 layers = 510 B per token. fp32 compressor
    // state 2 * rows * width * 4 B: ratio 4 2 * 8 * 640 * 4 = 40960, ratio 128 2 * 128 * 512 * 4 =
    // 524288.
    ModelSpec m;
    LayerSpec l;
    l.attn.kind = AttnKind::compressed;
    l.attn.mla_rank = 448;
    l.attn.mla_rope = 64;
    l.attn.window = 128;
    l.attn.compress_ratio = 128;
    l.attn.compress_state_bytes = 524288;
    m.layers.push_back({31, l});
    l.attn.compress_ratio = 4;
    l.attn.compress_state_bytes = 40960;
    l.attn.index_bytes = 68;
    m.layers.push_back({30, l});
    const KvSizes k = kv_sizes(m, kBf16, 8192, 0);
    EXPECT_EQ(k.bytes_per_request, Bytes(72941568 + 510ull * 8192));
    EXPECT_EQ(k.index_bytes_per_token, 510);
    EXPECT_EQ(k.state_bytes_per_request, Bytes(31ull * 524288 + 30ull * 40960));
    // Slope at long contexts: 1024 B / ratio each, and the index.
    EXPECT_DOUBLE_EQ(k.bytes_per_token_full, 31 * 8.0 + 30 * 256.0 + 510);
}

TEST(KvCache, SharedCrossAndState) {
    ModelSpec m = dense({2, 4, 2, 64, 256, 512, 1000});
    LayerSpec shared = m.layers[0].layer;
    shared.attn.owns_cache = false;
    m.layers.push_back({3, shared});
    LayerSpec cross = m.layers[0].layer;
    cross.attn.kind = AttnKind::cross;
    m.layers.push_back({1, cross});
    LayerSpec state;
    state.state.kind = StateKind::gdn;
    state.state.ssm_elements = 1000;
    state.state.conv_elements = 30;
    m.layers.push_back({4, state});
    // One caching layer and token: 2 * 2 * 64 * 2 = 512 B.
    const KvSizes k = kv_sizes(m, kBf16, 100, 7);
    EXPECT_EQ(k.bytes_per_token, 2 * 512);
    EXPECT_EQ(k.bytes_per_request, Bytes(100 * 2 * 512 + 7 * 512));
    EXPECT_EQ(k.state_bytes_per_request, Bytes(4 * (1000 * 2 + 30 * 2)));
    EXPECT_EQ(kv_sizes(m, {DType::bf16, DType::bf16, DType::fp32}, 100, 7).state_bytes_per_request,
              Bytes(4 * (1000 * 4 + 30 * 2)));
}

TEST(KvCache, OverflowIsSeen) {
    const KvSizes k = kv_sizes(llama3_8b(), kBf16, UINT64_MAX / 2, 0);
    EXPECT_TRUE(k.bytes_per_request.overflow());
}

}  // namespace
}  // namespace kvgauge
