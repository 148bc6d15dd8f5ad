// SPDX-License-Identifier: MIT
#include "text/report.h"

#include <gtest/gtest.h>

#include <set>

#include "text/answer.h"
#include "text/link.h"
#include "text/render.h"

namespace kvgauge {
namespace {

Answered ask(std::string_view link, Lang lang = Lang::en) {
    return answer(parse_link(link, builtin_catalog()).scenario, {}, builtin_catalog(), lang);
}

// 60 GiB / 131,072 B = 491,520 tokens. 100 in, 10 out three times, 200 in, 30 out once: by steps
// (30 x 105.5 + 30 x 215.5) / 60 = 160.5 tokens held in the mean: 3,062 requests.
TEST(Report, TrafficOfAScenario) {
    const Answered a =
        ask("v=1&engine=none&kv=bf16&kv-budget=60GiB&lengths=100:10:3~200:30&seed=5");
    const Row* row = a.report.find("traffic.concurrency");
    ASSERT_TRUE(row);
    EXPECT_EQ(std::get<std::uint64_t>(row->value), 3062u);
    EXPECT_NE(row->derivation.find("491,520"), std::string::npos) << row->derivation;
    const Row* one = a.report.find("traffic.concurrency_1pct");
    ASSERT_TRUE(one && one->low && one->high);
    EXPECT_LE(*one->low, *one->high);
    EXPECT_GE(*one->low, 491520 / 230);  // all at their longest
    EXPECT_EQ(std::get<std::uint64_t>(a.report.find("traffic.seed")->value), 5u);
    EXPECT_EQ(format_link(a.scenario),
              "v=1&engine=none&kv=bf16&kv-budget=64424509440&lengths=100:10:3~200:30&seed=5");
    EXPECT_FALSE(ask("v=1&in=500").report.find("traffic.concurrency"));
}

TEST(Report, RowsOfTheContract) {
    const Report r = ask("v=1&kv=bf16&batch=8&tpot-max=30").report;
    for (const char* id : {"model.params",
                           "model.weight_bytes",
                           "kv.bytes_per_token",
                           "kv.bytes_per_token_full",
                           "kv.bytes_per_token_per_gpu",
                           "kv.bytes_per_request",
                           "kv.bytes_per_request_all_full",
                           "kv.bytes_per_request_per_gpu",
                           "kv.bytes_per_request_reserved_per_gpu",
                           "kv.state_bytes_per_request",
                           "tp.verdict",
                           "tp.reason",
                           "tp.valid",
                           "tp.kv_heads_per_gpu",
                           "tp.copies",
                           "weights.bytes_per_gpu",
                           "budget.gpu_bytes",
                           "budget.usable_bytes",
                           "budget.overhead_bytes",
                           "budget.kv_bytes",
                           "engine.block_tokens",
                           "engine.blocks",
                           "engine.kv_tokens",
                           "engine.max_concurrency",
                           "engine.log",
                           "batch.max",
                           "batch.max_slo",
                           "batch.limit",
                           "attn.group_size",
                           "attn.intensity",
                           "gpu.ridge",
                           "attn.backend",
                           "decode.floor_s",
                           "decode.tpot_s",
                           "decode.tokens_per_s",
                           "decode.batch_ridge",
                           "decode.batch_kv_equals_weights",
                           "prefill.floor_s",
                           "prefill.ttft_s"}) {
        EXPECT_TRUE(r.find(id)) << id;
    }
    std::set<std::string_view> ids;
    for (const Row& row : r.rows) {
        EXPECT_TRUE(ids.insert(row.id).second) << row.id;
        EXPECT_FALSE(row.label.empty()) << row.id;
        // What is exact has no range.
        EXPECT_TRUE(row.basis != Basis::exact || (!row.low && !row.high)) << row.id;
    }
    EXPECT_EQ(std::get<std::uint64_t>(r.find("kv.bytes_per_token")->value), 131072u);
    EXPECT_EQ(std::get<std::string>(r.find("tp.verdict")->value), "ok");
    EXPECT_EQ(std::get<std::string>(r.find("tp.valid")->value), "1 2 4 8 16 32");
}

TEST(Report, DerivationsHaveTheNumbersIn) {
    const Report r = ask("v=1&kv=bf16").report;
    EXPECT_EQ(r.find("kv.bytes_per_token")->derivation,
              "32 layers × 2 × 8 KV heads × 128 head dim × 2 B = 131,072 B");
    EXPECT_EQ(r.find("kv.bytes_per_request")->derivation,
              "32 layers × 4,096 B × 8,192 tokens = 1,073,741,824 B");
    EXPECT_EQ(r.find("model.weight_bytes")->derivation,
              "8,030,261,248 parameters × 2 B = 16,060,522,496 B");
}

TEST(Report, TextOfValues) {
    const Report r = ask("v=1&kv=bf16").report;
    EXPECT_EQ(value_text(*r.find("kv.bytes_per_token")), "128 KiB");
    EXPECT_EQ(value_text(*r.find("kv.bytes_per_request")), "1.00 GiB");
    EXPECT_EQ(value_text(*r.find("model.params")), "8,030,261,248");
    EXPECT_EQ(range_text(*r.find("model.params")), "");
    Row band;
    band.unit = "B";
    band.low = 1.7 * 1073741824;
    band.high = 4.0 * 1073741824;
    EXPECT_EQ(range_text(band), "1.70–4.00 GiB");
    band.unit = "s";
    band.low = 0.05611;
    band.high = 0.05612;  // both 56.1 ms
    EXPECT_EQ(range_text(band), "");
}

TEST(Sentence, Fits) {
    const Report r = ask("v=1&kv=bf16&engine=none&kv-budget=60GiB").report;
    EXPECT_EQ(r.answer, Answer::fits);
    EXPECT_EQ(r.sentence, "Fits. 60 requests of 8,192 tokens.");
    EXPECT_EQ(r.second, "The KV cache runs out first.");
    EXPECT_EQ(r.range, "");
    EXPECT_EQ(ask("v=1&kv=bf16&engine=none&kv-budget=1GiB").report.sentence,
              "Fits. 1 request of 8,192 tokens.");
}

TEST(Sentence, TheEnginesCap) {
    const Report r = ask("v=1&ctx=1k&max-seqs=256&kv-budget=60GiB&engine=none").report;
    EXPECT_EQ(r.answer, Answer::fits);
    const Report v = ask("v=1&ctx=1k&max-seqs=100&kv-budget=40GiB").report;
    EXPECT_EQ(v.sentence, "Fits. 100 requests of 1,024 tokens.");
    // 40 GiB are 320 requests of 0.125 GiB, one block less for the null block: 319.
    EXPECT_EQ(v.second,
              "The engine's own cap of 100 sequences is the limit; KV has room for 219 more.");
}

TEST(Sentence, TooBig) {
    const Report r = ask("v=1&model=llama-3-70b").report;
    EXPECT_EQ(r.answer, Answer::does_not_fit);
    // 70,553,706,496 parameters x 2 B = 131.42 GiB.
    EXPECT_EQ(r.sentence, "Does not fit. Weights alone are 131.4 GiB.");
    EXPECT_NE(r.second.find("gives the engine 72.91 GiB. 58.51 GiB are missing"), std::string::npos)
        << r.second;
}

TEST(Sentence, NotOneRequest) {
    const Report r =
        ask("v=1&model=llama-3.1-8b&ctx=128k&engine=none&kv-budget=10GiB&kv=bf16").report;
    EXPECT_EQ(r.answer, Answer::does_not_fit);
    EXPECT_EQ(r.sentence, "Does not fit. One request of 131,072 tokens needs 16.00 GiB.");
    EXPECT_EQ(r.second, "10.00 GiB are left for KV. The longest that fits is 81,920 tokens.");
}

TEST(Sentence, MayFit) {
    Scenario s;
    s.kv = DType::bf16;
    // Context chosen so that the ends of the overhead band disagree on one request.
    const Estimate e = estimate(s);
    ASSERT_TRUE(e.budget->kv.low && e.budget->kv.high);
    s.model = "llama-3.1-8b";
    s.ctx = static_cast<std::uint64_t>((*e.budget->kv.low + *e.budget->kv.high) / 2 / 131072);
    const Report r = answer(s, {}, builtin_catalog()).report;
    EXPECT_EQ(r.answer, Answer::may_fit);
    EXPECT_EQ(r.sentence.substr(0, 18), "May fit. 0 to 1 re") << r.sentence;
    EXPECT_NE(r.second.find("overhead"), std::string::npos);
    EXPECT_EQ(r.range, "0–1");
}

TEST(Sentence, Refused) {
    const Report r = ask("v=1&model=qwen2.5-7b&gpu=h100-80gb-sxm&tp=8&engine=tgi").report;
    EXPECT_EQ(r.answer, Answer::refused);
    EXPECT_EQ(r.sentence.find("TGI refuses TP 8. "), 0u) << r.sentence;
    EXPECT_NE(r.second.find("The largest size TGI takes is TP 4."), std::string::npos) << r.second;
}

TEST(Sentence, NotKnown) {
    Scenario s;
    s.model = "nosuch";
    EXPECT_EQ(answer(s, {}, builtin_catalog()).report.sentence,
              "Not known. The catalog has no such model.");
    s.model = "custom";
    const Report r = answer(s, {}, builtin_catalog()).report;
    EXPECT_EQ(r.answer, Answer::unknown);
    EXPECT_EQ(r.sentence, "Not known. The model has no layers.");
    EXPECT_TRUE(r.rows.empty());
}

TEST(Sentence, Targets) {
    const Report r = ask("v=1&tpot-max=18").report;
    EXPECT_EQ(r.answer, Answer::fits);
    EXPECT_NE(r.second.find("stay within your limit of 18 ms per token."), std::string::npos)
        << r.second;
}

// Rows of a key that could not be used are left out; the others stay.
TEST(Answer, AnUnusableKeyStopsItsRows) {
    const Issue bad{Severity::error, "ctx", "ctx: wrong"};
    const Answered a = answer({}, {bad}, builtin_catalog());
    EXPECT_TRUE(a.report.find("kv.bytes_per_token"));
    EXPECT_TRUE(a.report.find("tp.verdict"));
    EXPECT_TRUE(a.report.find("decode.tpot_s"));
    EXPECT_FALSE(a.report.find("kv.bytes_per_request"));
    EXPECT_FALSE(a.report.find("batch.max"));
    ASSERT_FALSE(a.report.issues.empty());
    EXPECT_EQ(a.report.issues[0].text, "ctx: wrong");
    EXPECT_EQ(a.report.answer, Answer::unknown);
}

// Both languages have the same rows and numbers; only words differ.
TEST(Korean, SameRowsOwnWords) {
    for (const char* link : {"v=1&kv=bf16", "v=1&model=llama-3-70b", "v=1&model=qwen2.5-7b&tp=8",
                             "v=1&ctx=16k&tpot-max=10"}) {
        const Report en = ask(link, Lang::en).report, ko = ask(link, Lang::ko).report;
        ASSERT_EQ(en.rows.size(), ko.rows.size());
        for (std::size_t i = 0; i < en.rows.size(); ++i) {
            EXPECT_EQ(en.rows[i].id, ko.rows[i].id);
            if (en.rows[i].unit == "text") continue;
            EXPECT_EQ(en.rows[i].value, ko.rows[i].value) << en.rows[i].id;
        }
        EXPECT_NE(en.sentence, ko.sentence);
        EXPECT_EQ(en.answer, ko.answer);
        EXPECT_EQ(ko.sentence.find("(는)"), std::string::npos) << ko.sentence;
        EXPECT_EQ(ko.second.find('{'), std::string::npos) << ko.second;
    }
    EXPECT_EQ(ask("v=1&kv=bf16&engine=none&kv-budget=60GiB", Lang::ko).report.sentence,
              "들어갑니다. 8,192토큰 요청 60개.");
}

TEST(Render, TextMarkdownCsv) {
    const Report r = ask("v=1&kv=bf16").report;
    const std::string text = render_text(r);
    EXPECT_EQ(text.find(r.sentence), 0u);
    EXPECT_NE(text.find("KV per token"), std::string::npos);
    EXPECT_EQ(text.find('\033'), std::string::npos);
    RenderOptions colour;
    colour.colour = true;
    EXPECT_NE(render_text(r, colour).find('\033'), std::string::npos);
    const std::string md = render_markdown(r);
    EXPECT_NE(md.find("| KV per token | 128 KiB (131,072 B) |  | exact | 32 layers"),
              std::string::npos);
    const std::string csv = render_csv(r);
    EXPECT_EQ(csv.find("id,label,value,unit,basis,low,high,derivation\r\n"), 0u);
    EXPECT_NE(csv.find("kv.bytes_per_token,KV per token,131072,B,exact,,,"), std::string::npos);
    EXPECT_EQ(csv_cell("a\"b,c"), "\"a\"\"b,c\"");
    EXPECT_EQ(markdown_cell("a|b\nc"), "a\\|b<br>c");
    EXPECT_EQ(display_width("토큰 8k"), 7u);
}

}  // namespace
}  // namespace kvgauge
