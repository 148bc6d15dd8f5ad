// SPDX-License-Identifier: MIT
// Owns: writing GGUF headers for tests, as docs/gguf.md of ggml describes them.
#pragma once
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "import/gguf_types.h"

namespace kvgauge::testing {

class GgufWriter {
  public:
    explicit GgufWriter(std::uint32_t version = 3) : version_(version) {}

    GgufWriter& text(std::string_view key, std::string_view v) {
        begin(key, GgufKind::string);
        string(body_, v);
        return *this;
    }
    GgufWriter& u32(std::string_view key, std::uint32_t v) {
        begin(key, GgufKind::u32);
        raw(body_, v);
        return *this;
    }
    GgufWriter& i32(std::string_view key, std::int32_t v) {
        begin(key, GgufKind::i32);
        raw(body_, v);
        return *this;
    }
    GgufWriter& f32(std::string_view key, float v) {
        begin(key, GgufKind::f32);
        raw(body_, v);
        return *this;
    }
    GgufWriter& list(std::string_view key, const std::vector<std::uint32_t>& v) {
        list_head(key, GgufKind::u32, v.size());
        for (const std::uint32_t x : v) raw(body_, x);
        return *this;
    }
    GgufWriter& bools(std::string_view key, const std::vector<bool>& v) {
        list_head(key, GgufKind::boolean, v.size());
        for (const bool x : v) raw(body_, static_cast<std::uint8_t>(x ? 1 : 0));
        return *this;
    }
    // A list of `n` one-letter texts, such as a vocabulary.
    GgufWriter& texts(std::string_view key, std::uint64_t n) {
        list_head(key, GgufKind::string, n);
        for (std::uint64_t i = 0; i < n; ++i) string(body_, "x");
        return *this;
    }
    GgufWriter& list_head(std::string_view key, GgufKind element, std::uint64_t n) {
        begin(key, GgufKind::array);
        raw(body_, static_cast<std::uint32_t>(element));
        raw(body_, n);
        return *this;
    }
    GgufWriter& tensor(std::string_view name, std::initializer_list<std::uint64_t> ne,
                       std::uint32_t type, std::uint64_t offset = 0) {
        ++tensors_;
        string(table_, name);
        raw(table_, static_cast<std::uint32_t>(ne.size()));
        for (const std::uint64_t n : ne) raw(table_, n);
        raw(table_, type);
        raw(table_, offset);
        return *this;
    }
    // Claims other counts than were written.
    GgufWriter& claim(std::uint64_t tensors, std::uint64_t values) {
        tensors_ = tensors;
        values_ = values;
        return *this;
    }
    GgufWriter& bytes(std::string_view v) {
        body_ += v;
        return *this;
    }
    std::string done() const {
        std::string out = "GGUF";
        raw(out, version_);
        raw(out, tensors_);
        raw(out, values_);
        return out + body_ + table_;
    }

    template <class T>
    static void raw(std::string& to, T v) {
        char b[sizeof v];
        std::memcpy(b, &v, sizeof v);
        to.append(b, sizeof v);
    }
    static void string(std::string& to, std::string_view v) {
        raw(to, std::uint64_t{v.size()});
        to += v;
    }

  private:
    void begin(std::string_view key, GgufKind kind) {
        ++values_;
        string(body_, key);
        raw(body_, static_cast<std::uint32_t>(kind));
    }
    std::uint32_t version_;
    std::uint64_t tensors_ = 0, values_ = 0;
    std::string body_, table_;
};

}  // namespace kvgauge::testing
