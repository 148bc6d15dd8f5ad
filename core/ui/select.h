// SPDX-License-Identifier: MIT
// Owns: a field whose value is chosen from a list that drops down, with a search line when the list
// is long. The list is drawn last, above everything, by draw_list.
#pragma once
#include <functional>
#include <vector>

#include "ui/ui.h"

namespace kvgauge::ui {

struct Select {
    std::string_view id;
    std::string_view value;  // what is chosen, for the list
    std::string_view label;  // what is shown
    std::string_view note;
    bool strong = false;  // names a thing: semibold
    bool searchable = false;
};

// `options` is asked only when the list opens. Returns the value chosen since the last frame.
std::optional<std::string> select(Ui&, Rect, const Select&,
                                  const std::function<std::vector<Option>()>& options);

// The open list, if any, inside `window`.
void draw_list(Ui&, Rect window);

}  // namespace kvgauge::ui
