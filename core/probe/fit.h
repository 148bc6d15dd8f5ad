// SPDX-License-Identifier: MIT
// Owns: from measured cases to the few numbers of a Calibration, and what no memory can do.
//
// A decode-attention kernel on cold buffers takes t = t0 + bytes / (e BW) (public kernel tables:
// this line leaves 5 % median error held out, pure roofline 27 %). t0 and e come from a
// least-squares line through cases of different sizes, weighted by 1 / t^2, for it is the relative
// error that counts.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "probe/measurement.h"

namespace kvgauge {

struct Point {
    double bytes = 0, seconds = 0;
};

struct Line {
    double t0 = 0;        // s, never below 0
    double rate = 0;      // bytes/s
    double residual = 0;  // median |predicted / measured - 1|
};

// Needs two points of different size.
std::optional<Line> fit_line(std::span<const Point>);

// Faster than 1.03 x the specified bandwidth on buffers that no cache holds: a wrong clock, a wrong
// byte count or a cache after all. Unknown bandwidth (0): nothing is implausible.
inline constexpr double plausible_limit = 1.03;
bool plausible(double bytes_per_s, double spec_bandwidth);

// Numbers for which there are cases; the others stay empty. `bandwidth` of the result is the read
// stream's median; shares refer to the device's specified bandwidth, or to the read stream where
// that is unknown. `launch_floor_ns`: an empty kernel, where the device has such a thing.
Calibration fit(const DeviceInfo&, std::span<const Case>,
                std::optional<double> launch_floor_ns = {});

}  // namespace kvgauge
