// SPDX-License-Identifier: MIT
// Every public start-up log at hand: the logged KV budget gives the logged tokens; without it, the
// logged tokens lie inside the predicted range.
#include <gtest/gtest.h>

#include <cmath>

#include "support/log_rows.h"

namespace kvgauge {
namespace {

using test::LogInput;
using test::LogRow;

TEST(EngineLogs, TokensOfTheLoggedBudget) {
    const std::vector<LogRow> rows = test::log_rows();
    if (rows.empty()) GTEST_SKIP() << "no shared/data/engine_logs.jsonl";
    int n = 0, good = 0;
    for (const LogRow& r : rows) {
        if (!r.kv_tokens || !r.available_gib || !r.independent) continue;
        const bool served = r.scenario.engine == EngineId::vllm ||
                            r.scenario.engine == EngineId::sglang ||
                            r.scenario.engine == EngineId::trtllm;
        if (!served) continue;
        if (!r.model) {
            std::printf("  no config  %s %s\n", r.id.c_str(), r.model_name.c_str());
            continue;
        }
        ++n;
        const LogInput in(r);
        const auto budget = static_cast<std::uint64_t>(*r.available_gib * static_cast<double>(gib));
        const CachePlan p = rules(in.in.engine).plan(in.in, budget);
        const double tolerance = 0.006 / *r.available_gib + 64 / *r.kv_tokens + r.off / (1 - r.off);
        const double off = static_cast<double>(p.tokens) / *r.kv_tokens - 1;
        const bool ok = std::fabs(off) <= tolerance;
        good += ok;
        std::printf("  %-4s %-12s %-10s %-40s tp%lu got %llu log %.0f off %.4f allowed %.4f  %s\n",
                    ok ? "ok" : "OFF", r.id.c_str(), r.version_text.substr(0, 10).c_str(),
                    r.model_name.substr(0, 40).c_str(), static_cast<unsigned long>(r.scenario.tp),
                    static_cast<unsigned long long>(p.tokens), *r.kv_tokens, off, tolerance,
                    ok ? "" : r.verdict.c_str());
    }
    std::printf("logged budget -> tokens: %d of %d\n", good, n);
}

TEST(EngineLogs, TokensWithoutTheLoggedBudget) {
    const std::vector<LogRow> rows = test::log_rows();
    if (rows.empty()) GTEST_SKIP() << "no shared/data/engine_logs.jsonl";
    int n = 0, inside = 0;
    std::vector<double> off;
    for (const LogRow& r : rows) {
        if (r.scenario.engine != EngineId::vllm || !r.kv_tokens || !r.util || !r.gpu_known ||
            !r.model || !r.scenario.engine_version || r.scenario.ctx == 0) {
            continue;
        }
        LogInput in(r);
        Scenario s = r.scenario;
        s.util = r.util;
        const EngineInput with{in.in.model,   in.in.gpu,     s,       in.in.engine,
                               in.in.version, in.in.weights, in.in.kv};
        const EngineRules& e = rules(EngineId::vllm);
        const Budget b = e.budget(with);
        const auto tokens = [&](double v) {
            return static_cast<double>(
                e.plan(with, static_cast<std::uint64_t>(std::max(0.0, v))).tokens);
        };
        const double best = tokens(b.kv.value), low = tokens(b.kv.low.value_or(b.kv.value)),
                     high = tokens(b.kv.high.value_or(b.kv.value));
        const bool in_range = low <= *r.kv_tokens && *r.kv_tokens <= high;
        ++n;
        inside += in_range;
        off.push_back(std::fabs(best / *r.kv_tokens - 1));
        const double g = static_cast<double>(gib);
        std::printf(
            "  %-3s %-12s %-8s %-34s tp%lu ctx %lu: log %.0f, %.0f (%.0f-%.0f) off %.3f | weights "
            "%.2f "
            "log %.2f kv %.2f log %.2f ov %.2f\n",
            in_range ? "in" : "OUT", r.id.c_str(), r.version_text.substr(0, 8).c_str(),
            r.model_name.substr(0, 34).c_str(), static_cast<unsigned long>(s.tp),
            static_cast<unsigned long>(s.ctx), *r.kv_tokens, best, low, high, off.back(),
            b.weight_bytes.real() / g, r.weights_gib.value_or(0), b.kv.value / g,
            r.available_gib.value_or(0), b.overhead.value / g);
    }
    std::sort(off.begin(), off.end());
    if (n)
        std::printf("unaided: %d of %d inside, median off %.3f\n", inside, n, off[off.size() / 2]);
}

}  // namespace
}  // namespace kvgauge
