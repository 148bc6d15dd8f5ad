// SPDX-License-Identifier: MIT
// A command line or manifest of any bytes: what is read from it is set on a scenario.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/use_model.h"
#include "import/command_line.h"
#include "text/fields.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kvgauge;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const CommandLine line = read_command_line(text);
    Scenario s;
    for (const CommandSetting& c : line.settings) {
        const auto issue = set_field(s, c.key, c.text, builtin_catalog());
        fuzz::require(!issue || !issue->text.empty());
    }
    for (const std::string& flag : line.ignored) fuzz::require(!flag.empty());
    return 0;
}
