// SPDX-License-Identifier: MIT
#include "engine/lines.h"

#include <cmath>

namespace kvgauge::engine {

std::string grouped(std::uint64_t n) {
    std::string s = std::to_string(n);
    for (std::size_t at = s.size(); at > 3; at -= 3) s.insert(at - 3, 1, ',');
    return s;
}

std::string fixed(double value, unsigned decimals) {
    std::uint64_t unit = 1;
    for (unsigned i = 0; i < decimals && i < 6; ++i) unit *= 10;
    if (!std::isfinite(value) || std::fabs(value) > 1e12) return "inf";
    const auto scaled =
        static_cast<std::uint64_t>(std::llround(std::fabs(value) * static_cast<double>(unit)));
    std::string s = value < 0 && scaled != 0 ? "-" : "";
    s += std::to_string(scaled / unit);
    if (unit == 1) return s;
    std::string tail = std::to_string(scaled % unit);
    s += '.';
    s.append(std::to_string(unit).size() - 1 - tail.size(), '0');
    return s + tail;
}

std::string gib_text(double bytes, unsigned decimals) {
    return fixed(bytes / 1073741824.0, decimals);
}
std::string mib_text(double bytes, unsigned decimals) {
    return fixed(bytes / 1048576.0, decimals);
}

}  // namespace kvgauge::engine
