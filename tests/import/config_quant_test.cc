// SPDX-License-Identifier: MIT
// Stored formats by the bytes of real checkpoints and by arithmetic on Llama-3-8B: linears
// 6979321856 elements in 43008 output rows a layer, embedding, head and norms 2101878784 B in 16
// bit.
#include <gtest/gtest.h>

#include <string>

#include "import/config_json.h"
#include "model/weights.h"

namespace kvgauge {
namespace {

constexpr std::uint64_t kLinears = 6979321856, kRest = 2101878784;

ModelSpec read(const std::string& body, std::string_view sidecar = {}) {
    const Import i = import_config(body, "config.json", sidecar);
    for (const Issue& x : i.issues) {
        if (x.severity == Severity::error) ADD_FAILURE() << x.key << ": " << x.text;
    }
    return i.model.value_or(ModelSpec{});
}

ModelSpec llama(const std::string& more, std::string_view sidecar = {}) {
    return read(
        R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4096,
        "intermediate_size": 14336, "num_attention_heads": 32, "num_hidden_layers": 32,
        "num_key_value_heads": 8, "torch_dtype": "bfloat16", "vocab_size": 128256)" +
            more + "}",
        sidecar);
}

ModelSpec quantised(const std::string& q) {
    return llama(R"(, "quantization_config": )" + q);
}

std::uint64_t stored(const ModelSpec& m) {
    return checkpoint_bytes(m, m.weights).value();
}

TEST(ConfigQuant, Dtype) {
    EXPECT_EQ(stored(llama("")), 16060522496u);
    const ModelSpec f = read(R"({"model_type": "llama", "hidden_size": 64, "intermediate_size": 128,
        "num_attention_heads": 1, "num_hidden_layers": 1, "vocab_size": 64, "torch_dtype": "float32"})");
    // 4 * 64^2 + 3 * 64 * 128 + 2 * 64 * 64 + 3 * 64 elements of 4 B.
    EXPECT_EQ(stored(f), 4u * (16384 + 24576 + 8192 + 192));
}

TEST(ConfigQuant, Awq) {
    for (
        const char* q :
        {R"({"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": true, "version": "gemm"})",
         R"({"quant_method": "awq", "w_bit": 4, "q_group_size": 128, "version": "GEMM"})"}) {
        EXPECT_EQ(stored(quantised(q)), 5727854592u);  // the published 5.73 GB
    }
}

// Methods of transformers and vLLM that say their bits in their own words. Llama-3-8B: 43008 output
// rows a layer, 32 layers.
TEST(ConfigQuant, MethodsWithSettingsOfTheirOwn) {
    constexpr std::uint64_t kRows = 43008 * 32;
    struct Case {
        std::string_view json;
        std::uint64_t bytes;
    };
    const Case cases[] = {
        // Quark: one fp8 scale a tensor; MXFP4 has an e8m0 byte per 32; int4 a 16-bit scale per
        // 128.
        {R"({"quant_method": "quark", "exclude": ["lm_head"], "global_quant_config": {"weight":
            {"dtype": "fp8_e4m3", "qscheme": "per_tensor", "group_size": null}}})",
         kLinears + kRest},
        {R"({"quant_method": "quark", "exclude": ["lm_head"], "global_quant_config": {"weight":
            {"dtype": "fp4", "qscheme": "per_group", "group_size": 32, "scale_format": "e8m0"}}})",
         kLinears / 2 + kLinears / 32 + kRest},
        {R"({"quant_method": "quark", "global_quant_config": {"weight":
            {"dtype": "uint4", "qscheme": "per_group", "group_size": 128}}})",
         kLinears / 2 + kLinears / 128 * 2 + kRest},
        // Two levels, fp8 and then int4: the int4 is what is stored.
        {R"({"quant_method": "quark", "global_quant_config": {"weight": [{"dtype": "fp8_e4m3"},
            {"dtype": "int4", "qscheme": "per_group", "group_size": 128}]}})",
         kLinears / 2 + kLinears / 128 * 2 + kRest},
        // HQQ and torchao int4: scale and zero point in 16 bit each per group.
        {R"({"quant_method": "hqq", "quant_config": {"weight_quant_params": {"nbits": 4,
            "group_size": 64, "axis": 1}}, "skip_modules": ["lm_head"]})",
         kLinears / 2 + kLinears / 64 * 4 + kRest},
        {R"({"quant_method": "torchao", "quant_type": "int4_weight_only",
            "quant_type_kwargs": {"group_size": 128}})",
         kLinears / 2 + kLinears / 128 * 4 + kRest},
        {R"({"quant_method": "torchao", "quant_type": {"default":
            {"_type": "Int8WeightOnlyConfig", "_data": {}}}})",
         kLinears + kRows * 4 + kRest},
        {R"({"quant_method": "torchao", "quant_type": {"default":
            {"_type": "Float8DynamicActivationFloat8WeightConfig", "_data": {}}}})",
         kLinears + kRest},
        {R"({"quant_method": "quanto", "weights": "int8"})", kLinears + kRows * 4 + kRest},
        // AQLM 1x16: 16 bits for 8 weights, a scale a row (codebooks of 1 MiB are not counted).
        {R"({"quant_method": "aqlm", "in_group_size": 8, "out_group_size": 1, "num_codebooks": 1,
            "nbits_per_codebook": 16, "linear_weights_not_to_quantize": ["lm_head.weight"]})",
         kLinears / 4 + kRows * 2 + kRest},
        // BitNet packs four ternary weights a byte.
        {R"({"quant_method": "bitnet", "linear_class": "autobitlinear"})",
         kLinears / 4 + kRows * 2 + kRest},
        {R"({"quant_method": "w8a8_fp8"})", kLinears + kRows * 4 + kRest},
    };
    for (const Case& c : cases) {
        EXPECT_EQ(stored(quantised(std::string(c.json))), c.bytes) << c.json;
    }
}

TEST(ConfigQuant, GptqModelLeavesModulesAlone) {
    // q, k, v, o: 32 layers of 2 * 4096 * 4096 + 2 * 1024 * 4096 = 41943040 stay in 16 bit; the
    // rest is 4 bit, 2 B scale and half a byte of zero per 128, and g_idx of 4 B per input row.
    constexpr std::uint64_t kAttention = 32ull * 41943040, kMlp = kLinears - kAttention;
    const ModelSpec m = quantised(R"({"quant_method": "gptq", "bits": 4, "group_size": 128,
        "dynamic": {"-:.*\\.self_attn\\..*": {}}})");
    EXPECT_EQ(stored(m), kMlp / 2 + kMlp / 128 * 5 / 2 + 32ull * (2 * 4096 + 14336) * 4 +
                             kAttention * 2 + kRest);
}

TEST(ConfigQuant, Gptq) {
    const ModelSpec m = quantised(
        R"({"quant_method": "gptq", "bits": 4, "group_size": 128, "desc_act": true, "sym": true})");
    EXPECT_EQ(stored(m), 5732835328u);
    // group_size -1: one scale (2 B) and one zero (half a byte) per output row.
    const ModelSpec whole = quantised(R"({"quant_method": "gptq", "bits": 4, "group_size": -1})");
    EXPECT_EQ(stored(whole), kLinears / 2 + 43008u * 32 * 5 / 2 + 4980736 + kRest);
    EXPECT_EQ(stored(quantised(R"({"quant_method": "gptq", "bits": 8, "group_size": 128})")),
              kLinears + kLinears / 128 * 3 + 4980736 + kRest);
    // Qwen-7B-Chat-Int4: its index says 5860564992, 1933312 of it zero biases of linears that have
    // none (30208 a layer); Q, K and V are one matrix there, two g_idx of 4096 a layer fewer.
    const ModelSpec q = read(R"({"architectures": ["QWenLMHeadModel"], "model_type": "qwen",
        "hidden_size": 4096, "intermediate_size": 22016, "num_attention_heads": 32,
        "num_hidden_layers": 32, "kv_channels": 128, "vocab_size": 151936, "fp16": true,
        "quantization_config": {"bits": 4, "group_size": 128, "desc_act": false,
        "quant_method": "gptq"}, "tie_word_embeddings": false})");
    EXPECT_EQ(stored(q), 5860564992u - 1933312u + 32u * 2 * 4096 * 4);
}

TEST(ConfigQuant, BitsAndBytes) {
    // The index of a Llama-3.1-8B in int8 says 9086705888: 224 more, a byte per matrix.
    EXPECT_EQ(stored(quantised(R"({"quant_method": "bitsandbytes", "load_in_8bit": true,
        "_load_in_8bit": true, "_load_in_4bit": false})")),
              9086705664u);
    EXPECT_EQ(stored(quantised(R"({"load_in_4bit": true, "bnb_4bit_quant_type": "nf4"})")),
              kLinears / 2 + kLinears / 16 + kRest);
    // Llama-2-13B with double quantisation: the index says 7201770923, 352683 of it the code tables
    // of 280 matrices.
    const ModelSpec m =
        read(R"({"model_type": "llama", "hidden_size": 5120, "intermediate_size": 13824,
        "num_attention_heads": 40, "num_hidden_layers": 40, "vocab_size": 32000,
        "torch_dtype": "float16", "quantization_config": {"_load_in_4bit": true,
        "load_in_4bit": true, "bnb_4bit_quant_type": "nf4", "bnb_4bit_use_double_quant": true,
        "quant_method": "bitsandbytes"}})");
    EXPECT_EQ(stored(m), 7201770923u - 352683u);
}

TEST(ConfigQuant, Mxfp4OfGptOss) {
    // The indices of the released files: 13761264768 and 65248815744 bytes.
    const auto oss = [](int layers, int experts) {
        return read(R"({"architectures": ["GptOssForCausalLM"], "model_type": "gpt_oss",
            "hidden_size": 2880, "intermediate_size": 2880, "head_dim": 64, "num_attention_heads": 64,
            "num_key_value_heads": 8, "sliding_window": 128, "vocab_size": 201088,
            "num_experts_per_tok": 4, "tie_word_embeddings": false, "torch_dtype": "bfloat16",
            "num_hidden_layers": )" +
                    std::to_string(layers) + R"(, "num_local_experts": )" +
                    std::to_string(experts) +
                    R"(, "quantization_config": {"quant_method": "mxfp4", "modules_to_not_convert":
            ["model.layers.*.self_attn", "model.layers.*.mlp.router", "model.embed_tokens",
            "lm_head"]}})");
    };
    EXPECT_EQ(stored(oss(24, 32)), 13761264768u);
    EXPECT_EQ(stored(oss(36, 128)), 65248815744u);
}

TEST(ConfigQuant, Mlx) {
    // Qwen3-14B-MLX-4bit: its index says 8307783680.
    const ModelSpec m = read(R"({"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3",
        "hidden_size": 5120, "intermediate_size": 17408, "num_attention_heads": 40,
        "num_hidden_layers": 40, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151936,
        "tie_word_embeddings": false, "quantization": {"group_size": 64, "bits": 4}})");
    EXPECT_EQ(stored(m), 8307783680u);
}

TEST(ConfigQuant, Fp8) {
    EXPECT_EQ(stored(quantised(R"({"quant_method": "fp8", "weight_block_size": [128, 128]})")),
              kLinears + 425984u * 4 + kRest);
    EXPECT_EQ(stored(quantised(R"({"quant_method": "fp8", "weight_block_size": null})")),
              kLinears + kRest);
    EXPECT_EQ(stored(quantised(R"({"quant_method": "fbgemm_fp8"})")),
              kLinears + 43008u * 32 * 4 + kRest);
}

TEST(ConfigQuant, CompressedTensors) {
    const auto group = [](const std::string& weights, const std::string& more) {
        return quantised(R"({"quant_method": "compressed-tensors", "config_groups": {"group_0":
            {"targets": ["Linear"], "weights": )" +
                         weights + R"(}}, "ignore": ["lm_head"])" + more + "}");
    };
    EXPECT_EQ(stored(group(R"({"num_bits": 8, "type": "float", "strategy": "channel"})", "")),
              kLinears + 43008u * 32 * 4 + kRest);
    EXPECT_EQ(stored(group(R"({"num_bits": 8, "type": "float", "strategy": "tensor"})", "")),
              kLinears + kRest);
    EXPECT_EQ(stored(group(R"({"num_bits": 8, "type": "float", "strategy": "block",
        "block_structure": [128, 128]})",
                           "")),
              kLinears + 425984u * 4 + kRest);
    // W4A16, groups of 128: 4 bit and a 16-bit scale.
    EXPECT_EQ(stored(group(R"({"num_bits": 4, "type": "int", "strategy": "group", "group_size": 128,
        "symmetric": true})",
                           R"(, "format": "pack-quantized")")),
              kLinears / 2 + kLinears / 64 + kRest);
    EXPECT_EQ(stored(group(R"({"num_bits": 4, "type": "float", "group_size": 16})",
                           R"(, "format": "nvfp4-pack-quantized")")),
              kLinears / 2 + kLinears / 16 + 224 * 4 + kRest);
    EXPECT_EQ(stored(group(R"({"num_bits": 4, "type": "float", "group_size": 32})",
                           R"(, "format": "mxfp4-pack-quantized")")),
              kLinears / 2 + kLinears / 32 + kRest);
    // Attention named in the ignore list: its 41943040 elements a layer stay in 16 bit.
    const std::uint64_t attention = 32ull * 41943040;
    const ModelSpec m = quantised(R"({"quant_method": "compressed-tensors", "config_groups": {"g":
        {"targets": ["Linear"], "weights": {"num_bits": 8, "type": "float", "strategy": "tensor"}}},
        "ignore": ["re:.*self_attn.*", "re:.*lm_head.*"]})");
    EXPECT_EQ(stored(m), kLinears + attention + kRest);
}

TEST(ConfigQuant, ModelOpt) {
    const char* keys = R"({"quant_method": "modelopt", "quant_algo": "NVFP4", "kv_cache_scheme":
        {"num_bits": 8, "type": "float"}, "ignore": ["lm_head"]})";
    EXPECT_EQ(stored(quantised(keys)), kLinears / 2 + kLinears / 16 + 224 * 4 + kRest);
    EXPECT_EQ(quantised(keys).kv, DType::fp8);
    // The sidecar alone.
    const ModelSpec m = llama("", R"({"producer": {"name": "modelopt"}, "quantization":
        {"quant_algo": "FP8", "kv_cache_quant_algo": "FP8", "exclude_modules": ["lm_head"]}})");
    EXPECT_EQ(stored(m), kLinears + kRest);
    EXPECT_EQ(m.kv, DType::fp8);
    // A layer or two left alone does not move the class; most of them do.
    std::string some = R"({"quantization": {"quant_algo": "NVFP4", "exclude_modules": ["lm_head")";
    for (int i = 0; i < 32; ++i) {
        if (i < 2) some += R"(, "model.layers.)" + std::to_string(i) + R"(.mlp.up_proj")";
        some += R"(, "model.layers.)" + std::to_string(i) + R"(.self_attn*")";
    }
    EXPECT_EQ(stored(llama("", some + "]}}")),
              (kLinears - 32ull * 41943040) / 16 * 9 + 96 * 4 + 32ull * 41943040 * 2 + kRest);
}

TEST(ConfigQuant, MixedPrecision) {
    std::string q = R"({"quant_method": "modelopt", "quant_algo": "MIXED_PRECISION",
        "kv_cache_quant_algo": "FP8", "quantized_layers": {"lm_head": {"quant_algo": "NVFP4"})";
    for (int i = 0; i < 32; ++i) {
        const std::string l = R"(, "model.layers.)" + std::to_string(i);
        q += l + R"(.self_attn.q_proj": {"quant_algo": "FP8"})";
        for (const char* m : {"gate_proj", "up_proj", "down_proj"}) {
            q += l + ".mlp." + m + R"(": {"quant_algo": "W4A16_NVFP4", "group_size": 16})";
        }
    }
    const ModelSpec m = quantised(q + "}}");
    const std::uint64_t attention = 32ull * 41943040, ffn = kLinears - attention;
    // Head in NVFP4 (one tensor more with a scale), embedding and norms in 16 bit.
    EXPECT_EQ(stored(m), attention + ffn / 16 * 9 + 96 * 4 + 525336576u / 16 * 9 + 4 +
                             (525336576u + 266240u) * 2);
    EXPECT_EQ(m.kv, DType::fp8);
}

TEST(ConfigQuant, KvSchemes) {
    const auto kv = [](const std::string& scheme) {
        return quantised(R"({"quant_method": "fp8", )" + scheme + "}").kv;
    };
    EXPECT_EQ(kv(R"("kv_cache_scheme": "FP8")"), DType::fp8);
    EXPECT_EQ(kv(R"("kv_cache_scheme": {"num_bits": 8, "type": "int"})"), DType::int8);
    EXPECT_EQ(kv(R"("kv_cache_quant_algo": "NVFP4")"), DType::nvfp4);
    EXPECT_EQ(kv(R"("kv_cache_scheme": null)"), DType::bf16);
}

TEST(ConfigQuant, UnknownMethodIsSaid) {
    const Import i =
        import_config(R"({"model_type": "llama", "hidden_size": 64, "intermediate_size": 128,
        "num_attention_heads": 1, "num_hidden_layers": 1, "vocab_size": 64,
        "quantization_config": {"quant_method": "quip"}})",
                      "config.json");
    ASSERT_TRUE(i.model.has_value());
    EXPECT_EQ(i.model->weights.kind, WeightKind::bf16);
    bool named = false;
    for (const Issue& x : i.issues) {
        named = named || (x.key == "quantization_config" && x.text.find("quip") != x.text.npos);
    }
    EXPECT_TRUE(named);
}

TEST(ConfigQuant, ABrokenSidecarIsOnlyAWarning) {
    const Import i =
        import_config(R"({"model_type": "llama", "hidden_size": 64, "intermediate_size": 128,
        "num_attention_heads": 1, "num_hidden_layers": 1, "vocab_size": 64})",
                      "config.json", "{");
    EXPECT_TRUE(i.model.has_value());
    EXPECT_FALSE(has_error(i.issues));
    EXPECT_FALSE(i.issues.empty());
}

}  // namespace
}  // namespace kvgauge
