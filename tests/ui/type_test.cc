// SPDX-License-Identifier: MIT
#include "ui/type.h"

#include <set>
#include <string>

#include <gtest/gtest.h>
#include <imgui.h>

#include "headless.h"
#include "text/strings.h"

namespace kvgauge::ui {
namespace {

// One UTF-8 character from the front of `s`; the strings are valid.
unsigned next_character(std::string_view& s) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
    const unsigned lead = byte(0);
    const std::size_t n = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    unsigned c = n == 1 ? lead : lead & (0xFFu >> (n + 1));
    for (std::size_t i = 1; i < n; ++i) c = c << 6 | (byte(i) & 0x3F);
    s.remove_prefix(n);
    return c;
}

struct Faces {
    ImFontAtlas atlas;
    Fonts fonts;
    explicit Faces(bool korean, float dpr = 1) {
        fonts = load_fonts(atlas, builtin_files(), dpr, true, korean);
        atlas.Build();
    }
};

#define SKIP_WITHOUT_FONTS()                        \
    if (builtin_font(BuiltinFont::regular).empty()) \
    GTEST_SKIP() << "no font package at build "     \
                    "time"

TEST(Type, EmRatioIsReadFromTheFile) {
    SKIP_WITHOUT_FONTS();
    // Inter: ascent + descent is a fifth more than the em; Noto Sans CJK KR: 1.448 em.
    EXPECT_NEAR(em_ratio(builtin_font(BuiltinFont::regular)), 1.21, .02);
    EXPECT_NEAR(em_ratio(builtin_font(BuiltinFont::regular_ko)), 1.448, .01);
    EXPECT_EQ(em_ratio({}), 0);
    const unsigned char junk[40] = {0, 1, 0, 0, 0xFF, 0xFF};
    EXPECT_EQ(em_ratio(junk), 0);
}

TEST(Type, DigitsAreTabular) {
    SKIP_WITHOUT_FONTS();
    Faces f(false);
    for (const ImFont* face : f.fonts.face) {
        std::set<float> widths;
        for (ImWchar c = '0'; c <= '9'; ++c) widths.insert(face->FindGlyph(c)->AdvanceX);
        // 4 of 2,816 units of a 28 px em are 0.04 px.
        EXPECT_LT(*widths.rbegin() - *widths.begin(), .05f);
    }
}

TEST(Type, EveryStringHasItsGlyphs) {
    SKIP_WITHOUT_FONTS();
    for (const Lang lang : {Lang::en, Lang::ko}) {
#ifdef __EMSCRIPTEN__
        if (lang == Lang::ko) continue;  // the module has no Hangul: the page brings it as a file
#endif
        Faces f(lang == Lang::ko);
        std::string missing;
        for (std::uint16_t i = 0; i < kStrings; ++i) {
            std::string_view s = text(lang, static_cast<Str>(i));
            while (!s.empty()) {
                const unsigned c = next_character(s);
                for (const Face face : {Face::c12, Face::b14b, Face::h28b}) {
                    if (c >= 0x20 &&
                        f.fonts[face]->FindGlyphNoFallback(static_cast<ImWchar>(c)) == nullptr) {
                        missing += key(static_cast<Str>(i));
                        missing += ' ';
                    }
                }
            }
        }
        EXPECT_EQ(missing, "") << name(lang);
    }
}

TEST(Type, TheLanguageSwitchShowsInEnglish) {
    SKIP_WITHOUT_FONTS();
    Faces f(false);
    for (const ImWchar c : {ImWchar{0xD55C}, ImWchar{0xAD6D}, ImWchar{0xC5B4}}) {  // 한국어
        EXPECT_NE(f.fonts[Face::b14]->FindGlyphNoFallback(c), nullptr);
    }
    EXPECT_EQ(f.fonts[Face::b14]->FindGlyphNoFallback(0xAC00), nullptr);  // and no other syllable
}

TEST(Type, FacesFollowTheDeviceRatio) {
    SKIP_WITHOUT_FONTS();
    Faces one(false, 1), two(false, 2);
    for (std::size_t i = 0; i < kFaceCount; ++i) {
        EXPECT_NEAR(two.fonts.face[i]->FontSize, 2 * one.fonts.face[i]->FontSize, 1.01f);
    }
}

TEST(Type, WithoutFilesImGuisOwnFontIsUsed) {
    ImFontAtlas atlas;
    const Fonts fonts = load_fonts(atlas, {}, 1, true, false);
    for (const ImFont* face : fonts.face) EXPECT_NE(face, nullptr);
    EXPECT_TRUE(atlas.Build());
}

}  // namespace
}  // namespace kvgauge::ui
