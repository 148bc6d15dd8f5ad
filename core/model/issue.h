// SPDX-License-Identifier: MIT
// Owns: what can be wrong with an input. An issue names the key (or field), and its text says what
// was found and what is accepted. `error` stops the rows that need the key; `warning` and `notice`
// stop nothing.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kvgauge {

enum class Severity : std::uint8_t { notice, warning, error };

struct Issue {
    Severity severity = Severity::error;
    std::string key;   // contract key, config field or file; empty when none applies
    std::string text;  // one sentence for the user, in English
    // Which sentence it is and what stands in it, for other languages; empty: only `text`.
    std::string_view code{};
    std::vector<std::string> args{};
    bool operator==(const Issue&) const = default;
};

using Issues = std::vector<Issue>;

inline bool has_error(const Issues& issues) {
    for (const Issue& i : issues) {
        if (i.severity == Severity::error) return true;
    }
    return false;
}

}  // namespace kvgauge
