// SPDX-License-Identifier: MIT
#include "model/traffic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace kvgauge {
namespace {

constexpr double kShare = 0.01;          // preempted requests
constexpr std::size_t kPairs = 400;      // of two shapes
constexpr std::size_t kRounds = 10;      // seeds a result is taken over
constexpr double kStudent9 = 2.262;      // 97.5 % of Student's t, 9 degrees
constexpr double kNormal95 = 1.6448536;  // 95 % of the normal distribution
constexpr double kLongest = 4294967295.0;

// In [0, 1); the standard library's distributions differ from one to the next.
double uniform(std::mt19937_64& r) {
    return static_cast<double>(r() >> 11) * 0x1p-53;
}
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

class Allocator {
  public:
    Allocator(const TrafficInput& in, std::uint64_t concurrency, std::uint64_t seed)
        : in_(in), random_(seed), free_(in.blocks), most_(concurrency) {
        double sum = 0;
        for (const LengthPair& p : in.lengths) upto_.push_back(sum += p.weight);
    }

    double run(std::uint64_t requests) {
        const std::uint64_t warm = requests / 4;  // until the ages have mixed
        std::uint64_t finished = 0, preempted = 0;
        while (finished < warm + requests) {
            admit();
            step();
            for (std::size_t i = running_.size(); i-- > 0;) {
                const Request& r = running_[i];
                if (r.tokens < r.end) continue;
                free_ += r.held;
                if (++finished > warm) preempted += r.preempted ? 1 : 0;
                running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
        return static_cast<double>(preempted) / static_cast<double>(finished - warm);
    }

  private:
    struct Request {
        std::uint64_t tokens, end, held;
        bool preempted;
    };

    Request fresh() {
        const double at = uniform(random_) * upto_.back();
        const auto found = std::upper_bound(upto_.begin(), upto_.end(), at);
        const auto i = std::min<std::size_t>(static_cast<std::size_t>(found - upto_.begin()),
                                             upto_.size() - 1);
        const LengthPair& p = in_.lengths[i];
        Request r{p.in, std::uint64_t{p.in} + p.out, 0, false};
        // The first requests are under way already, so that they do not all end at once.
        if (first_ < most_) {
            ++first_;
            r.tokens += static_cast<std::uint64_t>(uniform(random_) * p.out);
        }
        return r;
    }

    void admit() {
        while (running_.size() < most_) {
            if (waiting_.empty()) waiting_.push_back(fresh());
            Request r = waiting_.back();
            const std::uint64_t need = blocks_of(r.tokens + 1, in_.block_tokens);
            if (need > free_) return;
            waiting_.pop_back();
            r.held = need;
            free_ -= need;
            running_.push_back(r);
        }
    }

    // One token for every request, the oldest first; the youngest makes room.
    void step() {
        for (std::size_t i = 0; i < running_.size(); ++i) {
            const std::uint64_t need = blocks_of(running_[i].tokens + 1, in_.block_tokens);
            while (need > running_[i].held && free_ == 0) {
                Request last = running_.back();
                running_.pop_back();
                free_ += last.held;
                last.held = 0;
                last.preempted = true;
                waiting_.push_back(last);
                if (i == running_.size()) return;
            }
            if (need > running_[i].held) {
                ++running_[i].held;
                --free_;
            }
            ++running_[i].tokens;
        }
    }

    const TrafficInput& in_;
    std::mt19937_64 random_;
    std::vector<double> upto_;
    std::uint64_t free_, most_, first_ = 0;
    std::vector<Request> running_;  // oldest first
    std::vector<Request> waiting_;  // the next one last
};

// Largest concurrency whose share stays within kShare, for one seed.
double at_one_per_cent(const TrafficInput& in, std::uint64_t high, std::uint64_t seed) {
    std::uint64_t low = 1;
    while (low < high) {
        const std::uint64_t mid = low + (high - low + 1) / 2;
        if (preempted_share(in, mid, std::max<std::uint64_t>(400, 4 * mid), seed) <= kShare) {
            low = mid;
        } else {
            high = mid - 1;
        }
    }
    return static_cast<double>(low);
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
    return Allocator(in, concurrency, seed).run(requests);
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
    std::array<double, kRounds> found{};
    const auto high = static_cast<std::uint64_t>(std::max(1.0, t.expected.value));
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < kRounds; ++i) {
        found[i] = at_one_per_cent(in, high, in.seed + i);
        sum += found[i];
    }
    const double mean = sum / kRounds;
    for (const double f : found) squares += (f - mean) * (f - mean);
    const double half = kStudent9 * std::sqrt(squares / (kRounds - 1) / kRounds);
    t.at_one_per_cent = {std::round(mean), std::max(1.0, std::floor(mean - half)),
                         cap(std::ceil(mean + half)), Basis::derived};
    return t;
}

}  // namespace kvgauge
