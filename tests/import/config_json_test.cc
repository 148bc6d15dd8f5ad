// SPDX-License-Identifier: MIT
#include "import/config_json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string>

#include "import/config_family.h"
#include "model/kv_cache.h"
#include "model/weights.h"

namespace kvgauge {
namespace {

const KvTypes kBf16{};

// The model, or a failed test that prints why it was refused.
ModelSpec read(std::string_view json, std::string_view sidecar = {}) {
    const Import i = import_config(json, "config.json", sidecar);
    for (const Issue& x : i.issues) {
        if (x.severity == Severity::error) ADD_FAILURE() << x.key << ": " << x.text;
    }
    return i.model.value_or(ModelSpec{});
}

// The first error of a config that must be refused.
Issue refused(std::string_view json) {
    const Import i = import_config(json, "config.json");
    EXPECT_FALSE(i.model.has_value());
    for (const Issue& x : i.issues) {
        if (x.severity == Severity::error) return x;
    }
    ADD_FAILURE() << "no error issue";
    return {};
}

bool contains(std::string_view s, std::string_view part) {
    return s.find(part) != s.npos;
}

constexpr std::string_view kLlama3 = R"({
  "architectures": ["LlamaForCausalLM"], "attention_bias": false, "hidden_size": 4096,
  "intermediate_size": 14336, "max_position_embeddings": 8192, "model_type": "llama",
  "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8,
  "rope_scaling": null, "tie_word_embeddings": false, "torch_dtype": "bfloat16", "vocab_size": 128256})";

TEST(ConfigJson, Llama3) {
    const ModelSpec m = read(kLlama3);
    EXPECT_EQ(m.architecture, "LlamaForCausalLM");
    EXPECT_EQ(m.max_ctx, 8192u);
    ASSERT_EQ(m.layers.size(), 1u);
    EXPECT_EQ(m.layers[0].count, 32u);
    // 2 * 32 * 8 * 128 * 2 B; 8030261248 parameters as published.
    EXPECT_EQ(kv_sizes(m, kBf16, 8192, 0).bytes_per_token, 131072);
    EXPECT_EQ(params(m).total, Count(8030261248));
    EXPECT_EQ(checkpoint_bytes(m, m.weights), Bytes(16060522496));
    EXPECT_TRUE(m.assumed.empty());
}

TEST(ConfigJson, Mistral7bVersionOneSlides) {
    // Window 4096 on every layer; 32 * 2 * 8 * 128 * 2 B = 131072 B a token; at 8192 tokens 4096
    // stay.
    const ModelSpec m = read(R"({"architectures": ["MistralForCausalLM"], "hidden_size": 4096,
      "intermediate_size": 14336, "max_position_embeddings": 32768, "model_type": "mistral",
      "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8,
      "sliding_window": 4096, "torch_dtype": "bfloat16", "vocab_size": 32000})");
    const KvSizes k = kv_sizes(m, kBf16, 8192, 0);
    EXPECT_EQ(k.bytes_per_request, Bytes(131072ull * 4096));
    EXPECT_EQ(k.bytes_per_request_all_full, Bytes(131072ull * 8192));
    // 7241732096: the published count of Mistral-7B-v0.1.
    EXPECT_EQ(params(m).total, Count(7241732096));
}

TEST(ConfigJson, MistralNemoHeadDim) {
    // head_dim 128 is written; hidden / heads would say 160. sliding_window null: no window.
    const ModelSpec m = read(R"({"architectures": ["MistralForCausalLM"], "head_dim": 128,
      "hidden_size": 5120, "intermediate_size": 14336, "model_type": "mistral",
      "num_attention_heads": 32, "num_hidden_layers": 40, "num_key_value_heads": 8,
      "sliding_window": null, "vocab_size": 131072})");
    EXPECT_EQ(kv_sizes(m, kBf16, 8192, 0).bytes_per_request, Bytes(40ull * 2 * 8 * 128 * 2 * 8192));
}

TEST(ConfigJson, QwenWindowIsOffUnlessSwitchedOn) {
    // Qwen2.5-7B writes sliding_window 131072 and use_sliding_window false. 28 layers of 4 heads.
    const std::string off = R"({"architectures": ["Qwen2ForCausalLM"], "hidden_size": 3584,
      "intermediate_size": 18944, "max_position_embeddings": 131072, "max_window_layers": 20,
      "model_type": "qwen2", "num_attention_heads": 28, "num_hidden_layers": 28,
      "num_key_value_heads": 4, "sliding_window": 4096, "tie_word_embeddings": false,
      "use_sliding_window": false, "vocab_size": 152064})";
    const ModelSpec m = read(off);
    EXPECT_EQ(kv_sizes(m, kBf16, 8192, 0).bytes_per_request, Bytes(57344ull * 8192));
    EXPECT_EQ(params(m).total, Count(7615616512));  // published
    std::string on = off;
    on.replace(on.find("\"use_sliding_window\": false"), 27, "\"use_sliding_window\": true");
    // transformers: layers from max_window_layers on slide: 8 of 28.
    EXPECT_EQ(kv_sizes(read(on), kBf16, 8192, 0).bytes_per_request,
              Bytes(2048ull * (20 * 8192 + 8 * 4096)));
}

TEST(ConfigJson, NestedConfigWithClassDefaults) {
    // LLaVA-1.5: text_config holds no sizes; LlamaConfig's are 32 layers, 4096, 32 heads, 11008.
    const Import i = import_config(R"({"architectures": ["LlavaForConditionalGeneration"],
      "model_type": "llava", "text_config": {"architectures": ["LlamaForCausalLM"],
      "max_position_embeddings": 4096, "model_type": "llama", "torch_dtype": "float16",
      "vocab_size": 32064}, "vision_config": {"num_attention_heads": 16}})",
                                   "config.json");
    ASSERT_TRUE(i.model.has_value());
    EXPECT_EQ(kv_sizes(*i.model, kBf16, 1, 0).bytes_per_token, 524288);
    EXPECT_EQ(params(*i.model).total, Count(6738939904));  // Vicuna 7B and 64 rows more
    EXPECT_EQ(i.model->vision_heads, 16u);
    EXPECT_FALSE(i.issues.empty());  // the defaults are named
    // The same at top level is a file with holes.
    EXPECT_EQ(refused(R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama"})").key,
              "num_hidden_layers");
}

TEST(ConfigJson, UnknownArchitectureIsAssumedOnlyWhenPlain) {
    const std::string plain =
        R"({"architectures": ["NewThingForCausalLM"], "model_type": "new_thing",
      "hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32,
      "num_hidden_layers": 32, "num_key_value_heads": 8, "vocab_size": 128256, "rope_theta": 1e6)";
    const ModelSpec m = read(plain + "}");
    EXPECT_EQ(kv_sizes(m, kBf16, 1, 0).bytes_per_token, 131072);
    ASSERT_FALSE(m.assumed.empty());
    EXPECT_TRUE(contains(m.assumed[0], "NewThingForCausalLM"));

    for (const std::string_view field :
         {R"("kv_lora_rank": 512)", R"("sliding_window": 1024)", R"("ssm_state_size": 128)",
          R"("layer_types": ["linear_attention"])", R"("num_kv_shared_layers": 4)",
          R"("cross_attention_layers": [3])", R"("hybrid_override_pattern": "M*")",
          R"("attention_chunk_size": 8192)", R"("index_topk": 2048)", R"("conv_L_cache": 3)"}) {
        const Issue i = refused(plain + ", " + std::string(field) + "}");
        EXPECT_TRUE(contains(field, i.key)) << field << ": " << i.key << ": " << i.text;
    }
    // The same fields switched off prove nothing against it.
    EXPECT_EQ(read(plain + R"(, "kv_lora_rank": null, "sliding_window": null, "use_cla": false})")
                  .layers.size(),
              1u);
    EXPECT_EQ(refused(R"({"architectures": ["BertForMaskedLM"], "model_type": "bert",
      "hidden_size": 768, "num_attention_heads": 12, "num_hidden_layers": 12, "vocab_size": 30522,
      "intermediate_size": 3072})")
                  .key,
              "architectures");
}

TEST(ConfigJson, NamesAreInOrder) {
    EXPECT_TRUE(family_names_sorted());
}

TEST(ConfigJson, ForeignFieldsOnAKnownFamily) {
    std::string s(kLlama3);
    s.insert(1, R"("kv_lora_rank": 512, )");
    EXPECT_EQ(refused(s).key, "kv_lora_rank");
}

TEST(ConfigJson, BadValuesNameKeyValueAndRange) {
    const auto with = [](std::string_view from, std::string_view to) {
        std::string s(kLlama3);
        s.replace(s.find(from), from.size(), to);
        return s;
    };
    const std::string_view layers = "\"num_hidden_layers\": 32";
    for (const std::string_view value : {"0", "-3", "1e30", "18446744073709551616", "2.5", "\"32\"",
                                         "true", "[1]", "Infinity", "NaN"}) {
        const Issue i = refused(with(layers, "\"num_hidden_layers\": " + std::string(value)));
        EXPECT_EQ(i.key, "num_hidden_layers") << value;
        EXPECT_TRUE(contains(i.text, "from 1 to 8192")) << i.text;
    }
    EXPECT_EQ(refused(with("\"num_key_value_heads\": 8", "\"num_key_value_heads\": 7")).key,
              "num_key_value_heads");
    EXPECT_EQ(refused(with("\"hidden_size\": 4096", "\"hidden_size\": 0")).key, "hidden_size");
    EXPECT_EQ(refused(with("\"hidden_size\": 4096", "\"hidden_size\": 4097")).key, "head_dim");
    EXPECT_EQ(refused(with("\"vocab_size\": 128256", "\"vocab_size\": 1e30")).key, "vocab_size");
}

TEST(ConfigJson, UnreadableInput) {
    const Issue i = refused("{\"a\": ");
    EXPECT_TRUE(contains(i.text, "config.json")) << i.text;
    EXPECT_TRUE(contains(i.text, "line 1")) << i.text;
    EXPECT_TRUE(contains(refused("[1, 2]").text, "JSON object"));
    refused("");
    refused("\xff\xfe");
    // 100000 brackets: refused by depth, without a deep stack.
    EXPECT_TRUE(contains(refused(std::string(100000, '[')).text, "nested deeper"));
}

TEST(ConfigJson, TwoMegabytesOfIgnoreListAreQuick) {
    // 50000 names as ModelOpt writes them for a model with many experts.
    std::string s(kLlama3);
    std::string list =
        R"("quantization_config": {"quant_method": "modelopt", "quant_algo": "NVFP4", "ignore": ["lm_head")";
    for (int i = 0; i < 50000; ++i) {
        list += ", \"model.layers." + std::to_string(i % 61) + ".mlp.experts." +
                std::to_string(i / 61) + ".down_proj\"";
    }
    s.insert(1, list + "]}, ");
    EXPECT_GT(s.size(), 2u << 20);
    double best = 1e9;
    for (int i = 0; i < 3; ++i) {
        const std::clock_t start = std::clock();  // processor time: the machine may be busy
        EXPECT_EQ(read(s).layers[0].count, 32u);
        best = std::min(best, 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    std::printf("%.1f MB of config: %.1f ms\n", static_cast<double>(s.size()) / 1e6, best);
#ifdef NDEBUG
    EXPECT_LT(best, 20);
#endif
}

TEST(ConfigJson, InfinityAndByteOrderMarkAreAccepted) {
    std::string s(kLlama3);
    s.insert(1,
             "\"time_step_limit\": [0.0, Infinity], \"x\": NaN, \"y\": -Infinity, \"z\": 1e+308, ");
    s = "\xef\xbb\xbf" + s;
    std::string crlf;
    for (const char c : s) crlf += c == '\n' ? "\r\n" : std::string(1, c);
    EXPECT_EQ(read(crlf).layers[0].count, 32u);
}

}  // namespace
}  // namespace kvgauge
