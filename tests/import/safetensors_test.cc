// SPDX-License-Identifier: MIT
#include "import/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "import/config_json.h"

namespace kvgauge {
namespace {

std::string file(const std::string& header, std::uint64_t claimed) {
    std::string out(8, '\0');
    std::memcpy(out.data(), &claimed, 8);
    return out + header;
}
std::string file(const std::string& header) {
    return file(header, header.size());
}

CheckpointTotals read(const std::string& bytes, std::uint32_t layers = 0) {
    TextSource from(bytes);
    return read_safetensors_header(from, "m.safetensors", layers);
}

std::string error(const CheckpointTotals& t) {
    return t.issues.empty() ? "" : t.issues[0].text;
}

TEST(Safetensors, SumsBytesElementsAndTypes) {
    const CheckpointTotals t = read(file(
        R"({"__metadata__":{"format":"pt"},"a":{"dtype":"BF16","shape":[4,8],"data_offsets":[0,64]},)"
        R"("b":{"dtype":"F32","shape":[],"data_offsets":[64,68]},)"
        R"("c":{"dtype":"F4","shape":[3,3],"data_offsets":[68,73]}})"));
    ASSERT_TRUE(t.issues.empty()) << error(t);
    EXPECT_EQ(t.bytes, 73u);
    EXPECT_EQ(t.elements, 42u);
    EXPECT_EQ(t.tensors, 3u);
    ASSERT_EQ(t.types.size(), 3u);
    EXPECT_EQ(t.types[0], (TypeTotal{"BF16", 1, 32, 64}));
}

TEST(Safetensors, KnowsTensorsOfPredictionLayers) {
    const std::string header =
        R"({"model.layers.60.x":{"dtype":"BF16","shape":[5],"data_offsets":[0,10]},)"
        R"("model.layers.61.x":{"dtype":"BF16","shape":[7],"data_offsets":[10,24]},)"
        R"("mtp.fc.weight":{"dtype":"BF16","shape":[2],"data_offsets":[24,28]},)"
        R"("visual.layers.90.x":{"dtype":"BF16","shape":[1],"data_offsets":[28,30]}})";
    EXPECT_EQ(read(file(header), 61).mtp_bytes, 14u + 4);
    EXPECT_EQ(read(file(header)).mtp_bytes, 4u);
}

TEST(Safetensors, RefusesDamagedAndHostileHeaders) {
    const auto refused = [](const std::string& bytes, const char* text) {
        const CheckpointTotals t = read(bytes);
        ASSERT_FALSE(t.issues.empty()) << text;
        EXPECT_NE(error(t).find(text), std::string::npos) << error(t);
    };
    refused("", "ends before");
    refused("1234567", "ends before");
    refused(file("{}", std::uint64_t{1} << 63), "9223372036854775808 bytes");
    refused(file("{}", 100000001), "100000001 bytes");
    refused(file("{}", 99999999), "ends inside");
    refused(file("[1]"), "no JSON object");
    refused(file("{\"a\":"), "not JSON");
    refused(file(R"({"a":{"dtype":"BF16","shape":[4],"data_offsets":[0,7]}})"), "7 bytes");
    refused(file(R"({"a":{"dtype":"BF16","shape":[4],"data_offsets":[8,0]}})"), "data_offsets");
    refused(file(R"({"a":{"dtype":"BF16","shape":[-4],"data_offsets":[0,8]}})"), "whole numbers");
    refused(file(R"({"a":{"dtype":"BF16","shape":[9223372036854775808,4],"data_offsets":[0,8]}})"),
            "do not fit");
    refused(file(R"({"a":{"dtype":"X","shape":[1],"data_offsets":[0,18446744073709551615]},)"
                 R"("b":{"dtype":"X","shape":[1],"data_offsets":[0,18446744073709551615]}})"),
            "64 bits");
    refused(file("{\"a\":" + std::string(10000, '[') + std::string(10000, ']') + "}"), "not JSON");
}

// model.safetensors.index.json of Llama-2-13b-chat: 26,031,738,880 B, 403 tensors (40 rotary
// buffers of 64 f32 each); of a Qwen2.5-14B: 29,540,067,328 B.
TEST(Safetensors, ReadsAnIndex) {
    const CheckpointTotals t = read_safetensors_index(
        R"({"metadata":{"total_size":29540067328},"weight_map":{"model.embed_tokens.weight":"b.safetensors",)"
        R"("lm_head.weight":"a.safetensors","model.norm.weight":"b.safetensors"}})",
        "i.json");
    ASSERT_TRUE(t.issues.empty()) << error(t);
    EXPECT_EQ(t.bytes, 29540067328u);
    EXPECT_EQ(t.tensors, 3u);
    EXPECT_EQ(t.files, (std::vector<std::string>{"a.safetensors", "b.safetensors"}));
    EXPECT_FALSE(read_safetensors_index("{}", "i.json").issues.empty());
    EXPECT_FALSE(read_safetensors_index("nothing", "i.json").issues.empty());
    EXPECT_TRUE(read_safetensors_index(R"({"metadata":{"total_size":0},"weight_map":{}})", "i")
                    .issues.empty());
}

ModelSpec llama(std::uint64_t layers) {
    ModelSpec m;
    m.hidden = 64;
    m.vocab = 100;
    LayerSpec l;
    l.ffn.inter = 100;
    m.layers.push_back({static_cast<std::uint32_t>(layers), l});
    return m;
}

TEST(Safetensors, AppliesTheBytesAndSaysWhereTheConfigDisagrees) {
    // 2 x 100 x 64 embeddings and 2 layers of 3 x 64 x 100: 51,200 parameters in bf16.
    const auto apply = [](std::uint64_t bytes, ModelSpec& m) {
        CheckpointTotals t;
        t.bytes = bytes;
        Issues issues;
        apply_totals(t, "m", m, issues);
        return issues;
    };
    ModelSpec m = llama(2);
    EXPECT_TRUE(apply(102400 + 64, m).empty());  // buffers
    EXPECT_EQ(m.weight_bytes, 102464u);
    m = llama(2);
    Issues issues = apply(204800, m);  // stored as f32
    ASSERT_EQ(issues.size(), 1u);
    EXPECT_EQ(issues[0].key, "torch_dtype");
    EXPECT_EQ(m.weight_bytes, 0u);
    m = llama(2);
    issues = apply(150000, m);
    ASSERT_EQ(issues.size(), 1u);
    EXPECT_NE(issues[0].text.find("150000 bytes; 51200 parameters"), std::string::npos)
        << issues[0].text;
    EXPECT_EQ(m.weight_bytes, 150000u);
    m = llama(2);
    EXPECT_EQ(apply(0, m)[0].severity, Severity::notice);
    EXPECT_EQ(m.weight_bytes, 0u);
}

}  // namespace
}  // namespace kvgauge
