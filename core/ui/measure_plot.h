// SPDX-License-Identifier: MIT
// Owns: measured decode cases against the prediction: time per call over KV bytes, and below it
// measured by predicted on the same axis, where a double logarithm would hide a deviation.
#pragma once
#include "probe/measurement.h"
#include "ui/session.h"
#include "ui/ui.h"

namespace kvgauge::ui {

// What is predicted for one decode-attention kernel, t0 + bytes / (share x bandwidth): the median
// of public kernel tables over GPUs and engines (25,700 rows; held-out error 7 % median, 23 % at
// the 90th percentile).
inline constexpr double kPredictedT0 = 17.1e-6;
inline constexpr double kPredictedShare = 0.892;
inline constexpr double kPredictedBand = 0.2;

void measure_plots(Ui&, Session&, Rect, const Measurement&, bool running);

}  // namespace kvgauge::ui
