// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/use_model.h"
#include "import/gguf.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    kvgauge::fuzz::use_model(kvgauge::import_gguf(bytes, "fuzz"));
    kvgauge::gguf_part_names(bytes);
    return 0;
}
