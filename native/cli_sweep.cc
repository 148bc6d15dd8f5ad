// SPDX-License-Identifier: MIT
#include <cstdio>

#include "data/gqa_history.h"
#include "native/cli.h"
#include "native/files.h"
#include "text/json.h"
#include "text/numbers.h"

namespace kvgauge {
namespace {

SweepFormat format_of(Format f) {
    switch (f) {
        case Format::md:
            return SweepFormat::md;
        case Format::csv:
            return SweepFormat::csv;
        case Format::json:
            return SweepFormat::json;
        case Format::jsonl:
            return SweepFormat::jsonl;
        default:  // text, and forms of a single answer
            return SweepFormat::text;
    }
}

// Beside a table of KV heads the published figures, as history.
void tell_history(const Output& o) {
    std::string text = "Published for " + std::string(kGqaModel) + ", not scaled:";
    for (const GqaFigure& f : kGqaFigures) {
        text += (f.name == kGqaFigures[0].name ? " " : "; ") + std::string(f.name) + " (" +
                std::to_string(f.kv_heads) + " KV heads) " + plain(f.seconds) +
                " s a sample, score " + plain(f.score);
    }
    tell(o, text + ".");
}

}  // namespace

int run_sweep(const Output& o, const Keys& keys, SweepText asked) {
    // Keys of one value make the base; those of several values are the axes.
    Keys base = keys;
    base.values.clear();
    for (const auto& [key, value] : keys.values) {
        const bool axis = !is_file_key(key) && find_field(key) != nullptr && names_several(value);
        (axis ? asked.keys : base.values).emplace_back(key, value);
    }
    ReadScenario in = read_scenario(base, builtin_catalog());
    if (has_error(in.issues)) {
        tell_issues(o, in.issues);
        return kUsage;
    }
    SweepRequest request;
    request.base = std::move(in.scenario);
    request.format = format_of(o.kind);
    request.lang = language(in.view);
    request.version = KVGAUGE_VERSION;
    if (!read_sweep(asked, builtin_catalog(), request, in.issues)) {
        tell_issues(o, in.issues);
        return kUsage;
    }
    tell_issues(o, in.issues);

    const bool heads = request.axes.size() == 1 && request.axes[0].field->key == "kv-heads";
    SweepJob job(std::move(request), builtin_catalog());
    constexpr std::uint64_t kPiece = 4096;                // points between looks at the text
    constexpr std::size_t kWrite = std::size_t{1} << 16;  // bytes written at once
    std::string out;
    bool more = true;
    while (more) {
        more = job.advance(kPiece, out);
        // Standard output is fed while the sweep runs; a file is written once.
        if (o.file.empty() && (out.size() >= kWrite || !more)) {
            if (!emit(o, out)) return kFailed;
            out.clear();
        }
    }
    if (!o.file.empty() && !emit(o, out)) return kFailed;
    tell(o,
         std::to_string(job.total()) + " points, " + std::to_string(job.written()) + " written.");
    if (heads) tell_history(o);
    return kOk;
}

}  // namespace kvgauge
