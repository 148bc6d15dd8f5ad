// SPDX-License-Identifier: MIT
// A safetensors file; an index when the first byte is '{'.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/use_model.h"
#include "import/model_dir.h"
#include "import/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kvgauge;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    CheckpointTotals t;
    if (!bytes.empty() && bytes[0] == '{') {
        t = read_safetensors_index(bytes, "fuzz", 3);
    } else {
        TextSource from(bytes);
        t = read_safetensors_header(from, "fuzz", 3);
        fuzz::require(has_error(t.issues) || t.mtp_bytes <= t.bytes);
    }
    CheckpointTotals sum = t;
    add_totals(sum, t);
    fuzz::require(sum.bytes >= t.bytes);
    ModelSpec m;
    m.hidden = m.vocab = 64;
    m.layers.push_back({3, LayerSpec{}});
    Issues issues;
    if (!has_error(t.issues)) apply_totals(sum, "fuzz", m, issues);
    is_repository_id(bytes);
    return 0;
}
