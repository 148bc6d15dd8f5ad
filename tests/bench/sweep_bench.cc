// SPDX-License-Identifier: MIT
// Limits: estimate() 2 us for Llama 3 8B, 3 us with the speed model for Llama 3 70B over four GPUs;
// a sweep of a million points 1.5 s. Baseline of the sweep: the same points by estimate() one by
// one.
#include <benchmark/benchmark.h>

#include "estimate.h"
#include "text/sweep.h"
#include "text/sweep_job.h"

namespace {

using namespace kvgauge;

Scenario with_engine(EngineId engine) {
    Scenario s;
    s.engine = engine;
    return s;
}
Scenario large() {
    Scenario s;
    s.model = "llama-3-70b";
    s.gpu = "h100-80gb-sxm";
    s.tp = 4;
    s.batch = 32;
    return s;
}

// The context changes from call to call, so that nothing is answered twice.
void one(benchmark::State& state, Scenario s) {
    for (auto _ : state) {
        s.ctx = 4096 + (s.ctx + 16) % 4096;
        benchmark::DoNotOptimize(estimate(s));
    }
}
BENCHMARK_CAPTURE(one, none, with_engine(EngineId::none))->Name("estimate/llama-3-8b/none");
BENCHMARK_CAPTURE(one, vllm, with_engine(EngineId::vllm))->Name("estimate/llama-3-8b/vllm");
BENCHMARK_CAPTURE(one, large, large())->Name("estimate/llama-3-70b/tp4");

std::vector<Axis> million(const Scenario& s) {
    Issues issues;
    std::vector<Axis> axes;
    for (const auto& [key, text] : {std::pair{"ctx", "1024..64960..64"}, {"batch", "1..1000"}}) {
        axes.push_back(read_axis(*find_field(key), text, s, builtin_catalog(), issues));
    }
    return axes;
}

void sweep_points(benchmark::State& state) {
    const std::vector<Axis> axes = million(large());
    for (auto _ : state) {
        Sweep sweep(large(), axes, builtin_catalog());
        double sum = 0;
        for (std::uint64_t i = 0; i < sweep.size(); ++i) {
            sweep.go(i);
            sum += sweep.estimate().speed->tpot.value + sweep.estimate().batch->max.value;
        }
        benchmark::DoNotOptimize(sum);
        state.SetItemsProcessed(state.items_processed() + static_cast<std::int64_t>(sweep.size()));
    }
}
BENCHMARK(sweep_points)->Name("sweep/1000000")->Unit(benchmark::kMillisecond);

void points_anew(benchmark::State& state) {
    Scenario s = large();
    for (auto _ : state) {
        double sum = 0;
        for (std::uint64_t i = 0; i < 1'000'000; ++i) {
            s.ctx = 1024 + 64 * (i / 1000);
            s.batch = 1 + i % 1000;
            const Estimate e = estimate(s);
            sum += e.speed->tpot.value + e.batch->max.value;
        }
        benchmark::DoNotOptimize(sum);
    }
}
BENCHMARK(points_anew)
    ->Name("sweep/1000000/baseline")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

// Filtered, sorted and written, as `kvgauge sweep --where --sort --limit` does.
void sweep_job(benchmark::State& state) {
    for (auto _ : state) {
        SweepRequest r;
        r.base = large();
        SweepText t;
        t.keys = {{"ctx", "1024..64960..64"}, {"batch", "1..1000"}};
        t.where = "fits,tpot<30ms";
        t.sort = "tok/s";
        t.limit = 10;
        Issues issues;
        if (!read_sweep(t, builtin_catalog(), r, issues)) state.SkipWithError("not read");
        SweepJob job(std::move(r), builtin_catalog());
        std::string out;
        while (job.advance(1 << 16, out)) {
        }
        benchmark::DoNotOptimize(out.data());
    }
}
BENCHMARK(sweep_job)->Name("sweep/1000000/where+sort")->Unit(benchmark::kMillisecond);

}  // namespace
