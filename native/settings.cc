// SPDX-License-Identifier: MIT
#include "native/settings.h"

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace kvgauge {
namespace {

std::filesystem::path settings_path() {
    const char* config = std::getenv("XDG_CONFIG_HOME");
    if (config != nullptr && *config == '/') {
        return std::filesystem::path(config) / "kvgauge" / "window.ini";
    }
    const char* home = std::getenv("HOME");
    if (home == nullptr || *home == 0) return {};
    return std::filesystem::path(home) / ".config" / "kvgauge" / "window.ini";
}

void read_int(const std::string& text, int low, int high, int& out) {
    int v = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
    if (error == std::errc() && v >= low && v <= high) out = v;
}

}  // namespace

Settings load_settings() {
    Settings s;
    const auto path = settings_path();
    if (path.empty()) return s;
    std::ifstream in(path);
    std::string line;
    while (std::getline(in, line)) {
        const std::size_t eq = line.find('=');
        if (eq == line.npos) continue;
        const std::string key = line.substr(0, eq);
        const std::string value = line.substr(eq + 1);
        if (key == "x") read_int(value, -1, 32767, s.x);
        if (key == "y") read_int(value, -1, 32767, s.y);
        if (key == "width") read_int(value, 320, 16384, s.width);
        if (key == "height") read_int(value, 240, 16384, s.height);
        if (key == "maximized") s.maximized = value == "1";
        if (key == "link" && value.size() <= 4096) s.link = value;
        if (key == "theme" && (value == "light" || value == "dark")) s.theme = value;
        if (key == "lang" && (value == "en" || value == "ko")) s.lang = value;
    }
    return s;
}

void save_settings(const Settings& s) {
    const auto path = settings_path();
    if (path.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    if (error) return;
    // Whole or not at all: a crash must not leave half a file.
    const auto fresh = path.string() + ".new";
    {
        std::ofstream out(fresh);
        out << "x=" << s.x << "\ny=" << s.y << "\nwidth=" << s.width << "\nheight=" << s.height
            << "\nmaximized=" << (s.maximized ? 1 : 0) << "\nlink=" << s.link
            << "\ntheme=" << s.theme << "\nlang=" << s.lang << "\n";
        if (!out) return;
    }
    std::filesystem::rename(fresh, path, error);
}

}  // namespace kvgauge
