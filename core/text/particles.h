// SPDX-License-Identifier: MIT
// Owns: Korean particles after words put into a sentence. The tables write both forms, "은(는)",
// "을(를)", "이(가)", "와(과)" is written "과(와)", "(으)로"; the sound before them picks one.
#pragma once
#include <string>
#include <string_view>

namespace kvgauge {

std::string with_particles(std::string_view korean);

}  // namespace kvgauge
