// SPDX-License-Identifier: MIT
#include "probe/fit.h"

#include <algorithm>
#include <cmath>

namespace kvgauge {
namespace {

bool usable(const Case& c) {
    return !c.rejected && c.cold && c.statistics.median > 0;
}

// Of the read streams, preferably of those with this many threads.
std::optional<double> read_rate(std::span<const Case> cases, std::uint32_t threads) {
    std::optional<double> best, any;
    for (const Case& c : cases) {
        if (c.kernel != KernelKind::read || !usable(c)) continue;
        std::optional<double>& rate = c.shape.threads == threads ? best : any;
        rate = std::max(rate.value_or(0), c.bytes_per_s());
    }
    return best ? best : any;
}

// Decode cases that belong on one line: same threads, 16-bit or fp8.
std::vector<Point> decode_points(std::span<const Case> cases, bool fp8, std::uint32_t threads) {
    std::vector<Point> points;
    for (const Case& c : cases) {
        if (c.kernel != KernelKind::decode || !usable(c) || c.shape.threads != threads) continue;
        if ((c.shape.kv == DType::fp8) != fp8) continue;
        points.push_back({static_cast<double>(c.bytes), c.statistics.median * 1e-9});
    }
    return points;
}

// The gemm case with the most (`large`) or the fewest rows, as a share of peak.
std::optional<double> gemm_share(std::span<const Case> cases, double peak, bool large) {
    const Case* best = nullptr;
    for (const Case& c : cases) {
        if (c.kernel != KernelKind::gemm || !usable(c)) continue;
        if (best == nullptr || (large ? c.shape.m > best->shape.m : c.shape.m < best->shape.m))
            best = &c;
    }
    if (best == nullptr || peak <= 0) return std::nullopt;
    return best->flops_per_s() / peak;
}

}  // namespace

std::optional<Line> fit_line(std::span<const Point> points) {
    // Weighted normal equations of t = t0 + x s, weights 1 / t^2.
    double w = 0, wx = 0, wxx = 0, wt = 0, wxt = 0;
    for (const Point& p : points) {
        if (p.seconds <= 0) continue;
        const double weight = 1 / (p.seconds * p.seconds);
        w += weight;
        wx += weight * p.bytes;
        wxx += weight * p.bytes * p.bytes;
        wt += weight * p.seconds;
        wxt += weight * p.bytes * p.seconds;
    }
    const double determinant = w * wxx - wx * wx;
    if (!(determinant > 1e-12 * w * wxx)) return std::nullopt;
    Line line;
    line.t0 = (wxx * wt - wx * wxt) / determinant;
    double slope = (w * wxt - wx * wt) / determinant;
    if (line.t0 < 0) {  // noise: the best line through the origin
        line.t0 = 0;
        slope = wxt / wxx;
    }
    if (!(slope > 0)) return std::nullopt;
    line.rate = 1 / slope;
    std::vector<double> errors;
    for (const Point& p : points) {
        if (p.seconds > 0) errors.push_back(std::abs((line.t0 + p.bytes * slope) / p.seconds - 1));
    }
    line.residual = median(errors);
    return line;
}

bool plausible(double bytes_per_s, double spec_bandwidth) {
    return spec_bandwidth <= 0 || bytes_per_s <= plausible_limit * spec_bandwidth;
}

Calibration fit(const DeviceInfo& device, std::span<const Case> cases,
                std::optional<double> launch_floor_ns) {
    Calibration c;
    c.device = device.name;
    // On a CPU the line is that of the most threads that have one, beside their own read stream; a
    // GPU has no thread count.
    std::vector<std::uint32_t> counts;
    for (const Case& x : cases) {
        if (x.kernel == KernelKind::decode) counts.push_back(x.shape.threads);
    }
    std::sort(counts.rbegin(), counts.rend());
    std::uint32_t threads = counts.empty() ? 0 : counts.front();
    for (const std::uint32_t count : counts) {
        if (fit_line(decode_points(cases, false, count))) {
            threads = count;
            break;
        }
    }
    c.bandwidth = read_rate(cases, threads);
    const double bandwidth = device.bandwidth > 0 ? device.bandwidth : c.bandwidth.value_or(0);
    if (bandwidth > 0 && c.bandwidth) c.e_w = *c.bandwidth / bandwidth;
    for (const bool fp8 : {false, true}) {
        const std::optional<Line> line = fit_line(decode_points(cases, fp8, threads));
        if (!line || bandwidth <= 0) continue;
        (fp8 ? c.e_kv_fp8 : c.e_kv) = line->rate / bandwidth;
        if (!fp8) {
            c.t0 = line->t0;
            c.residual = line->residual;
        }
    }

    c.mfu_pre = gemm_share(cases, device.peak_flops16, true);
    c.mfu_dec = gemm_share(cases, device.peak_flops16, false);
    for (const Case& x : cases) {
        if (x.kernel == KernelKind::prefill && usable(x) && device.peak_flops16 > 0)
            c.mfu_attn = x.flops_per_s() / device.peak_flops16;
    }
    // A layer is one attention kernel, four products and about six small kernels; without an engine
    // to ask, a product's fixed cost is taken as a launch, a small kernel's as one launch too.
    if (launch_floor_ns && c.t0) c.tau = *c.t0 + 10 * *launch_floor_ns * 1e-9;
    return c;
}

}  // namespace kvgauge
