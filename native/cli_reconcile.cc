// SPDX-License-Identifier: MIT
#include <cstdio>

#include "import/engine_log.h"
#include "native/cli.h"
#include "native/files.h"
#include "text/reconcile.h"

namespace kvgauge {

int run_reconcile(const Output& o, const Keys& keys, const std::string& file) {
    std::string why;
    const auto text = read_file(file, why);
    if (!text) {
        std::fprintf(stderr, "kvgauge: %s: %s.\n", file.c_str(), why.c_str());
        return kUsage;
    }
    const ReadScenario in = read_scenario(keys, builtin_catalog());
    if (has_error(in.issues)) {
        tell_issues(o, in.issues);
        return kUsage;
    }
    // A model that the user names is the log's, whatever name the log prints.
    bool known = false;
    for (const auto& [key, value] : keys.values) {
        known |= key == "model" || key == "model-config" || key == "gguf" || key == "model-dir";
    }
    const EngineLog log = read_engine_log(*text);
    const bool json = o.kind == Format::json || o.kind == Format::jsonl;
    const Lang lang = language(in.view);
    const std::string out =
        json ? reconcile_json(log, in.scenario, builtin_catalog(), known, KVGAUGE_VERSION, lang) +
                   "\n"
             : reconcile_text(log, in.scenario, builtin_catalog(), known, lang);
    if (log.runs.empty()) {
        if (json && !emit(o, out)) return kFailed;
        std::fprintf(stderr, "kvgauge: %s: %s", file.c_str(),
                     reconcile_text(log, in.scenario, builtin_catalog(), known, lang).c_str());
        return kUsage;
    }
    return emit(o, out) ? kOk : kFailed;
}

}  // namespace kvgauge
