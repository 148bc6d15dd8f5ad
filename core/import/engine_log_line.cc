// SPDX-License-Identifier: MIT
#include "import/engine_log_line.h"

#include <array>

namespace kvgauge::engine_log {
namespace {

constexpr bool digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool blank(char c) {
    return c == ' ' || c == '\t';
}

struct Unit {
    std::string_view name;
    double bytes;
};
constexpr std::array<Unit, 10> kUnits{{{"GiB", 1073741824.0},
                                       {"GB", 1073741824.0},
                                       {"MiB", 1048576.0},
                                       {"MB", 1048576.0},
                                       {"KiB", 1024.0},
                                       {"KB", 1024.0},
                                       {"TiB", 1099511627776.0},
                                       {"bytes", 1.0},
                                       {"Bytes", 1.0},
                                       {"B", 1.0}}};

}  // namespace

void Cursor::blanks() {
    while (at_ < text_.size() && blank(text_[at_])) ++at_;
}

// A separator and fewer than three digits at the end of a cut line: more of the number is missing.
bool Cursor::separator_cut() const {
    if (complete_ || at_ >= text_.size() || (text_[at_] != ',' && text_[at_] != '.')) return false;
    std::size_t i = at_ + 1;
    while (i < text_.size() && digit(text_[i])) ++i;
    return i == text_.size();
}

std::optional<std::uint64_t> Cursor::integer() {
    blanks();
    std::size_t i = at_;
    std::uint64_t n = 0;
    unsigned digits = 0;
    for (; i < text_.size(); ++i) {
        if (digit(text_[i])) {
            if (++digits > 18) return std::nullopt;
            n = n * 10 + static_cast<std::uint64_t>(text_[i] - '0');
        } else if (text_[i] == ',' && digits > 0 && i + 3 < text_.size() && digit(text_[i + 1]) &&
                   digit(text_[i + 2]) && digit(text_[i + 3]) &&
                   (i + 4 >= text_.size() || !digit(text_[i + 4]))) {
            continue;  // thousands
        } else {
            break;
        }
    }
    if (digits == 0) return std::nullopt;
    at_ = i;
    if (cut() || separator_cut()) return std::nullopt;
    return n;
}

std::optional<double> Cursor::decimal() {
    blanks();
    std::size_t i = at_;
    const bool negative = i < text_.size() && text_[i] == '-';
    if (negative) ++i;
    double n = 0, place = 1;
    unsigned digits = 0;
    bool fraction = false;
    for (; i < text_.size(); ++i) {
        const char c = text_[i];
        if (digit(c)) {
            if (++digits > 18) return std::nullopt;
            if (fraction) {
                place /= 10;
                n += place * (c - '0');
            } else {
                n = n * 10 + (c - '0');
            }
        } else if ((c == '.' || c == ',') && !fraction && digits > 0 && i + 1 < text_.size() &&
                   digit(text_[i + 1])) {
            fraction = true;
        } else {
            break;
        }
    }
    if (digits == 0) return std::nullopt;
    at_ = i;
    if (cut() || separator_cut()) return std::nullopt;
    return negative ? -n : n;
}

std::optional<double> Cursor::bytes() {
    const auto n = decimal();
    if (!n) return std::nullopt;
    blanks();
    for (const Unit& u : kUnits) {
        if (!rest().starts_with(u.name)) continue;
        at_ += u.name.size();
        return *n * u.bytes;
    }
    return std::nullopt;
}

std::string_view Cursor::word(std::string_view until) {
    blanks();
    const std::size_t from = at_;
    while (at_ < text_.size() && !blank(text_[at_]) &&
           until.find(text_[at_]) == std::string_view::npos) {
        ++at_;
    }
    return cut() ? std::string_view{} : text_.substr(from, at_ - from);
}

std::string_view Cursor::quoted() {
    blanks();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) return {};
    const char quote = text_[at_];
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return {};
    const std::string_view s = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return s;
}

bool Cursor::skip(std::string_view literal) {
    blanks();
    if (!rest().starts_with(literal)) return false;
    at_ += literal.size();
    return true;
}

bool Cursor::skip_to(std::string_view literal) {
    const std::size_t found = text_.find(literal, at_);
    if (found == std::string_view::npos) return false;
    at_ = found + literal.size();
    return true;
}

std::optional<double> bytes_before(const Line& line) {
    // Back over the unit and the number.
    std::size_t i = line.at;
    const auto back = [&](auto keep) {
        while (i > 0 && keep(line.text[i - 1])) --i;
    };
    back(blank);
    back([](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); });
    back(blank);
    back([](char c) { return digit(c) || c == '.' || c == ',' || c == '-'; });
    while (i < line.at && (line.text[i] == ',' || line.text[i] == '.')) ++i;
    return Cursor(line.text.substr(0, line.at), true, i).bytes();
}

std::optional<Cursor> find_key(std::string_view text, bool complete, std::string_view key) {
    const auto word_char = [](char c) {
        return digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    for (std::size_t at = text.find(key); at != std::string_view::npos;
         at = text.find(key, at + 1)) {
        if (at > 0 && word_char(text[at - 1])) continue;
        std::size_t i = at + key.size();
        if (i < text.size() && (text[i] == '\'' || text[i] == '"')) ++i;
        Cursor c(text, complete, i);
        if (c.skip("=") || c.skip(":")) return c;
        if (at >= 2 && text[at - 1] == '-' && i < text.size() && blank(text[i])) return c;
    }
    return std::nullopt;
}

std::optional<std::uint64_t> key_integer(const Line& l, std::string_view key) {
    auto c = find_key(l.text, l.complete, key);
    return c ? c->integer() : std::nullopt;
}

std::optional<double> key_decimal(const Line& l, std::string_view key) {
    auto c = find_key(l.text, l.complete, key);
    return c ? c->decimal() : std::nullopt;
}

std::optional<bool> key_bool(const Line& l, std::string_view key) {
    auto c = find_key(l.text, l.complete, key);
    if (!c) return std::nullopt;
    const std::string_view w = c->word();
    if (w == "True" || w == "true") return true;
    if (w == "False" || w == "false") return false;
    return std::nullopt;
}

std::string key_text(const Line& l, std::string_view key) {
    auto c = find_key(l.text, l.complete, key);
    if (!c) return {};
    c->blanks();
    const std::string_view head = c->rest();
    if (!head.empty() && (head[0] == '\'' || head[0] == '"')) return std::string(c->quoted());
    const std::string_view w = c->word();
    return w == "None" ? std::string{} : std::string(w);
}

}  // namespace kvgauge::engine_log
