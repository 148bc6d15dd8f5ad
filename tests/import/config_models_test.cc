// SPDX-License-Identifier: MIT
// Real models against what their caches take. Fixtures, one model a line: the fields of its
// config.json that matter, bytes at 2 per element, parameters where published.
//   configs_known.jsonl   facts of public copies of config.json ("source": repository and commit)
//   configs_beyond.jsonl  facts of model cards and configs; "why" is the arithmetic
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "import/config_json.h"
#include "import/json_reader.h"
#include "model/kv_cache.h"
#include "model/weights.h"
#include "support/files.h"

namespace kvgauge {
namespace {

using test::read_file;
using test::read_shared;
using test::split;

KvTypes state_in(DType t) {
    return {DType::bf16, DType::bf16, t};
}

void expect(const JsonValue row, std::string_view key, double got) {
    if (row[key].is_null()) return;
    EXPECT_EQ(row[key].number().value_or(-1), got) << key;
}

void check_line(const std::string& line) {
    JsonDocument document;
    ASSERT_FALSE(document.parse(line).has_value()) << line.substr(0, 80);
    const JsonValue row = document.root();
    SCOPED_TRACE(std::string(row["model"].string().value_or("")));
    // "config" is the last member: its text is what lies between its colon and the closing brace.
    const std::size_t at = line.find("\"config\":");
    ASSERT_NE(at, std::string::npos);
    const std::string config = line.substr(at + 9, line.rfind('}') - at - 9);
    const Import i = import_config(config, "config.json");
    if (!i.model) {
        for (const Issue& x : i.issues) ADD_FAILURE() << x.key << ": " << x.text;
        return;
    }
    const ModelSpec& m = *i.model;
    for (const std::uint64_t ctx : {8192u, 131072u}) {
        const KvSizes k = kv_sizes(m, state_in(DType::bf16), ctx, 0);
        const std::string s = std::to_string(ctx);
        expect(row, "request_" + s, k.bytes_per_request.real());
        expect(row, "all_full_" + s, k.bytes_per_request_all_full.real());
        expect(row, "token", k.bytes_per_token);
        expect(row, "index", k.index_bytes_per_token);
        expect(row, "state_bf16", k.state_bytes_per_request.real());
    }
    expect(row, "state_fp32",
           kv_sizes(m, state_in(DType::fp32), 1, 0).state_bytes_per_request.real());
    expect(row, "params", params(m).total.real());
}

void check_fixture(const std::string& path, std::size_t least) {
    const auto text = read_file(path);
    ASSERT_TRUE(text.has_value()) << path;
    const auto lines = split(*text, '\n');
    EXPECT_GE(lines.size(), least);
    for (const std::string& line : lines) check_line(line);
}

TEST(ConfigModels, KnownCopies) {
    check_fixture("tests/data/configs_known.jsonl", 89);
}
TEST(ConfigModels, OtherModels) {
    check_fixture("tests/data/configs_beyond.jsonl", 120);
}

// Every row of the shared set, when it is there.
TEST(ConfigModels, SharedSet) {
    const auto table = read_shared("data/expected.tsv");
    if (!table) GTEST_SKIP() << "no shared/data/expected.tsv";
    const auto lines = split(*table, '\n');
    const auto names = split(lines.at(0), '\t');
    const auto column = [&](std::string_view name) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (names[i] == name) return i;
        }
        ADD_FAILURE() << "no column " << name;
        return std::size_t{0};
    };
    std::size_t kv = 0, counted = 0, published = 0;
    for (std::size_t r = 1; r < lines.size(); ++r) {
        const auto cells = split(lines[r], '\t');
        const auto cell = [&](std::string_view name) -> std::string {
            const std::size_t c = column(name);
            return c < cells.size() ? cells[c] : std::string();
        };
        const auto number = [&](std::string_view name) -> std::optional<double> {
            const std::string s = cell(name);
            if (s.empty() || s.find_first_not_of("0123456789") != s.npos) return std::nullopt;
            return std::stod(s);
        };
        SCOPED_TRACE(cell("file"));
        const auto text = read_shared("data/configs/" + cell("file"));
        ASSERT_TRUE(text.has_value());
        std::string sidecar = cell("file");
        sidecar.replace(sidecar.size() - 5, 5, ".hf_quant_config.json");
        const Import i =
            import_config(*text, cell("file"), read_shared("data/configs/" + sidecar).value_or(""));
        if (!i.model) {
            ADD_FAILURE() << (i.issues.empty() ? "" : i.issues[0].text);
            continue;
        }
        const double index = number("aux_index_B_per_token").value_or(0);
        for (const std::uint64_t ctx : {8192u, 131072u}) {
            const KvSizes k = kv_sizes(*i.model, state_in(DType::bf16), ctx, 0);
            const std::string s = "kv_B_" + std::to_string(ctx);
            const double more = index * static_cast<double>(ctx);
            if (const auto n = number(s + "_engine")) {
                EXPECT_EQ(k.bytes_per_request.real(), *n + more) << ctx;
            }
            if (const auto n = number(s + "_all_full")) {
                EXPECT_EQ(k.bytes_per_request_all_full.real(), *n + more) << ctx;
            }
            if (const auto n = number("kv_B_per_token_model_all_full")) {
                EXPECT_EQ(k.bytes_per_token, *n + index);
            }
            EXPECT_EQ(k.index_bytes_per_token, index);
            EXPECT_EQ(k.state_bytes_per_request.real(), number("state_B_bf16").value_or(0));
            ++kv;
        }
        EXPECT_EQ(kv_sizes(*i.model, state_in(DType::fp32), 1, 0).state_bytes_per_request.real(),
                  number("state_B_ssm_fp32").value_or(0));
        if (const auto n = number("params_text_model")) {
            EXPECT_EQ(params(*i.model).total.real(), *n);
            ++counted;
            // The published total of one row is another model's: Mistral-Large-2407 with a
            // vocabulary a quarter of Devstral-2's.
            const auto p = number("published_params");
            if (p && cell("published_source").find("Devstral-2 has vocab") == std::string::npos) {
                EXPECT_NEAR(params(*i.model).total.real(), *p, *p * 1e-3);
                ++published;
            }
        }
    }
    RecordProperty("kv", static_cast<int>(kv));
    EXPECT_GT(kv, 300u);
    EXPECT_GT(counted, 100u);
    EXPECT_GT(published, 50u);
}

}  // namespace
}  // namespace kvgauge
