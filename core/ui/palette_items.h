// SPDX-License-Identifier: MIT
// Owns: what the palette finds for some words. A set of words that names a model and a GPU is read
// as a whole scenario ("70b h100"): the smallest group of GPUs that it fits on.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/bars.h"
#include "ui/session.h"

namespace kvgauge::ui {

struct PaletteItem {
    Str kind;  // the word for its kind
    std::string label, note, key;
    std::optional<Scenario> scenario;
    std::optional<View> view;
    TopAction action = TopAction::none;
};

std::vector<PaletteItem> palette_items(const Session&, std::string_view search, int most);

}  // namespace kvgauge::ui
