// SPDX-License-Identifier: MIT
// Headers written from start-up dumps of llama.cpp and ik_llama.cpp (one JSON object a file: the
// metadata as printed, and the KV bytes per token that the cache lines of the same log give).
#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "import/gguf.h"
#include "import/json_reader.h"
#include "model/kv_cache.h"
#include "support/files.h"
#include "support/gguf_writer.h"

namespace kvgauge {
namespace {

using testing::GgufWriter;

// "10" or "0,000010" (a locale's comma).
double number(JsonValue v) {
    if (const auto n = v.number()) return *n;
    if (const auto b = v.boolean()) return *b ? 1 : 0;
    std::string text(v.string().value_or("0"));
    for (char& c : text) c = c == ',' ? '.' : c;
    return text == "true" ? 1 : std::strtod(text.c_str(), nullptr);
}

// A list, also where the dump holds its text "[0,12544,0]". Empty: it was cut or left out.
std::vector<std::uint32_t> list(JsonValue v) {
    std::vector<std::uint32_t> out;
    if (v.is_array()) {
        for (std::size_t i = 0; i < v.size(); ++i) {
            out.push_back(static_cast<std::uint32_t>(number(v.at(i))));
        }
        return out;
    }
    const std::string text(v.string().value_or(""));
    if (text.empty() || text.front() != '[' || text.back() != ']') return {};
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (std::isdigit(static_cast<unsigned char>(text[i])) == 0) continue;
        char* end = nullptr;
        out.push_back(static_cast<std::uint32_t>(std::strtoul(text.c_str() + i, &end, 10)));
        i = static_cast<std::size_t>(end - text.c_str());
    }
    return out;
}

std::string header(JsonValue kv) {
    GgufWriter w;
    for (std::size_t i = 0; i < kv.size(); ++i) {
        const std::string key(kv.key_at(i));
        const JsonValue e = kv.at(i), v = e["value"];
        const std::string type(e["type"].string().value_or(""));
        if (type.rfind("arr[", 0) == 0) {
            const bool numbers = type.rfind("arr[str", 0) != 0 && type.rfind("arr[f", 0) != 0;
            const auto l = numbers && e["truncated"].boolean() != true ? list(v) : list({});
            if (!l.empty()) w.list(key, l);
        } else if (type == "str") {
            w.text(key, v.string().value_or(""));
        } else if (type == "f32" || type == "f64") {
            w.f32(key, static_cast<float>(number(v)));
        } else if (!v.is_null()) {
            w.u32(key, static_cast<std::uint32_t>(number(v)));
        }
    }
    return w.done();
}

TEST(GgufDumps, GiveTheBytesOfTheirCacheLines) {
    const char* set = std::getenv("KVGAUGE_SHARED");
    const std::string folder =
        std::string(set != nullptr && *set != 0 ? set : "../shared") + "/data/gguf_dumps";
    std::error_code failed;
    std::filesystem::directory_iterator files(folder, failed);
    if (failed) GTEST_SKIP() << "no shared/data/gguf_dumps";
    int right = 0, refused = 0, all = 0;
    for (const auto& file : files) {
        const std::string path = file.path().string();
        const auto text = test::read_file(path);
        JsonDocument d;
        if (!text || d.parse(*text)) continue;
        const auto want = d.root()["expected"]["kv_bytes_per_token_f16"].whole();
        if (!want) continue;
        bool cut = d.root()["partial"].boolean() == true;
        const JsonValue kv = d.root()["kv"];
        for (std::size_t i = 0; i < kv.size(); ++i)
            cut = cut || kv.at(i)["truncated"].boolean() == true;
        const Import im = import_gguf(header(kv), path);
        if (!im.model) {
            // A dump that was cut may lack what it takes; then it is refused, never guessed.
            EXPECT_TRUE(cut) << path;
            ++refused;
            continue;
        }
        ++all;
        const KvSizes k = kv_sizes(*im.model, {DType::fp16, DType::fp16, DType::fp32}, 4096, 0);
        EXPECT_EQ(k.bytes_per_token, static_cast<double>(*want)) << path;
        const auto full = d.root()["expected"]["kv_bytes_per_token_f16_full_layers"].whole();
        if (full) {
            EXPECT_EQ(k.bytes_per_token_full, static_cast<double>(*full)) << path;
        }
        const auto state = d.root()["expected"]["state_bytes_per_seq_f32"].whole();
        if (state) {
            std::uint64_t bytes = 0;
            for (const LayerRun& r : im.model->layers) {
                const StateSpec& s = r.layer.state;
                bytes += (s.ssm_elements + s.conv_elements) * r.count * 4;
            }
            EXPECT_EQ(bytes, *state) << path;
        }
        if (k.bytes_per_token == static_cast<double>(*want)) ++right;
    }
    std::printf("%d of %d dumps right, %d cut ones refused\n", right, all, refused);
    EXPECT_GE(all, 58);
}

}  // namespace
}  // namespace kvgauge
