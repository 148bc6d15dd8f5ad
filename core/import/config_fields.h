// SPDX-License-Identifier: MIT
// Owns: reading single fields of a config.json object. A field is asked for by all names it is
// known under (dots go into objects: "attn_config.kv_n_heads"); null counts as absent. A value of
// the wrong kind or size becomes an issue that names the field, the value and what is accepted.
// Sizes are limited so that no product of a few of them can leave 64 bits unnoticed.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "import/json_reader.h"
#include "model/issue.h"

namespace kvgauge {

using Names = std::initializer_list<std::string_view>;

// Largest accepted sizes.
inline constexpr std::uint64_t kMaxLayers = 8192;
inline constexpr std::uint64_t kMaxHeads = 65536;
inline constexpr std::uint64_t kMaxHeadDim = 65536;
inline constexpr std::uint64_t kMaxWidth = std::uint64_t{1} << 26;  // hidden, FFN, expert widths
inline constexpr std::uint64_t kMaxVocab = std::uint64_t{1} << 30;
inline constexpr std::uint64_t kMaxExperts = std::uint64_t{1} << 20;
inline constexpr std::size_t kMaxList = 2 * kMaxLayers;              // one entry a layer, and MTP's
inline constexpr std::uint64_t kMaxTokens = std::uint64_t{1} << 40;  // contexts and windows

class Fields {
  public:
    // `path` is put before names in messages: "" or "text_config.".
    Fields(JsonValue object, std::string path, Issues& issues)
        : object_(object), path_(std::move(path)), issues_(&issues) {}

    JsonValue object() const { return object_; }
    const std::string& path() const { return path_; }

    // The first of `names` that is there and not null.
    JsonValue find(Names names, std::string_view* found = nullptr) const;
    bool has(Names names) const { return !find(names).is_null(); }
    // The key is in the object, even with the value null.
    bool written(std::string_view key) const;

    // A whole number from 1 to max. Absent: nullopt without an issue. Wrong: nullopt and an error.
    std::optional<std::uint64_t> count(Names names, std::uint64_t max) const;
    // The same, where 0 and negative numbers are written for "none".
    std::optional<std::uint64_t> count_or_none(Names names, std::uint64_t max) const;
    // The same, and an error when none of the names is there.
    std::optional<std::uint64_t> required(Names names, std::uint64_t max) const;
    bool flag(Names names, bool fallback) const;
    std::optional<double> real(Names names) const;
    std::string_view word(Names names) const;  // "" when absent or not text
    // A list of whole numbers from 0 to max (null elements count as 0); absent or no list: nullopt.
    std::optional<std::vector<std::uint64_t>> counts(Names names, std::uint64_t max) const;
    // A list of words; absent or no list of text: nullopt.
    std::optional<std::vector<std::string_view>> words(Names names) const;

    void error(std::string_view key, std::string text) const;
    void warn(std::string_view key, std::string text) const;
    void note(std::string_view key, std::string text) const;
    // An object inside, for nested settings.
    Fields inside(std::string_view key) const;

  private:
    bool short_enough(JsonValue list, std::string_view name) const;
    void push(Severity, std::string_view key, std::string text) const;
    std::optional<std::uint64_t> checked(JsonValue, std::string_view name, std::uint64_t min,
                                         std::uint64_t max) const;

    JsonValue object_;
    std::string path_;
    Issues* issues_;
};

}  // namespace kvgauge
