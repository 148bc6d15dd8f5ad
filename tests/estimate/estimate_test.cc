// SPDX-License-Identifier: MIT
// Expected values are arithmetic written beside them: 2 x layers x KV heads x head_dim x bytes.
#include "estimate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace kvgauge {
namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024;

Scenario llama(std::uint64_t kv_heads = 8, std::uint64_t ctx = 8192) {
    Scenario s;
    s.kv = DType::bf16;
    s.kv_heads = kv_heads;
    s.ctx = ctx;
    return s;
}

const Issue* find(const Issues& issues, std::string_view key) {
    for (const Issue& i : issues) {
        if (i.key == key) return &i;
    }
    return nullptr;
}

// 2 x 32 layers x 8 heads x 128 x 2 B = 131,072 B a token; 32 heads four times, 1 head an eighth.
TEST(Estimate, LlamaPerRequest) {
    for (const auto& [heads, per_token] :
         {std::pair<std::uint64_t, std::uint64_t>{32, 524288}, {8, 131072}, {1, 16384}}) {
        for (std::uint64_t ctx : {2048u, 8192u, 32768u, 131072u}) {
            const Estimate e = estimate(llama(heads, ctx));
            ASSERT_TRUE(e.kv);
            EXPECT_EQ(e.kv->bytes_per_token, static_cast<double>(per_token));
            EXPECT_EQ(e.kv->bytes_per_request, Bytes(per_token * ctx));
        }
    }
}

// 60 GiB / (per token x 8,192): 15 x 4 GiB, 60 x 1 GiB, 480 x 0.125 GiB.
TEST(Estimate, PlainArithmeticFillsTheBudget) {
    for (const auto& [heads, requests] :
         {std::pair<std::uint64_t, double>{32, 15}, {8, 60}, {1, 480}}) {
        Scenario s = llama(heads);
        s.engine = EngineId::none;
        s.kv_budget = std::uint64_t{60} << 30;
        const Estimate e = estimate(s);
        ASSERT_TRUE(e.batch);
        EXPECT_EQ(e.batch->max.value, requests);
        EXPECT_EQ(e.batch->max.basis, Basis::exact);
        EXPECT_FALSE(e.batch->max.low);
        EXPECT_EQ(e.batch->limit, Limit::memory);
    }
}

// Public starts of hybrid models: the printed budget gives the printed tokens. club-3090#652
// (0.24.0, one RTX 5090) and club-3090 pull 594 (two RTX 3090, 3 draft tokens): a request takes
// ceil(262144 / 1600) = 164 blocks of the full group and 3 x (2 + 3) of the states, 179; 5.33 GiB /
// (17 layers x 1600 x 1024 B) = 205 blocks; 205 / 179 x 262144 = 300,220.
TEST(Estimate, TokensOfPublicHybridStarts) {
    struct Start {
        const char* model;
        std::uint64_t tp, ctx;
        double gib;
        std::uint32_t spec;
        std::uint64_t tokens;
    };
    for (const Start& start : {Start{"qwen3.6-35b-a3b", 1, 131072, 6.01, 0, 569878},
                               Start{"qwen3.6-27b", 2, 262144, 5.33, 3, 300220}}) {
        Scenario s;
        s.model = start.model;
        s.gpu = "rtx-3090-24gb";
        s.engine = EngineId::vllm;
        s.engine_version = Version{0, 24, 0, false, 3};
        s.tp = start.tp;
        s.ctx = start.ctx;
        s.kv = DType::fp8;
        s.max_batched = 8192;
        s.prefix_caching = true;
        if (start.spec != 0) s.spec = {SpecKind::native, start.spec};
        s.kv_budget = static_cast<std::uint64_t>(start.gib * kGiB);
        const Estimate e = estimate(s);
        ASSERT_TRUE(e.plan) << start.model;
        EXPECT_EQ(e.plan->tokens, start.tokens) << start.model;
    }
}

// 8,030,261,248 parameters x 2 B, as the checkpoint's index says.
TEST(Estimate, LlamaWeights) {
    const Estimate e = estimate(llama());
    EXPECT_EQ(e.checkpoint, Bytes(16'060'522'496));
    EXPECT_EQ(e.weights_per_gpu, Bytes(16'060'522'496));
    ASSERT_TRUE(e.params);
    EXPECT_EQ(e.params->total, Count(8'030'261'248));
}

TEST(Estimate, HeadsOverGpus) {
    for (const auto& [tp, heads] :
         {std::pair<std::uint64_t, double>{1, 8}, {2, 4}, {4, 2}, {8, 1}}) {
        Scenario s = llama();
        s.tp = tp;
        const Estimate e = estimate(s);
        ASSERT_TRUE(e.tp);
        EXPECT_EQ(e.tp->verdict, Verdict::ok) << tp;
        EXPECT_EQ(e.tp->kv_heads_per_gpu, heads);
        EXPECT_EQ(e.plan->request_bytes_per_gpu, Bytes((std::uint64_t{1} << 30) / tp));
    }
}

// Qwen2.5-7B has 28 query heads: 8 is no divisor. Geometry stands, what needs the size does not.
TEST(Estimate, ARefusedSizeStopsOnlyWhatNeedsIt) {
    Scenario s;
    s.model = "qwen2.5-7b";
    s.gpu = "h100-80gb-sxm";
    s.tp = 8;
    const Estimate e = estimate(s);
    ASSERT_TRUE(e.tp);
    EXPECT_EQ(e.tp->verdict, Verdict::error);
    EXPECT_TRUE(e.kv);
    EXPECT_TRUE(e.params);
    EXPECT_FALSE(e.plan);
    EXPECT_FALSE(e.weights_per_gpu);
    ASSERT_TRUE(e.batch);
    EXPECT_EQ(e.batch->limit, Limit::refused);
    EXPECT_EQ(e.batch->max.value, 0);
}

// 141 GB of bf16 weights on one 80 GB GPU.
TEST(Estimate, WeightsThatDoNotFit) {
    Scenario s;
    s.model = "llama-3-70b";
    const Estimate e = estimate(s);
    ASSERT_TRUE(e.batch);
    EXPECT_EQ(e.batch->limit, Limit::weights);
    EXPECT_EQ(e.batch->max.value, 0);
    EXPECT_EQ(e.budget->kv.value, 0);
    EXPECT_TRUE(e.speed);
}

TEST(Estimate, OneRequestThatDoesNotFit) {
    Scenario s = llama(32, 131072);  // 64 GiB
    s.kv_budget = std::uint64_t{10} << 30;
    s.engine = EngineId::none;
    const Estimate e = estimate(s);
    EXPECT_EQ(e.batch->limit, Limit::one_request);
    EXPECT_EQ(e.plan->longest_ctx, 20480u);  // 10 GiB / 524,288 B
}

TEST(Estimate, TheEnginesCapBinds) {
    Scenario s = llama(8, 1024);  // 0.125 GiB each
    s.max_seqs = 100;
    s.kv_budget = std::uint64_t{40} << 30;
    const Estimate e = estimate(s);
    EXPECT_EQ(e.batch->max.value, 100);
    EXPECT_EQ(e.batch->limit, Limit::max_seqs);
    EXPECT_GT(e.plan->max_requests, 300u);
}

TEST(Estimate, UnknownNamesGiveTheNearest) {
    Scenario s;
    s.model = "llama-3-8";
    const Estimate e = estimate(s);
    EXPECT_FALSE(e.model);
    EXPECT_FALSE(e.kv);
    const Issue* i = find(e.issues, "model");
    ASSERT_TRUE(i);
    EXPECT_NE(i->text.find("llama-3-8b"), std::string::npos) << i->text;

    Scenario g;
    g.gpu = "a100-90gb-sxm";
    const Estimate f = estimate(g);
    ASSERT_TRUE(find(f.issues, "gpu"));
    EXPECT_TRUE(f.kv);
    EXPECT_TRUE(f.tp);
    EXPECT_TRUE(f.weights_per_gpu);
    EXPECT_FALSE(f.budget);
    EXPECT_FALSE(f.batch);
    EXPECT_FALSE(f.speed);
}

// A known KV budget needs neither the GPU nor the weights.
TEST(Estimate, AKnownBudgetNeedsNoGpu) {
    Scenario s = llama();
    s.gpu = "no such thing";
    s.kv_budget = std::uint64_t{60} << 30;
    s.engine = EngineId::none;
    const Estimate e = estimate(s);
    ASSERT_TRUE(e.batch);
    EXPECT_EQ(e.batch->max.value, 60);
}

TEST(Estimate, OwnGpu) {
    Scenario s = llama();
    s.gpu = "custom";
    EXPECT_TRUE(find(estimate(s).issues, "gpu-mem"));
    s.gpu_own.memory = std::uint64_t{100} << 30;
    s.gpu_own.bandwidth = 2e12;
    s.gpu_own.flops16 = 500e12;
    s.engine = EngineId::none;
    const Estimate e = estimate(s);
    ASSERT_TRUE(e.budget);
    // 100 GiB x 0.9 - 14.957 GiB of weights.
    EXPECT_NEAR(e.budget->kv.value / kGiB, 90 - 16'060'522'496.0 / kGiB, 1e-6);
    ASSERT_TRUE(e.speed);
    EXPECT_EQ(e.speed->ridge, 250);
}

Scenario custom() {
    Scenario s;
    s.model = "custom";
    s.kv_heads = 8;
    s.custom.layers = 32;
    s.custom.q_heads = 32;
    s.custom.head_dim = 128;
    s.custom.hidden = 4096;
    s.custom.inter = 14336;
    s.custom.vocab = 128256;
    return s;
}

// Llama 3 8B typed in is Llama 3 8B.
TEST(Custom, EqualsTheCatalogModel) {
    const Estimate a = estimate(custom()), b = estimate(Scenario{});
    EXPECT_TRUE(a.issues.empty());
    EXPECT_EQ(a.kv, b.kv);
    EXPECT_EQ(a.checkpoint, b.checkpoint);
    EXPECT_EQ(a.batch->max.value, b.batch->max.value);
}

TEST(Custom, MissingFieldsAreNamed) {
    const auto without = [](auto&& change) {
        Scenario s = custom();
        change(s);
        return estimate(s);
    };
    EXPECT_TRUE(find(without([](Scenario& s) { s.custom.layers.reset(); }).issues, "layers"));
    EXPECT_TRUE(find(without([](Scenario& s) { s.kv_heads.reset(); }).issues, "kv-heads"));
    EXPECT_TRUE(find(without([](Scenario& s) { s.custom.head_dim.reset(); }).issues, "head-dim"));
    const Estimate no_q = without([](Scenario& s) { s.custom.q_heads.reset(); });
    EXPECT_TRUE(find(no_q.issues, "q-heads"));
    EXPECT_TRUE(no_q.kv);
    EXPECT_FALSE(no_q.tp);
    const Estimate no_hidden = without([](Scenario& s) { s.custom.hidden.reset(); });
    EXPECT_TRUE(find(no_hidden.issues, "hidden"));
    EXPECT_TRUE(no_hidden.kv);
    EXPECT_FALSE(no_hidden.checkpoint);
    EXPECT_FALSE(no_hidden.batch);
    const Estimate bare = without([](Scenario& s) { s.custom = {}; });
    EXPECT_FALSE(bare.kv);
}

TEST(Custom, ParamsAloneGiveTheWeights) {
    Scenario s = custom();
    s.custom.hidden = s.custom.inter = s.custom.vocab = std::nullopt;
    s.custom.params = 8'000'000'000;
    const Estimate e = estimate(s);
    EXPECT_EQ(e.checkpoint, Bytes(16'000'000'000));
    EXPECT_TRUE(e.batch);
}

TEST(Custom, ParamsThatDifferAreUsedAndSaid) {
    Scenario s = custom();
    s.custom.params = 9'000'000'000;
    const Estimate e = estimate(s);
    EXPECT_EQ(e.params->total, Count(9'000'000'000));
    const Issue* i = find(e.issues, "params");
    ASSERT_TRUE(i);
    EXPECT_EQ(i->severity, Severity::warning);
    EXPECT_NE(i->text.find("8030261248"), std::string::npos) << i->text;
}

// 26 layers of 62 with a window of 1,024 tokens: they keep 1,024 of 8,192.
TEST(Custom, Windows) {
    Scenario s = custom();
    s.custom.window = 1024;
    s.custom.window_layers = 12;
    const Estimate e = estimate(s);
    // 20 full layers and 12 windowed ones, 4,096 B per layer and token.
    EXPECT_EQ(e.kv->bytes_per_request, Bytes(4096ull * (20 * 8192 + 12 * 1024)));
    EXPECT_EQ(e.kv->bytes_per_request_all_full, Bytes(4096ull * 32 * 8192));
    EXPECT_EQ(e.kv->bytes_per_token_full, 4096.0 * 20);
    s.custom.window.reset();
    EXPECT_TRUE(find(estimate(s).issues, "window"));
    s.custom.window = 1024;
    s.custom.window_layers = 33;
    EXPECT_TRUE(find(estimate(s).issues, "window-layers"));
}

// DeepSeek-V3's latent: 61 layers x (512 + 64) x 2 B = 70,272 B.
TEST(Custom, Latent) {
    Scenario s = custom();
    s.custom.layers = 61;
    s.custom.q_heads = 128;
    s.custom.mla_rank = 512;
    s.custom.mla_rope = 64;
    s.kv_heads.reset();
    const Estimate e = estimate(s);
    EXPECT_EQ(e.kv->bytes_per_token, 70272);
    s.custom.mla_rope.reset();
    EXPECT_TRUE(find(estimate(s).issues, "mla-rope"));
}

TEST(Warnings, TheyStopNothing) {
    Scenario s = llama(8, 16384);  // Llama 3 is made for 8,192
    s.batch = 1000;
    s.tp = 2;
    s.gpus = 1;
    const Estimate e = estimate(s);
    for (const char* key : {"ctx", "batch", "gpus"}) {
        const Issue* i = find(e.issues, key);
        ASSERT_TRUE(i) << key;
        EXPECT_EQ(i->severity, Severity::warning);
    }
    EXPECT_TRUE(e.batch);
    EXPECT_TRUE(e.speed);
}

// Values that no parser let through, set by code: named, never computed with.
TEST(Ranges, AbsurdValuesAreIssues) {
    constexpr auto kHuge = std::uint64_t{1} << 63;
    struct Case {
        const char* key;
        void (*set)(Scenario&);
    };
    const Case cases[] = {
        {"ctx", [](Scenario& s) { s.ctx = 0; }},
        {"ctx", [](Scenario& s) { s.ctx = kHuge; }},
        {"tp", [](Scenario& s) { s.tp = 0; }},
        {"tp", [](Scenario& s) { s.tp = 1025; }},
        {"pp", [](Scenario& s) { s.pp = kHuge; }},
        {"dp", [](Scenario& s) { s.dp = kHuge; }},
        {"dcp", [](Scenario& s) { s.dcp = 0; }},
        {"batch", [](Scenario& s) { s.batch = kHuge; }},
        {"in", [](Scenario& s) { s.in = 0; }},
        {"out", [](Scenario& s) { s.out = kHuge; }},
        {"util", [](Scenario& s) { s.util = std::nan(""); }},
        {"util", [](Scenario& s) { s.util = 1.5; }},
        {"overhead", [](Scenario& s) { s.overhead = UINT64_MAX; }},
        {"kv-budget", [](Scenario& s) { s.kv_budget = UINT64_MAX; }},
        {"kv-heads", [](Scenario& s) { s.kv_heads = 0; }},
        {"kv-heads", [](Scenario& s) { s.kv_heads = 64; }},
        {"gpu-mem", [](Scenario& s) { s.gpu_own.memory = 0; }},
        {"gpu-bw", [](Scenario& s) { s.gpu_own.bandwidth = -1; }},
        {"gpu-flops", [](Scenario& s) { s.gpu_own.flops16 = INFINITY; }},
        {"block", [](Scenario& s) { s.block = 0; }},
        {"max-seqs", [](Scenario& s) { s.max_seqs = 0; }},
        {"tpot-max", [](Scenario& s) { s.tpot_max = 0; }},
        {"cross-tokens", [](Scenario& s) { s.cross_tokens = UINT64_MAX; }},
    };
    for (const Case& c : cases) {
        Scenario s;
        c.set(s);
        const Estimate e = estimate(s);
        const Issue* i = find(e.issues, c.key);
        ASSERT_TRUE(i) << c.key;
        EXPECT_EQ(i->severity, Severity::error) << c.key;
        EXPECT_NE(i->text.find("accepted"), std::string::npos) << i->text;
        EXPECT_TRUE(!e.batch || std::isfinite(e.batch->max.value)) << c.key;
        EXPECT_TRUE(!e.speed || std::isfinite(e.speed->tpot.value)) << c.key;
    }
}

// 4,096 layers x 65,536 heads x 65,536 dim at 2^30 tokens is beyond 64 bits.
TEST(Ranges, OverflowIsAnIssue) {
    Scenario s = custom();
    s.custom.layers = 4096;
    s.custom.q_heads = 65536;
    s.kv_heads = 65536;
    s.custom.head_dim = 65536;
    s.ctx = std::uint64_t{1} << 30;
    const Estimate e = estimate(s);
    ASSERT_TRUE(find(e.issues, "ctx"));
    EXPECT_TRUE(e.kv);
    EXPECT_EQ(e.ctx, 0u);
    EXPECT_FALSE(e.plan);
}

TEST(Targets, TheyBoundTheBatch) {
    Scenario s = llama();
    s.tpot_max = 0.030;
    const Estimate e = estimate(s);
    ASSERT_TRUE(e.batch->max_slo);
    const double n = e.batch->max_slo->value;
    EXPECT_LE(n, e.batch->max.value);
    // The next larger batch breaks the limit, this one keeps it.
    s.batch = static_cast<std::uint64_t>(n);
    EXPECT_LE(estimate(s).speed->tpot.value, 0.030);
    if (n < e.batch->max.value) {
        s.batch += 1;
        EXPECT_GT(estimate(s).speed->tpot.value, 0.030);
        EXPECT_EQ(e.batch->limit, Limit::tpot);
    }
    s.tpot_max = 1e-6;  // below any floor
    EXPECT_EQ(estimate(s).batch->max_slo->value, 0);
    EXPECT_EQ(estimate(s).batch->limit, Limit::tpot);
    s.tpot_max.reset();
    s.ttft_max = 1e-6;
    EXPECT_EQ(estimate(s).batch->limit, Limit::ttft);
}

TEST(Parts, OnlyWhatIsAsked) {
    const Estimate g = estimate(Scenario{}, builtin_catalog(), Part::geometry);
    EXPECT_TRUE(g.kv);
    EXPECT_FALSE(g.tp || g.budget || g.plan || g.batch || g.speed);
    const Estimate t = estimate(Scenario{}, builtin_catalog(), Part::tp);
    EXPECT_TRUE(t.tp);
    EXPECT_FALSE(t.kv || t.budget || t.speed);
    const Estimate b = estimate(Scenario{}, builtin_catalog(), Part::batch);
    EXPECT_EQ(b.batch->max.value, estimate(Scenario{}).batch->max.value);
    EXPECT_FALSE(b.speed);
}

TEST(Stop, TakesOutWhatDependsOnAKey) {
    const Scenario s;
    const auto stopped = [&s](std::string_view key) {
        Estimate e = estimate(s);
        stop(e, s, key);
        return e;
    };
    const Estimate ctx = stopped("ctx");
    EXPECT_TRUE(ctx.kv && ctx.tp && ctx.budget && ctx.speed);
    EXPECT_EQ(ctx.ctx, 0u);
    EXPECT_FALSE(ctx.plan || ctx.batch);
    const Estimate tp = stopped("tp");
    EXPECT_TRUE(tp.kv && tp.params);
    EXPECT_FALSE(tp.tp || tp.weights_per_gpu || tp.budget || tp.plan || tp.speed);
    const Estimate model = stopped("model");
    EXPECT_FALSE(model.model || model.kv || model.tp || model.batch || model.speed);
    const Estimate batch = stopped("batch");
    EXPECT_TRUE(batch.batch && batch.plan);
    EXPECT_FALSE(batch.speed);
    const Estimate lang = stopped("lang");
    EXPECT_TRUE(lang.batch && lang.speed && lang.kv);
}

TEST(Matrix, OtherEnginesAndSizes) {
    Scenario s;
    s.model = "qwen2.5-7b";
    EXPECT_EQ(tp_verdict(s, builtin_catalog(), EngineId::vllm, 4)->verdict, Verdict::ok);
    EXPECT_EQ(tp_verdict(s, builtin_catalog(), EngineId::tgi, 8)->verdict, Verdict::error);
    s.model = "nosuch";
    EXPECT_FALSE(tp_verdict(s, builtin_catalog(), EngineId::vllm, 4));
}

}  // namespace
}  // namespace kvgauge
