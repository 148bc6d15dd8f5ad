// SPDX-License-Identifier: MIT
// Owns: a GGUF file -> ModelSpec, by its header alone. What llama.cpp would cache is read from the
// keys of the architecture (gguf_arch.h); weights are the exact bytes of the tensor table. A file
// that leaves out a key it needs, or whose architecture is not known, is refused with the key
// named.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "import/config_json.h"
#include "import/gguf_header.h"

namespace kvgauge {

// `parts` are the headers of a split file, part 1 first; one header for a file in one piece. A part
// that is missing leaves weight bytes unknown, and says so.
Import import_gguf(std::span<const GgufHeader> parts, std::string_view source);
Import import_gguf(ByteSource&, std::string_view source);
Import import_gguf(std::string_view bytes, std::string_view source);

// The names of all parts of a split file, this one among them: "m-00002-of-00003.gguf" has three.
// A name of no split file is alone.
std::vector<std::string> gguf_part_names(std::string_view file_name);

}  // namespace kvgauge
