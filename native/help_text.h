// SPDX-License-Identifier: MIT
// Owns: the text of native/help.md, compiled in.
#pragma once

namespace kvgauge {

extern const char* const kHelpText;

}  // namespace kvgauge
