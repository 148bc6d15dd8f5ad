// SPDX-License-Identifier: MIT
// Owns: files of the tests. Tests run in the repository root, natively and under node alike, so a
// fixture is named "tests/data/...". The larger shared set of facts is not part of the repository:
// KVGAUGE_SHARED names its folder, else ../shared is looked for; a test without it is skipped.
#pragma once
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace kvgauge::test {

// The whole file; nullopt when it cannot be read.
inline std::optional<std::string> read_file(const std::string& path) {
    std::FILE* f = std::fopen(path.c_str(), "rb");
    if (!f) return std::nullopt;
    std::string text;
    char block[1 << 16];
    for (std::size_t n = 0; (n = std::fread(block, 1, sizeof block, f)) > 0;) text.append(block, n);
    const bool whole = std::ferror(f) == 0;
    std::fclose(f);
    if (!whole) return std::nullopt;
    return text;
}

// A file of the shared set, e.g. "data/golden.csv".
//   const auto text = read_shared("data/golden.csv");
//   if (!text) GTEST_SKIP() << "no shared/data/golden.csv";
inline std::optional<std::string> read_shared(const std::string& name) {
    const char* folder = std::getenv("KVGAUGE_SHARED");
    return read_file(std::string(folder && *folder ? folder : "../shared") + "/" + name);
}

// Lines without their end, and fields of one line.
inline std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == at) {
            parts.emplace_back();
        } else if (c != '\r') {
            parts.back() += c;
        }
    }
    if (at == '\n' && parts.back().empty()) parts.pop_back();
    return parts;
}

}  // namespace kvgauge::test
