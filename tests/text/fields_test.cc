// SPDX-License-Identifier: MIT
#include "text/fields.h"

#include <gtest/gtest.h>

#include <set>

#include "text/numbers.h"

namespace kvgauge {
namespace {

const Catalog& catalog() {
    return builtin_catalog();
}

std::optional<Issue> set(Scenario& s, std::string_view key, std::string_view text) {
    return set_field(s, key, text, catalog());
}

// Keys that the contract names; a key that disappears breaks scripts.
TEST(Fields, EveryKeyIsThere) {
    for (const char* key : {"model",
                            "kv-heads",
                            "layers",
                            "q-heads",
                            "head-dim",
                            "hidden",
                            "inter",
                            "vocab",
                            "params",
                            "experts",
                            "experts-active",
                            "window",
                            "window-layers",
                            "mla-rank",
                            "mla-rope",
                            "gpu",
                            "gpus",
                            "gpu-mem",
                            "gpu-bw",
                            "gpu-flops",
                            "gpu-flops8",
                            "gpu-flops4",
                            "gpu-link",
                            "engine",
                            "tp",
                            "pp",
                            "dp",
                            "dcp",
                            "ep",
                            "weights",
                            "kv",
                            "kv-k",
                            "kv-v",
                            "ctx",
                            "batch",
                            "in",
                            "out",
                            "util",
                            "overhead",
                            "kv-budget",
                            "block",
                            "max-batched",
                            "max-seqs",
                            "spec",
                            "prefix-caching",
                            "hybrid",
                            "eager",
                            "state-dtype",
                            "slots",
                            "ubatch",
                            "unified",
                            "swa-full",
                            "split",
                            "ngl",
                            "dp-attention",
                            "cross-tokens",
                            "tpot-max",
                            "ttft-max"}) {
        const Field* f = find_field(key);
        ASSERT_TRUE(f) << key;
        EXPECT_EQ(f->key, key);
        EXPECT_FALSE(f->help.empty()) << key;
        EXPECT_FALSE(f->accepts.empty()) << key;
    }
}

TEST(Fields, KeysAndAliasesAreUnique) {
    std::set<std::string> seen;
    for (const Field& f : fields()) {
        EXPECT_TRUE(seen.insert(std::string(f.key)).second) << f.key;
        for (std::string_view a : f.aliases) EXPECT_TRUE(seen.insert(std::string(a)).second) << a;
    }
}

TEST(Fields, SpellingsOfAKeyAreOne) {
    EXPECT_EQ(find_field("max_model_len"), find_field("ctx"));
    EXPECT_EQ(find_field("--KV-Heads"), find_field("kv-heads"));
    EXPECT_EQ(find_field("nonsense"), nullptr);
}

// What a message says is accepted names the bounds that the check uses.
TEST(Fields, WordsAgreeWithRanges) {
    for (const Field& f : fields()) {
        if (f.kind != FieldKind::count && f.kind != FieldKind::tokens &&
            f.kind != FieldKind::bytes) {
            continue;
        }
        const std::string low = grouped(static_cast<std::uint64_t>(f.min)),
                          high = grouped(static_cast<std::uint64_t>(f.max));
        EXPECT_NE(f.accepts.find(low), std::string_view::npos) << f.key;
        EXPECT_NE(f.accepts.find(high), std::string_view::npos) << f.key;
        // The bounds are taken, one step beyond is not.
        Scenario s;
        EXPECT_FALSE(f.set(s, plain(f.min), catalog())) << f.key;
        EXPECT_FALSE(f.set(s, plain(f.max), catalog())) << f.key;
        EXPECT_TRUE(f.set(s, plain(f.max * 2), catalog())) << f.key;
        EXPECT_EQ(f.set(s, "0", catalog()).has_value(), f.min > 0) << f.key;
    }
}

TEST(Fields, CanonicalTextReadsBackTheSame) {
    const std::pair<const char*, const char*> values[] = {
        {"model", "meta-llama/Llama-3.1-8B-Instruct"},
        {"gpu", "H200"},
        {"kv-heads", "4"},
        {"engine", "vLLM@0.11.2"},
        {"weights", "gptq_marlin"},
        {"kv", "fp8_e4m3"},
        {"kv-k", "q8_0"},
        {"state-dtype", "float32"},
        {"ctx", "128K"},
        {"util", "90%"},
        {"overhead", "2.3GiB"},
        {"kv-budget", "60GiB"},
        {"gpu-bw", "3.35TB/s"},
        {"spec", "eagle:3"},
        {"ep", "true"},
        {"prefix-caching", "no"},
        {"split", "row"},
        {"tpot-max", "12.5"},
        {"gpus", "8"},
        {"tp", "4"},
        {"block", "16"},
        {"cross-tokens", "1601"}};
    for (const auto& [key, text] : values) {
        Scenario s;
        ASSERT_FALSE(set(s, key, text)) << key << ' ' << text;
        const Field* f = find_field(key);
        const std::string canonical = f->get(s);
        ASSERT_FALSE(canonical.empty()) << key;
        Scenario again;
        ASSERT_FALSE(set(again, key, canonical)) << canonical;
        EXPECT_EQ(s, again) << key;
        EXPECT_EQ(f->get(again), canonical);
        f->clear(again);
        EXPECT_EQ(again, Scenario{}) << key;
    }
}

TEST(Fields, Words) {
    Scenario s;
    EXPECT_FALSE(set(s, "engine", "llama.cpp@b11118"));
    EXPECT_EQ(s.engine, EngineId::llamacpp);
    EXPECT_EQ(find_field("engine")->get(s), "llamacpp@b11118");
    EXPECT_FALSE(set(s, "spec", "mtp:2"));
    EXPECT_EQ(s.spec, (Speculation{SpecKind::mtp, 2}));
    EXPECT_FALSE(set(s, "spec", "0"));
    EXPECT_EQ(s.spec, Speculation{});
    EXPECT_FALSE(set(s, "spec", "3"));
    EXPECT_EQ(s.spec, (Speculation{SpecKind::native, 3}));
    EXPECT_FALSE(set(s, "model", "custom"));
    EXPECT_EQ(s.model, "custom");
}

TEST(Fields, RefusalsNameKeyValueAndRange) {
    Scenario s;
    const auto issue = set(s, "ctx", "1e30");
    ASSERT_TRUE(issue);
    EXPECT_EQ(issue->key, "ctx");
    for (const char* part : {"ctx", "1e30", "1,073,741,824"}) {
        EXPECT_NE(issue->text.find(part), std::string::npos) << issue->text;
    }
    EXPECT_EQ(s, Scenario{});
    const auto model = set(s, "model", "lama-3-8b");
    ASSERT_TRUE(model);
    EXPECT_NE(model->text.find("llama-3-8b"), std::string::npos) << model->text;
    const auto unknown = set(s, "contxt", "1");
    ASSERT_TRUE(unknown);
    EXPECT_NE(unknown->text.find("contxt"), std::string::npos);
    EXPECT_TRUE(set(s, "engine", "vllm@new"));
    EXPECT_TRUE(set(s, "engine", "ollamma"));
    EXPECT_TRUE(set(s, "state-dtype", "int8"));
    EXPECT_TRUE(set(s, "spec", "mtp:-1"));
    EXPECT_TRUE(set(s, "spec", "guess:2"));
}

// Written out or not, the number of GPUs that the sizes need is the default.
TEST(Fields, GpusFollowTheSizes) {
    Scenario s;
    ASSERT_FALSE(set(s, "tp", "4"));
    ASSERT_FALSE(set(s, "gpus", "4"));
    EXPECT_EQ(find_field("gpus")->get(s), "");
    EXPECT_EQ(find_field("gpus")->effective(s), "4");
    s.gpus = 8;
    EXPECT_EQ(find_field("gpus")->get(s), "8");
}

}  // namespace
}  // namespace kvgauge
