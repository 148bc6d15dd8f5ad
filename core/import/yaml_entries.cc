// SPDX-License-Identifier: MIT
#include <algorithm>

#include "import/manifest.h"

namespace kvgauge {
namespace {

bool blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

std::string_view trim(std::string_view s) {
    while (!s.empty() && blank(s.front())) s.remove_prefix(1);
    while (!s.empty() && blank(s.back())) s.remove_suffix(1);
    return s;
}

std::size_t indent_of(std::string_view line) {
    std::size_t n = 0;
    while (n < line.size() && (line[n] == ' ' || line[n] == '\t')) ++n;
    return n;
}

// The line without a comment: a # at its begin or after a blank, outside quotes.
std::string_view without_comment(std::string_view line) {
    char quote = '\0';
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quote != '\0') {
            if (c == quote) quote = '\0';
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '#' && (i == 0 || blank(line[i - 1]))) {
            return line.substr(0, i);
        }
    }
    return line;
}

bool key_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '/';
}

// "key: rest" or "key:"; the key is a plain or quoted word that does not begin like a flag.
bool split_key(std::string_view s, std::string& key, std::string_view& rest) {
    std::size_t end = 0;
    if (s.empty() || s[0] == '-') return false;
    if (s[0] == '"' || s[0] == '\'') {
        end = s.find(s[0], 1);
        if (end == std::string_view::npos) return false;
        key = s.substr(1, end - 1);
        ++end;
    } else {
        while (end < s.size() && key_char(s[end])) ++end;
        if (s.starts_with("<<")) end = 2;
        key = s.substr(0, end);
    }
    if (key.empty() || end >= s.size() || s[end] != ':') return false;
    if (end + 1 < s.size() && !blank(s[end + 1])) return false;
    rest = trim(s.substr(std::min(end + 1, s.size())));
    return true;
}

class Reader {
  public:
    explicit Reader(std::string_view text) {
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            lines_.push_back(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }

    std::vector<YamlEntry> read() {
        while (at_ < lines_.size()) line();
        return std::move(out_);
    }

  private:
    void line() {
        std::string_view raw = lines_[at_++];
        std::string_view text = without_comment(raw);
        std::size_t indent = indent_of(text);
        text = trim(text);
        if (text.empty()) return;
        bool item = false;
        const std::size_t dash = indent;
        while (text.starts_with("- ") || text == "-") {
            item = true;
            const std::string_view inner = trim(text.substr(1));
            indent += text.size() - inner.size();
            text = inner;
        }
        std::string key;
        std::string_view rest;
        if (split_key(text, key, rest)) return keyed(indent, std::move(key), rest);
        if (out_.empty()) return;
        if (item) {
            YamlEntry& e = list_owner(indent);
            e.list = true;
            // "- |" and "- >-": a script as one item. Its lines lie deeper than the dash.
            const bool script = text[0] == '|' || text[0] == '>';
            e.items.push_back(script && text.size() <= 3 ? block(dash, text[0] == '>')
                                                         : scalar(text));
        } else if (indent > out_.back().indent) {
            // A plain scalar that goes on.
            if (!out_.back().scalar.empty()) out_.back().scalar += ' ';
            out_.back().scalar += text;
        }
    }

    // The last key that is less indented than its items.
    YamlEntry& list_owner(std::size_t indent) {
        for (std::size_t i = out_.size(); i > 0; --i) {
            if (out_[i - 1].indent + 2 <= indent + 1 && out_[i - 1].scalar.empty())
                return out_[i - 1];
        }
        return out_.back();
    }

    void keyed(std::size_t indent, std::string key, std::string_view rest) {
        YamlEntry e;
        e.indent = indent;
        e.key = std::move(key);
        for (std::size_t i = out_.size(); i > 0; --i) {
            if (out_[i - 1].indent < indent) {
                e.parent = out_[i - 1].key;
                break;
            }
        }
        if (e.key == "serveConfigV2") {
            // Ray Serve's application list: YAML in YAML, read as if it stood here.
        } else if (!rest.empty() && (rest[0] == '>' || rest[0] == '|')) {
            e.scalar = block(indent, rest[0] == '>');
        } else if (!rest.empty() && rest[0] == '[') {
            e.list = true;
            e.items = inline_list(rest);
        } else {
            e.scalar = scalar(rest);
        }
        out_.push_back(std::move(e));
    }

    std::string block(std::size_t indent, bool folded) {
        std::string out;
        while (at_ < lines_.size()) {
            const std::string_view raw = lines_[at_];
            const std::string_view text = trim(raw);
            if (!text.empty() && indent_of(raw) <= indent) break;
            ++at_;
            if (!out.empty()) out += folded && !text.empty() ? ' ' : '\n';
            out += text;
        }
        return out;
    }

    // A quoted scalar may go on over lines.
    std::string scalar(std::string_view text) {
        if (text.empty() || (text[0] != '"' && text[0] != '\'')) return std::string(text);
        const char quote = text[0];
        std::string joined(text.substr(1)), out;
        for (int more = 0; !closed(joined, quote) && at_ < lines_.size() && more < 200; ++more) {
            joined += ' ';
            joined += trim(lines_[at_++]);
        }
        for (std::size_t i = 0; i < joined.size(); ++i) {
            const char c = joined[i];
            if (c == quote) {
                if (quote == '\'' && i + 1 < joined.size() && joined[i + 1] == quote) {
                    ++i;
                } else {
                    break;
                }
            }
            if (quote == '"' && c == '\\' && i + 1 < joined.size()) {
                const char next = joined[++i];
                out += next == 'n' ? '\n' : next;
            } else {
                out += c;
            }
        }
        return out;
    }

    static bool closed(const std::string& s, char quote) {
        for (std::size_t i = 0; i < s.size(); ++i) {
            if (quote == '"' && s[i] == '\\') {
                ++i;
            } else if (s[i] == quote) {
                return true;
            }
        }
        return false;
    }

    // ["a", 'b', c] also over lines.
    std::vector<std::string> inline_list(std::string_view first) {
        std::string text(first);
        for (int more = 0; !balanced(text) && at_ < lines_.size() && more < 200; ++more) {
            text += ' ';
            text += trim(without_comment(lines_[at_++]));
        }
        std::vector<std::string> items;
        std::string item;
        char quote = '\0';
        bool any = false;
        for (std::size_t i = 1; i < text.size(); ++i) {
            const char c = text[i];
            if (quote != '\0') {
                if (quote == '"' && c == '\\' && i + 1 < text.size()) {
                    item += text[++i];
                } else if (c == quote) {
                    quote = '\0';
                } else {
                    item += c;
                }
                continue;
            }
            if (c == '"' || c == '\'') {
                quote = c;
                any = true;
            } else if (c == ',' || c == ']') {
                if (any || !trim(item).empty())
                    items.emplace_back(any ? item : std::string(trim(item)));
                item.clear();
                any = false;
                if (c == ']') break;
            } else if (!(blank(c) && (item.empty() || any))) {
                item += c;
            }
        }
        return items;
    }

    static bool balanced(const std::string& s) {
        char quote = '\0';
        for (std::size_t i = 0; i < s.size(); ++i) {
            if (quote != '\0') {
                if (quote == '"' && s[i] == '\\') {
                    ++i;
                } else if (s[i] == quote) {
                    quote = '\0';
                }
            } else if (s[i] == '"' || s[i] == '\'') {
                quote = s[i];
            } else if (s[i] == ']') {
                return true;
            }
        }
        return false;
    }

    std::vector<std::string_view> lines_;
    std::size_t at_ = 0;
    std::vector<YamlEntry> out_;
};

}  // namespace

std::vector<YamlEntry> read_yaml_entries(std::string_view text) {
    return Reader(text).read();
}

}  // namespace kvgauge
