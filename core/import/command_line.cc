// SPDX-License-Identifier: MIT
#include "import/command_line.h"

#include <algorithm>
#include <array>

#include "import/engine_flags.h"
#include "import/manifest.h"
#include "import/python_args.h"
#include "import/shell_words.h"

namespace kvgauge {
namespace {

std::string_view base_name(std::string_view path) {
    const std::size_t at = path.find_last_of("/\\");
    return at == std::string_view::npos ? path : path.substr(at + 1);
}

bool is_number(std::string_view s) {
    if (s.starts_with('-')) s.remove_prefix(1);
    return !s.empty() && s.find_first_not_of("0123456789.") == std::string_view::npos;
}

bool is_flag(const ShellWord& w) {
    return w.text.size() > 1 && w.text[0] == '-' && !is_number(w.text);
}

// Where the engine's own words begin.
struct Start {
    EngineId engine = EngineId::vllm;
    std::string version;
    std::size_t first = 0;
    bool positional = false;  // the model may stand without a flag
};

std::optional<Start> program(const ShellCommand& c) {
    const auto word = [&c](std::size_t i) -> std::string_view {
        return i < c.size() ? std::string_view(c[i].text) : std::string_view();
    };
    for (std::size_t i = 0; i < c.size(); ++i) {
        const std::string_view text = word(i), base = base_name(text);
        if (base == "vllm" && word(i + 1) == "serve") return Start{EngineId::vllm, {}, i + 2, true};
        if (text.starts_with("vllm.entrypoints")) return Start{EngineId::vllm, {}, i + 1, false};
        if (text.starts_with("sglang.launch_server"))
            return Start{EngineId::sglang, {}, i + 1, false};
        if (base == "sglang" && word(i + 1) == "serve")
            return Start{EngineId::sglang, {}, i + 2, false};
        if (base == "trtllm-serve") {
            return Start{EngineId::trtllm, {}, i + (word(i + 1) == "serve" ? 2u : 1u), true};
        }
        if (base == "text-generation-launcher") return Start{EngineId::tgi, {}, i + 1, false};
        if (base.find("llama-server") != std::string_view::npos ||
            base.find("llama-cli") != std::string_view::npos) {
            return Start{EngineId::llamacpp, {}, i + 1, false};
        }
        if (base == "lmdeploy" && word(i + 1) == "serve" && word(i + 2) == "api_server") {
            return Start{EngineId::lmdeploy, {}, i + 3, true};
        }
    }
    return std::nullopt;
}

// The image of `docker run`: the last word that names one and is no path.
std::optional<Start> container(const ShellCommand& c) {
    std::optional<Start> found;
    for (std::size_t i = 0; i < c.size(); ++i) {
        const std::string_view text = c[i].text;
        if (text.empty() || std::string_view("-/~.").find(text[0]) != std::string_view::npos ||
            text.find('/') == std::string_view::npos || text.find(":/") != std::string_view::npos) {
            continue;
        }
        // After the image come the engine's own words.
        if (found) break;
        if (auto image = engine_of_image(text)) {
            found = Start{image->engine, std::move(image->version), i + 1,
                          image->engine == EngineId::vllm};
        }
    }
    return found;
}

std::optional<Start> find_start(const ShellCommand& c) {
    const auto image = container(c);
    auto start = program(c);
    if (!start) return image;
    if (image && image->engine == start->engine) start->version = image->version;
    return start;
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

    // A flag with its value; for the log line's dict as well.
    void rule(const FlagRule& r, const std::string& flag, const ShellWord& value) {
        if (value.unresolved) return unresolved(flag);
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

// sh -c 'script': the script's commands, each after the words before the shell (docker run IMAGE).
void unwrap(const ShellCommand& c, unsigned depth, std::vector<ShellCommand>& to) {
    constexpr std::array<std::string_view, 5> kShells{"sh", "bash", "zsh", "ash", "dash"};
    for (std::size_t i = 0; depth > 0 && i + 2 < c.size(); ++i) {
        if (std::find(kShells.begin(), kShells.end(), base_name(c[i].text)) == kShells.end())
            continue;
        std::size_t j = i + 1;
        while (j < c.size() && is_flag(c[j]) && !c[j].text.ends_with('c')) ++j;
        if (j + 1 >= c.size() || !is_flag(c[j]) || c[j].text.starts_with("--")) continue;
        for (ShellCommand& inner : read_shell(c[j + 1].text).commands) {
            // What a script runs beside the engine is not the container's command.
            ShellCommand whole;
            if (program(inner)) {
                whole.assign(c.begin(), c.begin() + static_cast<std::ptrdiff_t>(i));
            }
            whole.insert(whole.end(), inner.begin(), inner.end());
            unwrap(whole, depth - 1, to);
        }
        return;
    }
    to.push_back(c);
}

void read_commands(const std::vector<ShellCommand>& wrapped,
                   const std::optional<NamedEngine>& image,
                   const std::vector<std::string>& documents, CommandLine& out) {
    bool read = false;
    std::vector<ShellCommand> commands;
    for (const ShellCommand& c : wrapped) unwrap(c, 3, commands);
    for (const ShellCommand& c : commands) {
        const auto start = find_start(c);
        if (!start) continue;
        if (read) {
            ++out.others;
            continue;
        }
        read = true;
        if (start->engine == EngineId::trtllm) trt_options(documents, out);
        Reader r(out, start->engine);
        r.words(c, start->first, start->positional);
        r.finish();
        out.version = start->version;
        if (out.version.empty() && image && image->engine == start->engine)
            out.version = image->version;
    }
    if (read) return;
    // No program is named: the image says what its entry point is, or the flags do.
    for (const ShellCommand& c : commands) {
        std::optional<EngineId> engine;
        if (image) {
            engine = image->engine;
        } else {
            engine = engine_by_flags(c);
        }
        if (!engine) continue;
        Reader r(out, *engine);
        r.words(c, 0, image && *engine == EngineId::vllm);
        r.finish();
        if (image) out.version = image->version;
        return;
    }
}

void read_arguments(const std::vector<PythonArg>& arguments, EngineId engine, CommandLine& out) {
    Reader r(out, engine);
    for (const PythonArg& a : arguments) {
        const FlagRule* rule = find_flag(engine, flag_name(a.name));
        if (rule == nullptr || rule->flag != flag_name(a.name)) {
            r.ignore(a.name);
        } else {
            r.rule(*rule, a.name, {a.value, false});
        }
    }
    r.finish();
}

// LLM(model="...", tensor_parallel_size=2): the engine as a Python object.
bool read_python_object(std::string_view text, CommandLine& out) {
    struct Call {
        std::string_view name;
        EngineId engine;
    };
    constexpr std::array<Call, 4> kCalls{{{"EngineArgs(", EngineId::vllm},
                                          {"TurbomindEngineConfig(", EngineId::lmdeploy},
                                          {".Engine(", EngineId::sglang},
                                          {"LLM(", EngineId::vllm}}};
    for (const Call& call : kCalls) {
        const std::size_t at = text.find(call.name);
        if (at == std::string_view::npos) continue;
        const bool trt = text.find("tensorrt_llm") != std::string_view::npos;
        std::vector<PythonArg> found = read_python_call(text.substr(at + call.name.size()));
        if (found.empty()) continue;
        read_arguments(found, trt ? EngineId::trtllm : call.engine, out);
        return true;
    }
    return false;
}

// ["vllm", "serve", ...], with or without Dockerfile's CMD and ENTRYPOINT.
ShellCommand words_of_lists(std::string_view text) {
    ShellCommand words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        const auto trim = [&line] {
            while (!line.empty() && (line[0] == ' ' || line[0] == '\t')) line.remove_prefix(1);
        };
        trim();
        for (std::string_view word : {"CMD", "ENTRYPOINT"}) {
            if (line.starts_with(word)) line.remove_prefix(word.size());
        }
        trim();
        // A list may go over several lines.
        const bool list = line.starts_with("[\"");
        std::size_t close = end;
        if (list) {
            const std::size_t from = static_cast<std::size_t>(line.data() - text.data());
            close = std::min(text.find(']', from), text.size());
            std::string_view items = text.substr(from, close - from);
            for (std::size_t a = items.find('"'); a != std::string_view::npos;) {
                const std::size_t b = items.find('"', a + 1);
                if (b == std::string_view::npos) break;
                words.push_back(resolve_word(items.substr(a + 1, b - a - 1)));
                a = items.find('"', b + 1);
            }
        }
        text.remove_prefix(std::min(close + 1, text.size()));
    }
    return words;
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
            read_commands(m.commands, m.image, {}, one);
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
    if (text.find("[\"") != std::string_view::npos) {
        if (const ShellCommand words = words_of_lists(text); !words.empty()) {
            read_commands({words}, std::nullopt, {}, out);
            if (out.engine) return out;
        }
    }
    const ShellText shell = read_shell(text);
    CommandLine plain;
    read_commands(shell.commands, std::nullopt, shell.documents, plain);
    if (!plain.engine && read_python_object(text, out)) return out;
    return plain;
}

}  // namespace kvgauge
