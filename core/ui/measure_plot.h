// SPDX-License-Identifier: MIT
// Owns: measured decode cases against the prediction: time per call over KV bytes, and below it
// measured by predicted on the same axis, where a double logarithm would hide a deviation.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "probe/measurement.h"
#include "probe/session.h"
#include "ui/session.h"
#include "ui/ui.h"

namespace kvgauge::ui {

inline constexpr double kPredictedBand = 0.2;

// What is predicted for one decode-attention kernel: t0 + bytes / (share x bandwidth).
struct KernelPrediction {
    double t0 = 0;         // s
    double share = 0;      // of the ceiling
    double bandwidth = 0;  // the ceiling, bytes/s; 0: not known yet
    double seconds(double bytes) const { return t0 + bytes / (share * bandwidth); }
};
KernelPrediction predict_kernel(const Session&, const Measurement&);

struct MeasuredPoint {
    double bytes = 0, seconds = 0;
    bool fitted = false;  // cold and plausible: used in the fit
    bool noisy = false;
    std::uint32_t batch = 0;
};
std::vector<MeasuredPoint> decode_points(const Measurement&);

// A batch whose calls take clearly longer than the others of the same run.
struct SlowBatch {
    std::uint32_t batch = 0;
    double share = 0, others = 0;  // of the ceiling, medians
};
std::optional<SlowBatch> slow_batch(const std::vector<MeasuredPoint>&, const KernelPrediction&);

void measure_plots(Ui&, Rect, const Measurement&, const KernelPrediction&, const Progress*);

}  // namespace kvgauge::ui
