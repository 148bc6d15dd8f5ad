// SPDX-License-Identifier: MIT
// Owns: every sentence and label that a user reads, in each language. The texts stand in
// strings_en.tsv and strings_ko.tsv beside this file; generate_strings.py makes the enum Str of
// their keys ("row.kv.bytes_per_token" is Str::row_kv_bytes_per_token) and one array per language.
#pragma once
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "model/issue.h"
#include "strings_ids.h"

namespace kvgauge {

enum class Lang : std::uint8_t { en, ko };
std::optional<Lang> parse_lang(std::string_view);  // "en", "ko", also "ko-KR", "en_GB.UTF-8"
std::string_view name(Lang);

// The text as it stands, with its placeholders.
std::string_view text(Lang, Str);
std::string_view key(Str);
std::optional<Str> find_string(std::string_view key);
// The text with {0}, {1} ... replaced by `parts`; a placeholder without a part stays.
std::string say(Lang, Str, std::initializer_list<std::string_view> parts);
std::string fill(std::string_view pattern, std::initializer_list<std::string_view> parts);

// An issue in this language: by its code where it has one, else its English text.
std::string issue_text(Lang, const Issue&);
// The same issue with its text in this language.
Issues in_language(Lang, Issues);

}  // namespace kvgauge
