// SPDX-License-Identifier: MIT
// Owns: pictures of an interface as small files: 256 colours of the picture's own, chosen by median
// cut, exact where it has no more.
#pragma once
#include <span>
#include <string>

namespace kvgauge {

// RGBA, rows from the top. False: the file could not be written.
bool write_small_png(const std::string& path, std::span<const unsigned char> rgba, int width,
                     int height);

}  // namespace kvgauge
