// SPDX-License-Identifier: MIT
#include "ui/number_text.h"

#include <imgui.h>
#include <imgui_internal.h>

namespace kvgauge::ui {

std::string decimals(double v, int places) {
    char text[400];
    ImFormatString(text, sizeof text, "%.*f", places, v);
    return text;
}

std::string general(double v, int digits) {
    char text[64];
    ImFormatString(text, sizeof text, "%.*g", digits, v);
    return text;
}

std::string short_gib(double bytes) {
    return decimals(bytes / (1024.0 * 1024.0 * 1024.0), 1);
}

}  // namespace kvgauge::ui
