// SPDX-License-Identifier: MIT
#include "ui/type.h"

#include <cmath>
#include <cstring>
#include <optional>

#include <imgui.h>

namespace kvgauge::ui {
namespace {

struct FaceSpec {
    float em;
    bool semibold;
    float tracking;
};
constexpr std::array<FaceSpec, kFaceCount> kFaces{{
    {12, false, 0},
    {12, true, 0},
    {14, false, -.08f},
    {14, true, -.08f},
    {16, true, -.18f},
    {20, true, -.34f},
    {22, true, -.42f},
    {28, true, -.62f},
}};

std::optional<int> big_endian16(FontBytes f, std::size_t at) {
    if (at + 2 > f.size()) return std::nullopt;
    return f[at] << 8 | f[at + 1];
}

// Offset of an sfnt table, 0 when missing.
std::size_t table(FontBytes f, const char* tag) {
    const int count = big_endian16(f, 4).value_or(0);
    for (int i = 0; i < count; ++i) {
        const std::size_t at = 12 + static_cast<std::size_t>(i) * 16;
        if (at + 16 > f.size()) return 0;
        if (std::memcmp(f.data() + at, tag, 4) != 0) continue;
        return static_cast<std::size_t>(*big_endian16(f, at + 8)) << 16 |
               static_cast<std::size_t>(*big_endian16(f, at + 10));
    }
    return 0;
}

// Latin-1, general punctuation, arrows and mathematical operators; then Hangul and its punctuation.
// A font is asked only for glyphs it has, so wide ranges cost nothing.
constexpr ImWchar kLatin[] = {0x20,   0x17F,  0x2010, 0x203A, 0x2070, 0x209C, 0x2150, 0x218B,
                              0x2190, 0x21FF, 0x2200, 0x22FF, 0x2300, 0x23FF, 0};
constexpr ImWchar kKorean[] = {0x1100, 0x11FF, 0x3000, 0x303F, 0x3130, 0x318F,
                               0xAC00, 0xD7A3, 0xFF00, 0xFFEF, 0};
constexpr ImWchar kLanguageSwitch[] = {0xAD6D, 0xAD6D, 0xC5B4, 0xC5B4,
                                       0xD55C, 0xD55C, 0};  // 한국어

void add(ImFontAtlas& atlas, FontBytes file, float size, const ImFontConfig& base,
         const ImWchar* ranges, ImFont*& out) {
    ImFontConfig c = base;
    c.FontDataOwnedByAtlas = false;
    // ImGui's signature is not const; the atlas only reads what it does not own.
    out = atlas.AddFontFromMemoryTTF(const_cast<unsigned char*>(file.data()),
                                     static_cast<int>(file.size()), size, &c, ranges);
}

}  // namespace

float em_ratio(FontBytes f) {
    const std::size_t hhea = table(f, "hhea");
    const std::size_t head = table(f, "head");
    if (hhea == 0 || head == 0) return 0;
    const auto ascent = big_endian16(f, hhea + 4);
    const auto descent = big_endian16(f, hhea + 6);
    const auto units = big_endian16(f, head + 18);
    if (!ascent || !descent || !units || *units == 0) return 0;
    const int below = *descent >= 0x8000 ? *descent - 0x10000 : *descent;
    return static_cast<float>(*ascent - below) / static_cast<float>(*units);
}

Fonts load_fonts(ImFontAtlas& atlas, const FontFiles& files, float dpr, bool dark, bool korean) {
    atlas.Clear();
    Fonts fonts;
    fonts.dpr = dpr;
    for (std::size_t i = 0; i < kFaceCount; ++i) {
        const FaceSpec& spec = kFaces[i];
        const FontBytes latin = spec.semibold ? files.semibold : files.regular;
        const FontBytes hangul = spec.semibold ? files.semibold_ko : files.regular_ko;
        ImFontConfig c;
        c.OversampleH = spec.em <= 14 ? 3 : 2;
        c.OversampleV = 1;
        c.PixelSnapH = false;
        c.GlyphExtraSpacing.x = spec.tracking * dpr;
        c.RasterizerMultiply = dark ? 1.0f : 1.12f;  // dark ink on white looks thin otherwise
        const float ratio = em_ratio(latin);
        if (ratio <= 0) {
            c.SizePixels = std::floor(spec.em * dpr + 0.5f);
            fonts.face[i] = atlas.AddFontDefault(&c);
        } else {
            const float size = std::floor(spec.em * ratio * dpr + 0.5f);
            add(atlas, latin, size, c, kLatin, fonts.face[i]);
        }
        const float ratio_ko = em_ratio(hangul);
        if (ratio_ko <= 0) continue;
        c.MergeMode = true;
        c.OversampleH = 2;
        ImFont* merged = nullptr;
        add(atlas, hangul, spec.em * ratio_ko * dpr, c, korean ? kKorean : kLanguageSwitch, merged);
    }
    return fonts;
}

}  // namespace kvgauge::ui
