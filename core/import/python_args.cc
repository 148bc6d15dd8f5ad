// SPDX-License-Identifier: MIT
#include "import/python_args.h"

#include <algorithm>

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
                if (a.name.empty() || at_ >= s_.size() || s_[at_] != '=') break;
                ++at_;
                skip(" \t");
                // A name in place of a value is not known here.
                const bool variable =
                    at_ < s_.size() && name_char(s_[at_]) && !(s_[at_] >= '0' && s_[at_] <= '9');
                if (!value(a.value)) break;
                while (!a.value.empty() && (a.value.back() == '\n' || a.value.back() == ' '))
                    a.value.pop_back();
                if (variable && a.value != "True" && a.value != "False") continue;
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

}  // namespace kvgauge
