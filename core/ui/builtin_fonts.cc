// SPDX-License-Identifier: MIT
#include "ui/builtin_fonts.h"

#include <cstddef>

namespace kvgauge::ui {
namespace {

#ifdef KVGAUGE_FONTS_APART
constexpr unsigned char regular_bytes[] = {0}, semibold_bytes[] = {0};
constexpr std::size_t regular_size = 0, semibold_size = 0;
#else
#include "builtin_fonts_latin.inc"
#endif
#ifdef __EMSCRIPTEN__
#include "builtin_fonts_label.inc"
#else
#include "builtin_fonts_korean.inc"
#endif

}  // namespace

std::span<const unsigned char> builtin_font(BuiltinFont font) {
    switch (font) {
        case BuiltinFont::regular:
            return {regular_bytes, regular_size};
        case BuiltinFont::semibold:
            return {semibold_bytes, semibold_size};
        case BuiltinFont::regular_ko:
            return {regular_ko_bytes, regular_ko_size};
        case BuiltinFont::semibold_ko:
            return {semibold_ko_bytes, semibold_ko_size};
    }
    return {};
}

}  // namespace kvgauge::ui
