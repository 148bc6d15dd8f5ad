// SPDX-License-Identifier: MIT
// Owns: one line of a log and the numbers in it. Internal to the log reader.
// `complete` is false for the last line of a text that does not end with a line break: a number
// that touches its end may be cut and is not read.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "import/engine_log.h"

namespace kvgauge::engine_log {

// A place in a line from which values are read.
class Cursor {
  public:
    Cursor(std::string_view text, bool complete, std::size_t at = 0)
        : text_(text), at_(at), complete_(complete) {}

    // 1234, 1,216,256 (thousands by comma).
    std::optional<std::uint64_t> integer();
    // 3.81, -0.17, 84,604 (decimal comma of some locales), 26.
    std::optional<double> decimal();
    // A decimal with its unit: GiB, GB, MiB, MB, KiB, B, bytes. "GB" and "MB" are 2^30 and 2^20:
    // no engine here prints powers of ten.
    std::optional<double> bytes();
    // Up to a blank or one of the characters.
    std::string_view word(std::string_view until = ",;)]}'\"");
    std::string_view quoted();               // '...' or "..."
    bool skip(std::string_view literal);     // blanks, then the literal
    bool skip_to(std::string_view literal);  // anywhere later in the line
    void blanks();
    std::string_view rest() const { return text_.substr(at_); }
    bool at_end() const { return at_ >= text_.size(); }

  private:
    bool separator_cut() const;
    bool cut() const { return !complete_ && at_ >= text_.size(); }
    std::string_view text_;
    std::size_t at_;
    bool complete_;
};

struct Line {
    std::string_view text;
    bool complete = true;
    std::size_t at = 0;     // where the anchor starts
    std::size_t after = 0;  // and ends
    Cursor cursor() const { return Cursor(text, complete, after); }
    std::string_view before() const { return text.substr(0, at); }
};

// The number just before the anchor: "14.08 GiB for weight" with the anchor " for weight".
std::optional<double> bytes_before(const Line&);
// The value of `key` in a dump of settings: key=8, key='x', 'key': 8, "key": 8, --key 8.
std::optional<Cursor> find_key(std::string_view text, bool complete, std::string_view key);
std::optional<std::uint64_t> key_integer(const Line&, std::string_view key);
std::optional<double> key_decimal(const Line&, std::string_view key);
std::optional<bool> key_bool(const Line&, std::string_view key);
std::string key_text(const Line&, std::string_view key);  // "" when absent, None or cut

}  // namespace kvgauge::engine_log
