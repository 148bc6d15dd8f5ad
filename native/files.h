// SPDX-License-Identifier: MIT
// Owns: reading and writing whole files, and loading the model files that keys name.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "text/json.h"

namespace kvgauge {

// The bytes of a file, "-" for standard input. Empty: `why` says what went wrong.
std::optional<std::string> read_file(const std::string& path, std::string& why);
bool write_file(const std::string& path, std::string_view bytes, std::string& why);

// model-config, gguf, model-dir, calibration from the file system.
FileLoader file_loader();

}  // namespace kvgauge
