// SPDX-License-Identifier: MIT
// From what was typed to a scenario, and the small services of output.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "import/engine_flags.h"
#include "import/model_dir.h"
#include "native/cli.h"
#include "native/cli_from.h"
#include "native/files.h"
#include "text/json.h"
#include "text/link.h"
#include "text/page_json.h"
#include "text/render.h"

namespace kvgauge {

namespace {

// vLLM without --max-model-len reserves for the model's own maximum, and refuses to start where
// that does not fit.
void length_of_command(const CommandLine& c, const Keys& keys, const Catalog& catalog,
                       ReadScenario& out) {
    if (c.engine != EngineId::vllm) return;
    for (const auto& v : keys.values) {
        if (v.first == "ctx") return;
    }
    for (const CommandSetting& s : c.settings) {
        if (s.key == "ctx") return;
    }
    for (const std::string& flag : c.unresolved) {
        const FlagRule* r = find_flag(*c.engine, flag_name(flag));
        if (r != nullptr && r->key == "ctx") return;
    }
    for (const Issue& i : out.issues) {
        if (i.severity == Severity::error) return;
    }
    const ModelEntry* entry = catalog.model(out.scenario.model);
    const std::uint64_t most = out.scenario.imported ? out.scenario.imported->max_ctx
                               : entry != nullptr    ? entry->spec->max_ctx
                                                     : 0;
    if (most == 0 || most == out.scenario.ctx) return;
    out.scenario.ctx = most;
    out.issues.push_back({Severity::notice, "ctx",
                          "ctx: the command gives no length; vLLM takes the model's own, " +
                              std::to_string(most) + " tokens."});
}

}  // namespace

ReadScenario read_scenario(const Keys& keys, const Catalog& catalog) {
    ReadScenario out;
    if (!keys.scenario.empty()) {
        std::string why;
        const auto json = read_file(keys.scenario, why);
        if (!json) {
            out.issues.push_back(
                {Severity::error, "scenario", "scenario: " + keys.scenario + ": " + why + "."});
            return out;
        }
        WrittenScenario w = read_scenario_json(*json, catalog, file_loader());
        out.scenario = std::move(w.scenario);
        out.issues = std::move(w.issues);
        if (!w.readable) out.issues.front().key = "scenario";
    }
    if (!keys.link.empty()) {
        Link link = parse_link(keys.link, catalog);
        out.scenario = std::move(link.scenario);
        out.view = std::move(link.view);
        for (Issue& i : link.notices) out.issues.push_back(std::move(i));
    }
    const bool model_given = std::any_of(keys.values.begin(), keys.values.end(), [](const auto& v) {
        return v.first == "model" ||
               (is_file_key(v.first) && v.first != "calibration" && v.first != "lengths");
    });
    if (!keys.from.empty()) {
        FromCommand from = read_from(keys.from, model_given, catalog);
        out.scenario = std::move(from.scenario);
        for (Issue& i : from.issues) out.issues.push_back(std::move(i));
        out.from = std::move(from.command);
        out.as_written = std::move(from.as_written);
    }
    // Files last, so that an imported model stands whatever the order on the line.
    const auto is_file = [&catalog](const std::string& key, const std::string& text) {
        if (is_file_key(key)) return !stands_for_itself(key, text);
        return key == "model" && is_repository_id(text) && catalog.model(text) == nullptr;
    };
    for (const auto& [key, text] : keys.values) {
        if (is_file(key, text)) continue;
        bool presentation = false;
        if (const auto wrong = set_presentation(out.view, key, text, presentation)) {
            out.issues.push_back({Severity::error, key, key + ": " + *wrong});
        }
        if (presentation) continue;
        if (auto issue = set_field(out.scenario, key, text, catalog)) {
            out.issues.push_back(std::move(*issue));
        }
        std::erase_if(out.as_written, [&k = key](const auto& w) { return w.first == k; });
    }
    const FileLoader load = file_loader();
    for (const auto& [key, path] : keys.values) {
        if (is_file(key, path)) load(key, path, out.scenario, out.issues);
    }
    if (out.from) length_of_command(*out.from, keys, catalog, out);
    return out;
}

bool emit(const Output& o, std::string_view text) {
    if (!o.file.empty()) {
        std::string why;
        if (write_file(o.file, text, why)) return true;
        std::fprintf(stderr, "kvgauge: %s: %s.\n", o.file.c_str(), why.c_str());
        return false;
    }
    const bool written =
        std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (!written) std::fputs("kvgauge: the result could not be written.\n", stderr);
    return written;
}

void tell(const Output& o, std::string_view text) {
    if (!o.quiet)
        std::fprintf(stderr, "kvgauge: %.*s\n", static_cast<int>(text.size()), text.data());
}

void tell_issues(const Output& o, const Issues& issues) {
    for (const Issue& i : issues) {
        if (i.severity == Severity::error || !o.quiet) {
            std::fprintf(stderr, "kvgauge: %s\n", i.text.c_str());
        }
    }
}

Lang language(const Presentation& p) {
    return parse_lang(p.lang).value_or(Lang::en);
}

bool colour_wanted(const Output& o) {
    const char* no = std::getenv("NO_COLOR");
    return o.file.empty() && (no == nullptr || *no == '\0') && isatty(STDOUT_FILENO) != 0;
}

std::string answer_text(const Output& o, const Answered& a, const ReadScenario& in,
                        bool derivations, const std::vector<std::string>& rows) {
    const Lang lang = language(in.view);
    if (o.kind == Format::json || o.kind == Format::jsonl) {
        JsonOptions options;
        options.rows = rows;
        options.pretty = o.kind == Format::json;
        options.version = KVGAUGE_VERSION;
        options.as_written = in.as_written;
        if (in.from) options.from = &*in.from;
        return estimate_json(a, builtin_catalog(), options) + '\n';
    }
    Report r = a.report;
    if (!rows.empty()) {
        std::erase_if(r.rows, [&](const Row& row) {
            return std::find(rows.begin(), rows.end(), row.id) == rows.end();
        });
    }
    if (o.kind == Format::md) return render_markdown(r, lang);
    if (o.kind == Format::svg) {
        return render_svg(a.report, scenario_words(a.scenario, a.estimate));
    }
    if (o.kind == Format::csv) return render_csv(r);
    RenderOptions options;
    options.lang = lang;
    options.colour = colour_wanted(o);
    options.derivations = derivations;
    return render_text(r, options);
}

}  // namespace kvgauge
