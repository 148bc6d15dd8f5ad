// SPDX-License-Identifier: MIT
// A sweep keeps what a changed key does not touch. Here it is compared with estimate() made anew,
// over random scenarios of the whole catalog: every value a row can have, the issues and the notes.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "estimator.h"
#include "text/link.h"
#include "text/row_values.h"
#include "text/sweep.h"

namespace kvgauge {
namespace {

using Words = std::vector<std::string>;

struct Choices {
    std::string_view key;
    Words values;
};

const Catalog& catalog() {
    return builtin_catalog();
}

// Values of every key that changes a number; models and GPUs are all of the catalog.
std::vector<Choices> choices() {
    Words models, gpus;
    for (const ModelEntry& m : catalog().models()) models.push_back(m.spec->id);
    for (const GpuEntry& g : catalog().gpus()) gpus.push_back(g.spec.id);
    return {
        {"model", models},
        {"gpu", gpus},
        {"engine",
         {"none", "vllm", "vllm@0.20", "vllm@0.10", "vllm@0.6", "sglang", "sglang@0.4", "trtllm",
          "trtllm@1.0", "llamacpp", "tgi", "lmdeploy", "hf"}},
        {"kv-heads", {"1", "2", "4", "8", "32"}},
        {"tp", {"1", "2", "3", "4", "6", "8", "16", "64"}},
        {"pp", {"1", "2", "4"}},
        {"dp", {"1", "2", "8"}},
        {"dcp", {"1", "2", "4"}},
        {"ep", {"off", "on"}},
        {"weights", {"auto", "bf16", "fp8", "awq", "mxfp4", "nvfp4", "q4_k_m", "q8_0"}},
        {"kv", {"auto", "bf16", "fp8", "int8", "nvfp4", "q8_0", "q4_0"}},
        {"kv-k", {"auto", "q8_0", "bf16"}},
        {"kv-v", {"auto", "q4_0", "bf16"}},
        {"state-dtype", {"auto", "bf16", "fp32"}},
        {"ctx", {"1", "100", "1k", "8k", "32k", "128k", "1m"}},
        {"batch", {"1", "2", "7", "64", "512", "100000"}},
        {"in", {"1", "128", "1k", "32k"}},
        {"out", {"1", "2", "256", "8k"}},
        {"util", {"0.5", "0.9", "0.95"}},
        {"overhead", {"0", "1GiB", "20GiB"}},
        {"kv-budget", {"1GiB", "60GiB", "0"}},
        {"block", {"16", "32", "64", "128"}},
        {"max-batched", {"1k", "8k", "64k"}},
        {"max-seqs", {"1", "64", "1024"}},
        {"spec", {"0", "3", "mtp:1", "eagle:2", "ngram:4"}},
        {"prefix-caching", {"off", "on"}},
        {"hybrid", {"off", "on"}},
        {"eager", {"off", "on"}},
        {"slots", {"1", "4", "16"}},
        {"ubatch", {"128", "512", "2048"}},
        {"unified", {"off", "on"}},
        {"swa-full", {"off", "on"}},
        {"split", {"none", "layer", "row", "tensor"}},
        {"ngl", {"0", "10", "99"}},
        {"dp-attention", {"off", "on"}},
        {"cross-tokens", {"0", "1500"}},
        {"tpot-max", {"5", "30", "200"}},
        {"ttft-max", {"50", "500", "5000"}},
        {"gpu-bw", {"1e12", "4e12"}},
        {"gpu-mem", {"24GiB", "80GiB"}},
    };
}

struct Random {
    std::mt19937_64 engine;
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine() % n); }
    template <class T>
    const T& of(const std::vector<T>& v) {
        return v[below(v.size())];
    }
};

void set(Scenario& s, std::string_view key, std::string_view value) {
    const auto issue = set_field(s, key, value, catalog());
    ASSERT_FALSE(issue) << issue->text;
}

bool same(const std::optional<RowValue>& a, const std::optional<RowValue>& b) {
    if (!a || !b) return a.has_value() == b.has_value();
    return a->value == b->value && a->basis == b->basis && a->low == b->low && a->high == b->high;
}

std::string shown(const std::optional<RowValue>& v) {
    if (!v) return "nothing";
    if (const auto* w = std::get_if<std::string_view>(&v->value)) return std::string(*w);
    return std::to_string(v->real());
}

// False: said what differs.
void expect_same(const Scenario& s, const Estimate& kept) {
    const Estimate anew = estimate(s, catalog());
    for (const RowKind& row : row_kinds()) {
        if (row.get == nullptr) continue;
        const auto a = row.get(s, kept), b = row.get(s, anew);
        EXPECT_TRUE(same(a, b)) << format_link(s) << "\n"
                                << row.id << ": kept " << shown(a) << ", anew " << shown(b);
    }
    Issues issues = kept.issues;
    add_notes(s, kept, issues);
    EXPECT_EQ(issues, anew.issues) << format_link(s);
    ASSERT_EQ(kept.model != nullptr, anew.model != nullptr) << format_link(s);
    EXPECT_TRUE(!kept.model || *kept.model == *anew.model) << format_link(s);
    EXPECT_EQ(kept.version, anew.version);
    EXPECT_EQ(kept.ctx, anew.ctx);
}

// From one scenario to the next by a few keys, as an axis or a hand on the form changes them.
TEST(Same, KeptPartsEqualAnEstimateMadeAnew) {
    const std::vector<Choices> keys = choices();
    Random r{std::mt19937_64(20261130)};
    int compared = 0;
    for (int walk = 0; walk < 60; ++walk) {
        Scenario s;
        Estimate e;
        Estimator estimator(catalog(), e);
        for (const Choices& c : keys) {
            // Budgets and overheads given are rare; model, GPU and engine always differ.
            const bool always = c.key == "model" || c.key == "gpu" || c.key == "engine";
            if (always || r.below(5) == 0) set(s, c.key, r.of(c.values));
        }
        estimator.run(s);
        expect_same(s, e);
        for (int step = 0; step < 50 && !testing::Test::HasFailure(); ++step) {
            Stale stale = 0;
            for (std::size_t n = 1 + r.below(3); n > 0; --n) {
                const Choices& c = r.of(keys);
                set(s, c.key, r.of(c.values));
                stale |= stale_by(c.key);
            }
            estimator.run(s, stale);
            expect_same(s, e);
            ++compared;
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << "walk " << walk;
    }
    EXPECT_GE(compared, 2000);
}

// One key after another over every engine: a key whose dependants are forgotten shows here.
TEST(Same, EveryKeyByItself) {
    Random r{std::mt19937_64(7)};
    for (const Choices& c : choices()) {
        for (const char* engine : {"none", "vllm", "sglang", "trtllm", "llamacpp", "tgi"}) {
            for (const char* model : {"llama-3-8b", "gemma-3-27b", "deepseek-v3", "mixtral-8x7b"}) {
                Scenario s;
                set(s, "engine", engine);
                set(s, "model", model);
                set(s, "tp", r.below(2) == 0 ? "1" : "4");
                Estimate e;
                Estimator estimator(catalog(), e);
                estimator.run(s);
                for (const std::string& v : c.values) {
                    set(s, c.key, v);
                    estimator.run(s, stale_by(c.key));
                    expect_same(s, e);
                    if (testing::Test::HasFailure()) FAIL() << c.key << "=" << v;
                }
                if (c.key == "model" || c.key == "engine") break;
            }
        }
    }
}

// Points of a sweep in its own order and at random.
TEST(Same, SweepPoints) {
    const std::vector<Choices> keys = choices();
    Random r{std::mt19937_64(99)};
    int compared = 0;
    for (int n = 0; n < 40; ++n) {
        Scenario base;
        set(base, "model", r.of(keys[0].values));
        set(base, "gpu", r.of(keys[1].values));
        set(base, "engine", r.of(keys[2].values));
        std::vector<Axis> axes;
        while (axes.size() < 3) {
            const Choices& c = r.of(keys);
            const bool have = std::any_of(axes.begin(), axes.end(), [&](const Axis& a) {
                return a.field->key == find_field(c.key)->key;
            });
            if (have) continue;
            Axis axis{find_field(c.key), {}};
            for (std::size_t i = 0; i < 3 && i < c.values.size(); ++i) {
                axis.values.push_back(c.values[i]);
            }
            axes.push_back(std::move(axis));
        }
        Sweep sweep(base, axes, catalog());
        const auto points = static_cast<std::size_t>(sweep.size());
        for (std::size_t i = 0; i < points; ++i) {
            sweep.go(r.below(8) == 0 ? r.below(points) : i);
            expect_same(sweep.scenario(), sweep.estimate());
            ASSERT_FALSE(testing::Test::HasFailure()) << "sweep " << n << " point " << i;
            ++compared;
        }
    }
    EXPECT_GE(compared, 400);
}

}  // namespace
}  // namespace kvgauge
