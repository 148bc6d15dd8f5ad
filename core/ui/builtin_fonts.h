// SPDX-License-Identifier: MIT
// Owns: the font files that are built into the program. They are subset at build time from Inter
// and Noto Sans CJK KR (cmake/fonts.py) to the characters that core's text uses, with tabular
// digits at 0-9. Empty when the machine that built had no such font: ImGui's own font is used then.
// All of them are whole in the native program. In the page (KVGAUGE_FONTS_APART) canvas and text share
// the font files beside it: only the syllables of the language switch are built in.
#pragma once
#include <cstdint>
#include <span>

namespace kvgauge::ui {

enum class BuiltinFont : std::uint8_t { regular, semibold, regular_ko, semibold_ko };

// The bytes of an OpenType file, valid for the whole run.
std::span<const unsigned char> builtin_font(BuiltinFont);

}  // namespace kvgauge::ui
