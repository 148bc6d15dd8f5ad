// SPDX-License-Identifier: MIT
// Owns: writing a PNG file.
#pragma once
#include <span>
#include <string>

namespace kvgauge {

// RGBA, top row first; written without alpha. False: the file could not be written.
bool write_png(const std::string& path, std::span<const unsigned char> rgba, int width, int height);

}  // namespace kvgauge
