// SPDX-License-Identifier: MIT
// Owns: the paged allocator under a fixed number of requests, run from event to event. A running
// request takes a block every `block` steps, always at the same remainder of the step, so growth
// between two events is a sum over counted remainders (a Fenwick tree) and nothing is done by the
// step: a run costs its requests, not their tokens.
#pragma once
#include <cstdint>
#include <random>
#include <vector>

#include "model/traffic.h"

namespace kvgauge {

// In [0, 1); the standard library's distributions differ from one to the next.
inline double uniform(std::mt19937_64& r) {
    return static_cast<double>(r() >> 11) * 0x1p-53;
}

class TrafficRun {
  public:
    // `in` outlives the run.
    TrafficRun(const TrafficInput& in, std::uint64_t concurrency, std::uint64_t seed);

    // Of `requests` finished ones (after a quarter as many that are not counted), how many were
    // preempted at least once. Stops counting beyond `most`.
    std::uint64_t preempted(std::uint64_t requests, std::uint64_t most);

  private:
    // Tokens a request has at the start of step `since`; it ends when it has `end`.
    struct Request {
        std::uint64_t tokens = 0, end = 0, since = 0, stamp = 0;
        bool preempted = false;
    };
    struct Entry {
        std::uint64_t at, stamp;  // of the heap: last step; of the order: unused
        std::uint32_t place;
    };

    Request fresh();
    bool admit();
    void grow(std::uint64_t steps);
    void crowded_step();
    void finish();
    std::uint64_t growth(std::uint64_t steps) const;
    std::uint64_t steps_that_fit() const;
    std::uint64_t next_finish();
    bool gone(const Entry& e) const { return places_[e.place].stamp != e.stamp; }
    std::uint64_t remainder_of(const Request&) const;
    void count(std::uint64_t remainder, std::int32_t by);
    std::uint64_t below(std::uint64_t remainder) const;      // counted remainders before this one
    std::uint64_t first_above(std::uint64_t counted) const;  // where the sum exceeds `counted`
    void drop(std::uint32_t place);

    const TrafficInput& in_;
    std::mt19937_64 random_;
    std::vector<double> upto_, upto_by_time_;
    std::uint64_t free_, most_, drawn_ = 0, now_ = 0, running_ = 0, stamps_ = 0;
    std::uint64_t finished_ = 0, warm_ = 0, wanted_ = 0, hit_ = 0;
    std::vector<Request> places_;
    std::vector<std::uint32_t> empty_;
    std::vector<Entry> order_, ends_;  // oldest first; a heap, the next to finish on top
    std::vector<Request> waiting_;     // the next one last
    std::vector<std::int32_t> tree_;   // of the remainders
    std::size_t top_ = 1;
};

}  // namespace kvgauge
