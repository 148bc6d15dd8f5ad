// SPDX-License-Identifier: MIT
// Owns: the question "how many requests of these lengths at once" put to a scenario: lengths read
// from a table or described by mean, median and 95th percentile, the engine's own blocks, and the
// answer as numbers with ids (traffic.*). Lengths in tokens.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/catalog.h"
#include "model/issue.h"
#include "model/scenario.h"
#include "model/traffic.h"

namespace kvgauge {

// A table of requests, one a line: "in,out" or "in,out,count", apart by commas, semicolons, tabs or
// blanks. A first line of names may put the columns in another order or leave one out (in, prompt,
// input; out, output, answer, completion; count, weight, requests): a length that is left out is
// `in` or `out`. Empty: an issue says which line is wrong.
std::vector<LengthPair> read_lengths(std::string_view text, std::uint64_t in, std::uint64_t out,
                                     Issues&);

struct TrafficAsked {
    LengthShape in, out;              // nothing given: the scenario's own length, for all
    std::vector<LengthPair> lengths;  // given: instead of both
    std::uint64_t seed = 1;
};

struct TrafficAnswer {
    std::uint64_t block_tokens = 1;  // tokens a block holds
    std::uint64_t blocks = 0;        // usable
    Quantity at_ctx;                 // batch.max: requests of ctx tokens each
    double cut = 0;    // share of requests longer than ctx, which an engine cuts there
    bool even = true;  // false: the cache does not grow by equal blocks (windows, states)
    std::uint64_t seed = 1;
    Traffic traffic;
};

// Empty: an issue says why.
std::optional<TrafficAnswer> traffic_answer(const Scenario&, const TrafficAsked&, const Catalog&,
                                            Issues&);

struct TrafficRow {
    std::string_view id, unit, label;
    Quantity value;
};
std::vector<TrafficRow> traffic_rows(const TrafficAnswer&);

}  // namespace kvgauge
