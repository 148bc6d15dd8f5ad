// SPDX-License-Identifier: MIT
// Verdicts: vLLM 6adad0876, SGLang 8905cbd42, TGI 3.3.7 flash_llama_modeling.py:166-176, and error
// reports of users (named at each).
#include <gtest/gtest.h>

#include "cases.h"
#include "engine/shards.h"

namespace kvgauge {
namespace {

using testing::Case;

// Only the heads can refuse: widths and vocabulary divide by every size asked.
Case heads(std::uint32_t q, std::uint32_t kv, std::uint64_t tp) {
    Case c;
    c.model =
        testing::model_of({{32, testing::attention_layer({q, kv, 128}, AttnKind::full, 0,
                                                         static_cast<std::uint32_t>(64 * q * tp))}},
                          q * 128ULL, 64 * tp * 500);
    return c;
}

constexpr EngineId kCopying[] = {EngineId::vllm, EngineId::sglang, EngineId::trtllm,
                                 EngineId::lmdeploy};

struct Row {
    std::uint32_t q, kv;
    std::uint64_t tp;
    int copies;  // 0: refused
    bool by_q;   // the query heads refuse
    bool tgi;    // TGI accepts
};
constexpr Row kRows[] = {
    {32, 8, 2, 1, false, true},    {32, 8, 4, 1, false, true},    {32, 8, 8, 1, false, true},
    {32, 8, 16, 2, false, false},  {32, 8, 3, 0, true, false},    {32, 4, 8, 2, false, false},
    {40, 10, 4, 0, false, false},  {40, 10, 8, 0, false, false},  {40, 10, 5, 1, false, true},
    {40, 10, 20, 2, false, false}, {40, 10, 40, 4, false, false}, {28, 4, 4, 1, false, true},
    {28, 4, 7, 0, false, false},   {28, 4, 14, 0, false, false},  {28, 4, 28, 7, false, false},
    {24, 8, 3, 0, false, false},   {24, 8, 6, 0, false, false},   {71, 1, 71, 71, false, false},
    {71, 1, 2, 0, true, false},    {32, 16, 32, 2, false, false}, {52, 52, 8, 0, true, false},
    {52, 52, 3, 0, true, false},   {25, 25, 2, 0, true, false},   {12, 2, 8, 0, true, false},
    {12, 2, 4, 2, false, false},   {64, 8, 1, 1, false, true}};

TEST(Tp, HeadsOfTheEnginesThatCopy) {
    for (const Row& r : kRows) {
        const Case c = heads(r.q, r.kv, r.tp);
        for (EngineId id : kCopying) {
            const TpVerdict v = c.tp(r.tp, id);
            SCOPED_TRACE(std::string(name(id)) + ' ' + std::to_string(r.q) + '/' +
                         std::to_string(r.kv) + " tp " + std::to_string(r.tp));
            if (r.copies == 0) {
                EXPECT_EQ(v.verdict, Verdict::error);
                EXPECT_EQ(v.rule, r.by_q ? TpRule::q_heads : TpRule::kv_heads);
                EXPECT_EQ(v.a, r.by_q ? r.q : r.kv);
                EXPECT_EQ(v.b, r.tp);
            } else {
                EXPECT_EQ(v.verdict, r.copies > 1 ? Verdict::ok_replicated : Verdict::ok);
                EXPECT_EQ(v.copies, r.copies);
                EXPECT_EQ(v.kv_heads_per_gpu, r.kv >= r.tp ? static_cast<double>(r.kv / r.tp) : 1);
            }
        }
    }
}

TEST(Tp, HeadsOfTheEnginesThatDoNot) {
    for (const Row& r : kRows) {
        const Case c = heads(r.q, r.kv, r.tp);
        for (EngineId id : {EngineId::tgi, EngineId::hf}) {
            const TpVerdict v = c.tp(r.tp, id);
            EXPECT_EQ(accepted(v), r.tgi) << name(id) << ' ' << r.q << '/' << r.kv << ' ' << r.tp;
            if (!r.tgi && !r.by_q) {
                EXPECT_EQ(v.rule, TpRule::kv_heads_strict);
            }
        }
        // vLLM before 0.2.1 (#1209, 2023-10-02).
        Case old = c;
        old.scenario.engine_version = Version{0, 2, 0, false, 3};
        EXPECT_EQ(accepted(old.tp(r.tp)), r.tgi);
    }
}

TEST(Tp, ValidSizesOfRealModels) {
    // Phi-3-medium: 40 query, 10 KV heads, width 17920, vocabulary 32064 = 64 * 501.
    Case c;
    c.model = testing::model_of(
        {{40, testing::attention_layer({40, 10, 128}, AttnKind::full, 0, 17920)}}, 5120, 32064);
    EXPECT_EQ(valid_sizes(c.input()), 0b11u);
    EXPECT_EQ(c.tp(5).rule, TpRule::vocab);
    EXPECT_EQ(nearest_size(c.input(), 4), 2u);
    // Qwen2.5-7B: 28 and 4 heads, width 18944 = 37 * 512, vocabulary 152064.
    c.model = testing::model_of(
        {{28, testing::attention_layer({28, 4, 128}, AttnKind::full, 0, 18944)}}, 3584, 152064);
    EXPECT_EQ(valid_sizes(c.input()), 0b1011u);
    // 28 divides by 28 and 28 by 4, the width does not.
    EXPECT_EQ(c.tp(28).rule, TpRule::mlp_width);
}

TEST(Tp, Vocabulary) {
    const auto vocab = [](std::uint64_t words, std::uint32_t q, std::uint64_t tp) {
        Case c = heads(q, q, tp);
        c.model.vocab = words;
        return c.tp(tp);
    };
    EXPECT_TRUE(accepted(vocab(128256, 24, 3)));
    EXPECT_EQ(vocab(151936, 24, 3).rule, TpRule::vocab);  // 151936 % 3 = 1
    EXPECT_TRUE(accepted(vocab(32001, 32, 2)));           // padded to 32064
    EXPECT_TRUE(accepted(vocab(50257, 12, 6)));           // padded to 50304 = 6 * 8384
    EXPECT_TRUE(accepted(vocab(50257, 16, 8)));
    EXPECT_EQ(vocab(262208, 24, 24).rule, TpRule::vocab);  // Gemma 3 at 24
    EXPECT_EQ(vocab(129280, 24, 24).rule, TpRule::vocab);  // DeepSeek-V3 at 24 (SGLang 0.4.3)
}

// One dense width in FP8 blocks of 128 or in groups of 128.
TpVerdict width(WeightKind kind, std::uint32_t inter, std::uint64_t tp,
                EngineId id = EngineId::vllm) {
    Case c = heads(64, 64, tp);
    c.model.layers[0].layer.ffn.inter = inter;
    c.weights.kind = kind;
    return c.tp(tp, id);
}

TEST(Tp, QuantisedWidths) {
    EXPECT_EQ(width(WeightKind::fp8_block, 1536, 8).rule, TpRule::fp8_block);
    EXPECT_EQ(width(WeightKind::fp8_block, 1536, 8).c, 192u);
    EXPECT_TRUE(accepted(width(WeightKind::fp8_block, 2048, 16)));
    EXPECT_EQ(width(WeightKind::fp8_block, 2048, 32).rule, TpRule::fp8_block);
    EXPECT_TRUE(accepted(width(WeightKind::fp8_block, 18432, 16)));
    EXPECT_EQ(width(WeightKind::fp8_block, 18432, 32).c, 576u);
    EXPECT_EQ(width(WeightKind::gptq, 29568, 2).rule, TpRule::quant_group);  // Qwen2.5-72B
    EXPECT_TRUE(accepted(width(WeightKind::gptq, 29696, 2)));
    EXPECT_EQ(width(WeightKind::gptq, 11008, 8).c, 1376u);  // Llama 2
    EXPECT_TRUE(accepted(width(WeightKind::awq, 18944, 4)));
    EXPECT_TRUE(accepted(width(WeightKind::bf16, 29568, 2)));
    EXPECT_EQ(width(WeightKind::fp8_block, 1536, 8, EngineId::sglang).rule, TpRule::fp8_block);
}

Case moe(std::uint32_t expert, std::uint32_t shared, WeightKind kind, bool ep) {
    Case c = heads(64, 64, 64);
    FfnSpec& f = c.model.layers[0].layer.ffn;
    f.inter = 0;
    f.experts = 128;
    f.experts_active = 8;
    f.expert_inter = expert;
    f.shared_inter = shared;
    c.weights.kind = kind;
    c.scenario.ep = ep;
    return c;
}

TEST(Tp, Experts) {
    // Qwen3-235B FP8: 1536 / 8 = 192; whole experts under EP.
    EXPECT_EQ(moe(1536, 0, WeightKind::fp8_block, false).tp(8).rule, TpRule::fp8_block);
    EXPECT_TRUE(accepted(moe(1536, 0, WeightKind::fp8_block, false).tp(4)));
    EXPECT_TRUE(accepted(moe(1536, 0, WeightKind::fp8_block, true).tp(8)));
    // A shared expert of 512 / 8 = 64 is cut under EP too (Qwen3.6-35B-A3B-FP8).
    EXPECT_EQ(moe(512, 512, WeightKind::fp8_block, true).tp(8).rule, TpRule::fp8_block);
    // 320 is no multiple of 128 at any size (Qwen3.8-Flash-Next-FP8).
    EXPECT_EQ(moe(320, 0, WeightKind::fp8_block, false).tp(1).rule, TpRule::fp8_block);
    EXPECT_EQ(moe(2560, 0, WeightKind::fp8_block, false).tp(8).c, 320u);
    EXPECT_EQ(moe(768, 0, WeightKind::bf16, false).tp(64).verdict, Verdict::ok);
    EXPECT_EQ(moe(1000, 0, WeightKind::bf16, false).tp(64).rule, TpRule::moe_width);
}

// K and V of one rank in FP8 blocks: checked until vLLM 0.13 (#30836), by SGLang still.
// MiMo-V2-Flash has 4 KV heads of 192: 192 at TP 4.
TEST(Tp, KvHeadsInFp8Blocks) {
    Case c;
    c.model = testing::model_of(
        {{48, testing::attention_layer({64, 4, 192}, AttnKind::full, 0, 16384)}}, 4096, 152576);
    c.model.layers[0].layer.attn.v_dim = 128;
    c.weights.kind = WeightKind::fp8_block;
    EXPECT_TRUE(accepted(c.tp(4)));
    EXPECT_EQ(c.tp(4, EngineId::sglang).rule, TpRule::fp8_block);
    c.scenario.engine_version = Version{0, 12, 0, false, 3};
    EXPECT_EQ(c.tp(4).c, 192u);
    EXPECT_TRUE(accepted(c.tp(2)));  // 384
}

TEST(Tp, ExpertParallelWithoutExperts) {
    Case c;
    c.scenario.ep = true;
    EXPECT_EQ(c.tp(2).rule, TpRule::experts);
    EXPECT_TRUE(accepted(c.tp(2, EngineId::sglang)));
    EXPECT_TRUE(accepted(moe(1536, 0, WeightKind::bf16, true).tp(8)));
}

TEST(Tp, ExpertsOfARank) {
    std::vector<std::uint64_t> got;
    for (std::uint64_t r = 0; r < 6; ++r) got.push_back(engine::experts_on_rank(128, 6, r));
    EXPECT_EQ(got, (std::vector<std::uint64_t>{22, 22, 21, 21, 21, 21}));
}

TEST(Tp, PipelineStages) {
    const auto stages = [](std::uint64_t layers, std::uint64_t pp) {
        std::vector<std::uint64_t> v;
        for (std::uint64_t s = 0; s < pp; ++s) v.push_back(engine::stage_layers(layers, pp, s));
        return v;
    };
    using V = std::vector<std::uint64_t>;
    EXPECT_EQ(stages(32, 4), (V{8, 8, 8, 8}));
    EXPECT_EQ(stages(61, 4), (V{15, 15, 16, 15}));
    EXPECT_EQ(stages(62, 4), (V{15, 16, 16, 15}));
    EXPECT_EQ(stages(63, 4), (V{16, 16, 16, 15}));
    EXPECT_EQ(stages(80, 3), (V{27, 27, 26}));
    EXPECT_EQ(stages(61, 8), (V{7, 7, 8, 8, 8, 8, 8, 7}));
    // By engine and release: vLLM #13839, SGLang #13282, TensorRT-LLM #4399; all of the remainder
    // on the last stage before them.
    const auto of = [](EngineId id, Version v) {
        Case c;
        c.scenario.engine_version = v;
        const engine::Remainder r = engine::remainder_of(c.input(id));
        V out;
        for (std::uint64_t s = 0; s < 8; ++s) out.push_back(engine::stage_layers(61, 8, s, r));
        return out;
    };
    const V last{7, 7, 7, 7, 7, 7, 7, 12};
    EXPECT_EQ(of(EngineId::vllm, {0, 7, 3, false, 3}), last);
    EXPECT_EQ(of(EngineId::vllm, {0, 8, 0, false, 3}), (V{7, 7, 8, 8, 8, 8, 8, 7}));
    EXPECT_EQ(of(EngineId::sglang, {0, 5, 5, false, 3}), last);
    EXPECT_EQ(of(EngineId::sglang, {0, 5, 6, false, 3}), (V{7, 7, 7, 8, 8, 8, 8, 8}));
    EXPECT_EQ(of(EngineId::trtllm, {0, 19, 0, false, 3}), last);
    EXPECT_EQ(of(EngineId::trtllm, {1, 2, 0, false, 2}), (V{8, 8, 8, 8, 8, 7, 7, 7}));
    Case c;
    c.scenario.pp = 33;
    EXPECT_EQ(c.tp(1).rule, TpRule::pipeline);
}

TEST(Tp, LatentIsOnEveryGpu) {
    Case c;
    c.model = testing::deepseek_v3();
    const TpVerdict v = c.tp(8);
    EXPECT_EQ(v.verdict, Verdict::ok_replicated);
    EXPECT_EQ(v.rule, TpRule::latent_copied);
    EXPECT_EQ(v.copies, 8);
    c.scenario.dp_attention = true;
    c.scenario.dp = 8;
    EXPECT_EQ(c.tp(8, EngineId::sglang).verdict, Verdict::ok);
    EXPECT_EQ(c.tp(8, EngineId::trtllm).verdict, Verdict::ok);
}

TEST(Tp, DecodeContextParallel) {
    Case c = heads(32, 4, 8);
    EXPECT_EQ(dcp_without_copies(c.input(), 8), 2u);
    c.scenario.dcp = 2;
    EXPECT_EQ(c.tp(8).verdict, Verdict::ok);
    EXPECT_EQ(c.tp(8).copies, 1);
    EXPECT_EQ(c.tp(4).rule, TpRule::dcp);  // needs more GPUs than KV heads
    c.scenario.dcp = 4;
    EXPECT_EQ(c.tp(8).rule, TpRule::dcp);
    EXPECT_EQ(c.tp(8).c, 2u);
    c.scenario.dcp = 3;
    EXPECT_EQ(c.tp(8).rule, TpRule::dcp);
    // Latents: any divisor.
    c.model = testing::deepseek_v3();
    c.scenario.dcp = 1;
    EXPECT_EQ(dcp_without_copies(c.input(), 8), 8u);
    // Windows exclude it.
    c.model = testing::gemma3_27b();
    c.scenario.dcp = 2;
    EXPECT_EQ(c.tp(32).rule, TpRule::dcp);
}

TEST(Tp, StateHeads) {
    Case c;
    c.model = testing::qwen3_next(false);
    EXPECT_EQ(c.tp(4).verdict, Verdict::ok_replicated);  // 2 KV heads; 16 and 32 state heads divide
    c.model = testing::hybrid_delta(12, {48, 2, 256}, testing::delta_net(16, 32, false));
    c.model.vocab = 64 * 48;
    EXPECT_EQ(c.tp(6).rule, TpRule::state_heads);
    // Mamba 2: 128 heads, 8 groups.
    StateSpec s;
    s.kind = StateKind::mamba2;
    s.v_heads = 128;
    s.groups = 8;
    c.model = testing::hybrid_delta(2, {64, 64, 128}, s);
    c.model.vocab = 64 * 64;
    EXPECT_EQ(c.tp(16).rule, TpRule::state_groups);
    EXPECT_TRUE(accepted(c.tp(8)));
    c.model.layers[0].layer.state.groups = c.model.layers[2].layer.state.groups = 1;
    EXPECT_TRUE(accepted(c.tp(16)));
}

// InternViT-6B has 25 heads: an error before vLLM's fallback of 2026-01-24 (#31972).
TEST(Tp, VisionTower) {
    Case c = heads(48, 8, 4);
    c.model.vision_heads = 25;
    const TpVerdict v = c.tp(4);
    EXPECT_EQ(v.verdict, Verdict::ok_fallback);
    EXPECT_EQ(v.a, 25u);
    c.scenario.engine_version = Version{0, 5, 5, false, 3};
    EXPECT_EQ(c.tp(4).rule, TpRule::vision_heads);
    EXPECT_EQ(c.tp(4, EngineId::sglang).verdict, Verdict::ok);
}

TEST(Tp, ModelExceptions) {
    // ChatGLM copied heads from 0.2.2 (#1581), Ling from 0.11.1 (#26876), Param2 never.
    Case c = heads(32, 2, 4);
    c.model.model_type = "chatglm";
    c.scenario.engine_version = Version{0, 2, 1, false, 3};
    EXPECT_EQ(c.tp(4).rule, TpRule::kv_heads_strict);
    c.scenario.engine_version = Version{0, 3, 0, false, 3};
    EXPECT_TRUE(accepted(c.tp(4)));
    c.model.model_type = "param2moe";
    c.scenario.engine_version.reset();
    EXPECT_EQ(c.tp(4).rule, TpRule::kv_heads_strict);
    // Several MoE files refuse more GPUs than experts.
    c = moe(768, 0, WeightKind::bf16, false);
    c.model.layers[0].layer.ffn.experts = 8;
    EXPECT_TRUE(accepted(c.tp(16)));
    c.model.model_type = "qwen3_moe";
    EXPECT_EQ(c.tp(16).rule, TpRule::experts);
}

}  // namespace
}  // namespace kvgauge
