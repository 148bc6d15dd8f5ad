// SPDX-License-Identifier: MIT
// Owns: declarations of the generated string tables; text/strings.h is the door.
#pragma once
#include <string_view>

#include "strings_ids.h"

namespace kvgauge {

extern const std::string_view kStringKeys[];
extern const std::string_view kStringTexts_en[];  // in the order of Str
extern const std::string_view kStringTexts_ko[];

}  // namespace kvgauge
