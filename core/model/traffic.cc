// SPDX-License-Identifier: MIT
#include "model/traffic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "model/traffic_run.h"

namespace kvgauge {
namespace {

constexpr double kShare = 0.01;          // preempted requests
constexpr std::size_t kPairs = 400;      // of two shapes
constexpr std::size_t kRounds = 10;      // seeds a result is taken over
constexpr double kStudent9 = 2.262;      // 97.5 % of Student's t, 9 degrees
constexpr double kNormal95 = 1.6448536;  // 95 % of the normal distribution
constexpr double kLongest = 4294967295.0;
constexpr std::uint64_t kMostRemainders = 65536;
// Requests at once that are simulated; beyond, what is missing to the mean grows with the root of
// their number, as the spread of a sum of independent lengths does (central limit theorem).
constexpr double kSimulated = 4096;

double normal(std::mt19937_64& r) {
    const double u = 1 - uniform(r), v = uniform(r);
    return std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v);
}

struct LogNormal {
    double mu = 0, sigma = 0;
};

std::optional<LogNormal> log_normal(const LengthShape& s) {
    for (const auto& v : {s.mean, s.p50, s.p95}) {
        if (v && !(*v >= 1 && *v < kLongest)) return std::nullopt;
    }
    if (s.p50 && s.p95) {
        if (*s.p95 < *s.p50) return std::nullopt;
        return LogNormal{std::log(*s.p50), std::log(*s.p95 / *s.p50) / kNormal95};
    }
    if (s.mean && s.p50) {
        if (*s.mean < *s.p50) return std::nullopt;
        return LogNormal{std::log(*s.p50), std::sqrt(2 * std::log(*s.mean / *s.p50))};
    }
    if (s.mean && s.p95) {
        // ln p95 = ln mean - sigma^2/2 + z sigma; the smaller root.
        const double gap = std::log(*s.p95 / *s.mean), root = kNormal95 * kNormal95 - 2 * gap;
        if (gap < 0 || root < 0) return std::nullopt;
        const double sigma = kNormal95 - std::sqrt(root);
        return LogNormal{std::log(*s.mean) - sigma * sigma / 2, sigma};
    }
    const auto only = s.mean ? s.mean : s.p50 ? s.p50 : s.p95;
    return only ? std::optional(LogNormal{std::log(*only), 0}) : std::nullopt;
}

std::uint32_t draw(const LogNormal& d, std::mt19937_64& r) {
    const double v = std::round(std::exp(d.mu + d.sigma * normal(r)));
    return static_cast<std::uint32_t>(std::clamp(v, 1.0, kLongest));
}

std::uint64_t blocks_of(std::uint64_t tokens, std::uint64_t block) {
    return (tokens + block - 1) / block;
}

// Sum over the steps of one request of the blocks it holds.
double block_steps(const LengthPair& p, std::uint64_t block) {
    double sum = 0;
    for (std::uint64_t tokens = std::uint64_t{p.in} + 1, end = std::uint64_t{p.in} + p.out;
         tokens <= end;) {
        const std::uint64_t held = blocks_of(tokens, block);
        const std::uint64_t until = std::min(held * block, end);
        sum += static_cast<double>(held) * static_cast<double>(until - tokens + 1);
        tokens = until + 1;
    }
    return sum;
}

// What a run looks at, with blocks no longer than the longest request and lengths in units that
// keep the block small: both change no count of blocks, the units only where a block is absurd.
TrafficInput for_runs(TrafficInput in) {
    std::uint64_t longest = 1;
    for (const LengthPair& p : in.lengths) longest = std::max(longest, std::uint64_t{p.in} + p.out);
    in.block_tokens = std::clamp<std::uint64_t>(in.block_tokens, 1, longest);
    const std::uint64_t unit = blocks_of(in.block_tokens, kMostRemainders);
    if (unit == 1) return in;
    in.block_tokens = blocks_of(in.block_tokens, unit);
    for (LengthPair& p : in.lengths) {
        p.in = static_cast<std::uint32_t>(blocks_of(p.in, unit));
        p.out = static_cast<std::uint32_t>(blocks_of(p.out, unit));
        in.blocks = std::max(in.blocks, blocks_of(std::uint64_t{p.in} + p.out, in.block_tokens));
    }
    return in;
}

bool within_share(const TrafficInput& in, std::uint64_t concurrency, std::uint64_t seed) {
    const std::uint64_t requests = std::max<std::uint64_t>(400, 2 * concurrency);
    const auto most = static_cast<std::uint64_t>(static_cast<double>(requests) * kShare);
    return TrafficRun(in, concurrency, seed).preempted(requests, most) <= most;
}

// Largest concurrency whose share stays within kShare, for one seed; `low` does. Looks near `guess`
// first, then halves what is left.
std::uint64_t at_one_per_cent(const TrafficInput& in, std::uint64_t low, std::uint64_t high,
                              std::uint64_t guess, std::uint64_t seed) {
    for (std::uint64_t step = 1 + (high - low) / 32, at = guess; low < high; step *= 2) {
        at = std::clamp(at, low + 1, high);
        const bool within = within_share(in, at, seed);
        (within ? low : high) = within ? at : at - 1;
        const std::uint64_t middle = low + (high - low + 1) / 2;
        at = within ? std::min(middle, low + step) : std::max(middle, high - std::min(high, step));
    }
    return low;
}

}  // namespace

std::vector<LengthPair> pairs_of(const LengthShape& in, const LengthShape& out,
                                 std::uint64_t seed) {
    const auto prompt = log_normal(in), answer = log_normal(out);
    std::vector<LengthPair> pairs;
    if (!prompt || !answer) return pairs;
    std::mt19937_64 random(seed);
    for (std::size_t i = 0; i < kPairs; ++i) {
        const std::uint32_t tokens = draw(*prompt, random);
        pairs.push_back({tokens, draw(*answer, random), 1});
    }
    return pairs;
}

double preempted_share(const TrafficInput& in, std::uint64_t concurrency, std::uint64_t requests,
                       std::uint64_t seed) {
    const TrafficInput of_run = for_runs(in);
    return static_cast<double>(
               TrafficRun(of_run, concurrency, seed).preempted(requests, requests)) /
           static_cast<double>(requests);
}

std::optional<Traffic> traffic(const TrafficInput& in) {
    Traffic t;
    double weight = 0, steps = 0, held = 0;
    for (const LengthPair& p : in.lengths) {
        if (p.out == 0 || !(p.weight > 0)) return std::nullopt;
        weight += p.weight;
        t.mean_in += p.weight * p.in;
        t.mean_out += p.weight * p.out;
        steps += p.weight * p.out;
        held += p.weight * block_steps(p, in.block_tokens);
        t.longest_blocks =
            std::max(t.longest_blocks, blocks_of(std::uint64_t{p.in} + p.out, in.block_tokens));
    }
    if (!(weight > 0) || in.block_tokens == 0 || t.longest_blocks > in.blocks) return std::nullopt;
    t.mean_in /= weight;
    t.mean_out /= weight;
    t.blocks_per_request = held / steps;
    const auto cap = [&](double n) {
        return in.max_seqs != 0 ? std::min(n, static_cast<double>(in.max_seqs)) : n;
    };
    const double blocks = static_cast<double>(in.blocks);
    t.expected = {cap(std::floor(blocks / t.blocks_per_request)), {}, {}, Basis::derived};
    const double all = blocks / t.blocks_per_request;
    TrafficInput of_run = for_runs(in);
    double root = 1;  // of how many times the simulated number there are
    const double longest = static_cast<double>(t.longest_blocks);
    const double simulated = std::max(kSimulated, longest / t.blocks_per_request);
    if (t.expected.value > simulated) {
        root = std::sqrt(all / simulated);
        of_run.blocks = std::max(t.longest_blocks,
                                 static_cast<std::uint64_t>(simulated * t.blocks_per_request));
    }
    const double here = static_cast<double>(of_run.blocks) / t.blocks_per_request;
    const auto high =
        static_cast<std::uint64_t>(std::max(1.0, std::min(t.expected.value, std::floor(here))));
    // Where all may be at their longest at once, nothing is ever preempted.
    const std::uint64_t low = std::clamp<std::uint64_t>(of_run.blocks / t.longest_blocks, 1, high);
    std::array<double, kRounds> found{};
    double sum = 0, squares = 0;
    std::uint64_t guess = high;
    for (std::size_t i = 0; i < kRounds; ++i) {
        guess = at_one_per_cent(of_run, low, high, guess, in.seed + i);
        const double n = static_cast<double>(guess);
        found[i] = root == 1 ? n : all - (here - n) * root;
        sum += found[i];
    }
    const double mean = sum / kRounds;
    for (const double f : found) squares += (f - mean) * (f - mean);
    const double half = kStudent9 * std::sqrt(squares / (kRounds - 1) / kRounds);
    const double always = static_cast<double>(in.blocks / t.longest_blocks);
    t.at_one_per_cent = {cap(std::round(mean)), cap(std::max(always, std::floor(mean - half))),
                         cap(std::ceil(mean + half)), Basis::derived};
    return t;
}

}  // namespace kvgauge
