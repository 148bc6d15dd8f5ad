// SPDX-License-Identifier: MIT
// Owns: what the window remembers, in $XDG_CONFIG_HOME/kvgauge/window.ini (key=value lines). A file
// that cannot be read or written is no fault: the defaults are used.
#pragma once
#include <string>

namespace kvgauge {

struct Settings {
    int x = -1, y = -1, width = 1280, height = 800;
    bool maximized = false;
    std::string link;         // the last scenario
    std::string theme, lang;  // empty: not chosen
};

Settings load_settings();
void save_settings(const Settings&);

}  // namespace kvgauge
