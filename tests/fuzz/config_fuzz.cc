// SPDX-License-Identifier: MIT
// A config.json, and after a zero byte its hf_quant_config.json.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/use_model.h"
#include "import/config_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view all(reinterpret_cast<const char*>(data), size);
    const std::size_t zero = all.find('\0');
    const std::string_view sidecar =
        zero == std::string_view::npos ? std::string_view() : all.substr(zero + 1);
    kvgauge::fuzz::use_model(kvgauge::import_config(all.substr(0, zero), "fuzz", sidecar));
    return 0;
}
