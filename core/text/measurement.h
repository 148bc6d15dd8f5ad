// SPDX-License-Identifier: MIT
// Owns: the measurement file, `kvgauge.measurement/1`: written by `measure`, read as a calibration
// by command line, window and page; and the tables a person reads. In the file times of samples are
// nanoseconds, fitted times seconds, rates bytes/s; gb_s is 10^9 bytes/s.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "model/calibration.h"
#include "model/issue.h"
#include "probe/measurement.h"

namespace kvgauge {

std::string measurement_json(const Measurement&);
// One case a line, each with the device's name; the fit on the last.
std::string measurement_jsonl(const Measurement&);
std::string measurement_csv(const Measurement&);
std::string measurement_markdown(const Measurement&);
std::string measurement_text(const Measurement&);

// Fails closed: another schema, damaged JSON or a number out of its range is an error that names
// it.
std::optional<Measurement> parse_measurement(std::string_view json, Issues&);

// The fit alone; nullopt and an error when the file holds none.
std::optional<Calibration> parse_calibration(std::string_view json, Issues&);

// The same for any device list: `kvgauge devices`.
std::string devices_json(const std::vector<DeviceInfo>&);
std::string devices_text(const std::vector<DeviceInfo>&);

}  // namespace kvgauge
