// SPDX-License-Identifier: MIT
// Owns: reading JSON for the importers. A JsonDocument keeps the parsed text; a JsonValue is a view
// into it and lives no longer. Beyond the standard it accepts NaN, Infinity and -Infinity, which
// Python writes into real config files, and a byte order mark. Nesting deeper than kMaxJsonDepth
// and texts over kMaxJsonBytes are refused; parsing keeps its own stack and never recurses.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace kvgauge {

inline constexpr std::size_t kMaxJsonDepth = 200;
inline constexpr std::size_t kMaxJsonBytes = std::size_t{256} << 20;

class JsonValue {
  public:
    JsonValue() = default;  // absent: answers as null
    explicit JsonValue(const void* value) : value_(value) {}

    bool is_null() const;  // null or absent
    bool is_object() const;
    bool is_array() const;
    bool is_string() const;
    bool is_number() const;
    std::optional<bool> boolean() const;
    std::optional<std::string_view> string() const;
    std::optional<double> number() const;
    // A number that is whole, not negative and fits 64 bits: 8, 8.0, 1e3.
    std::optional<std::uint64_t> whole() const;

    // Members of an object: absent keys give an absent value, the last of equal keys counts.
    JsonValue operator[](std::string_view key) const;
    // Elements of an array or members of an object.
    std::size_t size() const;
    JsonValue at(std::size_t i) const;
    std::string_view key_at(std::size_t i) const;

    // The value as JSON text, cut to about `limit` characters: for messages.
    std::string text(std::size_t limit = 40) const;

  private:
    const void* value_ = nullptr;
};

struct JsonError {
    std::string text;  // what is wrong, without a full stop
    std::size_t line = 0, column = 0;
};

class JsonDocument {
  public:
    JsonDocument();
    ~JsonDocument();
    JsonDocument(JsonDocument&&) noexcept;
    JsonDocument& operator=(JsonDocument&&) noexcept;

    // nullopt: parsed, and root() is valid.
    std::optional<JsonError> parse(std::string_view text);
    JsonValue root() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace kvgauge
