// SPDX-License-Identifier: MIT
// Reading a GGUF header of 20,000 tensors and 150,000 words, and decoding the built-in catalog.
// Baseline: passing over the same bytes once.
#include <benchmark/benchmark.h>

#include <numeric>
#include <string>

#include "data/catalog_data.h"
#include "data/catalog_decode.h"
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

void catalog_decode(benchmark::State& state) {
    namespace data = kvgauge::catalog_data;
    for (auto _ : state) {
        benchmark::DoNotOptimize(kvgauge::decode_models({data::models, data::models_size}));
        benchmark::DoNotOptimize(kvgauge::decode_gpus({data::gpus, data::gpus_size}));
    }
}
BENCHMARK(catalog_decode)->Unit(benchmark::kMillisecond);

}  // namespace
