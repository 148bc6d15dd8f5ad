// SPDX-License-Identifier: MIT
// Limits: a heat map of 512 x 512 cells 400 ms in a page, no slice above 50 ms. Baseline: the same
// points by estimate() one by one.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>

#include "text/link.h"
#include "ui/plan_map.h"

namespace {

using namespace kvgauge;
using ui::PlanMap;
using ui::PlanPicture;

Scenario large() {
    return parse_link("v=1&model=llama-3-70b&gpu=h100-80gb-sxm&tp=4", builtin_catalog()).scenario;
}

void map(benchmark::State& state) {
    using Clock = std::chrono::steady_clock;
    const Scenario s = large();
    double longest = 0;
    for (auto _ : state) {
        PlanMap m;
        for (bool more = true; more;) {
            const auto start = Clock::now();
            more = m.update(s, builtin_catalog(), 1024, 131072, 512, .02);
            const std::chrono::duration<double, std::milli> slice = Clock::now() - start;
            longest = std::max(longest, slice.count());
        }
        benchmark::DoNotOptimize(m.picture()->high());
    }
    state.counters["longest_slice_ms"] = longest;
}
BENCHMARK(map)->Name("plan/512x512")->Unit(benchmark::kMillisecond);

void anew(benchmark::State& state) {
    const Scenario s = large();
    const PlanPicture axes(1024, 131072, 512);
    for (auto _ : state) {
        double sum = 0;
        for (int c = 0; c < PlanPicture::kColumns; ++c) {
            for (int r = 0; r < PlanPicture::kRows; ++r) {
                sum += PlanMap::point(s, builtin_catalog(), axes.ctx(c), axes.batch(r)).rate;
            }
        }
        benchmark::DoNotOptimize(sum);
    }
}
BENCHMARK(anew)->Name("plan/512x512/baseline")->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
