// SPDX-License-Identifier: MIT
// A scenario as JSON, and a measurement file as JSON, of any bytes.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/use_model.h"
#include "text/answer.h"
#include "text/json.h"
#include "text/link.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kvgauge;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Catalog& catalog = builtin_catalog();
    const WrittenScenario w = read_scenario_json(text, catalog);
    fuzz::require(w.readable || has_error(w.issues));
    if (!w.readable) {
        fuzz::require(!unread_json(w.issues, catalog).empty());
        return 0;
    }
    // The answer's own JSON is a scenario again.
    const Answered a = answer(w.scenario, w.issues, catalog);
    fuzz::require(!estimate_json(a, catalog).empty());
    format_link(w.scenario);
    return 0;
}
