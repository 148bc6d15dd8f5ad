// SPDX-License-Identifier: MIT
#include "estimate_traffic.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/traffic.h"

namespace kvgauge {
namespace {

constexpr std::uint64_t kLongest = 1'000'000'000;  // tokens

void refuse(Issues& issues, std::string_view key, std::string_view code, std::string text,
            std::vector<std::string> args = {}) {
    issues.push_back({Severity::error, std::string(key), std::move(text), code, std::move(args)});
}

// Lengths beyond what one sequence may have end there.
double cut_at(std::vector<LengthPair>& lengths, std::uint64_t ctx) {
    double cut = 0, all = 0;
    for (LengthPair& p : lengths) {
        all += p.weight;
        if (std::uint64_t{p.in} + p.out <= ctx) continue;
        cut += p.weight;
        const auto most = static_cast<std::uint32_t>(std::min<std::uint64_t>(ctx, kLongest));
        p.in = std::min(p.in, most - 1);
        p.out = std::min(p.out, most - p.in);
    }
    return all > 0 ? cut / all : 0;
}

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
    return a / b + (a % b != 0 ? 1 : 0);
}

// Blocks a request can have: vLLM keeps one that stands for nothing (v1/core/block_pool.py,
// null_block).
std::uint64_t usable(const Estimate& e, const CachePlan& p) {
    return p.blocks - (e.engine == EngineId::vllm && p.blocks > 0 ? 1 : 0);
}

double mean_length(const std::vector<LengthPair>& lengths) {
    double sum = 0, steps = 0;
    for (const LengthPair& p : lengths) {
        const double out = p.out;
        sum += p.weight * out * (p.in + out / 2);
        steps += p.weight * out;
    }
    return steps > 0 ? sum / steps : 1;
}

LengthShape shape(const LengthShape& given, std::uint64_t constant) {
    return given.given() ? given : LengthShape{static_cast<double>(constant), {}, {}};
}

}  // namespace

void add_traffic(const Scenario& s, const Catalog& catalog, Estimate& e, Issues& issues) {
    e.traffic.reset();
    if (s.engine == EngineId::llamacpp || s.engine == EngineId::hf) {
        const std::string engine(display_name(s.engine));
        return refuse(issues, "lengths", "traffic_no_pages",
                      "lengths: " + engine +
                          " does not page its cache: batch.max is its concurrency. vllm, sglang, "
                          "trtllm, tgi, lmdeploy and none are accepted.",
                      {engine});
    }
    TrafficInput input;
    input.seed = s.mix.seed;
    input.lengths = s.mix.seen;
    if (input.lengths.empty()) {
        input.lengths = pairs_of(shape(s.mix.in, s.in), shape(s.mix.out, s.out), s.mix.seed);
    }
    if (input.lengths.empty()) {
        return refuse(issues, "lengths", "traffic_contradict",
                      "lengths: mean, p50 and p95 contradict each other: p50 is at most mean and "
                      "p95, p95 at most 3.8 times mean, each from 1 token.");
    }
    if (!e.plan || !e.batch || e.ctx == 0) return;
    TrafficAnswer a;
    a.cut = cut_at(input.lengths, std::max<std::uint64_t>(e.ctx, 2));
    a.block_tokens =
        std::max<std::uint64_t>(1, e.plan->block_tokens) * std::max<std::uint64_t>(1, s.dcp);
    a.blocks = usable(e, *e.plan);
    Basis basis = e.batch->max.basis;
    a.even = a.blocks / ceil_div(e.ctx, a.block_tokens) == e.plan->max_requests;
    std::optional<std::uint64_t> low, high;
    if (a.even) {
        if (e.plan_low) low = usable(e, *e.plan_low);
        if (e.plan_high) high = usable(e, *e.plan_high);
    } else {
        // As if every block were worth what it is at the mean length of a request under way.
        Scenario at = s;
        at.ctx = std::max<std::uint64_t>(
            1, static_cast<std::uint64_t>(std::llround(mean_length(input.lengths))));
        const Estimate mean = estimate(at, catalog, Part::plan);
        if (!mean.plan) return;
        const double per = static_cast<double>(ceil_div(at.ctx, a.block_tokens));
        a.blocks = static_cast<std::uint64_t>(std::floor(mean.plan->max_concurrency * per));
        basis = Basis::assumed;
    }
    input.blocks = a.blocks;
    input.block_tokens = a.block_tokens;
    input.max_seqs = e.plan->max_seqs;
    const auto found = traffic(input);
    if (!found) {
        const std::string blocks = std::to_string(a.blocks);
        const std::string tokens = std::to_string(a.block_tokens);
        return refuse(issues, "lengths", "traffic_longest",
                      "lengths: the longest request needs more than the " + blocks + " blocks of " +
                          tokens + " tokens that fit.",
                      {blocks, tokens});
    }
    a.traffic = *found;
    Traffic& t = a.traffic;
    const auto at_blocks = [&](std::uint64_t blocks) {
        const double n = std::floor(static_cast<double>(blocks) / t.blocks_per_request);
        return input.max_seqs != 0 ? std::min(n, static_cast<double>(input.max_seqs)) : n;
    };
    if (low) t.expected.low = at_blocks(*low);
    if (high) t.expected.high = at_blocks(*high);
    t.expected.basis = weaker(t.expected.basis, basis);
    t.at_one_per_cent.basis = weaker(t.at_one_per_cent.basis, basis);
    e.traffic = a;
}

}  // namespace kvgauge
