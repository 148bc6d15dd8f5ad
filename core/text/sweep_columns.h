// SPDX-License-Identifier: MIT
// Owns: what a sweep says of each of its points beside the rows of a report: GPUs and, with a price
// per GPU-hour, costs; and the conditions of --where over rows, keys and these.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/fields.h"
#include "text/row_values.h"

namespace kvgauge {

// Price of one GPU-hour, in the user's money.
struct Prices {
    std::optional<double> any;
    std::vector<std::pair<std::string, double>> of_gpu;  // catalog id
    bool given() const { return any.has_value() || !of_gpu.empty(); }
    std::optional<double> of(std::string_view gpu) const;
};
// "2.5", or "h100-80gb-sxm=2.5,a100-80gb-sxm=1.6"; false: an issue says what is wrong.
bool read_prices(std::string_view text, const Catalog&, Prices&, Issues&);

enum class Extra : std::uint8_t {
    row,
    gpus,
    cost_per_hour,
    cost_per_million_tokens,
    key,
    verdict_at
};

struct Column {
    std::string_view id;
    std::string_view unit;
    std::string_view label;
    Extra extra = Extra::row;
    const RowKind* row = nullptr;  // extra == row
    const Field* field = nullptr;  // extra == key: a number of the scenario
    std::uint64_t tp = 0;          // extra == verdict_at: the size asked about
    // Small is good: times, bytes, GPUs, costs.
    bool small_is_good() const;
};
// A row id or alias, gpus, cost.per_hour, cost.per_million_tokens, the key of a number, or
// tp.verdict@N: what the engine says of N GPUs (1 to 64, powers of 2), whatever tp is.
std::optional<Column> find_column(std::string_view id);

std::optional<RowValue> value_of(const Column&, const Scenario&, const Estimate&, const Prices&);
std::uint64_t gpus_of(const Scenario&);
bool fits(const Estimate&);

// One condition: `fits`, `tpot<30ms`, `batch.max>=64`, `tp.verdict=ok`.
struct Condition {
    enum class Op : std::uint8_t { fits, less, at_most, more, at_least, equal, not_equal };
    Op op = Op::fits;
    Column column;
    double number = 0;
    std::string word;
};
// Conditions joined by commas; all must hold. A row that a point lacks meets none.
std::vector<Condition> read_conditions(std::string_view text, Issues&);
bool holds(const Condition&, const Scenario&, const Estimate&, const Prices&);

}  // namespace kvgauge
