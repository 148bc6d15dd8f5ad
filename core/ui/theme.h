// SPDX-License-Identifier: MIT
// Owns: the colours. Two palettes with the same tokens; views name a token, never a colour.
// Contrast and colour-blind distances of these values are recomputed by tests/ui/theme_test.cc.
#pragma once
#include <array>
#include <cstdint>

struct ImGuiStyle;

namespace kvgauge::ui {

using Color = std::uint32_t;  // as ImGui packs it: 0xAABBGGRR

// From 0xRRGGBB and an opacity.
constexpr Color rgb(std::uint32_t v, float alpha = 1) {
    return (v >> 16 & 255) | (v & 0xFF00) | (v & 255) << 16 |
           static_cast<Color>(alpha * 255 + 0.5f) << 24;
}
// The same colour at a share of its opacity.
constexpr Color fade(Color c, float alpha) {
    return (c & 0x00FFFFFF) | static_cast<Color>(static_cast<float>(c >> 24) * alpha) << 24;
}

struct Theme {
    bool dark = true;
    // Neutral planes, back to front, and hairlines.
    Color bg, side, raised, field, field_hover, line, line_strong;
    // The raised part of a segmented control.
    Color segment;
    // Three levels of ink.
    Color text, text2, text3;
    // Selection, focus and links; on_accent is text on a filled accent.
    Color accent, accent_soft, on_accent;
    // Verdicts, and the plates under them.
    Color ok, ok_soft, warn, warn_soft, bad, bad_soft;
    // Parts of memory and of a step.
    Color weights, overhead, kv, other, reserve;
    // Series; a limit the user set is ink, because it is not a measurement.
    Color mha, gqa, mqa, limit;
    // Hatching over a coloured part.
    Color hatch;
    Color scrim, shadow;
    // Heat maps: one hue, more is farther from the ground.
    std::array<std::uint32_t, 6> ramp;
};

const Theme& dark_theme();
const Theme& light_theme();

// `share` 0..1 on the theme's ramp, clamped.
Color ramp(const Theme&, float share);

// ImGui's own widgets (text input, scrollbars) in the same tokens.
void apply_style(const Theme&, ImGuiStyle&);

}  // namespace kvgauge::ui
