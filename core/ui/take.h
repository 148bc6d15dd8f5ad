// SPDX-License-Identifier: MIT
// Owns: what becomes of a dropped or pasted text: it is recognised by its content, not its name.
#pragma once
#include <string>
#include <string_view>

#include "ui/session.h"

namespace kvgauge::ui {

// Returns why it was refused; empty: taken.
std::string take_file(Session&, std::string_view name, std::string_view bytes);

}  // namespace kvgauge::ui
