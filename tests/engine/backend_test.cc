// SPDX-License-Identifier: MIT
// Attention kernels by GPU generation: vLLM 6adad0876 platforms/cuda.py:83 (order) and
// fa_utils.py:70 (FlashAttention version); SGLang 8905cbd42 server_args.py.
#include <gtest/gtest.h>

#include "cases.h"

namespace kvgauge {
namespace {

using testing::Case;

GpuSpec nvidia(std::uint32_t capability) {
    return testing::gpu_of("gpu", 81559, 79.19, capability);
}
AttentionChoice taken(const ModelSpec& m, std::uint32_t capability, DType kv = DType::automatic,
                      Version v = rules(EngineId::vllm).newest, EngineId id = EngineId::vllm) {
    Case c;
    c.model = m;
    c.gpu = nvidia(capability);
    c.scenario.kv = kv;
    c.scenario.engine_version = v;
    return rules(id).attention(c.input(id));
}
constexpr Version at(std::uint32_t minor) {
    return {0, minor, 0, false, 3};
}

ModelSpec heads_of(std::uint32_t dim) {
    return testing::model_of({{32, testing::attention_layer({32, 8, dim})}});
}

TEST(VllmBackend, PlainAttention) {
    const ModelSpec m = testing::llama3_8b();
    struct Row {
        std::uint32_t capability;
        Kernels sixteen_bit, fp8;
    };
    constexpr Row kRows[] = {{75, Kernels::triton, Kernels::triton},
                             {80, Kernels::fa2, Kernels::flashinfer},
                             {89, Kernels::fa2, Kernels::flashinfer},
                             {90, Kernels::fa3, Kernels::fa3},
                             {100, Kernels::trtllm_gen, Kernels::trtllm_gen},
                             {103, Kernels::trtllm_gen, Kernels::trtllm_gen},
                             {120, Kernels::fa2, Kernels::flashinfer}};
    for (const Row& r : kRows) {
        EXPECT_EQ(taken(m, r.capability).kernels, r.sixteen_bit) << r.capability;
        EXPECT_EQ(taken(m, r.capability, DType::fp8).kernels, r.fp8) << r.capability;
        EXPECT_TRUE(taken(m, r.capability, DType::fp8).kv_ok) << r.capability;
        // nvfp4 needs FlashInfer on compute capability 10.x.
        EXPECT_EQ(taken(m, r.capability, DType::nvfp4).kv_ok, r.capability / 10 == 10)
            << r.capability;
    }
    // FlashInfer first on 10.x since 0.12; before, FlashAttention 2 of that time.
    EXPECT_EQ(taken(m, 100, DType::automatic, at(11)).kernels, Kernels::fa2);
    // xFormers until 0.11.
    EXPECT_EQ(taken(m, 75, DType::automatic, at(11)).kernels, Kernels::xformers);
}

TEST(VllmBackend, HeadSizesSinksAndAlibi) {
    // FlashAttention: multiples of 8 up to 256, 512 by FA4; FlashInfer 64, 128, 256, 512.
    EXPECT_EQ(taken(heads_of(512), 90).kernels, Kernels::fa4);
    EXPECT_EQ(taken(heads_of(512), 80).kernels, Kernels::flashinfer);
    EXPECT_EQ(taken(heads_of(100), 80).kernels, Kernels::triton);
    EXPECT_EQ(taken(heads_of(96), 100).kernels, Kernels::fa4);
    EXPECT_EQ(taken(heads_of(160), 100).kernels, Kernels::fa2);
    // Sinks need compute capability 9.0 in FlashAttention, else Triton.
    const ModelSpec sinks = testing::gpt_oss_20b();
    EXPECT_EQ(taken(sinks, 80).kernels, Kernels::triton);
    EXPECT_EQ(taken(sinks, 90).kernels, Kernels::fa3);
    EXPECT_EQ(taken(sinks, 100).kernels, Kernels::trtllm_gen);
    EXPECT_EQ(taken(sinks, 120).kernels, Kernels::triton);
    ModelSpec alibi = testing::llama3_8b();
    alibi.model_type = "bloom";
    EXPECT_EQ(taken(alibi, 90).kernels, Kernels::fa2);
    EXPECT_EQ(taken(alibi, 100).kernels, Kernels::fa2);
}

TEST(VllmBackend, Latents) {
    const ModelSpec m = testing::deepseek_v3();
    EXPECT_EQ(taken(m, 80).kernels, Kernels::triton_mla);
    EXPECT_FALSE(taken(m, 80, DType::fp8).kv_ok);
    EXPECT_TRUE(taken(m, 89, DType::fp8).kv_ok);
    EXPECT_EQ(taken(m, 90).kernels, Kernels::flash_attn_mla);
    EXPECT_EQ(taken(m, 90, DType::fp8).kernels, Kernels::flashmla);
    EXPECT_EQ(taken(m, 90, DType::fp8).block, 64u);
    EXPECT_EQ(taken(m, 90, DType::automatic, at(10)).kernels, Kernels::flashmla);
    EXPECT_EQ(taken(m, 100).kernels, Kernels::flashinfer_mla);
    EXPECT_EQ(taken(m, 100).block, 32u);
    EXPECT_EQ(taken(m, 120).kernels, Kernels::triton_mla);
    EXPECT_FALSE(taken(m, 90, DType::int8).kv_ok);
}

TEST(VllmBackend, SparseLatents) {
    const ModelSpec m = testing::deepseek_v3(132);
    EXPECT_EQ(taken(m, 90).kernels, Kernels::flash_attn_mla_sparse);
    EXPECT_EQ(taken(m, 90, DType::fp8).kernels, Kernels::flashmla_sparse);
    // bf16: at most 16 heads on a GPU by FlashInfer; 128 heads at TP 1.
    EXPECT_EQ(taken(m, 100).kernels, Kernels::flashmla_sparse);
    EXPECT_EQ(taken(m, 100, DType::fp8).kernels, Kernels::flashinfer_mla_sparse);
    EXPECT_EQ(taken(m, 100, DType::fp8, at(18)).kernels, Kernels::flashmla_sparse);
    EXPECT_EQ(taken(m, 120, DType::fp8).kernels, Kernels::flashinfer_mla_sparse);
    EXPECT_FALSE(taken(m, 80).kv_ok);
    EXPECT_FALSE(taken(m, 100, DType::int8).kv_ok);
}

// FlashInfer's sparse kernels take plain fp8: 576 and 132 B a layer and token (#35891); FlashMLA's
// 656 and 132.
TEST(VllmBackend, SparseFp8Layout) {
    Case c;
    c.model = testing::deepseek_v3(132);
    c.scenario.kv = DType::fp8;
    const auto token = [&](std::uint32_t capability, Version v) {
        c.gpu = nvidia(capability);
        c.scenario.engine_version = v;
        return c.plan(Bytes(40) * gib).bytes_per_token_per_gpu.value();
    };
    EXPECT_EQ(token(100, at(28)), 61u * (576 + 132));
    EXPECT_EQ(token(100, at(18)), 61u * (656 + 132));
    EXPECT_EQ(token(90, at(28)), 61u * (656 + 132));
    EXPECT_EQ(token(120, at(28)), 61u * (656 + 132));
}

TEST(SglangBackend, ByGpu) {
    const auto of = [](const ModelSpec& m, std::uint32_t capability) {
        return taken(m, capability, DType::automatic, rules(EngineId::sglang).newest,
                     EngineId::sglang);
    };
    const ModelSpec dense = testing::llama3_8b(), latent = testing::deepseek_v3();
    EXPECT_EQ(of(dense, 80).kernels, Kernels::flashinfer);
    EXPECT_EQ(of(dense, 90).kernels, Kernels::fa3);
    EXPECT_EQ(of(dense, 100).kernels, Kernels::trtllm_gen);
    EXPECT_EQ(of(dense, 100).block, 64u);
    EXPECT_EQ(of(testing::gpt_oss_20b(), 80).kernels, Kernels::triton);
    EXPECT_EQ(of(latent, 80).kernels, Kernels::triton_mla);
    EXPECT_EQ(of(latent, 90).kernels, Kernels::fa3);
    EXPECT_EQ(of(latent, 100).kernels, Kernels::trtllm_mla);
    ModelSpec other = latent;
    other.model_type = "deepseek_v2";
    EXPECT_EQ(of(other, 100).kernels, Kernels::flashinfer_mla);
    EXPECT_EQ(of(other, 100).block, 1u);
}

}  // namespace
}  // namespace kvgauge
