// SPDX-License-Identifier: MIT
#include "text/sweep.h"

#include <gtest/gtest.h>

#include "text/sweep_columns.h"
#include "text/sweep_front.h"
#include "text/sweep_job.h"

namespace kvgauge {
namespace {

using Values = std::vector<std::string>;

std::optional<Values> values(std::string_view key, std::string_view text) {
    Issues issues;
    const Axis axis = read_axis(*find_field(key), text, Scenario{}, builtin_catalog(), issues);
    EXPECT_EQ(axis.values.empty(), !issues.empty()) << key << "=" << text;
    return axis.values.empty() ? std::nullopt : std::optional(axis.values);
}

TEST(Axis, ListsAndRanges) {
    EXPECT_EQ(values("tp", "1,2,4"), (Values{"1", "2", "4"}));
    EXPECT_EQ(values("tp", "1..4"), (Values{"1", "2", "3", "4"}));
    EXPECT_EQ(values("tp", "1..8..x2"), (Values{"1", "2", "4", "8"}));
    EXPECT_EQ(values("ctx", "2k..16k"), (Values{"2k", "4k", "8192", "16k"}));
    EXPECT_EQ(values("ctx", "1000..3000..1000"), (Values{"1000", "2000", "3000"}));
    EXPECT_EQ(values("util", "0.7..0.9..0.1"), (Values{"0.7", "0.8", "0.9"}));
    EXPECT_EQ(values("kv", "bf16,fp8,bf16"), (Values{"bf16", "fp8"}));
    EXPECT_EQ(values("batch", "2,8..10"), (Values{"2", "8", "9", "10"}));
    // Llama 3 8B has 32 query heads.
    EXPECT_EQ(values("kv-heads", "all"), (Values{"1", "2", "4", "8", "16", "32"}));
    EXPECT_EQ(values("gpu", "all")->size(), builtin_catalog().gpus().size());
}

TEST(Axis, WhatIsNoRange) {
    for (const char* bad : {"8..1", "1..", "..4", "1..4..0", "1..4..x1", "1..4..-1", "a..b",
                            "1..2..3..4", "1..1000000000", "1,two"}) {
        EXPECT_FALSE(values("batch", bad)) << bad;
    }
    EXPECT_FALSE(values("util", "0.7..0.9"));  // no step
    EXPECT_FALSE(values("gpu", "a100-80gb-sxm,no-such-gpu"));
    EXPECT_TRUE(names_several("1,2"));
    EXPECT_FALSE(names_several("0.9"));
}

bool holds(std::string_view text, const Scenario& s = {}) {
    Issues issues;
    const auto all = read_conditions(text, issues);
    EXPECT_TRUE(issues.empty()) << text;
    const Estimate e = estimate(s);
    return std::all_of(all.begin(), all.end(),
                       [&](const Condition& c) { return kvgauge::holds(c, s, e, {}); });
}

TEST(Condition, RowsKeysAndWords) {
    EXPECT_TRUE(holds(""));
    EXPECT_TRUE(holds("fits"));
    EXPECT_TRUE(holds("tp.verdict=ok"));
    EXPECT_FALSE(holds("tp.verdict!=ok"));
    EXPECT_TRUE(holds("kv.bytes_per_token=131072, batch.max>=1"));
    EXPECT_FALSE(holds("kv.bytes_per_token<131072"));
    EXPECT_TRUE(holds("kv.bytes_per_token<=128KiB"));
    EXPECT_TRUE(holds("tpot<1s,tpot>1ms"));
    EXPECT_TRUE(holds("ctx=8k,gpus=1"));
    Scenario s;
    s.tp = 3;  // 32 heads over 3
    EXPECT_FALSE(holds("fits", s));
    EXPECT_TRUE(holds("gpus=3", s));
}

TEST(Condition, WhatIsNone) {
    for (const char* bad : {"batch.max", ">=3", "no.such_row>0", "tpot<30", "tp.verdict<ok",
                            "engine.log=x", "batch.max>=many"}) {
        Issues issues;
        EXPECT_TRUE(read_conditions(bad, issues).empty()) << bad;
        ASSERT_EQ(issues.size(), 1u) << bad;
        EXPECT_EQ(issues[0].key, "where");
    }
}

// A plan stays when no other is at least as good in all four and better in one.
TEST(Front, AgainstEveryPair) {
    std::vector<PlanPoint> points;
    std::uint64_t x = 88172645463325252u;  // xorshift64
    for (std::uint64_t i = 0; i < 400; ++i) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        points.push_back({i, static_cast<double>(x % 50), static_cast<double>(x / 50 % 50),
                          static_cast<double>(1 + x / 2500 % 3),
                          static_cast<double>(x / 7500 % 4)});
    }
    const auto beats = [](const PlanPoint& a, const PlanPoint& b) {
        const bool no_worse = a.tokens_per_s >= b.tokens_per_s && a.tpot <= b.tpot &&
                              a.gpus <= b.gpus && a.cost <= b.cost;
        const bool equal = a.tokens_per_s == b.tokens_per_s && a.tpot == b.tpot &&
                           a.gpus == b.gpus && a.cost == b.cost;
        return no_worse && (!equal || a.index < b.index);
    };
    std::vector<std::uint64_t> expected;
    for (const PlanPoint& p : points) {
        const bool beaten = std::any_of(points.begin(), points.end(),
                                        [&](const PlanPoint& o) { return beats(o, p); });
        if (!beaten) expected.push_back(p.index);
    }
    EXPECT_EQ(pareto_front(points), expected);
}

std::string run(const SweepText& t, SweepFormat format = SweepFormat::csv) {
    SweepRequest r;
    r.format = format;
    Issues issues;
    EXPECT_TRUE(read_sweep(t, builtin_catalog(), r, issues));
    for (const Issue& i : issues) ADD_FAILURE() << i.text;
    SweepJob job(std::move(r), builtin_catalog());
    std::string out;
    while (job.advance(3, out)) {
    }
    return out;
}

// 131,072 B a token: 0.5 GiB at 4k, 1 GiB at 8k; with half the heads half of it.
TEST(Sweep, TableOfPoints) {
    SweepText t;
    t.keys = {{"ctx", "4k,8k"}, {"kv-heads", "8,4"}, {"kv", "bf16"}};
    t.rows = "kv.bytes_per_request";
    EXPECT_EQ(run(t),
              "kv-heads,ctx,kv.bytes_per_request,basis\r\n"
              "8,4k,536870912,exact\r\n8,8192,1073741824,exact\r\n"
              "4,4k,268435456,exact\r\n4,8192,536870912,exact\r\n");
    t.sort = "-kv.bytes_per_request";
    t.limit = 1;
    EXPECT_EQ(run(t), "kv-heads,ctx,kv.bytes_per_request,basis\r\n8,8192,1073741824,exact\r\n");
    t.limit = 0;
    t.where = "kv.bytes_per_request<300MiB";
    EXPECT_EQ(run(t), "kv-heads,ctx,kv.bytes_per_request,basis\r\n4,4k,268435456,exact\r\n");
}

TEST(Sweep, WhatIsRefused) {
    const auto refused = [](SweepText t) {
        SweepRequest r;
        Issues issues;
        EXPECT_FALSE(read_sweep(t, builtin_catalog(), r, issues));
        return issues.empty() ? std::string() : issues[0].key;
    };
    SweepText t;
    EXPECT_EQ(refused(t), "sweep");  // nothing varies
    t.keys = {{"tp", "1,2"}};
    t.rows = "no.such_row";
    EXPECT_EQ(refused(t), "rows");
    t.rows = "";
    t.sort = "tp.verdict";
    EXPECT_EQ(refused(t), "sort");
    t.sort = "";
    t.price = "a100-80gb-sxm=cheap";
    EXPECT_EQ(refused(t), "price");
    t.price = "";
    t.keys = {{"batch", "1..100000"}, {"ctx", "1..100000..1"}};
    EXPECT_EQ(refused(t), "sweep");  // too many points
}

// What -o json prints is estimate's own JSON, less sentence and derivations.
TEST(Sweep, JsonLines) {
    SweepText t;
    t.keys = {{"tp", "1,2"}, {"batch", "1,4"}};
    t.rows = "batch.max,tp.reason";
    const std::string out = run(t, SweepFormat::jsonl);
    EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 4);
    EXPECT_NE(out.find("\"schema\":\"kvgauge.estimate/1\""), std::string::npos);
    EXPECT_NE(out.find("\"link\":\"v=1&tp=2&batch=4\""), std::string::npos);
    EXPECT_NE(out.find("\"id\":\"tp.reason\""), std::string::npos);
    EXPECT_EQ(out.find("decode.tpot_s"), std::string::npos);
}

}  // namespace
}  // namespace kvgauge
