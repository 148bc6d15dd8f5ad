// SPDX-License-Identifier: MIT
// Owns: reading the keys of one architecture from a GGUF header. A key is named by what follows
// "<architecture>."; a value of the wrong kind or size becomes an issue that names the whole key,
// the value and what is accepted.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "import/gguf_header.h"
#include "model/issue.h"

namespace kvgauge {

// Largest accepted sizes. llama.cpp itself stops at 512 layers.
inline constexpr std::uint64_t kMaxGgufLayers = 4096;
inline constexpr std::uint64_t kMaxGgufHeads = 65536;
inline constexpr std::uint64_t kMaxGgufWidth = std::uint64_t{1} << 26;
inline constexpr std::uint64_t kMaxGgufTokens = std::uint64_t{1} << 40;

class GgufKeys {
  public:
    GgufKeys(const GgufHeader& header, std::string arch, std::string_view source, Issues& issues)
        : header_(header), arch_(std::move(arch)), source_(source), issues_(issues) {}

    const std::string& arch() const { return arch_; }
    std::string full(std::string_view key) const { return arch_ + "." + std::string(key); }
    const GgufValue* find(std::string_view key) const { return header_.find(full(key)); }
    bool has(std::string_view key) const { return find(key) != nullptr; }

    // A whole number up to max; 0 is accepted. Absent: `fallback`.
    std::uint64_t number(std::string_view key, std::uint64_t max, std::uint64_t fallback = 0) const;
    // The same, and an error when it is absent or 0.
    std::uint64_t required(std::string_view key, std::uint64_t max) const;
    // One number a layer: a list of `layers` numbers, or one number for all. Absent: nullopt.
    // A list may be longer than `layers` up to `at_most` (0: it must have `layers`).
    std::optional<std::vector<std::uint64_t>> per_layer(std::string_view key, std::uint64_t layers,
                                                        std::uint64_t max,
                                                        std::uint64_t at_most = 0) const;
    void error(std::string_view key, std::string text) const;
    void missing(std::string_view key, std::string_view why) const;
    void warn(std::string_view key, std::string text) const;
    void note(std::string_view key, std::string text) const;

  private:
    std::optional<std::uint64_t> whole(double, const GgufValue&, std::uint64_t max) const;
    void add(Severity, std::string_view key, std::string text) const;

    const GgufHeader& header_;
    std::string arch_;
    std::string_view source_;
    Issues& issues_;
};

}  // namespace kvgauge
