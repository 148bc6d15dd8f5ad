// SPDX-License-Identifier: MIT
#include <cstdio>

#include "native/cli.h"
#include "native/table.h"
#include "text/numbers.h"

namespace kvgauge {
namespace {

Table keys_table() {
    Table t{{"key", "aliases", "unit", "accepts", "help"}, {}};
    for (const Field& f : fields()) {
        std::string aliases;
        for (std::string_view a : f.aliases)
            aliases += (aliases.empty() ? "" : " ") + std::string(a);
        t.rows.push_back({std::string(f.key), aliases, std::string(f.unit), std::string(f.accepts),
                          std::string(f.help)});
    }
    return t;
}

constexpr std::string_view kOverview =
    "kvgauge              opens the app\n"
    "kvgauge estimate     KV memory, batch limit, tensor-parallel verdict and speed of a scenario\n"
    "kvgauge check        the same with an exit code: 0 fits, 3 does not fit or TP refused\n"
    "kvgauge list WHAT    models, gpus or engines of the catalog\n"
    "kvgauge reconcile F  a start-up log against the prediction, difference by difference\n"
    "kvgauge link         the link of a scenario\n"
    "kvgauge help keys    every key with what it accepts\n"
    "\n"
    "Example: kvgauge estimate --model llama-3-8b --gpu h100-80gb-sxm --ctx 8k --batch 32\n";

}  // namespace

int run_help(const Output& o, const std::string& topic) {
    if (topic == "keys") return emit(o, table_text(keys_table(), o.kind)) ? kOk : kFailed;
    if (!topic.empty()) {
        std::fprintf(stderr, "kvgauge: no help on %s; kvgauge %s --help may have it.\n",
                     quoted(topic).c_str(), topic.c_str());
        return kUsage;
    }
    return emit(o, kOverview) ? kOk : kFailed;
}

}  // namespace kvgauge
