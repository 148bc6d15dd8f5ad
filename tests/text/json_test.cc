// SPDX-License-Identifier: MIT
#include "text/json.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <random>

#include "text/link.h"

namespace kvgauge {
namespace {

WrittenScenario read(std::string_view json) {
    return read_scenario_json(json, builtin_catalog());
}

rapidjson::Document written(std::string_view json, JsonOptions options = {}) {
    WrittenScenario w = read(json);
    rapidjson::Document d;
    const std::string out =
        estimate_json(answer(w.scenario, w.issues, builtin_catalog()), builtin_catalog(), options);
    d.Parse(out.data(), out.size());
    EXPECT_FALSE(d.HasParseError()) << json;
    return d;
}

const rapidjson::Value* row(const rapidjson::Document& d, const char* id) {
    for (const auto& r : d["rows"].GetArray()) {
        if (std::string_view(r["id"].GetString()) == id) return &r;
    }
    return nullptr;
}

TEST(JsonRead, KeysAndTypes) {
    const WrittenScenario w = read(
        R"({"model":"llama-3.1-8b","ctx":131072,"tp":2,"kv":"fp8","util":0.9,"ep":true,"spec":2,)"
        R"("kv-budget":"60GiB","max_num_seqs":64,"tpot-max":30,"prefix-caching":"off"})");
    EXPECT_TRUE(w.issues.empty()) << w.issues.front().text;
    EXPECT_EQ(w.scenario.model, "llama-3.1-8b");
    EXPECT_EQ(w.scenario.ctx, 131072u);
    EXPECT_EQ(w.scenario.kv, DType::fp8);
    EXPECT_EQ(w.scenario.util, 0.9);
    EXPECT_TRUE(w.scenario.ep);
    EXPECT_EQ(w.scenario.kv_budget, std::uint64_t{60} << 30);
    EXPECT_EQ(w.scenario.max_seqs, 64u);
    EXPECT_EQ(w.scenario.tpot_max, 0.030);
    EXPECT_EQ(w.scenario.prefix_caching, false);
    EXPECT_EQ(w.scenario.spec, (Speculation{SpecKind::native, 2}));
}

TEST(JsonRead, WhatIsWrongIsNamed) {
    EXPECT_FALSE(read("not json").readable);
    EXPECT_FALSE(read("[1,2]").readable);
    EXPECT_FALSE(read("").readable);
    EXPECT_FALSE(read("{\"a\":\"\xff\"}").readable);
    const WrittenScenario w = read(R"({"ctx":1e30,"tp":-2,"kv":null,"util":[0.9],"contxt":5})");
    ASSERT_EQ(w.issues.size(), 5u);
    EXPECT_EQ(w.issues[0].key, "ctx");
    EXPECT_NE(w.issues[0].text.find("1e30"), std::string::npos);
    EXPECT_EQ(w.issues[1].key, "tp");
    EXPECT_EQ(w.issues[2].key, "kv");
    EXPECT_EQ(w.issues[3].key, "util");
    EXPECT_EQ(w.issues[4].severity, Severity::warning);
    EXPECT_EQ(read(R"({"model-config":"x.json"})").issues.size(), 1u);  // no files without a loader
}

TEST(JsonRead, DeepNestingIsNoCrash) {
    const std::string deep(200'000, '[');
    EXPECT_FALSE(read(deep).readable);
    EXPECT_FALSE(read("{\"a\":" + deep).readable);
}

TEST(JsonWrite, TheSchema) {
    const rapidjson::Document d = written(R"({"kv":"bf16"})");
    EXPECT_STREQ(d["schema"].GetString(), "kvgauge.estimate/1");
    for (const char* key : {"version", "catalog", "scenario", "link", "issues", "rows"}) {
        EXPECT_TRUE(d.HasMember(key)) << key;
    }
    const rapidjson::Value* r = row(d, "kv.bytes_per_request");
    ASSERT_TRUE(r);
    EXPECT_EQ((*r)["value"].GetUint64(), 1'073'741'824u);
    EXPECT_STREQ((*r)["unit"].GetString(), "B");
    EXPECT_STREQ((*r)["basis"].GetString(), "exact");
    EXPECT_FALSE(r->HasMember("low"));
    EXPECT_TRUE(row(d, "batch.max")->HasMember("low"));
    EXPECT_STREQ(d["link"].GetString(), "v=1&kv=bf16");
}

// Every key in effect, numbers plain; the engine's version is named.
TEST(JsonWrite, TheScenarioInEffect) {
    const rapidjson::Document d = written("{}");
    const auto& s = d["scenario"];
    EXPECT_STREQ(s["model"].GetString(), "llama-3-8b");
    EXPECT_STREQ(s["engine"].GetString(), "vllm@0.28");
    EXPECT_EQ(s["ctx"].GetUint64(), 8192u);
    EXPECT_EQ(s["gpus"].GetUint64(), 1u);
    EXPECT_EQ(s["spec"].GetUint64(), 0u);
    EXPECT_FALSE(s["ep"].GetBool());
    EXPECT_DOUBLE_EQ(s["util"].GetDouble(), 0.92);  // vLLM's own since 0.20
    EXPECT_STREQ(s["kv"].GetString(), "auto");
}

// An answer's scenario, read again, is the same question.
TEST(JsonWrite, TheScenarioReadsBack) {
    for (const char* json :
         {"{}", R"({"model":"qwen3-32b","tp":4,"ctx":"32k","kv":"fp8","engine":"sglang@0.5.10"})",
          R"({"model":"custom","layers":32,"q-heads":32,"kv-heads":8,"head-dim":128,"params":8e9})",
          R"({"engine":"llamacpp","kv-k":"q8_0","slots":4,"unified":true,"tpot-max":12.5})"}) {
        WrittenScenario w = read(json);
        const Answered a = answer(w.scenario, w.issues, builtin_catalog());
        rapidjson::Document d;
        const std::string out = estimate_json(a, builtin_catalog());
        d.Parse(out.data(), out.size());
        std::string again = "{";
        const rapidjson::Value& written = d["scenario"];
        // By index: clang calls != between RapidJSON 1.1's iterators ambiguous in C++20.
        for (rapidjson::SizeType i = 0; i < written.MemberCount(); ++i) {
            const auto& m = *(written.MemberBegin() + static_cast<std::ptrdiff_t>(i));
            if (again.size() > 1) again += ',';
            again += '"' + std::string(m.name.GetString()) + "\":";
            if (m.value.IsString()) again += '"' + std::string(m.value.GetString()) + '"';
            if (m.value.IsBool()) again += m.value.GetBool() ? "true" : "false";
            if (m.value.IsUint64()) again += std::to_string(m.value.GetUint64());
            if (m.value.IsDouble() && !m.value.IsUint64())
                again += std::to_string(m.value.GetDouble());
        }
        const WrittenScenario second = read(again + "}");
        EXPECT_TRUE(second.issues.empty()) << again << second.issues.front().text;
        const Answered b = answer(second.scenario, {}, builtin_catalog());
        ASSERT_EQ(a.report.rows.size(), b.report.rows.size()) << json;
        EXPECT_EQ(a.estimate.kv, b.estimate.kv) << json;
        EXPECT_EQ(a.report.sentence, b.report.sentence) << json;
    }
}

TEST(JsonWrite, OnlyTheAskedRows) {
    JsonOptions o;
    o.rows = {"batch.max", "kv.bytes_per_token"};
    const rapidjson::Document d = written("{}", o);
    ASSERT_EQ(d["rows"].Size(), 2u);
    EXPECT_STREQ(d["rows"][0]["id"].GetString(), "kv.bytes_per_token");
}

TEST(JsonWrite, ABadKeyLeavesTheOtherRows) {
    const rapidjson::Document d = written(R"({"tp":"many","kv":"bf16"})");
    EXPECT_TRUE(row(d, "kv.bytes_per_request"));
    EXPECT_FALSE(row(d, "tp.verdict"));
    EXPECT_FALSE(row(d, "batch.max"));
    EXPECT_STREQ(d["issues"][0]["key"].GetString(), "tp");
    EXPECT_STREQ(d["issues"][0]["severity"].GetString(), "error");
    rapidjson::Document u;
    const std::string out = unread_json(read("x").issues, builtin_catalog());
    u.Parse(out.data(), out.size());
    EXPECT_EQ(u["rows"].Size(), 0u);
    EXPECT_EQ(u["issues"].Size(), 1u);
}

// Keys of the table with values of every kind, mostly wrong: always JSON, never a crash, never a
// number that is not finite.
TEST(JsonProperty, GarbageIsAnswered) {
    std::mt19937 random(3);
    const char* values[] = {
        "1e30",   "-1",      "0",       "NaN",  "\"\"",        "\"1e30\"", "\"-5\"",
        "\"8k\"", "true",    "1.5",     "null", "{}",          "\"auto\"", "18446744073709551615",
        "1e-300", "\"fp8\"", "\"90%\"", "4096", "\"\\u0000\"", "\"nan\"",  "\"inf\""};
    for (int round = 0; round < 1500; ++round) {
        std::string json = "{";
        for (const Field& f : fields()) {
            if (random() % 4 != 0) continue;
            if (json.size() > 1) json += ',';
            json += '"' + std::string(f.key) + "\":" + values[random() % std::size(values)];
        }
        if (random() % 3 == 0)
            json += std::string(json.size() > 1 ? "," : "") + "\"model\":\"custom\"";
        WrittenScenario w = read(json + '}');
        const std::string out =
            w.readable
                ? estimate_json(answer(w.scenario, w.issues, builtin_catalog()), builtin_catalog())
                : unread_json(w.issues, builtin_catalog());
        rapidjson::Document d;
        d.Parse<rapidjson::kParseValidateEncodingFlag>(out.data(), out.size());
        ASSERT_FALSE(d.HasParseError()) << json << '\n' << out;
        for (const auto& r : d["rows"].GetArray()) EXPECT_FALSE(r["value"].IsNull()) << json;
    }
}

}  // namespace
}  // namespace kvgauge
