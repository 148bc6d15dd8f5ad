// SPDX-License-Identifier: MIT
#include "ui/theme.h"

#include <algorithm>

#include <imgui.h>

namespace kvgauge::ui {
namespace {

constexpr Theme kDark{
    .dark = true,
    .bg = rgb(0x13171D),
    .side = rgb(0x0F1217),
    .raised = rgb(0x1D232C),
    .field = rgb(0x1A2028),
    .field_hover = rgb(0x222A34),
    .line = rgb(0x252C36),
    .line_strong = rgb(0x3A4452),
    .segment = rgb(0x303A47),
    .text = rgb(0xE9EDF3),
    .text2 = rgb(0xAEB8C5),
    .text3 = rgb(0x8B96A5),
    .accent = rgb(0x7DB0FF),
    .accent_soft = rgb(0x7DB0FF, .14f),
    .on_accent = rgb(0x0C1420),
    .ok = rgb(0x4FD6B0),
    .ok_soft = rgb(0x4FD6B0, .13f),
    .warn = rgb(0xF2C14E),
    .warn_soft = rgb(0xF2C14E, .13f),
    .bad = rgb(0xFF8170),
    .bad_soft = rgb(0xFF8170, .14f),
    .weights = rgb(0x75869E),
    .overhead = rgb(0xD6A94F),
    .kv = rgb(0x4288E2),
    .other = rgb(0x4A5563),
    .reserve = rgb(0x2A323D),
    .mha = rgb(0xF2A94B),
    .gqa = rgb(0x6CB2FF),
    .mqa = rgb(0x70C57C),
    .limit = rgb(0xDCE2EA),
    .hatch = rgb(0xFFFFFF, .75f),
    .scrim = rgb(0x06080B, .62f),
    .shadow = rgb(0x000000, .05f),
    .ramp = {0x18212E, 0x1D3550, 0x22507A, 0x2B6FA8, 0x4C97D3, 0xA3CFF5},
};

constexpr Theme kLight{
    .dark = false,
    .bg = rgb(0xFFFFFF),
    .side = rgb(0xF5F6F8),
    .raised = rgb(0xFFFFFF),
    .field = rgb(0xFFFFFF),
    .field_hover = rgb(0xEEF1F5),
    .line = rgb(0xE3E6EB),
    .line_strong = rgb(0xC3CAD4),
    .segment = rgb(0xFFFFFF),
    .text = rgb(0x12171F),
    .text2 = rgb(0x47525F),
    .text3 = rgb(0x616C7B),
    .accent = rgb(0x1B5AC4),
    .accent_soft = rgb(0x1B5AC4, .09f),
    .on_accent = rgb(0xFFFFFF),
    .ok = rgb(0x107A60),
    .ok_soft = rgb(0x107A60, .09f),
    .warn = rgb(0x8A5200),
    .warn_soft = rgb(0xC98A00, .14f),
    .bad = rgb(0xA81C2C),
    .bad_soft = rgb(0xA81C2C, .08f),
    .weights = rgb(0x66788F),
    .overhead = rgb(0xB98418),
    .kv = rgb(0x2F78DC),
    .other = rgb(0xB3BCC8),
    .reserve = rgb(0xE7EAEF),
    .mha = rgb(0xA8540C),
    .gqa = rgb(0x1B5FC4),
    .mqa = rgb(0x1B7340),
    .limit = rgb(0x2A323D),
    .hatch = rgb(0x141A24, .75f),
    .scrim = rgb(0x1A2230, .38f),
    .shadow = rgb(0x000000, .02f),
    .ramp = {0xEDF3FA, 0xCFE1F4, 0xA3C7EA, 0x6FA5DA, 0x3A7CC0, 0x174F8F},
};

std::uint32_t mix(std::uint32_t a, std::uint32_t b, float u) {
    std::uint32_t out = 0;
    for (int shift : {0, 8, 16}) {
        const float from = static_cast<float>(a >> shift & 255);
        const float to = static_cast<float>(b >> shift & 255);
        out |= static_cast<std::uint32_t>(from + (to - from) * u + 0.5f) << shift;
    }
    return out;
}

}  // namespace

const Theme& dark_theme() {
    return kDark;
}
const Theme& light_theme() {
    return kLight;
}

Color ramp(const Theme& t, float share) {
    const float at = std::clamp(share, 0.0f, 1.0f) * static_cast<float>(t.ramp.size() - 1);
    const std::size_t i = std::min(static_cast<std::size_t>(at), t.ramp.size() - 2);
    return rgb(mix(t.ramp[i], t.ramp[i + 1], at - static_cast<float>(i)));
}

void apply_style(const Theme& t, ImGuiStyle& out) {
    ImGuiStyle s;
    s.WindowPadding = {0, 0};
    s.FramePadding = {10, 7};
    s.ItemSpacing = {8, 8};
    s.ItemInnerSpacing = {8, 4};
    s.CellPadding = {8, 6};
    s.IndentSpacing = 16;
    s.ScrollbarSize = 10;
    s.GrabMinSize = 16;
    s.WindowRounding = s.ChildRounding = s.TabRounding = 0;
    s.PopupRounding = 10;
    s.FrameRounding = 6;
    s.GrabRounding = 8;
    s.ScrollbarRounding = 5;
    s.WindowBorderSize = s.ChildBorderSize = 0;
    s.PopupBorderSize = s.FrameBorderSize = 1;
    s.WindowMinSize = {1, 1};
    s.DisabledAlpha = 0.55f;
    s.CurveTessellationTol = 0.6f;
    s.CircleTessellationMaxError = 0.2f;
    const auto set = [&](ImGuiCol slot, Color c) {
        s.Colors[slot] = ImGui::ColorConvertU32ToFloat4(c);
    };
    set(ImGuiCol_Text, t.text);
    set(ImGuiCol_TextDisabled, t.text3);
    set(ImGuiCol_WindowBg, t.bg);
    set(ImGuiCol_ChildBg, 0);
    set(ImGuiCol_PopupBg, t.raised);
    set(ImGuiCol_Border, t.line);
    set(ImGuiCol_FrameBg, t.field);
    set(ImGuiCol_FrameBgHovered, t.field_hover);
    set(ImGuiCol_FrameBgActive, t.field_hover);
    set(ImGuiCol_Button, t.field);
    set(ImGuiCol_ButtonHovered, t.field_hover);
    set(ImGuiCol_ButtonActive, t.line);
    set(ImGuiCol_Header, t.accent_soft);
    set(ImGuiCol_HeaderHovered, t.field_hover);
    set(ImGuiCol_HeaderActive, t.accent_soft);
    set(ImGuiCol_CheckMark, t.accent);
    set(ImGuiCol_SliderGrab, t.accent);
    set(ImGuiCol_SliderGrabActive, t.accent);
    set(ImGuiCol_NavHighlight, t.accent);
    set(ImGuiCol_ScrollbarBg, 0);
    set(ImGuiCol_ScrollbarGrab, t.line);
    set(ImGuiCol_ScrollbarGrabHovered, t.line_strong);
    set(ImGuiCol_ScrollbarGrabActive, t.line_strong);
    set(ImGuiCol_Separator, t.line);
    set(ImGuiCol_TableBorderLight, t.line);
    set(ImGuiCol_TableRowBgAlt, 0);
    set(ImGuiCol_TextSelectedBg, fade(t.accent, 0.35f));
    set(ImGuiCol_ModalWindowDimBg, t.scrim);
    out = s;
}

}  // namespace kvgauge::ui
