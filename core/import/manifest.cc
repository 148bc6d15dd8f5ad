// SPDX-License-Identifier: MIT
#include "import/manifest.h"

#include <algorithm>
#include <array>
#include <utility>

namespace kvgauge {
namespace {

constexpr std::array<std::string_view, 23> kMarks{
    "image",      "command",  "args",      "cmd",         "containers",   "vllmConfig",
    "extraArgs",  "modelURL", "services",  "parallelism", "environment",  "env",
    "apiVersion", "kind",     "spec",      "entrypoint",  "repository",   "servingEngineSpec",
    "value",      "runner",   "container", "engineArgs",  "engine_kwargs"};

bool is_program_text(std::string_view s) {
    return s.find(' ') != std::string_view::npos &&
           (s.find(" --") != std::string_view::npos || s.find("serve") != std::string_view::npos);
}

// maxModelLen -> --max-model-len
std::string kebab_flag(std::string_view camel) {
    std::string out = "--";
    for (char c : camel) {
        if (c >= 'A' && c <= 'Z') {
            out += '-';
            out += static_cast<char>(c - 'A' + 'a');
        } else {
            out += c;
        }
    }
    return out;
}

bool is_true(std::string_view s) {
    return s == "true" || s == "True" || s == "yes" || s == "on";
}
bool is_false(std::string_view s) {
    return s == "false" || s == "False" || s == "no" || s == "off";
}

class Collector {
  public:
    std::vector<ManifestCommand> read(std::vector<YamlEntry> entries) {
        substitute(entries);
        for (std::size_t i = 0; i < entries.size(); ++i) entry(entries, i);
        push();
        return std::move(out_);
    }

  private:
    void push() {
        if (!now_.commands.empty() || !now_.environment.empty()) out_.push_back(std::move(now_));
        now_ = {};
        has_command_ = false;
    }
    ShellCommand& words() {
        if (now_.commands.empty()) now_.commands.emplace_back();
        return now_.commands.back();
    }
    void flag(std::string text) { words().push_back(resolve_word(text)); }

    void entry(const std::vector<YamlEntry>& all, std::size_t i) {
        const YamlEntry& e = all[i];
        if (e.key == "image" || e.key == "repository") {
            if (!now_.commands.empty() || (now_.image && !now_.environment.empty())) push();
            const ShellWord image = resolve_word(e.scalar);
            std::string name = image.text;
            if (i + 1 < all.size() && all[i + 1].key == "tag") name += ':' + all[i + 1].scalar;
            now_.image = engine_of_image(name);
        } else if (e.key == "command" || e.key == "cmd" || e.key == "entrypoint") {
            // An entry point goes with the command after it; two commands are two services.
            if (has_command_ && e.key != "entrypoint") {
                const auto image = now_.image;
                push();
                now_.image = image;
            }
            has_command_ = e.key != "entrypoint";
            add(e);
        } else if (e.key == "args" || e.key == "extraArgs" || e.key == "engineArgs") {
            add(e);
        } else if (e.key == "value" && i > 0 && all[i - 1].key == "name") {
            environment(all[i - 1].scalar, e.scalar);
        } else if (e.key == "environment" && e.list) {
            for (const std::string& item : e.items) {
                const std::size_t at = item.find('=');
                if (at == std::string::npos) continue;
                environment(std::string_view(item).substr(0, at), item.substr(at + 1));
            }
        } else if (e.parent == "environment" || e.parent == "env") {
            environment(e.key, e.scalar);
        } else if (e.parent == "vllmConfig" || e.parent == "engine_kwargs") {
            config(e);
        } else if ((e.key == "model" && now_.image && e.scalar.find('/') != std::string::npos) ||
                   e.key == "model_source") {
            if (!e.scalar.empty()) flag("--model=" + e.scalar);
        } else if (e.parent == "parallelism") {
            sizes(e);
        } else if (e.key == "modelURL" ||
                   ((e.key == "uri" || e.key == "storageUri") && e.scalar.starts_with("hf://"))) {
            flag("--model=" + (e.scalar.starts_with("hf://") ? e.scalar.substr(5) : e.scalar));
            if (!now_.image) now_.image = NamedEngine{EngineId::vllm, {}};
        }
    }

    void add(const YamlEntry& e) {
        if (!e.list) {
            if (e.scalar.empty()) return;
            append(read_shell(e.scalar).commands);
            return;
        }
        bool script = false;
        for (const std::string& item : e.items) {
            if (script || is_program_text(item)) {
                append(read_shell(item).commands);
            } else {
                words().push_back(resolve_word(item));
            }
            script = item == "-c" || item == "-lc" || item == "-ec";
        }
    }

    // Flags alone go on with the command before them; a text of several commands stands by itself.
    void append(const std::vector<ShellCommand>& commands) {
        for (const ShellCommand& c : commands) {
            const bool flags = !c.empty() && c[0].text.starts_with('-');
            if (flags && !now_.commands.empty()) {
                words().insert(words().end(), c.begin(), c.end());
            } else {
                now_.commands.push_back(c);
            }
        }
    }

    // "$(TP)" where the manifest itself sets TP.
    static void substitute(std::vector<YamlEntry>& all) {
        std::vector<std::pair<std::string, std::string>> values;
        constexpr std::size_t kMost = 64;
        const auto keep = [&values](const std::string& name, const std::string& value) {
            const bool plain = value.find('$') == std::string::npos && value.size() < 200;
            if (!name.empty() && !value.empty() && plain && values.size() < kMost)
                values.emplace_back(name, value);
        };
        for (std::size_t i = 0; i < all.size(); ++i) {
            const YamlEntry& e = all[i];
            if (e.key == "value" && i > 0 && all[i - 1].key == "name")
                keep(all[i - 1].scalar, e.scalar);
            if (e.parent == "environment" || e.parent == "env") keep(e.key, e.scalar);
            if (e.key == "environment" && e.list) {
                for (const std::string& item : e.items) {
                    const std::size_t at = item.find('=');
                    if (at != std::string::npos) keep(item.substr(0, at), item.substr(at + 1));
                }
            }
        }
        const auto put = [&values](std::string& text) {
            if (text.find('$') == std::string::npos) return;
            for (const auto& [name, value] : values) {
                for (const std::string& mark : {"$(" + name + ")", "${" + name + "}"}) {
                    for (std::size_t at = text.find(mark); at != std::string::npos;
                         at = text.find(mark, at + value.size())) {
                        text.replace(at, mark.size(), value);
                    }
                }
            }
        };
        for (YamlEntry& e : all) {
            put(e.scalar);
            for (std::string& item : e.items) put(item);
        }
    }

    // Launchers read their options from the environment as well.
    void environment(std::string_view name, const std::string& value) {
        for (const EnvironmentFlag& e : environment_flags()) {
            if (e.variable != name) continue;
            now_.environment.emplace_back(name, resolve_word(value));
            break;
        }
        if (!name.ends_with("_ARGS") && !name.ends_with("_EXTRA_FLAGS")) return;
        if (value.find("--") == std::string::npos) return;
        if (!now_.image && name.starts_with("VLLM")) now_.image = NamedEngine{EngineId::vllm, {}};
        append(read_shell(value).commands);
    }

    void config(const YamlEntry& e) {
        if (e.key == "extraArgs") return add(e);
        if (!now_.image) now_.image = NamedEngine{EngineId::vllm, {}};
        const std::string name = kebab_flag(e.key);
        if (is_true(e.scalar)) {
            flag(name);
        } else if (is_false(e.scalar)) {
            flag("--no-" + name.substr(2));
        } else if (!e.scalar.empty()) {
            flag(name + '=' + e.scalar);
        }
    }

    void sizes(const YamlEntry& e) {
        if (!now_.image) now_.image = NamedEngine{EngineId::vllm, {}};
        if (e.key == "tensor") flag("--tensor-parallel-size=" + e.scalar);
        if (e.key == "pipeline") flag("--pipeline-parallel-size=" + e.scalar);
        if (e.key == "data") flag("--data-parallel-size=" + e.scalar);
        if (e.key == "expert" && is_true(e.scalar)) flag("--enable-expert-parallel");
    }

    std::vector<ManifestCommand> out_;
    ManifestCommand now_;
    bool has_command_ = false;
};

}  // namespace

bool looks_like_manifest(std::string_view text) {
    if (text.find("<<") != std::string_view::npos && text.find("EOF") != std::string_view::npos) {
        return false;  // a shell text with a file in it
    }
    for (const YamlEntry& e : read_yaml_entries(text)) {
        if (std::find(kMarks.begin(), kMarks.end(), e.key) != kMarks.end()) return true;
    }
    return false;
}

std::vector<ManifestCommand> read_manifest(std::string_view text) {
    return Collector().read(read_yaml_entries(text));
}

}  // namespace kvgauge
