// SPDX-License-Identifier: MIT
// Reading a GGUF header of 20,000 tensors and 150,000 words, a config.json of 2 MB (a list of
// modules left out of quantisation), and decoding the built-in catalog. Baselines: passing over the
// same bytes once. Targets: 50 ms for the header, without tensor data, and 20 ms for the config.
#include <benchmark/benchmark.h>

#include <numeric>
#include <string>

#include "data/catalog_data.h"
#include "data/catalog_decode.h"
#include "import/config_json.h"
#include "import/gguf.h"
#include "support/gguf_writer.h"

namespace {

const std::string& header() {
    static const std::string bytes = [] {
        kvgauge::testing::GgufWriter w;
        w.text("general.architecture", "llama").texts("tokenizer.ggml.tokens", 150000);
        w.u32("llama.block_count", 2000).u32("llama.embedding_length", 4096);
        w.u32("llama.attention.head_count", 32).u32("llama.attention.head_count_kv", 8);
        for (unsigned i = 0; i < 2000; ++i) {
            const std::string b = "blk." + std::to_string(i) + ".";
            for (const char* t : {"attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up",
                                  "ffn_down", "attn_norm", "ffn_norm", "extra"}) {
                w.tensor(b + t + ".weight", {4096, 4096}, 12);
            }
        }
        return w.done();
    }();
    return bytes;
}

void gguf_header_bytes_baseline(benchmark::State& state) {
    const std::string& bytes = header();
    for (auto _ : state) benchmark::DoNotOptimize(std::accumulate(bytes.begin(), bytes.end(), 0));
}
BENCHMARK(gguf_header_bytes_baseline)->Unit(benchmark::kMillisecond);

void gguf_header_20000_tensors(benchmark::State& state) {
    const std::string& bytes = header();
    for (auto _ : state) benchmark::DoNotOptimize(kvgauge::import_gguf(bytes, "m.gguf"));
}
BENCHMARK(gguf_header_20000_tensors)->Unit(benchmark::kMillisecond);

// DeepSeek-V3's sizes, and of each of 61 layers and 256 experts the modules that stay in 16 bit.
const std::string& config() {
    static const std::string json = [] {
        std::string s =
            R"({"architectures":["DeepseekV3ForCausalLM"],"model_type":"deepseek_v3",)"
            R"("hidden_size":7168,"intermediate_size":18432,"moe_intermediate_size":2048,)"
            R"("num_hidden_layers":61,"num_attention_heads":128,"num_key_value_heads":128,)"
            R"("kv_lora_rank":512,"q_lora_rank":1536,"qk_rope_head_dim":64,"qk_nope_head_dim":128,)"
            R"("v_head_dim":128,"n_routed_experts":256,"n_shared_experts":1,)"
            R"("num_experts_per_tok":8,"first_k_dense_replace":3,"vocab_size":129280,)"
            R"("quantization_config":{"quant_method":"modelopt","quant_algo":"NVFP4","ignore":["x")";
        for (unsigned layer = 0; s.size() < 2'000'000; layer = (layer + 1) % 61) {
            for (unsigned e = 0; e < 256; ++e) {
                s += ",\n      \"model.layers." + std::to_string(layer) + ".mlp.experts." +
                     std::to_string(e) + ".down_proj\"";
            }
        }
        return s + "]}}";
    }();
    return json;
}

void config_bytes_baseline(benchmark::State& state) {
    const std::string& json = config();
    for (auto _ : state) benchmark::DoNotOptimize(std::accumulate(json.begin(), json.end(), 0));
}
BENCHMARK(config_bytes_baseline)->Unit(benchmark::kMillisecond);

void config_of_2_mb(benchmark::State& state) {
    const std::string& json = config();
    for (auto _ : state) {
        kvgauge::Import i = kvgauge::import_config(json, "config.json");
        if (!i.model) state.SkipWithError("the config was not imported");
        benchmark::DoNotOptimize(i);
    }
}
BENCHMARK(config_of_2_mb)->Unit(benchmark::kMillisecond);

void catalog_decode(benchmark::State& state) {
    namespace data = kvgauge::catalog_data;
    for (auto _ : state) {
        benchmark::DoNotOptimize(kvgauge::decode_models({data::models, data::models_size}));
        benchmark::DoNotOptimize(kvgauge::decode_gpus({data::gpus, data::gpus_size}));
    }
}
BENCHMARK(catalog_decode)->Unit(benchmark::kMillisecond);

}  // namespace
