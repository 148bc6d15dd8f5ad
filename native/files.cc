// SPDX-License-Identifier: MIT
#include "native/files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace kvgauge {
namespace {

// Far above any config, log or header; a whole checkpoint is never read.
constexpr std::size_t kMost = std::size_t{1} << 28;

struct Closer {
    void operator()(std::FILE* f) const {
        if (f != stdin) std::fclose(f);
    }
};
using File = std::unique_ptr<std::FILE, Closer>;

}  // namespace

std::optional<std::string> read_file(const std::string& path, std::string& why) {
    errno = 0;
    File f(path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
    if (!f) {
        why = std::strerror(errno);
        return std::nullopt;
    }
    std::string bytes;
    char buffer[65536];
    std::size_t n = 0;
    while ((n = std::fread(buffer, 1, sizeof buffer, f.get())) > 0) {
        bytes.append(buffer, n);
        if (bytes.size() > kMost) {
            why = "the file is larger than 256 MiB";
            return std::nullopt;
        }
    }
    if (std::ferror(f.get()) != 0) {
        why = errno != 0 ? std::strerror(errno) : "read error";
        return std::nullopt;
    }
    return bytes;
}

bool write_file(const std::string& path, std::string_view bytes, std::string& why) {
    errno = 0;
    File f(std::fopen(path.c_str(), "wb"));
    if (!f || std::fwrite(bytes.data(), 1, bytes.size(), f.get()) != bytes.size() ||
        std::fflush(f.get()) != 0) {
        why = std::strerror(errno);
        return false;
    }
    return true;
}

}  // namespace kvgauge
