// SPDX-License-Identifier: MIT
// A start-up log of any bytes, fed whole and in two pieces: the same is read, and set beside an
// estimate.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/use_model.h"
#include "import/engine_log.h"
#include "text/reconcile.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kvgauge;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const EngineLog whole = read_engine_log(text);
    EngineLogReader reader;
    reader.feed(text.substr(0, size / 2));
    reader.feed(text.substr(size / 2));
    const EngineLog pieces = reader.finish();
    fuzz::require(pieces.runs == whole.runs && pieces.lines == whole.lines);
    fuzz::require(whole.runs.size() <= 16 && whole.unknown.size() <= 16);
    const Catalog& catalog = builtin_catalog();
    fuzz::require(!reconcile_json(whole, {}, catalog, false, "0").empty());
    fuzz::require(!reconcile_text(whole, {}, catalog, false).empty());
    return 0;
}
