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
#include "text/strings.h"

namespace kvgauge {

struct Row {
    std::string_view id;    // "kv.bytes_per_token"
    std::string label;      // "KV per token"
    std::string_view unit;  // "B", "s", "1/s", "1", "FLOP/B", "word", "text"
    std::variant<std::uint64_t, double, std::string> value;  // bytes and counts exact
    Basis basis = Basis::exact;
    std::optional<double> low, high;
    std::string derivation;  // the formula with the values put in
};

// What the sentence says, for its mark: tick, triangle, cross, ring.
enum class Answer : std::uint8_t { fits, may_fit, does_not_fit, refused, unknown };
std::string_view name(Answer);

struct Report {
    std::vector<Row> rows;
    Issues issues;  // in the report's language
    Answer answer = Answer::unknown;
    std::string sentence;  // the answer: "Fits. 55 requests of 8,192 tokens."
    std::string range;     // "53–56", where the number of requests is not exact
    std::string second;    // what binds
    const Row* find(std::string_view id) const;
};

Report report(const Scenario&, const Estimate&, Lang = Lang::en);

std::string_view name(Basis);         // "exact", for machines
std::string basis_word(Lang, Basis);  // for people
// The value as people read it: "128 KiB", "21.3 ms", "1,490 tok/s", a word or a text.
std::string value_text(const Row&);
// "53–56", empty where the value is exact or both ends read alike.
std::string range_text(const Row&);

}  // namespace kvgauge
