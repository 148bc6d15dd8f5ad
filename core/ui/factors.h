// SPDX-License-Identifier: MIT
// Owns: the factors of a row whose formula is one product, named, and the sentence that says what a
// row counts and what would change it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "ui/session.h"
#include "ui/ui.h"

namespace kvgauge::ui {

struct Factor {
    std::string value;
    std::string_view name;
};
// Empty when the row is not one product: layers differ, or there are no heads.
std::vector<Factor> row_factors(const Ui&, const Session&, std::string_view row);
std::string row_note(const Ui&, const Session&, std::string_view row);

}  // namespace kvgauge::ui
