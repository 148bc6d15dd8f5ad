// SPDX-License-Identifier: MIT
#include "import/shell_words.h"

#include <algorithm>
#include <map>

namespace kvgauge {
namespace {

bool blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}
bool name_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

class Reader {
  public:
    explicit Reader(std::string_view s) : s_(s) {}

    ShellText read() {
        while (at_ < s_.size()) step();
        end_word();
        end_command();
        return std::move(out_);
    }

    // The whole text is one word's inside.
    ShellWord one_word() {
        while (at_ < s_.size()) {
            if (s_[at_] == '$') {
                dollar();
            } else if (!placeholder()) {
                put(s_[at_++]);
            }
        }
        return word_;
    }

  private:
    static constexpr std::size_t kMostValues = 256;
    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < s_.size() ? s_[at_ + ahead] : '\0';
    }
    bool ends_line(std::size_t ahead) const {
        while (blank(peek(ahead))) ++ahead;
        return peek(ahead) == '\n';
    }
    void put(char c) {
        word_.text += c;
        in_word_ = true;
    }
    // NAME=value words before a command, or after `export`: known from the next command on.
    void keep_assignments() {
        std::size_t i = 0;
        const std::string& first = command_[0].text;
        if (first == "export" || first == "set" || first == "ENV" || first == "declare") i = 1;
        for (; i < command_.size() && values_.size() < kMostValues; ++i) {
            const ShellWord& w = command_[i];
            std::size_t n = 0;
            while (n < w.text.size() && name_char(w.text[n])) ++n;
            if (n == 0 || n >= w.text.size() || w.text[n] != '=') return;
            if (w.unresolved) continue;
            values_.insert_or_assign(w.text.substr(0, n), w.text.substr(n + 1));
        }
    }
    // Outside quotes a value falls into words; NAME[@] does so inside them too.
    bool put_value(std::string_view name, bool split) {
        const auto known = values_.find(std::string(name));
        if (known == values_.end()) return false;
        const std::string& value = known->second;
        if (!split || value.find(' ') == std::string::npos) {
            word_.text += value;
            in_word_ = true;
            return true;
        }
        for (const ShellCommand& c : Reader(value).read().commands) {
            for (const ShellWord& w : c) {
                if (!word_.text.empty()) end_word();
                word_ = w;
                in_word_ = true;
            }
        }
        return true;
    }
    // NAME=( ... ) and NAME+=( ... ): kept as text, variables put in.
    bool list_assignment() {
        std::string name = word_.text;
        if (!name.ends_with('=') || !command_.empty()) return false;
        name.pop_back();
        const bool more = name.ends_with('+');
        if (more) name.pop_back();
        for (char c : name) {
            if (!name_char(c)) return false;
        }
        const std::size_t from = at_ + 1;
        skip_balanced('(', ')');
        Reader inside(s_.substr(from, at_ - from - (s_[at_ - 1] == ')' ? 1 : 0)));
        inside.values_ = values_;
        std::string text = more ? values_[name] : std::string();
        for (const ShellCommand& c : inside.read().commands) {
            for (const ShellWord& w : c) {
                text += w.unresolved ? " \"$UNKNOWN\"" : " '" + w.text + '\'';
            }
        }
        if (values_.size() < kMostValues) values_.insert_or_assign(name, std::move(text));
        word_ = {};
        in_word_ = false;
        return true;
    }
    void end_word() {
        if (in_word_) {
            if (skip_next_) {
                skip_next_ = false;  // the file of a redirection
            } else {
                command_.push_back(word_);
            }
        }
        word_ = {};
        in_word_ = false;
    }
    void end_command() {
        if (!command_.empty()) {
            keep_assignments();
            out_.commands.push_back(std::move(command_));
        }
        command_.clear();
        skip_next_ = false;
    }

    void step() {
        const char c = s_[at_];
        if (c == '\\') return backslash();
        if (c == '\'') return single_quoted();
        if (c == '"') return double_quoted();
        if (c == '$') return dollar();
        if (c == '`' && ends_line(1)) {  // PowerShell goes on with the next line
            end_word();
            while (s_[at_] != '\n') ++at_;
            ++at_;
            return;
        }
        if (c == '`' && peek(1) == '`' && peek(2) == '`') {  // a fence of Markdown
            end_word();
            at_ = std::min(s_.find('\n', at_), s_.size());
            return;
        }
        if (c == '`') return backquoted();
        if (c == '(' && in_word_ && list_assignment()) return;
        if (c == '<' && placeholder()) return;
        if (c == '<' && peek(1) == '<' && peek(2) != '<') return here_document();
        if (c == '<' || c == '>') return redirection();
        if (c == '&' && peek(1) == '>') return redirection();
        if (c == ';' || c == '|' || c == '&') {
            end_word();
            end_command();
            ++at_;
            return;
        }
        if (c == '#' && !in_word_) {
            while (at_ < s_.size() && s_[at_] != '\n') ++at_;
            return;
        }
        if (c == '\n') return line_end();
        if (blank(c)) {
            end_word();
            ++at_;
            return;
        }
        put(c);
        ++at_;
    }

    void backslash() {
        ++at_;
        std::size_t end = at_;
        while (end < s_.size() && blank(s_[end])) ++end;  // blanks before the line's end are common
        if (end >= s_.size() || s_[end] == '\n') {
            end_word();
            at_ = end + (end < s_.size() ? 1 : 0);
            return;
        }
        put(s_[at_++]);
    }

    void single_quoted() {
        in_word_ = true;
        for (++at_; at_ < s_.size() && s_[at_] != '\''; ++at_) put(s_[at_]);
        if (at_ < s_.size()) ++at_;
    }

    void double_quoted() {
        in_word_ = true;
        ++at_;
        while (at_ < s_.size() && s_[at_] != '"') {
            if (s_[at_] == '$') {
                dollar(true);
            } else if (s_[at_] == '`') {
                backquoted();
            } else if (s_[at_] == '\\' && at_ + 1 < s_.size()) {
                const char next = s_[at_ + 1];
                if (next != '"' && next != '\\' && next != '$' && next != '`') put('\\');
                put(next);
                at_ += 2;
            } else {
                put(s_[at_++]);
            }
        }
        if (at_ < s_.size()) ++at_;
    }

    // Skips a balanced bracket; at_ stands on the opening one.
    void skip_balanced(char open, char close) {
        int depth = 0;
        while (at_ < s_.size()) {
            if (s_[at_] == open) ++depth;
            if (s_[at_] == close && --depth == 0) {
                ++at_;
                return;
            }
            ++at_;
        }
    }

    void unknown() {
        word_.unresolved = true;
        in_word_ = true;
    }

    void dollar(bool quoted = false) {
        const char next = peek(1);
        if (next == '(') {
            ++at_;
            skip_balanced('(', ')');
            return unknown();
        }
        if (next == '{') return braced(quoted);
        if (name_char(next) || next == '@' || next == '*' || next == '?' || next == '#') {
            ++at_;
            if (name_char(next)) {
                const std::size_t from = at_;
                while (at_ < s_.size() && name_char(s_[at_])) ++at_;
                if (put_value(s_.substr(from, at_ - from), !quoted)) return;
            } else {
                ++at_;
            }
            return unknown();
        }
        put('$');
        ++at_;
    }

    // ${VAR:-default}, ${VAR:=default} and the forms without ':' give the default; anything else is
    // unknown.
    void braced(bool quoted) {
        ++at_;
        const std::size_t start = at_;
        skip_balanced('{', '}');
        std::string_view inside = s_.substr(start + 1, at_ - start - 1);
        if (!inside.empty() && inside.back() == '}') inside.remove_suffix(1);
        std::size_t n = 0;
        while (n < inside.size() && name_char(inside[n])) ++n;
        std::string_view rest = inside.substr(n);
        const bool all = rest == "[@]" || rest == "[*]";
        if (n > 0 && put_value(inside.substr(0, n), all || !quoted)) return;
        const bool fallback = rest.starts_with(":-") || rest.starts_with(":=") ||
                              rest.starts_with("-") || rest.starts_with("=");
        if (n == 0 || !fallback) return unknown();
        rest.remove_prefix(rest[0] == ':' ? 2 : 1);
        if (rest.empty()) return unknown();
        const ShellWord value = resolve_word(rest);
        if (value.unresolved) return unknown();
        word_.text += value.text;
        in_word_ = true;
    }

    void backquoted() {
        for (++at_; at_ < s_.size() && s_[at_] != '`'; ++at_) {
        }
        if (at_ < s_.size()) ++at_;
        unknown();
    }

    // <name of something>: letters, digits, blanks and _ - . up to a closing bracket on the line.
    bool placeholder() {
        if (peek() != '<' || !name_char(peek(1))) return false;
        std::size_t end = at_ + 1;
        while (end < s_.size() && (name_char(s_[end]) || s_[end] == ' ' || s_[end] == '-' ||
                                   s_[end] == '.' || s_[end] == '/')) {
            ++end;
        }
        if (end >= s_.size() || s_[end] != '>') return false;
        at_ = end + 1;
        unknown();
        return true;
    }

    void redirection() {
        // "2>&1": the number before it is no word.
        const bool number =
            in_word_ && word_.text.find_first_not_of("0123456789") == std::string::npos;
        if (number && !word_.text.empty()) {
            word_ = {};
            in_word_ = false;
        }
        end_word();
        while (peek() == '&' || peek() == '>' || peek() == '<') ++at_;
        if (peek() == '(') {  // >(command)
            skip_balanced('(', ')');
            return;
        }
        while (blank(peek())) ++at_;
        if (peek() == '>' && peek(1) == '(') {
            ++at_;
            skip_balanced('(', ')');
            return;
        }
        skip_next_ = true;
    }

    void here_document() {
        end_word();
        at_ += 2;
        if (peek() == '-') ++at_;
        while (blank(peek())) ++at_;
        std::string mark;
        while (at_ < s_.size() && s_[at_] != '\n') {
            if (name_char(s_[at_])) {
                mark += s_[at_];
            } else if (blank(s_[at_])) {
                break;
            }
            ++at_;
        }
        while (at_ < s_.size() && s_[at_] != '\n') ++at_;
        if (at_ < s_.size()) ++at_;
        std::string body;
        while (at_ < s_.size()) {
            const std::size_t end = std::min(s_.find('\n', at_), s_.size());
            std::string_view line = s_.substr(at_, end - at_);
            at_ = std::min(end + 1, s_.size());
            std::string_view bare = line;
            while (!bare.empty() && (blank(bare.front()))) bare.remove_prefix(1);
            while (!bare.empty() && (blank(bare.back()))) bare.remove_suffix(1);
            if (bare == mark) break;
            body.append(line);
            body += '\n';
        }
        out_.documents.push_back(std::move(body));
        end_command();
    }

    // A line that begins with a flag goes on with the command before it: pasted text often lost its
    // backslashes.
    void line_end() {
        end_word();
        ++at_;
        std::size_t next = at_;
        while (next < s_.size() && (blank(s_[next]) || s_[next] == '\n')) ++next;
        const bool flag = next + 1 < s_.size() && s_[next] == '-' && s_[next + 1] != ' ';
        if (!flag) end_command();
    }

    std::string_view s_;
    std::size_t at_ = 0;
    ShellText out_;
    std::map<std::string, std::string> values_;
    ShellCommand command_;
    ShellWord word_;
    bool in_word_ = false, skip_next_ = false;
};

}  // namespace

ShellText read_shell(std::string_view text) {
    return Reader(text).read();
}

ShellWord resolve_word(std::string_view text) {
    return Reader(text).one_word();
}

}  // namespace kvgauge
