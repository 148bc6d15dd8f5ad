// SPDX-License-Identifier: MIT
#include "text/command_scenario.h"

#include <utility>

#include "import/engine_flags.h"
#include "text/fields.h"
#include "text/model_name.h"
#include "text/numbers.h"
#include "text/words.h"

namespace kvgauge {
namespace {

void say(Issues& issues, Severity severity, std::string_view key, std::string text) {
    issues.push_back({severity, std::string(key), std::move(text)});
}

std::string joined(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& n : names) out += (out.empty() ? "" : ", ") + valid_utf8(n);
    return out;
}

void clear_group(Scenario& s, Group g) {
    for (const Field& f : fields()) {
        if (f.group == g) f.clear(s);
    }
}

// The model a command names, found by that name in the catalog; a file or folder is not opened.
void set_model(const CommandSetting& named, const Catalog& catalog, CommandScenario& out) {
    const auto model = model_by_name(named.text, catalog);
    if (!model) {
        return say(out.issues, Severity::warning, "model",
                   "model: " + quoted_text(named.text) +
                       " is not in the catalog; the model stays as it was. Its config.json can be "
                       "pasted.");
    }
    Scenario& s = out.scenario;
    clear_group(s, Group::model);
    s.imported.reset();
    s.model_source.clear();
    s.model = model->id;
    out.model_known = true;
    if (model->exact) return;
    std::string text = "model: " + quoted_text(named.text) + " is taken as " + model->id;
    if (model->weights != WeightKind::automatic && s.weights == WeightKind::automatic) {
        s.weights = model->weights;
        text += " with " + std::string(name(model->weights)) + " weights";
    }
    say(out.issues, Severity::notice, "model", text + ", by its name.");
}

// vLLM takes the model's own length when a command gives none.
void set_length(const CommandLine& c, const Catalog& catalog, CommandScenario& out) {
    if (c.engine != EngineId::vllm || !out.model_known) return;
    for (const CommandSetting& s : c.settings) {
        if (s.key == "ctx") return;
    }
    for (const std::string& flag : c.unresolved) {
        const FlagRule* rule = find_flag(*c.engine, flag_name(flag));
        if (rule != nullptr && rule->key == "ctx") return;
    }
    const ModelEntry* entry = catalog.model(out.scenario.model);
    if (entry == nullptr || entry->spec->max_ctx == 0) return;
    out.scenario.ctx = entry->spec->max_ctx;
    say(out.issues, Severity::notice, "ctx",
        "ctx: the command gives no length; vLLM takes the model's own, " +
            grouped(std::uint64_t{entry->spec->max_ctx}) + " tokens.");
}

}  // namespace

CommandScenario scenario_of_command(const CommandLine& c, const Scenario& base,
                                    const Catalog& catalog) {
    CommandScenario out;
    Scenario& s = out.scenario;
    s = base;
    clear_group(s, Group::engine);
    s.engine = c.engine.value_or(s.engine);
    s.engine_version.reset();
    if (!c.version.empty()) s.engine_version = parse_version(c.version);
    const CommandSetting* model = nullptr;
    for (const CommandSetting& set : c.settings) {
        if (set.key == "model" || set.key == "gguf") {
            model = &set;
        } else if (set.key == "weights" && !read_weight_kind(set.text)) {
            say(out.issues, Severity::warning, "weights",
                "weights: " + quoted_text(set.text) + " of " + set.flag +
                    " is no format known here; the checkpoint's own is used.");
        } else if (auto issue = set_field(s, set.key, set.text, catalog)) {
            issue->severity = Severity::warning;
            out.issues.push_back(std::move(*issue));
        }
    }
    if (model != nullptr) {
        set_model(*model, catalog, out);
    } else {
        say(out.issues, Severity::warning, "model",
            "model: the command names it by a variable or not at all; it stays as it was.");
    }
    set_length(c, catalog, out);
    // A command says how many GPUs it takes, not how many there are.
    if (s.gpus && *s.gpus < s.tp * s.pp * s.dp) s.gpus.reset();
    if (!c.unresolved.empty()) {
        say(out.issues, Severity::warning, {},
            "Not resolved, so the default stands: " + joined(c.unresolved) + ".");
    }
    if (!c.ignored.empty()) {
        say(out.issues, Severity::notice, {},
            "Says nothing about memory: " + joined(c.ignored) + ".");
    }
    if (c.others != 0) {
        say(out.issues, Severity::notice, {},
            "The text has " + std::to_string(c.others) + " more engine command" +
                (c.others == 1 ? "" : "s") + "; the first one was read.");
    }
    return out;
}

}  // namespace kvgauge
