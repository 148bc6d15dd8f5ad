// SPDX-License-Identifier: MIT
// Expected values: llama.cpp b10256 / b11118 sources (formulas beside each) and public start-up
// logs.
#include "engine/llamacpp.h"

#include <gtest/gtest.h>

#include "cases.h"

namespace kvgauge {
namespace {

using namespace engine::llamacpp;
using testing::Case;

constexpr double kMib = 1048576.0;

TEST(LlamaCpp, ContextIsPaddedAndShared) {
    struct Row {
        std::uint64_t n_ctx, n_seq;
        bool unified;
        std::uint64_t all, one;
    };
    const Row rows[] = {{8000, 1, false, 8192, 8192},
                        {4096, 5, false, 5120, 1024},  // 4096 / 5 = 819 -> 1024 each: goes up
                        {4096, 4, false, 4096, 1024},
                        {4096, 4, true, 4096, 4096},
                        {1000, 3, false, 1536, 512}};
    for (const Row& r : rows) {
        const Context c = context_of(r.n_ctx, r.n_seq, r.unified);
        EXPECT_EQ(c.n_ctx, r.all) << r.n_ctx;
        EXPECT_EQ(c.n_ctx_seq, r.one) << r.n_ctx;
    }
}

TEST(LlamaCpp, WindowCells) {
    struct Row {
        std::uint64_t n_ctx, window, n_seq;
        bool unified;
        std::uint64_t ubatch, cells;
    };
    const Row rows[] = {{32768, 1024, 1, false, 512, 1536}, {32768, 1024, 4, true, 512, 4608},
                        {32768, 128, 1, false, 512, 768},   {8192, 4096, 1, false, 512, 4608},
                        {8192, 4096, 4, true, 512, 8192},   {131072, 128, 1, false, 2048, 2304},
                        {8192, 128, 1, false, 128, 256}};
    for (const Row& r : rows) {
        const Context c = context_of(r.n_ctx, r.n_seq, r.unified);
        EXPECT_EQ(window_cells(c, r.window, r.ubatch, false), r.cells)
            << r.n_ctx << ' ' << r.window;
        EXPECT_EQ(window_cells(c, r.window, r.ubatch, true), c.n_ctx_seq);
    }
}

double total_mib(const Case& c) {
    const EngineInput in = c.input(EngineId::llamacpp);
    return cache_bytes(in, context_of(in), 0, layer_count(c.model)).total().real() / kMib;
}

TEST(LlamaCpp, Llama3CacheTypes) {
    Case c;
    EXPECT_EQ(total_mib(c), 1024);
    c.scenario.kv = DType::q8_0;
    EXPECT_EQ(total_mib(c), 544);
    c.scenario.kv = DType::q4_0;
    EXPECT_EQ(total_mib(c), 288);
    c.scenario.kv = DType::automatic;
    c.scenario.kv_k = DType::q8_0;
    EXPECT_EQ(total_mib(c), 784);
}

TEST(LlamaCpp, LatentHasNoV) {
    Case c;
    c.model = testing::deepseek_v3();
    c.scenario.ctx = 32768;
    EXPECT_EQ(total_mib(c), 2196);  // 61 * 576 * 2 B * 32768; a log prints c^KV 2196.00 MiB
}

// DeepSeek-R1 GGUF without MLA keys (ik_llama.cpp#235): 61 x (128 x 192 + 128 x 128) x 2 B a token.
TEST(LlamaCpp, LatentOfOldFilesIsExpanded) {
    Case c;
    c.model = testing::deepseek_v3();
    for (LayerRun& r : c.model.layers) {
        r.layer.attn.kv_heads = 128;
        r.layer.attn.k_dim = 192;
        r.layer.attn.v_dim = 128;
    }
    c.model.gguf.latent_expanded = true;
    c.scenario.ctx = 4096;
    EXPECT_DOUBLE_EQ(total_mib(c), 4997120.0 * 4096 / kMib);
}

// A mix stores the embedding and the output in types of their own: the file's bytes count. Llama 3
// 8B Q4_K_M: q4_K embedding, which stays on the CPU, q6_K output.
TEST(LlamaCpp, WeightsByTheFilesOwnBytes) {
    Case c;
    c.model = testing::llama3_8b();
    c.model.weights.kind = WeightKind::q4_k_m;
    c.weights = c.model.weights;
    c.model.weight_bytes = 4912898304;
    c.model.gguf = {.present = true,
                    .embedding_bytes = 525336576 / 256 * 144,
                    .head_bytes = 525336576 / 256 * 210};
    const EngineInput in = c.input(EngineId::llamacpp);
    EXPECT_EQ(rules(EngineId::llamacpp).weights_per_gpu(in),
              Bytes(4912898304 - 525336576 / 256 * 144));
}

TEST(LlamaCpp, GemmaWindows) {
    Case c;
    c.model = testing::gemma3_27b();
    c.scenario.ctx = 32768;
    c.scenario.slots = 1;
    const EngineInput in = c.input(EngineId::llamacpp);
    const CacheBytes b = cache_bytes(in, context_of(in), 0, 62);
    EXPECT_EQ(b.full, 2560 * mib);
    EXPECT_EQ(b.window, 624 * mib);
}

// gpt-oss-20b on an M5: 131072 cells and 2304 window cells, 3072 and 54 MiB.
// A start of 2025-05 (ik_llama.cpp, build 3737): Gemma-3-27B, 32,768 cells, all 62 layers full:
// K 7936 MiB and V 7936 MiB.
TEST(LlamaCpp, WindowsBeforeTheirOwnCache) {
    Case c;
    c.model = testing::gemma3_27b();
    c.scenario.ctx = 32768;
    c.scenario.slots = 1;
    c.scenario.engine_version = Version{3737, 0, 0, true, 1};
    EXPECT_EQ(c.plan(Bytes(40) * gib, EngineId::llamacpp).pool_bytes, Bytes(15872) * mib);
}

TEST(LlamaCpp, LoggedGptOss) {
    Case c;
    c.model = testing::gpt_oss_20b();
    c.scenario.ctx = 131072;
    c.scenario.slots = 1;
    c.scenario.ubatch = 2048;
    EngineInput in = c.input(EngineId::llamacpp);
    CacheBytes b = cache_bytes(in, context_of(in), 0, 24);
    EXPECT_EQ(b.full, 3072 * mib);
    EXPECT_EQ(b.window, 54 * mib);
    EXPECT_EQ(b.window_cells, 2304u);
    // Four Hexagon devices, q8_0, n_ubatch 128: 102 and 3.19 MiB.
    c.scenario.ctx = 8192;
    c.scenario.ubatch = 128;
    c.scenario.kv = DType::q8_0;
    in.kv = c.input(EngineId::llamacpp).kv;
    b = cache_bytes(in, context_of(in), 0, 24);
    EXPECT_EQ(b.full, 102 * mib);
    EXPECT_NEAR(b.window.real() / kMib, 3.19, 0.005);
}

TEST(LlamaCpp, RecurrentState) {
    // Qwen3-Next: 36 layers, r = 3 * (4096 + 2 * 16 * 128) = 24576, s = 128 * 4096 = 524288.
    Case c;
    c.model = testing::qwen3_next(false);
    c.scenario.slots = 1;
    EngineInput in = c.input(EngineId::llamacpp);
    EXPECT_EQ(cache_bytes(in, context_of(in), 0, 48).recurrent.real() / kMib, 75.375);
    // Qwen3.5-27B: 48 layers, d_inner 6144; a log prints 149.62 MiB (R 5.62, S 144.00).
    c.model = testing::hybrid_delta(16, {24, 4, 256}, testing::delta_net(16, 48, true));
    EXPECT_EQ(
        cache_bytes(c.input(EngineId::llamacpp), context_of(in), 0, 64).recurrent.real() / kMib,
        149.625);
    // Three rows with two drafts: the log's 448.88.
    c.model.mtp = {{1, testing::attention_layer({24, 4, 256})}};
    c.scenario.spec = {SpecKind::mtp, 2};
    EXPECT_NEAR(
        cache_bytes(c.input(EngineId::llamacpp), context_of(in), 0, 64).recurrent.real() / kMib,
        448.88, 0.006);
}

// Qwen3.5-9B, -ngl 20 of 33: of 8 full layers 3 stay on the CPU; 160 MiB lie on the GPU.
TEST(LlamaCpp, PartialOffload) {
    Case c;
    c.model = testing::hybrid_delta(8, {16, 4, 256}, testing::delta_net(16, 32, true), 4096);
    c.scenario.slots = 1;
    c.scenario.ngl = 20;
    const EngineInput in = c.input(EngineId::llamacpp);
    const Placement p = placement_of(in);
    EXPECT_EQ(p.first, 13u);
    EXPECT_EQ(cache_bytes(in, context_of(in), p.begin(0), p.end(0) - p.begin(0)).full, 160 * mib);
}

TEST(LlamaCpp, TensorSplitCutsWholeHeads) {
    const auto heads = [](std::uint64_t kv, std::uint64_t n, std::uint64_t layer) {
        std::vector<std::uint64_t> v;
        for (std::uint64_t d = 0; d < n; ++d) v.push_back(tensor_heads(kv, n, d, layer));
        return v;
    };
    using V = std::vector<std::uint64_t>;
    EXPECT_EQ(heads(8, 3, 0), (V{2, 3, 3}));
    EXPECT_EQ(heads(4, 3, 0), (V{1, 1, 2}));
    EXPECT_EQ(heads(1, 2, 0), (V{0, 1}));
    EXPECT_EQ(heads(4, 8, 0), (V{0, 1, 0, 1, 0, 1, 0, 1}));
    EXPECT_EQ(heads(4, 8, 1), (V{1, 0, 1, 0, 1, 0, 1, 0}));
}

TEST(LlamaCpp, SplitVerdicts) {
    Case c;
    EXPECT_EQ(c.tp(3, EngineId::llamacpp).verdict, Verdict::ok);
    EXPECT_EQ(c.tp(3, EngineId::llamacpp).kv_heads_per_gpu, 8);
    c.scenario.split = SplitMode::tensor;
    EXPECT_EQ(c.tp(4, EngineId::llamacpp).verdict, Verdict::ok);
    EXPECT_EQ(c.tp(3, EngineId::llamacpp).verdict, Verdict::ok_uneven);
    EXPECT_EQ(c.tp(16, EngineId::llamacpp).verdict, Verdict::ok_uneven);
    EXPECT_EQ(c.tp(16, EngineId::llamacpp).kv_heads_per_gpu, 0.5);
    c.scenario.engine_version = Version{10256, 0, 0, true, 1};
    EXPECT_EQ(c.tp(16, EngineId::llamacpp).verdict, Verdict::unsafe);
    c.model = testing::deepseek_v3();
    EXPECT_EQ(c.tp(2, EngineId::llamacpp).verdict, Verdict::error);
    EXPECT_EQ(c.tp(2, EngineId::llamacpp).rule, TpRule::unsupported);
}

// Gemma 4: 16 KV heads in window layers, 4 in full ones; the full ones are cut worst.
TEST(LlamaCpp, SplitVerdictOfTheFewestHeads) {
    Case c;
    c.scenario.split = SplitMode::tensor;
    c.model =
        testing::model_of({{5, testing::attention_layer({32, 16, 256}, AttnKind::sliding, 1024)},
                           {1, testing::attention_layer({32, 4, 512})}});
    EXPECT_EQ(c.tp(4, EngineId::llamacpp).verdict, Verdict::ok);
    EXPECT_EQ(c.tp(8, EngineId::llamacpp).verdict, Verdict::ok_uneven);
    c.scenario.engine_version = Version{10256, 0, 0, true, 1};
    EXPECT_EQ(c.tp(8, EngineId::llamacpp).verdict, Verdict::unsafe);
}

TEST(LlamaCpp, PrintedLines) {
    Case c;
    const EngineInput in = c.input(EngineId::llamacpp);
    const std::string log =
        rules(EngineId::llamacpp).log(in, c.plan(8 * gib, EngineId::llamacpp), 8 * gib);
    EXPECT_NE(
        log.find("llama_kv_cache: size = 1024.00 MiB (8192 cells, 32 layers, 4/1 seqs), K (f16):  "
                 "512.00 MiB, V (f16):  512.00 MiB"),
        std::string::npos)
        << log;
}

}  // namespace
}  // namespace kvgauge
