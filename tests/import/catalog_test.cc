// SPDX-License-Identifier: MIT
// Every catalog row is what the importer makes of the model's config.json. catalog_configs.jsonl
// holds the fields that decide, one model a line; where each was read stands in its row.
#include <gtest/gtest.h>

#include <string>

#include "data/catalog.h"
#include "import/config_json.h"
#include "import/json_reader.h"
#include "support/files.h"
#include "support/model_row.h"

namespace kvgauge {
namespace {

void expect_equal(const ModelEntry& entry, const Import& import) {
    const std::string& id = entry.spec->id;
    SCOPED_TRACE("a changed importer: tests/support/update_models.py makes the rows again");
    ASSERT_TRUE(import.model.has_value()) << id;
    const auto have = testing::model_row(*entry.spec), want = testing::model_row(*import.model);
    EXPECT_EQ(have.model, want.model) << id;
    EXPECT_EQ(have.layers, want.layers) << id;
    EXPECT_EQ(have.mtp, want.mtp) << id;
    EXPECT_EQ(have.weights, want.weights) << id;
    EXPECT_EQ(have.kv, want.kv) << id;
    EXPECT_EQ(entry.spec->model_type, import.model->model_type) << id;
    EXPECT_EQ(entry.spec->assumed, import.model->assumed) << id;
}

// The text of one member of a JSON object in one line, braces and all.
std::string member(const std::string& line, const std::string& name) {
    const std::size_t at = line.find("\"" + name + "\":{");
    if (at == std::string::npos) return {};
    const std::size_t from = at + name.size() + 3;
    int depth = 0;
    for (std::size_t i = from; i < line.size(); ++i) {
        if (line[i] == '{') ++depth;
        if (line[i] == '}' && --depth == 0) return line.substr(from, i + 1 - from);
    }
    return {};
}

TEST(CatalogRows, EqualTheImportOfTheirConfig) {
    const auto text = test::read_file("tests/import/catalog_configs.jsonl");
    ASSERT_TRUE(text.has_value());
    int rows = 0;
    for (const std::string& line : test::split(*text, '\n')) {
        JsonDocument d;
        ASSERT_FALSE(d.parse(line).has_value()) << line.substr(0, 80);
        const std::string id(d.root()["id"].string().value_or(""));
        const ModelEntry* entry = builtin_catalog().model(id);
        ASSERT_NE(entry, nullptr) << id;
        expect_equal(*entry,
                     import_config(member(line, "config"), id, member(line, "hf_quant_config")));
        ++rows;
    }
    EXPECT_GE(rows, 60);
}

// All rows against a folder of whole files named org__name.json, where one is there.
TEST(CatalogRows, EqualTheImportOfWholeFiles) {
    if (!test::read_shared("data/configs/INDEX.tsv")) GTEST_SKIP() << "no shared/data/configs";
    int rows = 0;
    for (const ModelEntry& e : builtin_catalog().models()) {
        std::string stem = e.aliases.empty() ? std::string() : e.aliases[0];
        if (const std::size_t slash = stem.find('/'); slash != std::string::npos) {
            stem.replace(slash, 1, "__");
        }
        const std::string path = "data/configs/" + stem;
        const auto json = test::read_shared(path + ".json");
        if (!json) continue;
        expect_equal(e,
                     import_config(*json, path,
                                   test::read_shared(path + ".hf_quant_config.json").value_or("")));
        ++rows;
    }
    EXPECT_GE(rows, 100);
}

}  // namespace
}  // namespace kvgauge
