// SPDX-License-Identifier: MIT
// Start-up logs beside the prediction. Lines as engines print them, from public threads and
// repositories, cut to what is read; the expected figures are arithmetic on those lines.
#include "text/reconcile.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <cmath>

#include "text/link.h"

namespace kvgauge {
namespace {

constexpr double kGib = 1073741824.0;

// vllm-project/vllm#10511: vLLM 0.6.5 on an H100 with 79.22 GiB; 0.9 x 79.22 = 71.298.
constexpr std::string_view kLlama3 =
    "INFO llm_engine.py:249] Initializing an LLM engine (v0.6.5) with config: "
    "model='meta-llama/Meta-Llama-3-8B', tensor_parallel_size=1, max_seq_len=8192\n"
    "INFO model_runner.py:1092] Loading model weights took 14.96 GB\n"
    "INFO worker.py:241] Memory profiling results: total_gpu_memory=79.22GiB "
    "non_torch_memory=1.79GiB peak_torch_memory=16.22GiB kv_cache_size=53.29GiB "
    "gpu_memory_utilization=0.90\n";

// A public repository's quoted log: DeepSeek R1 on 8 H200.
constexpr std::string_view kR1 =
    "(EngineCore_DP0 pid=265) INFO 12-03 17:30:13 [core.py:93] Initializing a V1 LLM engine "
    "(v0.11.2) with config: model='deepseek-ai/DeepSeek-R1-0528', speculative_config=None, "
    "dtype=torch.bfloat16, max_seq_len=8192, tensor_parallel_size=8, pipeline_parallel_size=1, "
    "quantization=fp8, enforce_eager=False, kv_cache_dtype=auto,\n"
    "(Worker_TP0 pid=402) INFO 12-03 17:35:28 [gpu_model_runner.py:3338] Model loading took "
    "79.7390 GiB memory and 263.495895 seconds\n"
    "(Worker_TP0 pid=402) INFO 12-03 17:37:45 [gpu_worker.py:359] Available KV cache memory: "
    "41.60 GiB\n"
    "(EngineCore_DP0 pid=265) INFO 12-03 17:37:46 [kv_cache_utils.py:1229] GPU KV cache size: "
    "635,648 tokens\n"
    "(EngineCore_DP0 pid=265) INFO 12-03 17:37:46 [kv_cache_utils.py:1234] Maximum concurrency "
    "for 8,192 tokens per request: 77.59x\n"
    "(Worker_TP0 pid=402) INFO 12-03 17:50:07 [gpu_model_runner.py:4244] Graph capturing "
    "finished in 35 secs, took 0.51 GiB\n";

Reconciliation only(std::string_view text, const Scenario& base = {}, bool known = false) {
    const EngineLog log = read_engine_log(text);
    EXPECT_EQ(log.runs.size(), 1u);
    return log.runs.empty() ? Reconciliation{}
                            : reconcile(log.runs[0], base, builtin_catalog(), known);
}

const ReconcileRow* row(const Reconciliation& r, LogStep step) {
    for (const ReconcileRow& x : r.rows) {
        if (x.step == step) return &x;
    }
    return nullptr;
}

bool filled(const Reconciliation& r, std::string_view key) {
    return std::find(r.filled.begin(), r.filled.end(), key) != r.filled.end();
}

TEST(Reconcile, TheLogFillsTheScenario) {
    const Reconciliation r = only(kLlama3);
    EXPECT_TRUE(r.model_known);
    EXPECT_EQ(r.scenario.model, "llama-3-8b");
    EXPECT_EQ(r.scenario.engine, EngineId::vllm);
    EXPECT_EQ(r.scenario.engine_version, (Version{0, 6, 5, false, 3}));
    EXPECT_EQ(r.scenario.tp, 1u);
    EXPECT_EQ(r.scenario.ctx, 8192u);
    EXPECT_EQ(r.scenario.util, 0.9);
    // The log names no card: the scenario's own, whose 79.25 GiB are near enough, stays.
    EXPECT_EQ(r.scenario.gpu, "a100-80gb-sxm");
    for (const char* key : {"model", "engine", "gpu", "tp", "ctx", "util"}) {
        EXPECT_TRUE(filled(r, key)) << key;
    }
    EXPECT_FALSE(r.scenario.overhead);
    EXPECT_FALSE(r.scenario.kv_budget);
}

TEST(Reconcile, AGpuOfOtherMemoryIsReplacedByOneThatHasIt) {
    Scenario base;
    base.gpu = "l4-24gb";
    const Reconciliation r = only(kLlama3, base);
    const GpuEntry* g = builtin_catalog().gpu(r.scenario.gpu);
    ASSERT_NE(g, nullptr);
    EXPECT_NEAR(static_cast<double>(g->spec.visible_bytes) / kGib, 79.22, 0.8);
    EXPECT_TRUE(std::any_of(r.issues.begin(), r.issues.end(),
                            [](const Issue& i) { return i.key == "gpu"; }));
}

TEST(Reconcile, StepsFromTheTotalToTheKvCache) {
    const Reconciliation r = only(kLlama3);
    const auto observed = [&](LogStep s) {
        const ReconcileRow* x = row(r, s);
        return x && x->observed ? *x->observed / kGib : NAN;
    };
    EXPECT_NEAR(observed(LogStep::total), 79.22, 1e-6);
    EXPECT_NEAR(observed(LogStep::usable), 71.298, 1e-6);
    EXPECT_NEAR(observed(LogStep::weights), 14.96, 1e-6);
    EXPECT_NEAR(observed(LogStep::activation), 16.22 - 14.96, 1e-6);
    EXPECT_NEAR(observed(LogStep::other), 1.79, 1e-6);
    EXPECT_NEAR(observed(LogStep::kv), 53.29, 1e-6);
    EXPECT_NEAR(observed(LogStep::beside), 71.298 - 14.96 - 53.29, 1e-6);
    // 8,030,261,248 parameters of 2 bytes: 14.957 GiB, printed 14.96.
    const ReconcileRow* w = row(r, LogStep::weights);
    ASSERT_TRUE(w->predicted);
    EXPECT_NEAR(w->predicted->value / kGib, 8030261248.0 * 2 / kGib, 0.01);
    EXPECT_TRUE(w->inside);
    // Every figure that has both sides is judged, by its range and the print's rounding.
    std::size_t both = 0, inside = 0;
    for (const ReconcileRow& x : r.rows) {
        if (!x.observed || !x.predicted) continue;
        ++both;
        inside += x.inside;
        EXPECT_EQ(x.inside, x.cause != Cause::unexplained) << name(x.step);
    }
    EXPECT_EQ(both, r.compared);
    EXPECT_EQ(inside, r.inside);
}

TEST(Reconcile, TheFittedOverheadGivesTheLoggedKvMemory) {
    const Reconciliation r = only(kLlama3);
    ASSERT_TRUE(r.overhead);
    EXPECT_NEAR(static_cast<double>(*r.overhead) / kGib, 3.048, 0.001);
    ASSERT_TRUE(r.kv_budget);
    EXPECT_NEAR(static_cast<double>(*r.kv_budget) / kGib, 53.29, 0.001);
    Scenario kept = r.scenario;
    kept.overhead = r.overhead;
    // Kept in the scenario, it travels in the link, and the range is gone.
    const Link back = parse_link(format_link(kept), builtin_catalog());
    EXPECT_EQ(back.scenario, kept);
    const Estimate e = estimate(back.scenario, builtin_catalog());
    ASSERT_TRUE(e.budget);
    EXPECT_FALSE(e.budget->kv.low && *e.budget->kv.low != *e.budget->kv.high);
    // The catalog's card has 79.19 or 79.25 GiB where this one has 79.22.
    EXPECT_NEAR(e.budget->kv.value / kGib, 53.29, 0.06);
}

TEST(Reconcile, TokensOfTheLoggedBudget) {
    const Reconciliation r = only(kR1);
    ASSERT_TRUE(r.model_known);
    EXPECT_EQ(r.scenario.tp, 8u);
    // 61 layers x (512 + 64) x 2 B = 70,272 B a token; 41.60 GiB of them, in blocks of 64.
    const ReconcileRow* tokens = row(r, LogStep::tokens_of_budget);
    ASSERT_NE(tokens, nullptr);
    ASSERT_TRUE(tokens->predicted);
    EXPECT_EQ(*tokens->observed, 635648);
    EXPECT_NEAR(tokens->predicted->value, 41.60 * kGib / 70272, 64);
    EXPECT_TRUE(tokens->inside);
    const ReconcileRow* x = row(r, LogStep::concurrency_of_budget);
    ASSERT_NE(x, nullptr);
    EXPECT_DOUBLE_EQ(*x->observed, 77.59);
    EXPECT_NEAR(x->predicted->value, 635648.0 / 8192, 0.02);
    EXPECT_TRUE(x->inside);
    // 0.11 captures its graphs after the budget.
    const ReconcileRow* graphs = row(r, LogStep::graphs);
    ASSERT_NE(graphs, nullptr);
    EXPECT_EQ(graphs->cause, Cause::graphs_later);
    // Neither total nor fraction is printed: no overhead can be had from this log.
    EXPECT_FALSE(r.overhead);
    EXPECT_NEAR(static_cast<double>(*r.kv_budget) / kGib, 41.60, 0.001);
}

TEST(Reconcile, ThePoolTakesTheSmallestRank) {
    // The R1 log with a second rank that has 0.3 GiB less; the pool is the smaller one's.
    std::string log(kR1);
    log.insert(log.find("(EngineCore_DP0 pid=265) INFO 12-03 17:37:46"),
               "(Worker_TP1 pid=403) INFO 12-03 17:37:45 [gpu_worker.py:359] Available KV cache "
               "memory: 41.90 GiB\n");
    const Reconciliation r = only(log);
    const ReconcileRow* kv = row(r, LogStep::kv);
    ASSERT_NE(kv, nullptr);
    EXPECT_NEAR(*kv->observed / kGib, 41.60, 1e-6);
    EXPECT_TRUE(kv->cause == Cause::smallest_rank || kv->cause == Cause::other_gpu);
    EXPECT_TRUE(row(r, LogStep::tokens_of_budget)->inside);
}

// TensorRT-LLM's fraction is of the memory free after loading: 0.9 of 79.11 GiB is no budget of its
// own, and nothing is fitted from it.
TEST(Reconcile, AFractionOfTheFreeMemoryIsNoShare) {
    const Reconciliation r = only(
        "[TRT-LLM] [I] TensorRT-LLM version: 1.0.0\n"
        "[TRT-LLM] [I] Memory used after loading model weights (inside torch) in memory usage "
        "profiling: 15.12 GiB\n"
        "[TRT-LLM] [I] Peak memory during memory usage profiling (torch + non-torch): 18.45 GiB, "
        "available KV cache memory when calculating max tokens: 54.36 GiB, fraction is set 0.9, "
        "kv size is 131072. device total memory 79.11 GiB\n"
        "[TensorRT-LLM][INFO] [MemUsageChange] Allocated 54.36 GiB for max tokens in paged KV "
        "cache (445312).\n");
    EXPECT_FALSE(r.overhead);
    ASSERT_TRUE(r.kv_budget);
    EXPECT_NEAR(static_cast<double>(*r.kv_budget) / kGib, 54.36, 0.01);
}

TEST(Reconcile, AModelThatIsNotKnownIsNotCompared) {
    std::string log(kLlama3);
    log.replace(log.find("meta-llama/Meta-Llama-3-8B"), 26, "someone/finetune-of-a-llama");
    const Reconciliation r = only(log);
    EXPECT_FALSE(r.model_known);
    EXPECT_FALSE(row(r, LogStep::weights)->predicted);
    EXPECT_FALSE(row(r, LogStep::kv)->predicted);
    EXPECT_TRUE(std::any_of(r.issues.begin(), r.issues.end(),
                            [](const Issue& i) { return i.key == "model"; }));
    // Named by the user, it is.
    const Reconciliation named = only(log, {}, true);
    EXPECT_TRUE(named.model_known);
    EXPECT_TRUE(row(named, LogStep::weights)->predicted);
}

// llama.cpp b6699, gpt-oss-20b at 131,072: 12 full layers of 131,072 cells and 12 windows of 768,
// 2 KiB a cell and layer: 3072 and 18 MiB.
TEST(Reconcile, LlamaCppsCacheIsPredictedByItsLength) {
    const Reconciliation r = only(
        "build: 6699 (c08002a1) with cc\n"
        "llama_model_load_from_file_impl: using device CUDA0 (NVIDIA GeForce RTX 3070) "
        "(0000:01:00.0) - 7672 MiB free\n"
        "llama_model_loader: loaded meta data with 35 key-value pairs and 459 tensors from "
        "/m/gpt-oss-20b-mxfp4.gguf (version GGUF V3 (latest))\n"
        "llama_context: n_seq_max     = 1\n"
        "llama_context: n_ctx         = 131072\n"
        "llama_context: n_ubatch      = 512\n"
        "llama_context: kv_unified    = false\n"
        "llama_kv_cache: size = 3072.00 MiB (131072 cells,  12 layers,  1/1 seqs), K (f16): "
        "1536.00 "
        "MiB, V (f16): 1536.00 MiB\n"
        "llama_kv_cache: size =   18.00 MiB (   768 cells,  12 layers,  1/1 seqs), K (f16):    "
        "9.00 "
        "MiB, V (f16):    9.00 MiB\n");
    EXPECT_TRUE(filled(r, "gpu"));
    EXPECT_EQ(r.scenario.gpu, "rtx-3070-8gb");
    ASSERT_TRUE(row(r, LogStep::kv)->predicted);
    EXPECT_EQ(row(r, LogStep::kv)->predicted->value, 3090.0 * 1048576);
    EXPECT_TRUE(row(r, LogStep::kv)->inside);
}

// Qwen2.5-7B at a fraction of 0.9 on an RTX 3090: 5.82 GiB (vLLM 0.8). The log does not say on
// what.
TEST(Reconcile, AGpuThatIsNotNamedIsTheCause) {
    const std::string log =
        "INFO 04-24 06:27:46 [config.py:1] Initializing a V1 LLM engine (v0.8.5) with config: "
        "model='Qwen/Qwen2.5-7B-Instruct', tensor_parallel_size=1, max_seq_len=4096\n"
        "INFO 04-24 06:27:51 Model loading took 14.25 GiB\n"
        "INFO 04-24 06:27:59 Available KV cache memory: 5.82 GiB\n"
        "INFO 04-24 06:27:59 GPU KV cache size: 108,960 tokens\n";
    Scenario base;
    base.gpu = "a100-80gb-sxm";
    const Reconciliation r = only(log, base);
    EXPECT_EQ(row(r, LogStep::kv)->cause, Cause::other_gpu);
    EXPECT_EQ(row(r, LogStep::tokens)->cause, Cause::other_gpu);
    EXPECT_TRUE(row(r, LogStep::tokens_of_budget)->inside);
}

TEST(Reconcile, WhatTheLogDoesNotSayStays) {
    Scenario base;
    base.batch = 7;
    base.tpot_max = 0.05;
    base.overhead = 1;  // of another run
    const Reconciliation r = only(kLlama3, base);
    EXPECT_EQ(r.scenario.batch, 7u);
    EXPECT_EQ(r.scenario.tpot_max, 0.05);
    EXPECT_FALSE(r.scenario.overhead);
}

TEST(Reconcile, TruncatedAnywhereItStaysWhole) {
    for (std::string_view log : {kLlama3, kR1}) {
        for (std::size_t n = 0; n < log.size(); n += 7) {
            const EngineLog read = read_engine_log(log.substr(0, n));
            for (const Observation& o : read.runs) {
                const Reconciliation r = reconcile(o, {}, builtin_catalog());
                EXPECT_LE(r.inside, r.compared);
                for (const ReconcileRow& x : r.rows) {
                    EXPECT_TRUE(!x.observed || std::isfinite(*x.observed));
                }
            }
        }
    }
}

TEST(Reconcile, JsonAndTextSayTheSame) {
    const EngineLog log = read_engine_log(kLlama3);
    const std::string json = reconcile_json(log, {}, builtin_catalog(), false, "1.0");
    rapidjson::Document d;
    ASSERT_FALSE(d.Parse(json.c_str()).HasParseError()) << json;
    EXPECT_STREQ(d["schema"].GetString(), "kvgauge.reconcile/1");
    ASSERT_EQ(d["runs"].Size(), 1u);
    const auto& run = d["runs"][0];
    EXPECT_STREQ(run["engine"].GetString(), "vllm");
    EXPECT_NEAR(run["overhead"].GetDouble() / kGib, 3.048, 0.001);
    bool weights = false;
    for (const auto& r : run["rows"].GetArray()) {
        if (std::string_view(r["id"].GetString()) != "log.weights") continue;
        weights = true;
        EXPECT_NEAR(r["observed"].GetDouble() / kGib, 14.96, 1e-6);
        EXPECT_TRUE(r["inside"].GetBool());
    }
    EXPECT_TRUE(weights);
    const std::string text = reconcile_text(log, {}, builtin_catalog(), false);
    EXPECT_NE(text.find("14.96 GiB"), text.npos) << text;
    EXPECT_NE(text.find("--overhead"), text.npos) << text;
    // Noise is no log.
    const EngineLog noise = read_engine_log("nothing here\n");
    EXPECT_TRUE(noise.runs.empty());
    const std::string none = reconcile_json(noise, {}, builtin_catalog(), false, "1.0");
    ASSERT_FALSE(d.Parse(none.c_str()).HasParseError());
    EXPECT_EQ(d["runs"].Size(), 0u);
    EXPECT_EQ(d["issues"].Size(), 1u);
}

TEST(Reconcile, EveryStepAndCauseHasItsWords) {
    for (const Lang lang : {Lang::en, Lang::ko}) {
        for (int i = 0; i <= static_cast<int>(LogStep::window_tokens); ++i) {
            const LogStep s = static_cast<LogStep>(i);
            EXPECT_NE(label(s, lang), name(s)) << i;
        }
        EXPECT_EQ(sentence(Cause::none, lang), "");
        for (int i = 1; i <= static_cast<int>(Cause::unexplained); ++i) {
            const std::string words = sentence(static_cast<Cause>(i), lang);
            EXPECT_TRUE(words.ends_with(".")) << words;
        }
    }
}

}  // namespace
}  // namespace kvgauge
