// SPDX-License-Identifier: MIT
#include "import/python_args.h"

#include <algorithm>
#include <array>
#include <utility>

namespace kvgauge {
namespace {

class Reader {
  public:
    explicit Reader(std::string_view s) : s_(s) {}

    std::vector<PythonArg> read() {
        std::vector<PythonArg> out;
        at_ = s_.find('{');
        if (at_ == std::string_view::npos) return out;
        ++at_;
        while (at_ < s_.size()) {
            skip(" ,\t\r\n");
            if (at_ >= s_.size() || (s_[at_] != '\'' && s_[at_] != '"')) break;
            PythonArg a;
            if (!quoted(a.name)) break;
            skip(" \t");
            if (at_ >= s_.size() || s_[at_] != ':') break;
            ++at_;
            skip(" \t");
            if (!value(a.value)) break;
            out.push_back(std::move(a));
        }
        return out;
    }

    // name=value, ... up to the bracket that ends the call; a first plain string is the model.
    std::vector<PythonArg> read_call() {
        std::vector<PythonArg> out;
        while (at_ < s_.size()) {
            skip(" ,\t\r\n");
            if (at_ >= s_.size() || s_[at_] == ')') break;
            if (s_[at_] == '#') {
                at_ = std::min(s_.find('\n', at_), s_.size());
                continue;
            }
            PythonArg a;
            if (s_[at_] == '\'' || s_[at_] == '"') {
                a.name = "model";
                if (!quoted(a.value)) break;
            } else {
                while (at_ < s_.size() && name_char(s_[at_])) a.name += s_[at_++];
                skip(" \t");
                if (a.name.empty() || at_ >= s_.size()) break;
                if (s_[at_] == ',' || s_[at_] == ')') {
                    a.value = std::exchange(a.name, "model");
                    a.variable = true;
                    if (out.empty()) out.push_back(std::move(a));
                    continue;
                }
                if (s_[at_] != '=') break;
                ++at_;
                skip(" \t");
                // A name in place of a value is not known here.
                a.variable =
                    at_ < s_.size() && name_char(s_[at_]) && !(s_[at_] >= '0' && s_[at_] <= '9');
                if (!value(a.value)) break;
                while (!a.value.empty() && (a.value.back() == '\n' || a.value.back() == ' '))
                    a.value.pop_back();
                for (std::string_view word : {"True", "False", "None"}) {
                    if (a.value == word) a.variable = false;
                }
            }
            out.push_back(std::move(a));
        }
        return out;
    }

  private:
    static bool name_char(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_';
    }
    void skip(std::string_view set) {
        while (at_ < s_.size() && set.find(s_[at_]) != std::string_view::npos) ++at_;
    }
    bool quoted(std::string& to) {
        const char quote = s_[at_++];
        while (at_ < s_.size() && s_[at_] != quote) {
            if (s_[at_] == '\\' && at_ + 1 < s_.size()) ++at_;
            to += s_[at_++];
        }
        if (at_ >= s_.size()) return false;
        ++at_;
        return true;
    }
    // A nested value is taken as written, up to the comma or bracket that ends it.
    bool value(std::string& to) {
        if (at_ < s_.size() && (s_[at_] == '\'' || s_[at_] == '"')) return quoted(to);
        int depth = 0;
        char quote = '\0';
        for (; at_ < s_.size(); ++at_) {
            const char c = s_[at_];
            if (quote != '\0') {
                if (c == quote) quote = '\0';
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == '{' || c == '[' || c == '(') {
                ++depth;
            } else if (c == '}' || c == ']' || c == ')') {
                if (depth-- == 0) return true;
            } else if (c == ',' && depth == 0) {
                return true;
            }
            to += c;
        }
        return false;
    }

    std::string_view s_;
    std::size_t at_ = 0;
};

}  // namespace

std::vector<PythonArg> read_python_args(std::string_view text) {
    return Reader(text).read();
}

std::vector<PythonArg> read_python_call(std::string_view text) {
    return Reader(text).read_call();
}

namespace {

// What `name = ...` is, up to the line's end; empty: not set in the script.
std::string_view assigned(std::string_view script, std::string_view name) {
    for (std::size_t at = script.find(name); at != std::string_view::npos;
         at = script.find(name, at + 1)) {
        if (at != 0 && script[at - 1] != '\n') continue;
        std::string_view rest = script.substr(at + name.size());
        while (rest.starts_with(' ')) rest.remove_prefix(1);
        if (!rest.starts_with('=') || rest.starts_with("==")) continue;
        rest.remove_prefix(1);
        while (rest.starts_with(' ')) rest.remove_prefix(1);
        return rest;
    }
    return {};
}

// Literals in place of names, and the arguments of nested objects beside the others.
void resolve(std::string_view script, unsigned depth, std::vector<PythonArg>& args) {
    std::vector<PythonArg> nested;
    for (PythonArg& a : args) {
        if (!a.variable || depth == 0) continue;
        std::string_view text = a.value;
        if (text.find('(') == std::string_view::npos) text = assigned(script, text);
        const std::size_t bracket = text.find('(');
        const std::size_t line = std::min(text.find('\n'), text.size());
        if (bracket < line) {
            const bool cache = text.starts_with("KvCacheConfig");
            std::vector<PythonArg> inner = read_python_call(text.substr(bracket + 1));
            resolve(script, depth - 1, inner);
            for (PythonArg& i : inner) {
                if (cache && i.name == "dtype") i.name = "kv_cache_dtype";
                nested.push_back(std::move(i));
            }
            a.name.clear();
        } else if (!text.empty()) {
            const std::vector<PythonArg> one =
                read_python_call("x=" + std::string(text.substr(0, line)) + ")");
            if (one.empty() || one[0].variable) continue;
            a.value = one[0].value;
            a.variable = false;
        }
    }
    std::erase_if(args, [](const PythonArg& a) { return a.name.empty(); });
    args.insert(args.end(), nested.begin(), nested.end());
}

}  // namespace

std::optional<PythonEngine> read_python_engine(std::string_view script) {
    struct Call {
        std::string_view name;
        EngineId engine;
    };
    constexpr std::array<Call, 8> kCalls{{{"EngineArgs(", EngineId::vllm},
                                          {"ServerArgs(", EngineId::sglang},
                                          {"lmdeploy.pipeline(", EngineId::lmdeploy},
                                          {"TurbomindEngineConfig(", EngineId::lmdeploy},
                                          {"PytorchEngineConfig(", EngineId::lmdeploy},
                                          {".Engine(", EngineId::sglang},
                                          {"Llama(", EngineId::llamacpp},
                                          {"LLM(", EngineId::vllm}}};
    const auto has = [script](std::string_view s) {
        return script.find(s) != std::string_view::npos;
    };
    for (const Call& call : kCalls) {
        std::size_t at = script.find(call.name);
        if (at == std::string_view::npos) continue;
        PythonEngine out{call.engine, {}};
        if (call.name == "LLM(" && has("tensorrt_llm")) out.engine = EngineId::trtllm;
        at += call.name.size();
        // The pipeline holds the model and the configuration.
        constexpr std::string_view kPipeline = "pipeline(";
        if (out.engine == EngineId::lmdeploy) {
            if (const std::size_t p = script.find(kPipeline); p != std::string_view::npos) {
                at = p + kPipeline.size();
            }
        }
        out.arguments = read_python_call(script.substr(at));
        resolve(script, 3, out.arguments);
        if (!out.arguments.empty()) return out;
    }
    return std::nullopt;
}

}  // namespace kvgauge
