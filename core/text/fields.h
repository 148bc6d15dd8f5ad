// SPDX-License-Identifier: MIT
// Owns: the one table of keys. Link, command line, JSON input, form and help are four spellings of
// it: key, aliases, unit, accepted range, default, help, and how a text sets the Scenario.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "data/catalog.h"
#include "model/issue.h"
#include "model/scenario.h"

namespace kvgauge {

enum class FieldKind : std::uint8_t { text, choice, toggle, count, tokens, bytes, rate, fraction, milliseconds };
enum class Group : std::uint8_t { model, hardware, engine, workload };

// Presentation of a page, window or command: never part of a Scenario, never changes a number.
struct Presentation {
    std::string lang, theme, view;
    bool operator==(const Presentation&) const = default;
};

struct Field {
    std::string_view key;
    std::span<const std::string_view> aliases;
    FieldKind kind;
    Group group;
    std::string_view unit;     // "tokens", "bytes", "FLOP/s", ...
    std::string_view accepts;  // what is accepted, in words, for messages
    std::string_view help;
    std::span<const std::string_view> choices;  // kind == choice
    bool link = true;          // may stand in a link
    // Sets the key from its text. Empty: done; else what is wrong, as a sentence without the key.
    std::optional<std::string> (*set)(Scenario&, std::string_view text, const Catalog&);
    // Canonical text of the key, empty when it has its default.
    std::string (*get)(const Scenario&);
    // Canonical text of the value in effect (the default spelled out), for JSON's scenario.
    std::string (*effective)(const Scenario&);
};

std::span<const Field> fields();             // in link order
const Field* find_field(std::string_view key);  // key or alias; - and _ are the same
// Sets one key; an issue names the key, the value and what is accepted.
std::optional<Issue> set_field(Scenario&, std::string_view key, std::string_view text, const Catalog&);

}  // namespace kvgauge
