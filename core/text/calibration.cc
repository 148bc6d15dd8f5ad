// SPDX-License-Identifier: MIT
#include "text/calibration.h"

#include <array>
#include <cmath>

#include "text/numbers.h"

namespace kvgauge {
namespace {

constexpr std::array<CalibrationKey, 10> kKeys{{
    {"bandwidth", &Calibration::bandwidth, 1e15},
    {"e_w", &Calibration::e_w, 10},
    {"e_kv", &Calibration::e_kv, 10},
    {"e_kv_fp8", &Calibration::e_kv_fp8, 10},
    {"t0", &Calibration::t0, 10},
    {"mfu_pre", &Calibration::mfu_pre, 10},
    {"mfu_dec", &Calibration::mfu_dec, 10},
    {"mfu_attn", &Calibration::mfu_attn, 10},
    {"tau", &Calibration::tau, 10},
    {"residual", &Calibration::residual, 1e6},
}};
constexpr std::string_view kDevice = "on";
constexpr std::size_t kDeviceMost = 60;

// Four significant digits, by the decimal text so that writing and reading agree.
double rounded(double v) {
    if (v == 0 || !std::isfinite(v)) return v;
    const int places = 3 - static_cast<int>(std::floor(std::log10(std::fabs(v))));
    const double scale = std::pow(10.0, std::fabs(places));
    const double r = places >= 0 ? std::round(v * scale) / scale : std::round(v / scale) * scale;
    return parse_real(plain(r)).value_or(r);
}

// Commas and colons part the text.
std::string device_word(std::string_view name) {
    std::string out = valid_utf8(name.substr(0, kDeviceMost));
    for (char& c : out) {
        if (c == ',' || c == ':' || static_cast<unsigned char>(c) < 32) c = ' ';
    }
    return out;
}

}  // namespace

std::span<const CalibrationKey> calibration_keys() {
    return kKeys;
}

Calibration carried(const Calibration& c) {
    Calibration out;
    out.device = device_word(c.device);
    for (const CalibrationKey& k : kKeys) {
        if (const auto v = c.*(k.field)) out.*(k.field) = rounded(*v);
    }
    return out;
}

std::string calibration_text(const Calibration& c) {
    std::string out;
    for (const CalibrationKey& k : kKeys) {
        const std::optional<double> v = c.*(k.field);
        if (!v || !std::isfinite(*v)) continue;
        out += (out.empty() ? "" : ",") + std::string(k.key) + ":" + plain(rounded(*v));
    }
    const std::string device = device_word(c.device);
    return out.empty() || device.empty() ? out : std::string(kDevice) + ":" + device + "," + out;
}

std::optional<Calibration> parse_calibration_text(std::string_view text, std::string& why) {
    Calibration c;
    bool any = false;
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        const std::string_view item = text.substr(0, comma);
        text = comma == text.npos ? std::string_view() : text.substr(comma + 1);
        const std::size_t colon = item.find(':');
        if (colon == item.npos) {
            why = quoted_text(item) + " is no name:number of a calibration";
            return std::nullopt;
        }
        const std::string_view key = item.substr(0, colon), value = item.substr(colon + 1);
        if (key == kDevice) {
            c.device = device_word(value);
            continue;
        }
        const CalibrationKey* found = nullptr;
        for (const CalibrationKey& k : kKeys) {
            if (k.key == key) found = &k;
        }
        if (found == nullptr) {
            why = quoted_text(key) + " is no number of a calibration";
            return std::nullopt;
        }
        const auto v = parse_real(value);
        if (!v || !(*v >= 0) || *v > found->max) {
            why = std::string(key) + " is " + quoted_text(value) + ", from 0 to " +
                  plain(found->max) + " is accepted";
            return std::nullopt;
        }
        c.*(found->field) = rounded(*v);
        any = true;
    }
    if (!any) {
        why = "no number of a calibration is named";
        return std::nullopt;
    }
    return c;
}

}  // namespace kvgauge
