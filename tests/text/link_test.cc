// SPDX-License-Identifier: MIT
#include "text/link.h"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <string>

#include "estimate.h"

namespace kvgauge {
namespace {

const Catalog& catalog() {
    return builtin_catalog();
}

std::string canonical(std::string_view text) {
    const Link l = parse_link(text, catalog());
    return format_link(l.scenario, l.view, l.unknown);
}

TEST(Link, OnlyWhatDiffersFromTheDefaults) {
    EXPECT_EQ(format_link({}), "v=1");
    EXPECT_EQ(
        canonical("#v=1&model=llama-3-8b&gpu=a100-80gb-sxm&engine=vllm@0.20&tp=2&kv=fp8&ctx=8k"),
        "v=1&engine=vllm@0.20&tp=2&kv=fp8");
    EXPECT_EQ(canonical("v=1&ctx=8192&batch=1&in=1k&util=90%25"), "v=1&util=0.9");
}

TEST(Link, OrderAndSpellingDoNotMatter) {
    const std::string a =
        canonical("v=1&ctx=128k&tp=2&model=meta-llama/Llama-3.1-8B-Instruct&ep=1");
    EXPECT_EQ(a, canonical("ep=on&model=llama-3.1-8b&max_model_len=131072&tensor-parallel-size=2"));
    EXPECT_EQ(a, "v=1&model=llama-3.1-8b&tp=2&ep=on&ctx=128k");
    EXPECT_EQ(canonical("https://kv.example/app/?x=1#v=1&tp=4"), "v=1&tp=4");
}

TEST(Link, ABadValueFallsBackAlone) {
    const Link l = parse_link("v=1&ctx=1e30&tp=2&gpu=quantum-1", catalog());
    EXPECT_EQ(l.scenario.ctx, Scenario{}.ctx);
    EXPECT_EQ(l.scenario.gpu, Scenario{}.gpu);
    EXPECT_EQ(l.scenario.tp, 2u);
    ASSERT_EQ(l.notices.size(), 2u);
    for (const Issue& i : l.notices) EXPECT_EQ(i.severity, Severity::notice);
    EXPECT_EQ(l.notices[0].key, "ctx");
}

TEST(Link, UnknownKeysAreKept) {
    const std::string text = "v=1&tp=2&colour=blue&frob=1%262";
    const Link l = parse_link(text, catalog());
    EXPECT_EQ(l.notices.size(), 2u);
    EXPECT_EQ(format_link(l.scenario, l.view, l.unknown), text);
}

TEST(Link, NewerVersionsAreReadAsFarAsKnown) {
    const Link l = parse_link("v=7&tp=4", catalog());
    EXPECT_EQ(l.scenario.tp, 4u);
    ASSERT_EQ(l.notices.size(), 1u);
    EXPECT_EQ(l.notices[0].key, "v");
}

TEST(Link, PresentationIsApart) {
    const Link l = parse_link("v=1&lang=ko&theme=dark&view=memory&tp=2", catalog());
    EXPECT_EQ(l.view, (Presentation{"ko", "dark", "memory"}));
    EXPECT_EQ(format_link(l.scenario, l.view), "v=1&tp=2&lang=ko&theme=dark&view=memory");
    EXPECT_EQ(parse_link("v=1&lang=xx", catalog()).notices.size(), 1u);
}

TEST(Link, AtMost4096CharactersAreRead) {
    std::string text = "v=1&tp=2";
    while (text.size() < 4090) text += "&x=1";
    text += "&tp=4";
    const Link l = parse_link(text, catalog());
    EXPECT_EQ(l.scenario.tp, 2u);
    EXPECT_NE(l.notices.front().text.find("4,096"), std::string::npos);
}

// One line a published link, tab, the canonical form it must keep. The file only grows.
TEST(Link, PublishedLinksKeepWorking) {
    std::ifstream file("tests/data/links_v1.txt");
    ASSERT_TRUE(file);
    std::string line;
    int n = 0;
    while (std::getline(file, line)) {
        if (line.empty() || line[0] == '#') continue;
        const std::size_t tab = line.find('\t');
        ASSERT_NE(tab, std::string::npos) << line;
        const std::string link = line.substr(0, tab), wanted = line.substr(tab + 1);
        EXPECT_EQ(canonical(link), wanted) << link;
        EXPECT_EQ(canonical(wanted), wanted);
        ++n;
    }
    EXPECT_GE(n, 20);
}

// A pinned link gives the same numbers without the presets.
TEST(Link, PinnedWritesTheNumbersOut) {
    for (const char* text : {"v=1", "v=1&model=llama-3-70b&gpu=h100-80gb-sxm&tp=4&kv=fp8&ctx=16k",
                             "v=1&model=qwen2.5-7b&gpu=l40s-48gb&engine=sglang"}) {
        const Scenario s = parse_link(text, catalog()).scenario;
        const std::string pinned = pinned_link(s, catalog());
        EXPECT_NE(pinned.find("gpu-mem="), std::string::npos) << pinned;
        EXPECT_NE(pinned.find("model=custom"), std::string::npos) << pinned;
        EXPECT_NE(pinned.find("@"), std::string::npos) << pinned;
        EXPECT_NE(pinned.find("rev="), std::string::npos);
        EXPECT_LE(pinned.size(), kLinkMost);
        const Link l = parse_link(pinned, catalog());
        EXPECT_TRUE(l.notices.empty()) << l.notices.front().text;
        const Estimate a = estimate(s), b = estimate(l.scenario);
        EXPECT_EQ(a.kv, b.kv);
        EXPECT_EQ(a.checkpoint, b.checkpoint);
        EXPECT_EQ(a.batch->max.value, b.batch->max.value);
    }
}

// A link of another catalog says what of it may have changed, and a pinned one that nothing has.
TEST(Link, AnotherCatalogIsNoticed) {
    const auto notices = [](const std::string& text) {
        std::string all;
        for (const Issue& i : parse_link(text, catalog()).notices)
            all += i.key + ": " + i.text + '|';
        return all;
    };
    const std::string rev(catalog().revision());
    EXPECT_EQ(notices("v=1&model=qwen3-8b&rev=" + rev), "");
    EXPECT_EQ(notices("v=1&rev=2020-01-01&model=qwen3-8b"),
              "rev: This link was made with catalog \"2020-01-01\"; this one is \"" + rev +
                  "\". What it takes from the catalog (qwen3-8b and a100-80gb-sxm) may have "
                  "changed.|");
    std::string pinned = pinned_link(parse_link("v=1&tp=2", catalog()).scenario, catalog());
    const std::size_t at = pinned.find("rev=" + rev);
    ASSERT_NE(at, std::string::npos) << pinned;
    pinned.replace(at, rev.size() + 4, "rev=2020-01-01");
    EXPECT_NE(notices(pinned).find("written out and are those of then"), std::string::npos);
    // Not a way to bring text into the page.
    EXPECT_LT(notices("v=1&rev=" + std::string(3000, 'x')).size(), 700u);
}

// Any scenario of random values keeps its meaning through a link, and its link its bytes.
TEST(LinkProperty, RoundTrip) {
    std::mt19937 random(7);
    const auto pick = [&random](std::uint64_t n) { return random() % n; };
    for (int round = 0; round < 2000; ++round) {
        Scenario s;
        for (const Field& f : fields()) {
            if (pick(3) != 0) continue;
            std::string text;
            switch (f.kind) {
                case FieldKind::count:
                case FieldKind::tokens:
                case FieldKind::bytes:
                    text = std::to_string(static_cast<std::uint64_t>(f.min) + pick(5000) % 4000);
                    break;
                case FieldKind::rate:
                    text = std::to_string(1 + pick(1'000'000'000));
                    break;
                case FieldKind::fraction:
                    text = std::to_string(0.05 + 0.9 * static_cast<double>(pick(997)) / 997);
                    break;
                case FieldKind::milliseconds:
                    text = std::to_string(1 + static_cast<double>(pick(5000)) / 8);
                    break;
                case FieldKind::toggle:
                    text = pick(2) ? "on" : "off";
                    break;
                case FieldKind::choice:
                    text = f.choices[static_cast<std::size_t>(pick(f.choices.size()))];
                    break;
                case FieldKind::text:
                    text = f.key == "model" ? "qwen3-8b" : f.key == "gpu" ? "l4-24gb" : "eagle:2";
                    break;
            }
            f.set(s, text, catalog());  // out of range: stays at its default
        }
        const std::string link = format_link(s);
        const Link back = parse_link(link, catalog());
        EXPECT_TRUE(back.notices.empty()) << link;
        EXPECT_EQ(format_link(back.scenario), link);
        // The number of GPUs needed is the same scenario as none written.
        Scenario a = s;
        if (a.gpus == a.tp * a.pp * a.dp) a.gpus.reset();
        EXPECT_EQ(a, back.scenario) << link;
    }
}

// Bytes of every kind: never a crash, always a scenario that can be linked again.
TEST(LinkProperty, GarbageIsRead) {
    std::mt19937 random(11);
    const std::string alphabet = "v=1&model=ctxtp%0FgGqk:.,-_@#\xff\xed\xa0\x01 8kiB";
    for (int round = 0; round < 3000; ++round) {
        std::string text;
        for (std::size_t n = random() % 120; n > 0; --n)
            text += alphabet[random() % alphabet.size()];
        const std::string once = canonical(text);
        EXPECT_EQ(canonical(once), once) << text;
    }
}

}  // namespace
}  // namespace kvgauge
