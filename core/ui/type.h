// SPDX-License-Identifier: MIT
// Owns: the type scale. Eight faces of two weights; sizes are em in CSS pixels. ImGui sizes a font
// by ascent + descent, so each file's own ratio (read from its hhea and head tables) turns em into
// that.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

struct ImFont;
struct ImFontAtlas;

namespace kvgauge::ui {

enum class Face : std::uint8_t {
    c12,   // labels over values, notes, axes
    c12b,  // values in a row of labels
    b14,   // controls, sentences, tables
    b14b,  // names, headings of a block
    t16b,  // wordmark, titles
    v20b,  // values
    h22b,  // the sentence on a phone
    h28b,  // the sentence
};
inline constexpr std::size_t kFaceCount = 8;

using FontBytes = std::span<const unsigned char>;  // a TTF or OTF file; empty: not there

// What the shell brings. Without `regular` ImGui's own font is used.
struct FontFiles {
    FontBytes regular, semibold;
    FontBytes regular_ko, semibold_ko;  // merged in when given
};

struct Fonts {
    std::array<ImFont*, kFaceCount> face{};
    float dpr = 1;  // device pixels per CSS pixel the faces were rasterised for
    ImFont* operator[](Face f) const { return face[static_cast<std::size_t>(f)]; }
};

// (ascent - descent) / unitsPerEm of a font file; 0 when it is not one.
float em_ratio(FontBytes);

// Clears the atlas and adds all faces. The files must outlive the atlas. Without `korean` only the
// syllables of the language switch are rasterised.
Fonts load_fonts(ImFontAtlas&, const FontFiles&, float dpr, bool dark, bool korean);

}  // namespace kvgauge::ui
