// SPDX-License-Identifier: MIT
#include "probe/statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace kvgauge {
namespace {

// Linear interpolation between the two nearest ranks.
double quantile(const std::vector<double>& sorted, double q) {
    const double at = q * static_cast<double>(sorted.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const std::size_t high = std::min(low + 1, sorted.size() - 1);
    return sorted[low] + (at - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

// Half the width of the interval between the ranks n/2 -+ 0.98 sqrt(n), relative to the median.
// Fewer than six samples have no such ranks inside.
double median_interval(const std::vector<double>& sorted, double middle) {
    const auto n = static_cast<double>(sorted.size());
    const double reach = 0.98 * std::sqrt(n);
    const double low = std::floor(n / 2 - reach) - 1;
    const double high = std::ceil(n / 2 + reach);
    if (low < 0 || high > n - 1 || middle <= 0) return 1;
    return (sorted[static_cast<std::size_t>(high)] - sorted[static_cast<std::size_t>(low)]) / 2 /
           middle;
}

}  // namespace

Statistics summarize(std::span<const double> samples) {
    Statistics s;
    s.n = samples.size();
    if (samples.empty()) return s;
    std::vector<double> sorted(samples.begin(), samples.end());
    std::sort(sorted.begin(), sorted.end());
    double sum = 0;
    for (const double x : sorted) sum += x;
    s.mean = sum / static_cast<double>(s.n);
    double squares = 0;
    for (const double x : sorted) squares += (x - s.mean) * (x - s.mean);
    if (s.n > 1) s.stddev = std::sqrt(squares / static_cast<double>(s.n - 1));
    s.min = sorted.front();
    s.p10 = quantile(sorted, 0.1);
    s.median = quantile(sorted, 0.5);
    s.p90 = quantile(sorted, 0.9);
    s.median_ci = median_interval(sorted, s.median);
    return s;
}

double median(std::span<const double> samples) {
    return summarize(samples).median;
}

bool enough(const StopRule& rule, const Statistics& s, double seconds) {
    if (s.n == 0) return false;
    if (s.n >= rule.max_samples || seconds >= rule.max_seconds) return true;
    return s.n >= rule.min_samples && s.median_ci < rule.precision;
}

}  // namespace kvgauge
