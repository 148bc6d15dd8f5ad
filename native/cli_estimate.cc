// SPDX-License-Identifier: MIT
#include <cstdio>

#include "native/cli.h"
#include "native/files.h"
#include "text/json.h"

namespace kvgauge {
namespace {

bool machine(const Output& o) {
    return o.kind == Format::json || o.kind == Format::jsonl;
}

// In JSON and text the issues stand in the result; elsewhere they are told.
void tell_if_unseen(const Output& o, const Answered& a) {
    if (!machine(o) && o.kind != Format::text && o.kind != Format::md) {
        tell_issues(o, a.report.issues);
    }
}

}  // namespace

int run_estimate(const Output& o, const Keys& keys, const std::vector<std::string>& rows,
                 bool explain) {
    const ReadScenario in = read_scenario(keys, builtin_catalog());
    const bool unusable = has_error(in.issues);
    const Answered a = answer(in.scenario, in.issues, builtin_catalog(), language(in.view));
    // A key that could not be used is a usage error; machine formats still carry what was computed.
    if (unusable) {
        tell_issues(o, in.issues);
        if (machine(o) && !emit(o, answer_text(o, a, in, explain, rows))) return kFailed;
        return kUsage;
    }
    tell_if_unseen(o, a);
    if (!emit(o, answer_text(o, a, in, explain, rows))) return kFailed;
    if (a.given()) return kOk;
    if (!machine(o)) tell_issues(o, a.report.issues);
    return kUsage;
}

int run_scenarios(const Output& o, const std::string& file, const std::vector<std::string>& rows) {
    std::string why;
    const auto text = read_file(file, why);
    if (!text) {
        std::fprintf(stderr, "kvgauge: %s: %s.\n", file.c_str(), why.c_str());
        return kUsage;
    }
    const FileLoader load = file_loader();
    JsonOptions options;
    options.rows = rows;
    options.version = KVGAUGE_VERSION;
    std::string out;
    std::size_t at = 0;
    while (at < text->size()) {
        const std::size_t end = std::min(text->find('\n', at), text->size());
        const std::string_view line(text->data() + at, end - at);
        at = end + 1;
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
        WrittenScenario w = read_scenario_json(line, builtin_catalog(), load);
        if (!w.readable) {
            out += unread_json(w.issues, builtin_catalog(), options);
        } else {
            out +=
                estimate_json(answer(std::move(w.scenario), std::move(w.issues), builtin_catalog()),
                              builtin_catalog(), options);
        }
        out += '\n';
        // Answers flow while a long file is read.
        if (o.file.empty() && out.size() > (std::size_t{1} << 16)) {
            if (!emit(o, out)) return kFailed;
            out.clear();
        }
    }
    return emit(o, out) ? kOk : kFailed;
}

int run_check(const Output& o, const Keys& keys) {
    const ReadScenario in = read_scenario(keys, builtin_catalog());
    const bool unusable = has_error(in.issues);
    const Answered a = answer(in.scenario, in.issues, builtin_catalog(), language(in.view));
    if (unusable) tell_issues(o, in.issues);
    if (!unusable || machine(o)) {
        if (!emit(o, answer_text(o, a, in, false, {}))) return kFailed;
    }
    if (unusable) return kUsage;
    switch (a.report.answer) {
        case Answer::fits:
            return kOk;
        case Answer::may_fit:
            // The best estimate decides; the range stands in the output.
            return a.estimate.batch && a.estimate.batch->max.value >= 1 ? kOk : kDoesNotFit;
        case Answer::does_not_fit:
        case Answer::refused:
            return kDoesNotFit;
        case Answer::unknown:
            break;
    }
    tell_issues(o, a.report.issues);
    return kUsage;
}

}  // namespace kvgauge
