// SPDX-License-Identifier: MIT
// No value of any field may crash the importer, hang it or make later arithmetic wrap: it is
// refused with an issue, ignored, or taken and then seen by the checked bytes.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "import/config_json.h"
#include "import/json_reader.h"
#include "model/kv_cache.h"
#include "model/weights.h"
#include "support/files.h"

namespace kvgauge {
namespace {

constexpr std::string_view kValues[] = {
    "0",    "-1",   "1",     "3",    "2.5",      "1e30",  "-1e30", "NaN",
    "null", "true", "false", "\"\"", "\"x1\"",   "[]",    "{}",    "Infinity",
    "8191", "[0]",  "[1,2]", "[[]]", "[null,1]", "65536", "1e7",   "18446744073709551615",
};

// Where the value that begins at `i` ends.
std::size_t value_end(std::string_view s, std::size_t i) {
    int depth = 0;
    bool text = false;
    for (; i < s.size(); ++i) {
        const char c = s[i];
        if (text) {
            if (c == '\\') ++i;
            if (c == '"') text = false;
            continue;
        }
        if (c == '"') text = true;
        if (c == '{' || c == '[') ++depth;
        if (depth == 0 && (c == ',' || c == '}' || c == ']')) return i;
        if (c == '}' || c == ']') --depth;
    }
    return i;
}

// Begin of every member's value, at any depth.
std::vector<std::size_t> values_of(std::string_view s) {
    std::vector<std::size_t> at;
    for (std::size_t i = 0; i + 1 < s.size(); ++i) {
        if (s[i] == '"' && s[i + 1] == ':') at.push_back(i + 2);
    }
    return at;
}

void use(const std::string& json) {
    const Import i = import_config(json, "config.json");
    if (!i.model) {
        EXPECT_TRUE(has_error(i.issues)) << json;
        return;
    }
    EXPECT_FALSE(has_error(i.issues)) << json;
    const KvTypes types{};
    const KvSizes k = kv_sizes(*i.model, types, std::uint64_t{1} << 40, 1);
    EXPECT_GE(k.bytes_per_token, 0);
    EXPECT_LE(layer_count(*i.model), 2u * 8192u);
    const Params p = params(*i.model);
    if (!p.total.overflow()) {
        EXPECT_LE(p.active.value(), p.total.value()) << json;
    }
    static_cast<void>(bytes_per_gpu(*i.model, i.model->weights, 7, 3, true));
}

TEST(ConfigHostile, AnyValueOfAnyField) {
    std::size_t tried = 0;
    for (const char* file : {"tests/data/configs_known.jsonl", "tests/data/configs_beyond.jsonl"}) {
        const auto text = test::read_file(file);
        ASSERT_TRUE(text.has_value());
        std::size_t number = 0;
        for (const std::string& line : test::split(*text, '\n')) {
            const std::size_t at = line.find("\"config\":") + 9;
            const std::string config = line.substr(at, line.rfind('}') - at);
            std::size_t field = 0;
            for (const std::size_t begin : values_of(config)) {
                // Every field of every model meets a third of the values, another third on the
                // next.
                for (std::size_t v = (number + field++) % 3; v < std::size(kValues); v += 3) {
                    std::string changed = config;
                    changed.replace(begin, value_end(config, begin) - begin, kValues[v]);
                    use(changed);
                    ++tried;
                }
            }
            ++number;
        }
    }
    EXPECT_GT(tried, 10000u);
}

TEST(ConfigHostile, CutFiles) {
    const auto text = test::read_file("tests/data/configs_known.jsonl");
    ASSERT_TRUE(text.has_value());
    const std::string line = test::split(*text, '\n').front();
    for (std::size_t n = 0; n < line.size(); ++n) {
        const Import i = import_config(line.substr(0, n), "config.json");
        EXPECT_FALSE(i.model.has_value());
    }
}

TEST(ConfigHostile, ManyLayersStayCheap) {
    // The most layers accepted, each with a word of its own.
    std::string words;
    for (int i = 0; i < 8192; ++i) {
        words += i % 2 != 0 ? ",\"full_attention\"" : ",\"sliding_attention\"";
    }
    const Import i =
        import_config(R"({"architectures":["MistralForCausalLM"],"model_type":"mistral",
        "hidden_size":64,"num_attention_heads":1,"num_hidden_layers":8192,"vocab_size":10,
        "intermediate_size":10,"sliding_window":5,"layer_types":[)" +
                          words.substr(1) + "]}",
                      "config.json");
    ASSERT_TRUE(i.model.has_value());
    EXPECT_EQ(i.model->layers.size(), 8192u);
}

}  // namespace
}  // namespace kvgauge
