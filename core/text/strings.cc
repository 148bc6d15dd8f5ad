// SPDX-License-Identifier: MIT
#include "text/strings.h"

#include <span>

#include "text/particles.h"
#include "text/strings_data.h"

namespace kvgauge {
namespace {

// Placeholders have one digit.
std::string filled(std::string_view pattern, std::span<const std::string_view> parts) {
    std::string out;
    out.reserve(pattern.size() + 32);
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == '{' && i + 2 < pattern.size() && pattern[i + 2] == '}') {
            const auto n =
                static_cast<std::size_t>(static_cast<unsigned char>(pattern[i + 1]) - '0');
            if (n < parts.size()) {
                out.append(parts[n]);
                i += 2;
                continue;
            }
        }
        out += pattern[i];
    }
    return out;
}

// A function for each language: a page that loads its module in parts leaves out the tables of
// those that nobody asks for.
using TextOf = std::string_view (*)(std::size_t);
std::string_view english(std::size_t i) {
    return kStringTexts_en[i];
}
std::string_view korean(std::size_t i) {
    return kStringTexts_ko[i];
}
constexpr TextOf kTextOf[] = {english, korean};  // by Lang

}  // namespace

std::optional<Lang> parse_lang(std::string_view s) {
    if (s.size() > 2 && s[2] != '-' && s[2] != '_') return std::nullopt;
    if (s.substr(0, 2) == "en") return Lang::en;
    if (s.substr(0, 2) == "ko") return Lang::ko;
    return std::nullopt;
}

std::string_view name(Lang l) {
    return l == Lang::ko ? "ko" : "en";
}

std::string_view text(Lang l, Str s) {
    return kTextOf[static_cast<std::size_t>(l)](static_cast<std::size_t>(s));
}

std::string_view key(Str s) {
    return kStringKeys[static_cast<std::size_t>(s)];
}

std::optional<Str> find_string(std::string_view k) {
    for (std::uint16_t i = 0; i < kStrings; ++i) {
        if (kStringKeys[i] == k) return static_cast<Str>(i);
    }
    return std::nullopt;
}

std::string say(Lang l, Str s, std::initializer_list<std::string_view> parts) {
    std::string out = fill(text(l, s), parts);
    return l == Lang::ko ? with_particles(out) : out;
}

std::string fill(std::string_view pattern, std::initializer_list<std::string_view> parts) {
    return filled(pattern, {parts.begin(), parts.size()});
}

std::string issue_text(Lang l, const Issue& issue) {
    if (l == Lang::en || issue.code.empty()) return issue.text;
    const auto s = find_string("issue." + std::string(issue.code));
    if (!s) return issue.text;
    const std::vector<std::string_view> parts(issue.args.begin(), issue.args.end());
    const std::string out = filled(text(l, *s), parts);
    return l == Lang::ko ? with_particles(out) : out;
}

Issues in_language(Lang l, Issues issues) {
    for (Issue& i : issues) i.text = issue_text(l, i);
    return issues;
}

}  // namespace kvgauge
