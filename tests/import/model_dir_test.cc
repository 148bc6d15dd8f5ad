// SPDX-License-Identifier: MIT
#include "import/model_dir.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>

#include "model/weights.h"
#include "support/gguf_writer.h"
#include "support/memory_files.h"

namespace kvgauge {
namespace {

using testing::GgufWriter;
using testing::MemoryFiles;

// A Llama of 2 layers: 2 x 1000 x 64 + 2 x (4 x 64 x 64 + 3 x 64 x 128 + 128) + 64 = 210,240.
const char* kConfig =
    R"({"architectures":["LlamaForCausalLM"],"model_type":"llama","hidden_size":64,"intermediate_size":128,)"
    R"("num_hidden_layers":2,"num_attention_heads":4,"num_key_value_heads":4,"vocab_size":1000,)"
    R"("max_position_embeddings":128,"torch_dtype":"bfloat16","tie_word_embeddings":false})";
constexpr std::uint64_t kBytes = 210240 * 2;

std::string shard(std::uint64_t bytes) {
    const std::string n = std::to_string(bytes);
    const std::string header = R"({"x":{"dtype":"BF16","shape":[)" + std::to_string(bytes / 2) +
                               R"(],"data_offsets":[0,)" + n + "]}}";
    std::string out(8, '\0');
    const std::uint64_t size = header.size();
    std::memcpy(out.data(), &size, 8);
    return out + header;
}

Import import(std::map<std::string, std::string> files, const std::string& folder = "m") {
    MemoryFiles source(std::move(files));
    return import_model_dir(source, folder);
}

std::string all(const Import& i) {
    std::string s;
    for (const Issue& x : i.issues) s += x.text + "\n";
    return s;
}

TEST(ModelDir, TakesBytesFromTheHeadersOfAllShards) {
    const Import i = import(
        {{"m/config.json", kConfig},
         {"m/model.safetensors.index.json",
          R"({"metadata":{"total_size":7},"weight_map":{"a":"1.safetensors","b":"2.safetensors"}})"},
         {"m/1.safetensors", shard(kBytes - 1000)},
         {"m/2.safetensors", shard(1000)},
         {"m/consolidated.safetensors", shard(4000)}},
        "m/");
    ASSERT_TRUE(i.model.has_value()) << all(i);
    EXPECT_EQ(params(*i.model).total.value(), 210240u);
    EXPECT_EQ(i.model->weight_bytes, kBytes);
    EXPECT_TRUE(i.issues.empty()) << all(i);
}

TEST(ModelDir, TakesTheIndexWhereShardsAreMissing) {
    const Import i = import(
        {{"m/config.json", kConfig},
         {"m/model.safetensors.index.json",
          R"({"metadata":{"total_size":420480},"weight_map":{"a":"1.safetensors","b":"2.safetensors"}})"},
         {"m/1.safetensors", shard(1000)}});
    ASSERT_TRUE(i.model.has_value()) << all(i);
    EXPECT_EQ(i.model->weight_bytes, kBytes);
    EXPECT_NE(all(i).find("1 of 2 safetensors files are not here"), std::string::npos);
}

TEST(ModelDir, OneFileAndOtherKinds) {
    EXPECT_EQ(import({{"m/config.json", kConfig}, {"m/model.safetensors", shard(kBytes)}})
                  .model->weight_bytes,
              kBytes);
    EXPECT_EQ(import({{"m/config.json", kConfig}, {"m/consolidated.safetensors", shard(kBytes)}})
                  .model->weight_bytes,
              kBytes);
    EXPECT_EQ(import({{"m/config.json", kConfig},
                      {"m/pytorch_model.bin.index.json",
                       R"({"metadata":{"total_size":420480},"weight_map":{}})"}})
                  .model->weight_bytes,
              kBytes);
    const Import bare = import({{"m/config.json", kConfig}});
    ASSERT_TRUE(bare.model.has_value());
    EXPECT_EQ(bare.model->weight_bytes, 0u);
    EXPECT_NE(all(bare).find("no safetensors files"), std::string::npos);
}

TEST(ModelDir, AdaptersAreNoPartOfTheModel) {
    EXPECT_EQ(import({{"m/config.json", kConfig},
                      {"m/adapter_model.safetensors", shard(5000)},
                      {"m/model-00001-of-00002.safetensors", shard(kBytes - 1000)},
                      {"m/model-00002-of-00002.safetensors", shard(1000)}})
                  .model->weight_bytes,
              kBytes);
    const Import alone =
        import({{"m/config.json", kConfig}, {"m/adapter_model.safetensors", shard(5000)}});
    EXPECT_EQ(alone.model->weight_bytes, 0u);
    EXPECT_NE(all(alone).find("no safetensors files"), std::string::npos);
}

TEST(ModelDir, ConsolidatedPartsAloneAreTheModel) {
    EXPECT_EQ(import({{"m/config.json", kConfig},
                      {"m/consolidated-00001-of-00002.safetensors", shard(kBytes - 1000)},
                      {"m/consolidated-00002-of-00002.safetensors", shard(1000)}})
                  .model->weight_bytes,
              kBytes);
}

// Without an index only the names say that parts are missing.
TEST(ModelDir, MissingPartsWithoutAnIndex) {
    const Import i = import({{"m/config.json", kConfig},
                             {"m/model-00001-of-00003.safetensors", shard(1000)},
                             {"m/model-00003-of-00003.safetensors", shard(1000)}});
    ASSERT_TRUE(i.model.has_value()) << all(i);
    EXPECT_EQ(i.model->weight_bytes, 0u);
    EXPECT_NE(all(i).find("only 2 of 3 safetensors files are here"), std::string::npos) << all(i);
}

// AutoGPTQ and AutoAWQ wrote their settings beside config.json before transformers had a place for
// them; they do not name their method.
TEST(ModelDir, SettingsOfOlderQuantisers) {
    const Import gptq =
        import({{"m/config.json", kConfig},
                {"m/quantize_config.json",
                 R"({"bits":4,"group_size":128,"damp_percent":0.01,"desc_act":false})"}});
    ASSERT_TRUE(gptq.model.has_value()) << all(gptq);
    EXPECT_EQ(gptq.model->weights.kind, WeightKind::gptq);
    EXPECT_EQ(gptq.model->weights.group, 128u);
    const Import awq =
        import({{"m/config.json", kConfig},
                {"m/quant_config.json",
                 R"({"zero_point":true,"q_group_size":64,"w_bit":4,"version":"GEMM"})"}});
    ASSERT_TRUE(awq.model.has_value()) << all(awq);
    EXPECT_EQ(awq.model->weights.kind, WeightKind::awq);
    EXPECT_EQ(awq.model->weights.group, 64u);
}

// Repositories of GGUF files often carry the config.json of the model they were made from.
TEST(ModelDir, AGgufBesideConfigIsTheModel) {
    const Import i = import({{"m/config.json", kConfig}, {"m/model.gguf", "GGUF"}});
    EXPECT_FALSE(i.model.has_value());  // the file is read, and is damaged
    EXPECT_NE(all(i).find("model.gguf"), std::string::npos) << all(i);
    EXPECT_TRUE(import({{"m/config.json", kConfig},
                        {"m/model.gguf", "GGUF"},
                        {"m/model.safetensors", shard(kBytes)}})
                    .model.has_value());
}

// A damaged shard leaves the configuration's answer, and says so.
TEST(ModelDir, DamagedFilesAreWarnings) {
    const Import i = import({{"m/config.json", kConfig}, {"m/model.safetensors", "xx"}});
    ASSERT_TRUE(i.model.has_value());
    EXPECT_EQ(i.model->weight_bytes, 0u);
    EXPECT_FALSE(has_error(i.issues));
    EXPECT_NE(all(i).find("m/model.safetensors: ends before"), std::string::npos) << all(i);
}

TEST(ModelDir, ReadsTheSidecarAndNamesTheModelAfterItsFolder) {
    const Import i =
        import({{"a/b/config.json", kConfig},
                {"a/b/hf_quant_config.json",
                 R"({"quantization":{"quant_algo":"FP8","kv_cache_quant_algo":"FP8"}})"}},
               "a/b");
    ASSERT_TRUE(i.model.has_value()) << all(i);
    EXPECT_EQ(i.model->kv, DType::fp8);
}

TEST(ModelDir, SaysWhatIsMissing) {
    EXPECT_NE(all(import({}, "m")).find("no such folder"), std::string::npos);
    EXPECT_NE(all(import({{"m/readme", "x"}})).find("no config.json"), std::string::npos);
    EXPECT_NE(all(import({{"m/config.json", "{"}})).find("not JSON"), std::string::npos);
    EXPECT_NE(all(import({{"m/a.gguf", "x"}, {"m/b.gguf", "x"}})).find("2 GGUF files"),
              std::string::npos);
}

TEST(ModelDir, FindsAllPartsOfAGgufFile) {
    const auto part = [](std::uint32_t n) {
        GgufWriter w;
        if (n == 0) {
            w.text("general.architecture", "llama").u32("llama.block_count", 1);
            w.u32("llama.embedding_length", 64).u32("llama.attention.head_count", 4);
        }
        w.u32("split.no", n).u32("split.count", 2).i32("split.tensors.count", 2);
        return w.tensor(n == 0 ? "token_embd.weight" : "output.weight", {64, 10}, 0).done();
    };
    const Import i = import({{"m/q-00001-of-00002.gguf", part(0)},
                             {"m/q-00002-of-00002.gguf", part(1)},
                             {"m/mmproj-q.gguf", "x"}});
    ASSERT_TRUE(i.model.has_value()) << all(i);
    EXPECT_EQ(i.model->weight_bytes, 2u * 640 * 4);
}

TEST(HubCache, FolderByTheEnvironment) {
    EXPECT_EQ(hub_cache_folder({"/a", "/b", "/c", "/d"}), "/a");
    EXPECT_EQ(hub_cache_folder({"", "/b", "/c", "/d"}), "/b/hub");
    EXPECT_EQ(hub_cache_folder({"", "", "/c", "/d"}), "/c/huggingface/hub");
    EXPECT_EQ(hub_cache_folder({"", "", "", "/d"}), "/d/.cache/huggingface/hub");
    EXPECT_EQ(hub_cache_folder({}), "");
}

TEST(HubCache, FindsTheSnapshotOfRefsMain) {
    const std::string base = "/c/models--org--name";
    MemoryFiles files({{base + "/refs/main", "aaa\n"},
                       {base + "/snapshots/aaa/config.json", kConfig},
                       {base + "/snapshots/bbb/config.json", kConfig},
                       {"/c/models--org--other/snapshots/111/config.json", kConfig},
                       {"/c/models--org--other/snapshots/222/readme", ""}});
    EXPECT_EQ(find_snapshot(files, "/c", "org/name"), base + "/snapshots/aaa");
    EXPECT_EQ(find_snapshot(files, "/c", "org/other"), "/c/models--org--other/snapshots/111");
    EXPECT_EQ(find_snapshot(files, "/c", "org/none"), std::nullopt);
    EXPECT_EQ(find_snapshot(files, "", "org/name"), std::nullopt);
    for (const char* id : {"name", "a/b/c", "../x", "a/..", "/a", "a/", "a b/c", "", "./a"}) {
        EXPECT_FALSE(is_repository_id(id)) << id;
        EXPECT_EQ(find_snapshot(files, "/c", id), std::nullopt) << id;
    }
    EXPECT_TRUE(is_repository_id("Qwen/Qwen2.5-7B_x"));
}

}  // namespace
}  // namespace kvgauge
