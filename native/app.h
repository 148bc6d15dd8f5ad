// SPDX-License-Identifier: MIT
// Owns: the door to the window. `kvgauge` alone, or with --screenshot, comes here.
#pragma once
#include <string>

namespace kvgauge {

struct AppOptions {
    std::string link;           // scenario and presentation to open, may be empty
    std::string screenshot;     // PNG to write and leave; empty: an interactive window
    int width = 0, height = 0;  // points; 0: the remembered or default size
    std::string open_file;      // config.json, GGUF, log ... to take at start, may be empty
};

// Exit code of the program.
int run_app(const AppOptions&);

}  // namespace kvgauge
