// SPDX-License-Identifier: MIT
// Owns: the one table of keys. Link, command line, JSON input, form and help are four spellings of
// it: key, aliases, unit, accepted range, default, help, and how a text sets the Scenario.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "data/catalog.h"
#include "model/issue.h"
#include "model/scenario.h"

namespace kvgauge {

enum class FieldKind : std::uint8_t {
    text,
    choice,
    toggle,
    count,
    tokens,
    bytes,
    rate,
    fraction,
    milliseconds
};
enum class Group : std::uint8_t { model, hardware, engine, workload };

// Presentation of a page, window or command: never part of a Scenario, never changes a number.
struct Presentation {
    std::string lang, theme, view;
    bool operator==(const Presentation&) const = default;
};

// Where a number or switch of the table lies in a Scenario. monostate: a text or choice, which has
// functions of its own.
using Slot = std::variant<std::monostate, std::uint64_t*, std::optional<std::uint64_t>*,
                          std::optional<double>*, bool*, std::optional<bool>*>;

struct Field {
    std::string_view key;
    std::span<const std::string_view> aliases;
    FieldKind kind;
    Group group;
    std::string_view unit;     // "tokens", "bytes", "FLOP/s", ...
    std::string_view accepts;  // what is accepted, in words, for messages
    std::string_view help;
    std::span<const std::string_view> choices;  // kind == choice
    double min = 0, max = 0;  // accepted range of a number, in the unit of the Scenario
    bool link = true;         // may stand in a link

    // Sets the key from its text. Empty: done; else what is wrong, as a sentence without the key.
    std::optional<std::string> set(Scenario&, std::string_view text, const Catalog&) const;
    // Canonical text of the key, empty when it has its default.
    std::string get(const Scenario&) const;
    // Plain text of the value in effect (the default spelled out), for JSON's scenario. Empty where
    // the default belongs to the model, the engine or its version.
    std::string effective(const Scenario&) const;
    // The key gets its default again.
    void clear(Scenario&) const;

    Slot (*slot)(Scenario&) = nullptr;
    std::optional<std::string> (*set_text)(Scenario&, std::string_view, const Catalog&) = nullptr;
    std::string (*get_text)(const Scenario&) = nullptr;
};

std::span<const Field> fields();                // in link order
const Field* find_field(std::string_view key);  // key or alias; - and _ are the same
// Sets one key; an issue names the key, the value and what is accepted.
std::optional<Issue> set_field(Scenario&, std::string_view key, std::string_view text,
                               const Catalog&);
// Lower case, `_` as `-`, no leading dashes: how keys are compared.
std::string field_key(std::string_view written);

}  // namespace kvgauge
