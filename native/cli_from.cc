// SPDX-License-Identifier: MIT
// --from: a command line or manifest as a scenario.
#include "native/cli_from.h"

#include <filesystem>
#include <utility>

#include "import/model_dir.h"
#include "native/files.h"
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

bool exists(const std::string& path) {
    std::error_code ec;
    return path.size() < 4096 && std::filesystem::exists(path, ec);
}

// The text itself, a file with @ before it or by its path, or - for standard input.
std::optional<std::string> source_text(const std::string& from, Issues& issues) {
    std::string path;
    if (from == "-") {
        path = from;
    } else if (from.starts_with('@')) {
        path = from.substr(1);
    } else if (from.find_first_of(" \n\t") == std::string::npos && exists(from)) {
        path = from;
    } else {
        return from;
    }
    std::string why;
    auto text = read_file(path, why);
    if (!text) say(issues, Severity::error, "from", "from: " + path + ": " + why + ".");
    return text;
}

void set_model(const CommandSetting& s, const Catalog& catalog, FromCommand& out) {
    if (s.key == "gguf" && exists(s.text)) {
        return file_loader()("gguf", s.text, out.scenario, out.issues);
    }
    if (const auto named = model_by_name(s.text, catalog)) {
        out.scenario.model = named->id;
        if (s.key == "gguf") {  // the output keeps the path
            out.scenario.model_source = s.text;
            out.scenario.source_key = s.key;
        }
        if (named->exact) return;
        std::string text = "model: " + quoted_text(s.text) + " is taken as " + named->id;
        if (named->weights != WeightKind::automatic &&
            out.scenario.weights == WeightKind::automatic) {
            out.scenario.weights = named->weights;
            text += " with " + std::string(name(named->weights)) + " weights";
        } else if (named->quantised) {
            text += ", its weights as the catalog has them (the type in the name is not known)";
        }
        return say(out.issues, Severity::warning, "model", text + ", by its name.");
    }
    if (s.key == "gguf") return file_loader()("gguf", s.text, out.scenario, out.issues);
    if (exists(s.text)) return file_loader()("model-dir", s.text, out.scenario, out.issues);
    if (is_repository_id(s.text)) return file_loader()("model", s.text, out.scenario, out.issues);
    if (auto issue = set_field(out.scenario, "model", s.text, catalog)) {
        out.issues.push_back(std::move(*issue));
    }
}

}  // namespace

FromCommand read_from(const std::string& from, bool model_given, const Catalog& catalog) {
    FromCommand out;
    const auto text = source_text(from, out.issues);
    if (!text) return out;
    out.command = read_command_line(*text);
    const CommandLine& c = out.command;
    if (!c.engine) {
        say(out.issues, Severity::error, "from",
            "from: no engine command was found; accepted are command lines and YAML with vllm "
            "serve, "
            "sglang, trtllm-serve, text-generation-launcher, llama-server or lmdeploy.");
        return out;
    }
    out.scenario.engine = *c.engine;
    if (!c.version.empty()) out.scenario.engine_version = parse_version(c.version);
    const CommandSetting* model = nullptr;
    for (const CommandSetting& s : c.settings) {
        if (s.key == "model" || s.key == "gguf") {
            model = &s;
            continue;
        }
        if (s.key == "weights" && !read_weight_kind(s.text)) {
            say(out.issues, Severity::warning, "weights",
                "weights: " + quoted_text(s.text) + " of " + s.flag +
                    " is no format known here; the checkpoint's own is used.");
            continue;
        }
        if (auto issue = set_field(out.scenario, s.key, s.text, catalog)) {
            out.issues.push_back(std::move(*issue));
        } else if (s.key == "weights" || s.key == "kv-k" || s.key == "kv-v") {
            out.as_written.emplace_back(s.key, s.text);
        }
    }
    if (model != nullptr && !model_given) set_model(*model, catalog, out);
    if (model == nullptr && !model_given) {
        say(out.issues, Severity::error, "model",
            "model: the command names it by a variable or not at all; give --model, "
            "--model-config, "
            "--gguf or --model-dir beside --from.");
    }
    std::vector<std::string> unresolved = c.unresolved;
    if (!unresolved.empty()) {
        say(out.issues, Severity::warning, "from",
            "Not resolved, so the default stands: " + joined(unresolved) + ".");
    }
    if (!c.ignored.empty()) {
        say(out.issues, Severity::notice, "from", "Ignored: " + joined(c.ignored) + ".");
    }
    if (c.others != 0) {
        say(out.issues, Severity::notice, "from",
            "The text has " + std::to_string(c.others) + " more engine command" +
                (c.others == 1 ? "" : "s") + "; the first one was read.");
    }
    return out;
}

}  // namespace kvgauge
