// SPDX-License-Identifier: MIT
// Owns: what is said of repeated timings, and when there are enough of them. Timings of a shared
// machine are skewed to the slow side, so the median leads and its confidence interval comes from
// order statistics (ranks n/2 -+ 0.98 sqrt(n), the normal approximation of the binomial at 95 %),
// not from a standard deviation.
#pragma once
#include <cstddef>
#include <span>

namespace kvgauge {

struct Statistics {
    std::size_t n = 0;
    double mean = 0, stddev = 0;  // of a sample (n - 1)
    double min = 0, p10 = 0, median = 0, p90 = 0;
    double median_ci = 1;  // half width of the median's 95 % interval, relative; 1: unknown
    bool operator==(const Statistics&) const = default;
};

Statistics summarize(std::span<const double> samples);
double median(std::span<const double> samples);  // 0 of none

inline constexpr double noise_limit = 1.10;  // p90 / p10 of a quiet machine stays below
inline bool is_noisy(const Statistics& s) {
    return s.n > 1 && s.p90 > noise_limit * s.p10;
}

// At least `min_samples`; then as soon as the median is known to `precision`, and in any case when
// `max_seconds` are over.
struct StopRule {
    std::size_t min_samples = 30;
    std::size_t max_samples = 400;
    double precision = 0.01;
    double max_seconds = 3.0;
};
bool enough(const StopRule&, const Statistics&, double seconds);

}  // namespace kvgauge
