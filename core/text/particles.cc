// SPDX-License-Identifier: MIT
#include "text/particles.h"

#include <array>

namespace kvgauge {
namespace {

// How a word ends: in a vowel, in the consonant rieul, in another consonant.
enum class Ending { vowel, rieul, consonant };

Ending of_syllable(char32_t p) {
    const auto final = (p - 0xAC00) % 28;
    return final == 0 ? Ending::vowel : final == 8 ? Ending::rieul : Ending::consonant;
}

// Digits by their Sino-Korean names: yeong il i sam sa o yuk chil pal gu.
Ending of_digit(char c) {
    switch (c) {
        case '1':
        case '7':
        case '8': return Ending::rieul;
        case '0':
        case '3':
        case '6': return Ending::consonant;
        default: return Ending::vowel;
    }
}

// Latin words by the name of their last letter (el, em, en, ar), and "ng" as it sounds.
Ending of_letter(char before, char c) {
    switch (c) {
        case 'l':
        case 'L':
        case 'r':
        case 'R': return Ending::rieul;
        case 'm':
        case 'M':
        case 'n':
        case 'N': return Ending::consonant;
        case 'g':
        case 'G': return before == 'n' ? Ending::consonant : Ending::vowel;
        default: return Ending::vowel;
    }
}

// The sound before position `end`; quotes and closing brackets are silent.
Ending sound_before(std::string_view s) {
    while (!s.empty() && std::string_view("\")]'").find(s.back()) != std::string_view::npos) {
        s.remove_suffix(1);
    }
    if (s.empty()) return Ending::vowel;
    const char c = s.back();
    if (c >= '0' && c <= '9') return of_digit(c);
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
        return of_letter(s.size() > 1 ? s[s.size() - 2] : ' ', c);
    }
    if (s.size() < 3) return Ending::vowel;
    const auto byte = [&s](std::size_t back) {
        return static_cast<char32_t>(static_cast<unsigned char>(s[s.size() - back]));
    };
    const char32_t p = ((byte(3) & 0x0F) << 12) | ((byte(2) & 0x3F) << 6) | (byte(1) & 0x3F);
    const bool syllable = (byte(3) & 0xF0) == 0xE0 && p >= 0xAC00 && p <= 0xD7A3;
    return syllable ? of_syllable(p) : Ending::vowel;
}

struct Pair {
    std::string_view written, after_consonant, after_vowel;
    bool rieul_as_vowel;  // "로" follows rieul as it follows a vowel
};
constexpr std::array<Pair, 5> kPairs{{
    {"은(는)", "은", "는", false},
    {"을(를)", "을", "를", false},
    {"이(가)", "이", "가", false},
    {"과(와)", "과", "와", false},
    {"(으)로", "으로", "로", true},
}};

}  // namespace

std::string with_particles(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const Pair* found = nullptr;
        for (const Pair& p : kPairs) {
            if (text.substr(i).starts_with(p.written)) found = &p;
        }
        if (found == nullptr) {
            out += text[i++];
            continue;
        }
        const Ending e = sound_before(out);
        const bool vowel = e == Ending::vowel || (e == Ending::rieul && found->rieul_as_vowel);
        out += vowel ? found->after_vowel : found->after_consonant;
        i += found->written.size();
    }
    return out;
}

}  // namespace kvgauge
