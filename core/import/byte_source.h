// SPDX-License-Identifier: MIT
// Owns: where an importer's bytes come from, read in order from the first. Core has no files of its
// own: a shell gives a file, a page a dropped blob, a test a string.
#pragma once
#include <cstddef>
#include <cstring>
#include <string_view>

namespace kvgauge {

class ByteSource {
  public:
    virtual ~ByteSource() = default;
    // Copies up to `n` bytes to `to`. Fewer than `n` were copied only at the end of the bytes.
    virtual std::size_t read(char* to, std::size_t n) = 0;
};

class TextSource final : public ByteSource {
  public:
    explicit TextSource(std::string_view bytes) : bytes_(bytes) {}
    std::size_t read(char* to, std::size_t n) override {
        if (n > bytes_.size()) n = bytes_.size();
        if (n != 0) std::memcpy(to, bytes_.data(), n);
        bytes_.remove_prefix(n);
        return n;
    }

  private:
    std::string_view bytes_;
};

}  // namespace kvgauge
