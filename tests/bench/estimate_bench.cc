// SPDX-License-Identifier: MIT
// estimate() is called a million times by a sweep: below 2 microseconds for Llama 3 8B.
#include <benchmark/benchmark.h>

#include "estimate.h"
#include "text/answer.h"
#include "text/json.h"
#include "text/link.h"

namespace {

using namespace kvgauge;

// The context changes from call to call, so that nothing is answered twice.
template <Part parts>
void estimate_parts(benchmark::State& state) {
    const Catalog& catalog = builtin_catalog();
    Scenario s;
    for (auto _ : state) {
        s.ctx = 4096 + (s.ctx + 16) % 4096;
        benchmark::DoNotOptimize(estimate(s, catalog, parts));
    }
}
BENCHMARK(estimate_parts<Part::all>)->Name("estimate/llama-3-8b");
BENCHMARK(estimate_parts<Part::geometry>)->Name("estimate/llama-3-8b/geometry");
BENCHMARK(estimate_parts<Part::tp>)->Name("estimate/llama-3-8b/tp");
BENCHMARK(estimate_parts<Part::batch>)->Name("estimate/llama-3-8b/batch");
BENCHMARK(estimate_parts<Part::speed>)->Name("estimate/llama-3-8b/speed");

void estimate_model(benchmark::State& state, const char* model) {
    Scenario s;
    s.model = model;
    s.tp = 8;
    for (auto _ : state) {
        s.ctx = 4096 + (s.ctx + 16) % 4096;
        benchmark::DoNotOptimize(estimate(s));
    }
}
BENCHMARK_CAPTURE(estimate_model, gemma, "gemma-3-27b")->Name("estimate/gemma-3-27b");
BENCHMARK_CAPTURE(estimate_model, mixtral, "mixtral-8x7b")->Name("estimate/mixtral-8x7b");

void answer_rows(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(answer({}, {}, builtin_catalog()));
}
BENCHMARK(answer_rows)->Name("estimate+report");

void answer_json(benchmark::State& state) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(
            estimate_json(answer({}, {}, builtin_catalog()), builtin_catalog()));
    }
}
BENCHMARK(answer_json)->Name("estimate+report+json");

void link(benchmark::State& state) {
    constexpr std::string_view kText =
        "v=1&model=llama-3-8b&gpu=a100-80gb-sxm&engine=vllm@0.20&tp=2&kv=fp8&ctx=16k";
    for (auto _ : state) {
        benchmark::DoNotOptimize(format_link(parse_link(kText, builtin_catalog()).scenario));
    }
}
BENCHMARK(link)->Name("link/parse+format");

}  // namespace
