// SPDX-License-Identifier: MIT
#include "import/command_line.h"

#include <algorithm>
#include <array>

#include "import/command_program.h"
#include "import/engine_flags.h"
#include "import/manifest.h"
#include "import/python_args.h"
#include "import/shell_words.h"

namespace kvgauge {
namespace {

bool is_number(std::string_view s) {
    if (s.starts_with('-')) s.remove_prefix(1);
    return !s.empty() && s.find_first_not_of("0123456789.") == std::string_view::npos;
}

bool is_flag(const ShellWord& w) {
    return w.text.size() > 1 && w.text[0] == '-' && !is_number(w.text);
}

// The engine whose flags these are, where no name says it.
std::optional<EngineId> engine_by_flags(const ShellCommand& c) {
    std::optional<EngineId> best;
    int most = 0;
    for (EngineId id : kEngineIds) {
        int n = 0;
        for (const ShellWord& w : c) {
            if (!is_flag(w)) continue;
            const std::string name =
                flag_name(std::string_view(w.text).substr(0, w.text.find('=')));
            for (const FlagRule& r : flag_rules(id)) n += r.flag == name;
        }
        if (n > most) {
            most = n;
            best = id;
        }
    }
    return best;
}

// 32k is 32,000 and 32K is 32,768 tokens (vLLM's human_readable_int).
std::string token_number(std::string_view text) {
    if (text.size() < 2) return std::string(text);
    const char unit = text.back();
    const double factor = unit == 'k'   ? 1e3
                          : unit == 'm' ? 1e6
                          : unit == 'K' ? 1024.0
                          : unit == 'M' ? 1024.0 * 1024
                                        : 0;
    if (factor == 0) return std::string(text);
    double value = 0, place = 0;
    for (char c : text.substr(0, text.size() - 1)) {
        if (c == '.' && place == 0) {
            place = 1;
        } else if (c >= '0' && c <= '9') {
            value = value * 10 + (c - '0');
            place *= 10;
        } else {
            return std::string(text);
        }
        if (value > 1e12) return std::string(text);
    }
    if (place > 1) value /= place;
    return std::to_string(static_cast<unsigned long long>(value * factor));
}

// The number after num_speculative_tokens in JSON or a Python dict; empty: none.
std::string speculative_tokens(std::string_view text) {
    constexpr std::string_view kName = "num_speculative_tokens";
    std::size_t at = text.find(kName);
    if (at == std::string_view::npos) return {};
    at = text.find_first_not_of("\"' :=", at + kName.size());
    if (at == std::string_view::npos) return {};
    const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
    return std::string(text.substr(at, end - at));
}

class Reader {
  public:
    Reader(CommandLine& out, EngineId engine) : out_(out), engine_(engine) { out_.engine = engine; }

    void words(const ShellCommand& c, std::size_t first, bool positional) {
        for (std::size_t i = first; i < c.size(); ++i) {
            if (is_flag(c[i])) {
                i = flag(c, i);
            } else if (positional && !model_seen_) {
                model(c[i], "(model)");
            }
        }
    }

    // Variables that stand for flags; the command's own flags come after them.
    void environment(const Environment& values) {
        for (const auto& [name, value] : values) {
            for (const EnvironmentFlag& e : environment_flags()) {
                if (e.engine != engine_ || e.variable != name || value.text.empty()) continue;
                if (const FlagRule* r = find_flag(engine_, e.flag)) rule(*r, name, value);
            }
        }
    }

    // A flag with its value; for the log line's dict as well.
    void rule(const FlagRule& r, const std::string& flag, const ShellWord& value) {
        if (value.unresolved) return unresolved(flag);
        // The engine works the length out; all layers are llama.cpp's default as well.
        if (r.key == "ctx" && (value.text == "auto" || value.text == "-1" || value.text == "0"))
            return unresolved(flag);
        if (r.key == "ngl" && (value.text == "all" || value.text == "auto" || value.text == "-1"))
            return;
        switch (r.kind) {
            case FlagKind::value:
                if (r.key == "model" || r.key == "gguf") return model(value, flag, r.key);
                // SGLang's -1: prompts are not cut into chunks.
                if (r.key == "max-batched" && value.text == "-1") return ignore(flag);
                return set(r.key, value.text, flag);
            case FlagKind::tokens:
                return set(r.key, token_number(value.text), flag);
            case FlagKind::size_on:
                return set(
                    r.key,
                    is_number(value.text) && value.text != "1" && value.text != "0" ? "on" : "off",
                    flag);
            case FlagKind::quant_policy:
                if (value.text == "8" || value.text == "4") set(r.key, "int" + value.text, flag);
                return;
            case FlagKind::spec_config: {
                const std::string n = speculative_tokens(value.text);
                return n.empty() ? unresolved(flag) : set(r.key, n, flag);
            }
            case FlagKind::note:
                out_.notes.push_back({std::string(r.flag), value.text, flag});
                return;
            case FlagKind::flag_note:
                out_.notes.push_back({std::string(r.flag), "on", flag});
                return;
            case FlagKind::on:
            case FlagKind::off:
                return toggle(r, flag, value.text);
        }
    }
    void toggle(const FlagRule& r, const std::string& flag, std::string_view text) {
        const bool no = text == "false" || text == "False" || text == "off" || text == "0";
        set(r.key, (r.kind == FlagKind::on) != no ? "on" : "off", flag);
    }
    void ignore(const std::string& flag) {
        if (std::find(out_.ignored.begin(), out_.ignored.end(), flag) == out_.ignored.end()) {
            out_.ignored.push_back(flag);
        }
    }
    void finish() {
        if (!model_seen_) out_.unresolved.push_back("(model)");
    }

  private:
    void set(std::string_view key, std::string text, const std::string& flag) {
        out_.settings.push_back({std::string(key), std::move(text), flag});
    }
    void unresolved(const std::string& flag) {
        out_.unresolved.push_back(flag);
        const FlagRule* r = find_flag(engine_, flag_name(flag));
        if (r != nullptr && (r->key == "model" || r->key == "gguf")) model_seen_ = true;
    }
    void model(const ShellWord& w, const std::string& flag, std::string_view key = "model") {
        model_seen_ = true;
        if (w.unresolved) {
            out_.unresolved.push_back(flag);
        } else {
            set(key, w.text, flag);
        }
    }

    // Answers the index of the last word taken.
    std::size_t flag(const ShellCommand& c, std::size_t i) {
        const std::string& text = c[i].text;
        const std::size_t equals = text.find('=');
        const std::string written = text.substr(0, equals);
        const FlagRule* r = find_flag(engine_, flag_name(written));
        const bool attached = equals != std::string::npos;
        ShellWord value;
        if (attached) value = {text.substr(equals + 1), c[i].unresolved};
        const bool next = !attached && i + 1 < c.size() && !is_flag(c[i + 1]);
        if (r == nullptr) {
            ignore(written);
            return next && !is_bare_switch(flag_name(written)) ? i + 1 : i;
        }
        if (r->kind == FlagKind::on || r->kind == FlagKind::off || r->kind == FlagKind::flag_note) {
            constexpr std::array<std::string_view, 6> kWords{"true",  "false", "True",
                                                             "False", "on",    "off"};
            const bool takes =
                next && std::find(kWords.begin(), kWords.end(), c[i + 1].text) != kWords.end();
            rule(*r, written, takes ? c[i + 1] : value);
            return takes ? i + 1 : i;
        }
        if (attached) {
            rule(*r, written, value);
            return i;
        }
        if (!next) {
            unresolved(written);
            return i;
        }
        rule(*r, written, c[i + 1]);
        return i + 1;
    }

    CommandLine& out_;
    EngineId engine_;
    bool model_seen_ = false;
};

// TensorRT-LLM's options file, written beside the command by a here-document.
void trt_options(const std::vector<std::string>& documents, CommandLine& out) {
    struct Option {
        std::string_view parent, key, to;
    };
    constexpr std::array<Option, 12> kOptions{{
        {"kv_cache_config", "dtype", "kv"},
        {"kv_cache_config", "enable_block_reuse", "prefix-caching"},
        {"kv_cache_config", "free_gpu_memory_fraction", "util"},
        {"kv_cache_config", "tokens_per_block", "block"},
        {"", "enable_attention_dp", "dp-attention"},
        {"", "tensor_parallel_size", "tp"},
        {"", "pipeline_parallel_size", "pp"},
        {"", "max_batch_size", "max-seqs"},
        {"", "max_seq_len", "ctx"},
        {"", "max_num_tokens", "max-batched"},
        {"speculative_config", "num_nextn_predict_layers", "spec"},
        {"speculative_config", "max_draft_len", "spec"},
    }};
    for (const std::string& d : documents) {
        for (const YamlEntry& e : read_yaml_entries(d)) {
            for (const Option& o : kOptions) {
                if (o.parent != e.parent || o.key != e.key || e.scalar.empty()) continue;
                const ShellWord w = resolve_word(e.scalar);
                if (w.unresolved) {
                    out.unresolved.push_back(e.key);
                } else {
                    out.settings.push_back({std::string(o.to), w.text, e.key});
                }
            }
        }
    }
}

// sh -c 'script', ssh host 'script', tmux new 'script': the script's commands, each after the words
// before the shell (docker run IMAGE).
void unwrap(const ShellCommand& c, unsigned depth, std::vector<ShellCommand>& to) {
    constexpr std::array<std::string_view, 5> kShells{"sh", "bash", "zsh", "ash", "dash"};
    const bool named = find_program(c).has_value();
    bool shell = false;  // -c has been met behind a shell
    std::size_t words = 0;
    for (std::size_t i = 0; depth > 0 && i < c.size(); ++i) {
        const std::string& text = c[i].text;
        if (std::find(kShells.begin(), kShells.end(), text.substr(text.find_last_of('/') + 1)) !=
            kShells.end()) {
            words = i;
            shell = true;
            continue;
        }
        if (text.find(' ') == std::string::npos) continue;
        std::vector<ShellCommand> script = read_shell(text).commands;
        const bool starts = std::any_of(script.begin(), script.end(), [](const ShellCommand& s) {
            return find_program(s).has_value();
        });
        if (!starts || (named && !shell)) continue;
        for (ShellCommand& inner : script) {
            // What a script runs beside the engine is not the container's command.
            ShellCommand whole;
            if (find_program(inner)) {
                whole.assign(c.begin(), c.begin() + static_cast<std::ptrdiff_t>(words));
            }
            whole.insert(whole.end(), inner.begin(), inner.end());
            unwrap(whole, depth - 1, to);
        }
        return;
    }
    to.push_back(c);
}

// echo 'options' > file
void written_documents(const ShellCommand& c, std::vector<std::string>& to) {
    if (c.empty() || (c[0].text != "echo" && c[0].text != "printf")) return;
    for (std::size_t i = 1; i < c.size(); ++i) {
        std::string text = c[i].text;
        for (std::size_t at = text.find("\\n"); at != std::string::npos;
             at = text.find("\\n", at)) {
            text.replace(at, 2, "\n");
        }
        if (text.find(':') != std::string::npos) to.push_back(std::move(text));
    }
}

// Ollama counts the length for one request and starts a context for all of them.
void ollama_slots(CommandLine& out) {
    CommandSetting *ctx = nullptr, *slots = nullptr;
    bool ollama = false;
    for (CommandSetting& s : out.settings) {
        ollama |= s.flag.starts_with("OLLAMA_");
        if (s.key == "ctx") ctx = &s;
        if (s.key == "slots") slots = &s;
    }
    if (!ollama || ctx == nullptr || slots == nullptr) return;
    constexpr std::size_t kDigits = 9;
    if (!is_number(ctx->text) || !is_number(slots->text) || ctx->text.size() > kDigits ||
        slots->text.size() > kDigits) {
        return;
    }
    ctx->text = std::to_string(std::stoull(ctx->text) * std::stoull(slots->text));
    const std::string flag = slots->flag;
    out.settings.push_back({"unified", "off", flag});
}

// What a text or one container of a manifest starts.
struct Source {
    std::vector<ShellCommand> commands;
    std::vector<std::string> documents;  // files written beside the command
    Environment environment;
    std::optional<NamedEngine> image;
};

void read_commands(Source source, CommandLine& out) {
    bool read = false;
    std::vector<ShellCommand> commands;
    for (const ShellCommand& c : source.commands) {
        unwrap(c, 3, commands);
        written_documents(c, source.documents);
    }
    for (const ShellCommand& c : commands) collect_environment(c, source.environment);
    const auto begin = [&](EngineId engine, const ShellCommand& c, std::size_t first,
                           bool positional) {
        if (engine == EngineId::trtllm) trt_options(source.documents, out);
        Reader r(out, engine);
        r.environment(source.environment);
        r.words(c, first, positional);
        r.finish();
        ollama_slots(out);
        if (out.version.empty() && source.image && source.image->engine == engine)
            out.version = source.image->version;
        if (out.version.empty()) out.version = required_version(commands, engine);
    };
    for (const ShellCommand& c : commands) {
        const auto start = find_start(c);
        if (!start) continue;
        if (read) {
            ++out.others;
            continue;
        }
        read = true;
        out.version = start->version;
        begin(start->engine, c, start->first, start->positional);
    }
    if (read) return;
    // No program is named: the image says what its entry point is, or the flags do.
    if (commands.empty()) commands.emplace_back();
    for (const ShellCommand& c : commands) {
        std::optional<EngineId> engine;
        if (source.image) {
            engine = source.image->engine;
        } else {
            engine = engine_by_flags(c);
            for (std::size_t i = 0; !engine && i < source.environment.size(); ++i) {
                engine = engine_of_variable(source.environment[i].first);
            }
        }
        if (!engine) continue;
        return begin(*engine, c, 0, source.image && *engine == EngineId::vllm);
    }
}

void read_arguments(const std::vector<PythonArg>& arguments, EngineId engine, CommandLine& out) {
    Reader r(out, engine);
    for (const PythonArg& a : arguments) {
        if (a.value == "None") continue;
        const FlagRule* rule = find_flag(engine, flag_name(a.name));
        if (rule == nullptr || rule->flag != flag_name(a.name)) {
            r.ignore(a.name);
        } else {
            r.rule(*rule, a.name, {a.value, a.variable});
        }
    }
    r.finish();
}

// ["vllm", "serve", ...] in a Dockerfile, JSON or Python; several lists are one command (ENTRYPOINT
// and CMD).
ShellCommand words_of_lists(std::string_view text) {
    ShellCommand words;
    constexpr std::string_view kBlank = " \t\r\n";
    for (std::size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at)) {
        ++at;
        while (true) {
            at = std::min(text.find_first_not_of(kBlank, at), text.size());
            if (at == text.size() || (text[at] != '"' && text[at] != '\'')) break;
            const std::size_t end = text.find(text[at], at + 1);
            if (end == std::string_view::npos) return words;
            words.push_back(resolve_word(text.substr(at + 1, end - at - 1)));
            at = std::min(text.find_first_not_of(kBlank, end + 1), text.size());
            if (at == text.size() || text[at] != ',') break;
            ++at;
        }
    }
    return words;
}

// An options file by itself: vLLM's and SGLang's --config, TensorRT-LLM's options.
void read_options_file(std::string_view text, CommandLine& out) {
    ShellCommand words;
    for (const YamlEntry& e : read_yaml_entries(text)) {
        if (!e.parent.empty() || e.scalar.empty()) continue;
        words.push_back(resolve_word("--" + e.key + '=' + e.scalar));
    }
    const auto engine = engine_by_flags(words);
    constexpr std::size_t kAtLeast = 2;  // one word may be anybody's
    std::size_t known = 0;
    for (const ShellWord& w : words) {
        known +=
            engine && find_flag(*engine, flag_name(w.text.substr(0, w.text.find('=')))) != nullptr;
    }
    if (known >= kAtLeast) {
        Source source;
        source.documents.emplace_back(text);
        source.commands.push_back(std::move(words));
        read_commands(std::move(source), out);
    }
}

}  // namespace

CommandLine read_command_line(std::string_view text) {
    CommandLine out;
    constexpr std::size_t kMost = std::size_t{1} << 20;  // a manifest is small; a log is not one
    text = text.substr(0, kMost);
    if (const std::size_t at = text.find("non-default args:"); at != std::string_view::npos) {
        read_arguments(read_python_args(text.substr(at)), EngineId::vllm, out);
        return out;
    }
    if (looks_like_manifest(text)) {
        const std::vector<ManifestCommand> found = read_manifest(text);
        for (const ManifestCommand& m : found) {
            CommandLine one;
            read_commands({m.commands, {}, m.environment, m.image}, one);
            if (!one.engine) continue;
            if (out.engine) {
                ++out.others;
            } else {
                one.others += out.others;
                out = std::move(one);
            }
        }
        if (out.engine) return out;
    }
    if (const ShellCommand words = words_of_lists(text); find_program(words)) {
        read_commands({{words}, {}, {}, {}}, out);
        return out;
    }
    ShellText shell = read_shell(text);
    CommandLine plain;
    read_commands({std::move(shell.commands), std::move(shell.documents), {}, {}}, plain);
    if (plain.engine) return plain;
    if (const auto python = read_python_engine(text)) {
        read_arguments(python->arguments, python->engine, out);
        return out;
    }
    read_options_file(text, out);
    return out;
}

}  // namespace kvgauge
