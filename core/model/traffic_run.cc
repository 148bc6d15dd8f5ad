// SPDX-License-Identifier: MIT
#include "model/traffic_run.h"

#include <algorithm>
#include <bit>

namespace kvgauge {
namespace {

std::uint64_t blocks_of(std::uint64_t tokens, std::uint64_t block) {
    return (tokens + block - 1) / block;
}

}  // namespace

TrafficRun::TrafficRun(const TrafficInput& in, std::uint64_t concurrency, std::uint64_t seed)
    : in_(in), random_(seed), free_(in.blocks), most_(concurrency) {
    double sum = 0, time = 0;
    for (const LengthPair& p : in.lengths) {
        upto_.push_back(sum += p.weight);
        upto_by_time_.push_back(time += p.weight * p.out);
    }
    top_ = std::bit_ceil(static_cast<std::size_t>(in.block_tokens));
    tree_.assign(top_ + 1, 0);
}

// The first requests are under way already: a long one is met more often, at any age alike.
TrafficRun::Request TrafficRun::fresh() {
    const bool first = drawn_ < most_;
    ++drawn_;
    const std::vector<double>& upto = first ? upto_by_time_ : upto_;
    const auto found = std::upper_bound(upto.begin(), upto.end(), uniform(random_) * upto.back());
    const auto i =
        std::min<std::size_t>(static_cast<std::size_t>(found - upto.begin()), upto.size() - 1);
    const LengthPair& p = in_.lengths[i];
    Request r;
    r.tokens = p.in;
    r.end = std::uint64_t{p.in} + p.out;
    if (first) r.tokens += static_cast<std::uint64_t>(uniform(random_) * p.out);
    return r;
}

std::uint64_t TrafficRun::remainder_of(const Request& r) const {
    const std::uint64_t b = in_.block_tokens;
    return (r.since % b + b - r.tokens % b) % b;
}

void TrafficRun::count(std::uint64_t remainder, std::int32_t by) {
    for (std::size_t i = static_cast<std::size_t>(remainder) + 1; i <= top_; i += i & (0 - i)) {
        tree_[i] += by;
    }
}

std::uint64_t TrafficRun::below(std::uint64_t remainder) const {
    std::uint64_t sum = 0;
    for (std::size_t i = static_cast<std::size_t>(remainder); i > 0; i &= i - 1) {
        sum += static_cast<std::uint64_t>(tree_[i]);
    }
    return sum;
}

std::uint64_t TrafficRun::first_above(std::uint64_t counted) const {
    std::size_t at = 0;
    for (std::size_t step = top_; step > 0; step /= 2) {
        if (at + step > top_ || static_cast<std::uint64_t>(tree_[at + step]) > counted) continue;
        at += step;
        counted -= static_cast<std::uint64_t>(tree_[at]);
    }
    return at;
}

// Blocks taken in the next `steps` steps.
std::uint64_t TrafficRun::growth(std::uint64_t steps) const {
    const std::uint64_t b = in_.block_tokens, rounds = steps / b, part = steps % b;
    const std::uint64_t from = (now_ + 1) % b, to = from + part;
    const std::uint64_t sum =
        to <= b ? below(to) - below(from) : running_ - below(from) + below(to - b);
    return rounds * running_ + sum;
}

// Steps until there are too few free blocks, that one not counted.
std::uint64_t TrafficRun::steps_that_fit() const {
    const std::uint64_t b = in_.block_tokens, rounds = free_ / running_;
    const std::uint64_t rest = free_ % running_, from = (now_ + 1) % b, before = below(from);
    const bool same_round = running_ - before > rest;
    const std::uint64_t at =
        same_round ? first_above(before + rest) : b + first_above(rest - (running_ - before));
    return rounds * b + (at - from);
}

void TrafficRun::grow(std::uint64_t steps) {
    free_ -= growth(steps);
    now_ += steps;
}

// The next to finish; those that were preempted meanwhile are passed over.
std::uint64_t TrafficRun::next_finish() {
    const auto later = [](const Entry& a, const Entry& b) {
        return a.at != b.at ? a.at > b.at : a.stamp > b.stamp;
    };
    while (gone(ends_.front())) {
        std::pop_heap(ends_.begin(), ends_.end(), later);
        ends_.pop_back();
    }
    return ends_.front().at;
}

// Takes the waiting in, to run from the next step on. True: there was one that fitted.
bool TrafficRun::admit() {
    const std::uint64_t b = in_.block_tokens;
    bool any = false;
    while (running_ < most_) {
        if (waiting_.empty()) waiting_.push_back(fresh());
        Request r = waiting_.back();
        const std::uint64_t need = blocks_of(r.tokens + 1, b);
        if (need > free_) break;
        waiting_.pop_back();
        free_ -= need;
        r.since = now_ + 1;
        r.stamp = ++stamps_;
        std::uint32_t place = static_cast<std::uint32_t>(places_.size());
        if (empty_.empty()) {
            places_.push_back(r);
        } else {
            place = empty_.back();
            empty_.pop_back();
            places_[place] = r;
        }
        ++running_;
        order_.push_back({0, r.stamp, place});
        any = true;
    }
    return any;
}

void TrafficRun::drop(std::uint32_t place) {
    places_[place].stamp = 0;
    empty_.push_back(place);
    --running_;
}

// One step in which requests were taken in or blocks run short; the youngest makes room.
void TrafficRun::crowded_step() {
    const auto later = [](const Entry& a, const Entry& b) {
        return a.at != b.at ? a.at > b.at : a.stamp > b.stamp;
    };
    const std::uint64_t b = in_.block_tokens;
    const std::uint64_t at = ++now_, here = at % b;
    std::uint64_t need = below(here + 1) - below(here);
    while (need > free_) {
        const Entry last = order_.back();
        order_.pop_back();
        if (gone(last)) continue;
        Request r = places_[last.place];
        drop(last.place);
        if (r.since == at) {
            free_ += blocks_of(r.tokens + 1, b);
        } else {
            const std::uint64_t remainder = remainder_of(r);
            count(remainder, -1);
            if (remainder == here) --need;
            r.tokens += at - r.since;
            free_ += blocks_of(r.tokens, b);
        }
        r.preempted = true;
        waiting_.push_back(r);
    }
    free_ -= need;
    // Those taken in at this step grow from the next on.
    for (std::size_t i = order_.size(); i-- > 0;) {
        const Entry& e = order_[i];
        if (gone(e)) continue;
        const Request& r = places_[e.place];
        if (r.since != at) break;
        count(remainder_of(r), 1);
        ends_.push_back({at + r.end - r.tokens - 1, e.stamp, e.place});
        std::push_heap(ends_.begin(), ends_.end(), later);
    }
    if (order_.size() > 64 + 2 * running_) {
        std::erase_if(order_, [this](const Entry& e) { return gone(e); });
    }
}

void TrafficRun::finish() {
    while (running_ > 0 && next_finish() == now_) {
        const std::uint32_t place = ends_.front().place;
        const Request r = places_[place];
        count(remainder_of(r), -1);
        free_ += blocks_of(r.end, in_.block_tokens);
        drop(place);
        if (finished_ == warm_ + wanted_) continue;
        if (++finished_ > warm_ && r.preempted) ++hit_;
    }
}

std::uint64_t TrafficRun::preempted(std::uint64_t requests, std::uint64_t most) {
    warm_ = requests / 4;
    wanted_ = requests;
    while (finished_ < warm_ + wanted_ && hit_ <= most) {
        if (admit()) {
            crowded_step();
        } else if (const std::uint64_t steps = next_finish() - now_; growth(steps) <= free_) {
            grow(steps);
        } else {
            grow(steps_that_fit());
            crowded_step();
        }
        finish();
    }
    return hit_;
}

}  // namespace kvgauge
