// SPDX-License-Identifier: MIT
// A link of any bytes: read, answered, and written again in the form that stays the same.
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
    const Link link = parse_link(text, catalog);
    const std::string canonical = format_link(link.scenario, link.view, link.unknown);
    const Link again = parse_link(canonical, catalog);
    fuzz::require(format_link(again.scenario, again.view, again.unknown) == canonical);
    const Answered a = answer(link.scenario, link.notices, catalog);
    fuzz::require(!a.report.sentence.empty());
    fuzz::require(!estimate_json(a, catalog).empty());
    pinned_link(link.scenario, catalog);
    return 0;
}
