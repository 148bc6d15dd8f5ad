// SPDX-License-Identifier: MIT
// Owns: which rows there are and what each is worth in an estimate, as numbers and words without
// text: a report adds labels and derivations, a sweep filters, sorts and writes a million of them.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "estimate.h"
#include "text/strings.h"

namespace kvgauge {

struct RowValue {
    // Bytes and counts exact; words ("ok_replicated") are static text.
    std::variant<std::uint64_t, double, std::string_view> value;
    Basis basis = Basis::exact;
    std::optional<double> low, high;

    bool number() const { return value.index() != 2; }
    double real() const;  // 0 for a word
};

struct RowKind {
    std::string_view id;
    Str label;
    std::string_view unit;  // "B", "s", "1/s", "1", "FLOP/B", "word", "text"
    // Empty: the row is not given. Null: a text, which only a report makes.
    std::optional<RowValue> (*get)(const Scenario&, const Estimate&);
    std::string_view alias{};  // short name in filters: "tpot"
};

std::span<const RowKind> row_kinds();          // in the order of a report
const RowKind* find_row(std::string_view id);  // id or alias

}  // namespace kvgauge
