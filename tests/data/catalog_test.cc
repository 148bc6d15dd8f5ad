// SPDX-License-Identifier: MIT
#include "data/catalog.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "model/weights.h"

namespace kvgauge {
namespace {

const ModelSpec& model(const char* name) {
    const ModelEntry* e = builtin_catalog().model(name);
    if (e == nullptr) ADD_FAILURE() << name;
    static const ModelSpec none;
    return e != nullptr ? *e->spec : none;
}

TEST(Catalog, HasTheIdsThatLinksDependOn) {
    for (const char* id :
         {"llama-2-7b",    "llama-2-70b",     "llama-3-8b",    "llama-3-70b",     "llama-3.1-8b",
          "llama-3.1-70b", "llama-3.1-405b",  "llama-3.3-70b", "mistral-7b-v0.1", "mistral-7b-v0.3",
          "mixtral-8x7b",  "qwen2.5-7b",      "qwen2.5-72b",   "qwen3-8b",        "qwen3-32b",
          "qwen3-30b-a3b", "qwen3-235b-a22b", "gemma-3-27b",   "gpt-oss-20b",     "gpt-oss-120b",
          "phi-3-medium"}) {
        const ModelEntry* e = builtin_catalog().model(id);
        ASSERT_NE(e, nullptr) << id;
        EXPECT_EQ(e->spec->id, id);
    }
    for (const char* id :
         {"a100-40gb-sxm", "a100-80gb-sxm", "a100-80gb-pcie", "h100-80gb-sxm", "h100-80gb-pcie",
          "h200-141gb-sxm", "b200-180gb-sxm", "l4-24gb", "l40s-48gb", "a10-24gb", "t4-16gb",
          "rtx-3090-24gb", "rtx-4090-24gb", "rtx-5090-32gb", "mi300x-192gb"}) {
        const GpuEntry* e = builtin_catalog().gpu(id);
        ASSERT_NE(e, nullptr) << id;
        EXPECT_EQ(e->spec.id, id);
    }
}

TEST(Catalog, FindsNamesWithoutCaseAndByTheEndOfAHubId) {
    const Catalog& c = builtin_catalog();
    for (const char* name : {"LLAMA-3-8B", "Llama 3 8B", "meta-llama/Meta-Llama-3-8B-Instruct",
                             "meta-llama-3-8b", "llama_3_8b"}) {
        ASSERT_NE(c.model(name), nullptr) << name;
        EXPECT_EQ(c.model(name)->spec->id, "llama-3-8b") << name;
    }
    for (const char* name : {"A100", "NVIDIA A100-SXM4-80GB", "a100 80gb sxm"}) {
        ASSERT_NE(c.gpu(name), nullptr) << name;
        EXPECT_EQ(c.gpu(name)->spec.id, "a100-80gb-sxm") << name;
    }
    EXPECT_EQ(c.model("no-such-model"), nullptr);
    EXPECT_EQ(c.model(""), nullptr);
    EXPECT_EQ(c.gpu("no-such-gpu"), nullptr);
}

TEST(Catalog, NamesTheNearestIds) {
    const Catalog& c = builtin_catalog();
    EXPECT_EQ(c.nearest_models("lama-3-8b", 1), std::vector<std::string>{"llama-3-8b"});
    EXPECT_EQ(c.nearest_gpus("a100-80gb-smx", 1), std::vector<std::string>{"a100-80gb-sxm"});
    const auto some = c.nearest_models("llama-3", 3);
    ASSERT_EQ(some.size(), 3u);
    for (const std::string& id : some) EXPECT_EQ(id.substr(0, 7), "llama-3");
    EXPECT_TRUE(c.nearest_models("x", 0).empty());
}

// Meta-Llama-3-8B config.json: 32 layers, 32 query and 8 KV heads of 128, hidden 4096.
TEST(Catalog, LlamaRowIsItsConfig) {
    const ModelSpec& m = model("llama-3-8b");
    EXPECT_EQ(m.hidden, 4096u);
    EXPECT_EQ(m.vocab, 128256u);
    EXPECT_EQ(m.max_ctx, 8192u);
    EXPECT_FALSE(m.tied_embeddings);
    EXPECT_EQ(m.weights.kind, WeightKind::bf16);
    EXPECT_EQ(m.kv, DType::bf16);
    ASSERT_EQ(m.layers.size(), 1u);
    EXPECT_EQ(m.layers[0].count, 32u);
    const LayerSpec& l = m.layers[0].layer;
    EXPECT_EQ(l.attn.kind, AttnKind::full);
    EXPECT_EQ(l.attn.q_heads, 32u);
    EXPECT_EQ(l.attn.kv_heads, 8u);
    EXPECT_EQ(l.attn.k_dim, 128u);
    EXPECT_EQ(l.attn.v_dim, 128u);
    EXPECT_EQ(l.ffn.inter, 14336u);
    EXPECT_TRUE(l.ffn.gated);
    EXPECT_EQ(l.norm_params, 8192u);
}

// Parameter totals as the Hub pages give them. Gemma 3: 27,432,406,640 less its SigLIP tower of
// 416,866,032 and the projector of 6,194,304.
TEST(Catalog, ParameterTotals) {
    const std::pair<const char*, std::uint64_t> totals[] = {
        {"llama-2-7b", 6738415616},       {"llama-2-70b", 68976648192},
        {"llama-3-8b", 8030261248},       {"llama-3-70b", 70553706496},
        {"llama-3.1-405b", 405853388800}, {"llama-3.2-1b", 1235814400},
        {"mistral-7b-v0.1", 7241732096},  {"mistral-7b-v0.3", 7248023552},
        {"qwen2.5-0.5b", 494032768},      {"qwen2.5-7b", 7615616512},
        {"qwen2.5-72b", 72706203648},     {"qwen3-8b", 8190735360},
        {"qwen3-32b", 32762123264},       {"mixtral-8x7b", 46702792704},
        {"qwen3-30b-a3b", 30532122624},   {"qwen3-235b-a22b", 235093634560},
        {"gpt-oss-20b", 20914757184},     {"gpt-oss-120b", 116829156672},
        {"phi-3-medium", 13960238080},    {"gemma-3-27b", 27009346304}};
    for (const auto& [id, total] : totals) EXPECT_EQ(params(model(id)).total, total) << id;
}

// gemma-3-27b-it: 62 layers, every sixth keeps every token, so 52 slide and 10 are full.
TEST(Catalog, ProgramsRepeatGroups) {
    const ModelSpec& m = model("gemma-3-27b");
    unsigned sliding = 0, full = 0, at = 0;
    for (const LayerRun& r : m.layers) {
        for (unsigned i = 0; i < r.count; ++i, ++at) {
            const bool global = (at + 1) % 6 == 0;
            EXPECT_EQ(r.layer.attn.kind, global ? AttnKind::full : AttnKind::sliding) << at;
            EXPECT_EQ(r.layer.attn.window, global ? 0u : 1024u);
            ++(global ? full : sliding);
        }
    }
    EXPECT_EQ(sliding, 52u);
    EXPECT_EQ(full, 10u);
}

TEST(Catalog, EveryRowIsWhole) {
    const Catalog& c = builtin_catalog();
    EXPECT_GE(c.models().size(), 100u);
    EXPECT_GE(c.gpus().size(), 89u);  // every accelerator of the sources in gpus.tsv
    std::set<std::string> ids;
    for (const ModelEntry& e : c.models()) {
        EXPECT_TRUE(ids.insert(e.spec->id).second) << e.spec->id;
        EXPECT_EQ(c.model(e.spec->id), &e);
        EXPECT_FALSE(e.source.empty()) << e.spec->id;
        EXPECT_FALSE(e.date.empty()) << e.spec->id;
        EXPECT_FALSE(e.spec->layers.empty()) << e.spec->id;
        EXPECT_NE(e.spec->weights.kind, WeightKind::automatic) << e.spec->id;
        EXPECT_NE(e.spec->kv, DType::automatic) << e.spec->id;
        for (const std::string& a : e.aliases) EXPECT_EQ(c.model(a), &e) << a;
    }
    for (const GpuEntry& e : c.gpus()) {
        EXPECT_TRUE(ids.insert(e.spec.id).second) << e.spec.id;
        EXPECT_EQ(c.gpu(e.spec.id), &e);
        EXPECT_FALSE(e.spec.source.empty()) << e.spec.id;
        EXPECT_GT(e.spec.bandwidth, 5e10) << e.spec.id;
        EXPECT_GT(e.spec.flops16, 1e12) << e.spec.id;
        EXPECT_LE(e.spec.visible_bytes, e.spec.driver_bytes + mib) << e.spec.id;
        EXPECT_GT(e.spec.visible_bytes, e.spec.driver_bytes / 2) << e.spec.id;
        for (const std::string& a : e.aliases) EXPECT_EQ(c.gpu(a), &e) << a;
    }
    EXPECT_EQ(c.revision().size(), 10u);
}

// Totals that nvidia-smi prints, MiB: modal-labs/modal-client#2797, unslothai/unsloth#6895.
TEST(Catalog, DriverTotals) {
    const std::pair<const char*, std::uint64_t> totals[] = {
        {"t4-16gb", 15360},        {"l4-24gb", 23034},       {"a10-24gb", 23028},
        {"l40s-48gb", 46068},      {"a100-80gb-sxm", 81920}, {"h100-80gb-sxm", 81559},
        {"b200-180gb-sxm", 183359}};
    for (const auto& [id, total] : totals) {
        ASSERT_NE(builtin_catalog().gpu(id), nullptr) << id;
        EXPECT_EQ(builtin_catalog().gpu(id)->spec.driver_bytes, total * mib) << id;
    }
}

// A100 80GB: 79.15 to 79.25 GiB in vLLM start-up logs; NVIDIA data sheet: 2,039 GB/s, 312 TFLOP/s.
TEST(Catalog, A100) {
    const GpuSpec& g = builtin_catalog().gpu("a100-80gb-sxm")->spec;
    EXPECT_NEAR(static_cast<double>(g.visible_bytes) / static_cast<double>(gib), 79.25, 1e-6);
    EXPECT_FALSE(g.visible_assumed);
    EXPECT_DOUBLE_EQ(g.bandwidth, 2039e9);
    EXPECT_DOUBLE_EQ(g.flops16, 312e12);
    EXPECT_FALSE(g.fp8);
    EXPECT_EQ(g.compute_capability, 80u);
    EXPECT_DOUBLE_EQ(g.link, 300e9);
    EXPECT_EQ(g.l2_bytes, 40 * mib);
    EXPECT_EQ(g.tdp_w, 400u);
    EXPECT_EQ(g.sms, 108u);
    EXPECT_FALSE(g.assumed);
}

// Not read from a log: what CUDA shows is estimated and says so.
TEST(Catalog, VisibleMemoryIsMarkedAssumed) {
    EXPECT_TRUE(builtin_catalog().gpu("a40-48gb")->spec.visible_assumed);
    EXPECT_FALSE(builtin_catalog().gpu("h200-141gb-sxm")->spec.visible_assumed);
    // The rule applied to logged cards stays within 0.25 GiB of the log.
    for (const GpuEntry& e : builtin_catalog().gpus()) {
        const GpuSpec& g = e.spec;
        if (g.visible_assumed || g.vendor != "NVIDIA" || g.visible_bytes + mib > g.driver_bytes)
            continue;
        if (g.visible_bytes * 100 > g.driver_bytes * 9999 / 100) continue;
        const double rule = static_cast<double>(g.driver_bytes - 400 * mib - g.driver_bytes / 500);
        EXPECT_NEAR(rule / gib, static_cast<double>(g.visible_bytes) / gib, 0.25) << g.id;
    }
}

}  // namespace
}  // namespace kvgauge
