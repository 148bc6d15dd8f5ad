// SPDX-License-Identifier: MIT
// Owns: the rows every presenter prints: table, text, Markdown, CSV, JSON, read-outs of the views.
// One list, so that they cannot disagree.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "estimate.h"

namespace kvgauge {

struct Row {
    std::string_view id;     // "kv.bytes_per_token"
    std::string label;       // "KV per token"
    std::string_view unit;   // "B", "s", "1/s", "1", "FLOP/B", "word", "text"
    std::variant<std::uint64_t, double, std::string> value;  // bytes and counts exact
    Basis basis = Basis::exact;
    std::optional<double> low, high;
    std::string derivation;  // the formula with the values put in
};

struct Report {
    std::vector<Row> rows;
    Issues issues;
    std::string sentence;    // the answer: "Fits. 55 requests of 8,192 tokens."
    std::string second;      // what binds
    const Row* find(std::string_view id) const;
};

enum class Lang : std::uint8_t { en, ko };

Report report(const Scenario&, const Estimate&, Lang = Lang::en);

}  // namespace kvgauge
