// SPDX-License-Identifier: MIT
// Owns: the few numbers of a calibration as one short text, as links and JSON carry them:
// "on:NVIDIA H200,e_w:0.91,e_kv:0.893,t0:1.97e-05". Shares of the specified rate, seconds,
// bytes/s; the names are those of a measurement file's fit. Four significant digits: a fit is good
// for no more, and a link stays short.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/calibration.h"

namespace kvgauge {

struct CalibrationKey {
    std::string_view key;
    std::optional<double> Calibration::*field;
    double max;  // accepted are 0..max
};
std::span<const CalibrationKey> calibration_keys();

// Empty for one without numbers.
std::string calibration_text(const Calibration&);
// Empty: no such text; `why` says what is wrong.
std::optional<Calibration> parse_calibration_text(std::string_view, std::string& why);
// With the digits that a link carries, so that what is in effect is what a link hands on.
Calibration carried(const Calibration&);

}  // namespace kvgauge
