// SPDX-License-Identifier: MIT
// Owns: many scenarios from one: axes of values, conditions on rows, order.
// An axis is a key with a list "1,2,4,8", a range "1..8" (whole steps; token counts double),
// "0.5..0.9..0.1" (step) or "1..64..x2" (factor).
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/answer.h"
#include "text/fields.h"

namespace kvgauge {

struct Axis {
    const Field* field = nullptr;
    std::vector<std::string> values;
};
inline constexpr std::size_t kAxisMost = 100'000;       // values of one axis
inline constexpr std::uint64_t kSweepMost = 1'000'000;  // points of a sweep

// Whether the text of a key spans several values.
bool is_axis_text(std::string_view);
// An issue names the key and what is accepted.
std::optional<Axis> read_axis(const Field&, std::string_view text, Issues&);

// Points of all axes together; saturated at one more than kSweepMost.
std::uint64_t sweep_points(std::span<const Axis>);
// Sets the values of point `n` (the last axis runs fastest).
void set_point(Scenario&, std::span<const Axis>, std::uint64_t n, const Catalog&, Issues&);

enum class Compare : std::uint8_t { equal, unequal, less, less_equal, greater, greater_equal };
struct Condition {
    std::string id;  // of a row
    Compare compare = Compare::equal;
    std::string text;              // a word
    std::optional<double> number;  // the same as a number, where it is one
};
// "batch.max>=8,tp.verdict=ok,decode.tpot_s<0.03": all must hold.
std::optional<std::vector<Condition>> read_conditions(std::string_view, std::string& why);
// A row that is missing holds nothing.
bool holds(const Report&, std::span<const Condition>);
// The value of a row as a number, for sorting; empty: no such row, or a word.
std::optional<double> row_number(const Report&, std::string_view id);

}  // namespace kvgauge
