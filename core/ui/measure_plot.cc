// SPDX-License-Identifier: MIT
#include "ui/measure_plot.h"

#include <algorithm>
#include <cmath>

#include "data/speed_constants.h"
#include "probe/statistics.h"
#include "text/numbers.h"
#include "ui/number_text.h"
#include "ui/plot.h"

namespace kvgauge::ui {
namespace {

constexpr double kMiB = 1024.0 * 1024.0;

std::string axis_us(double us) {
    return us >= 1e6    ? general(us / 1e6) + " s"
           : us >= 1000 ? general(us / 1000) + " ms"
                        : general(us) + " µs";
}
std::string axis_mib(double mib) {
    return mib >= 1024 ? general(mib / 1024) + " GiB" : general(mib) + " MiB";
}
std::string axis_ratio(double v) {
    return decimals(v, 1);
}

struct PointOf {
    double mib, us;
    bool fitted, noisy;
    std::uint32_t batch;
};

double line_us(double mib, double t0, double rate) {
    return (t0 + mib * kMiB / rate) * 1e6;
}

}  // namespace

// Medians of public kernel tables over GPUs and engines: 17.1 us and 0.892 (held-out error 7 %
// median, 23 % at the 90th percentile); the device's own pair where one was published.
KernelPrediction predict_kernel(const Session& s, const Measurement& m) {
    KernelPrediction k{17.1e-6, 0.892, m.device.bandwidth};
    if (k.bandwidth <= 0) k.bandwidth = m.fit.bandwidth.value_or(0);
    if (m.device.id == "cpu" || m.device.browser) {
        k.t0 = 0;  // a call of a processor costs nothing worth the name
        return k;
    }
    if (const GpuEntry* g = s.catalog.gpu(m.device.name)) {
        if (k.bandwidth <= 0) k.bandwidth = g->spec.bandwidth;
        if (const auto fit = kernel_fit(g->spec.id, s.scenario.engine, DType::bf16)) {
            k.t0 = fit->t0;
            k.share = fit->e;
        }
    }
    return k;
}

std::vector<MeasuredPoint> decode_points(const Measurement& m) {
    std::vector<MeasuredPoint> out;
    for (const Case& c : m.cases) {
        if (c.kernel != KernelKind::decode || c.bytes == 0 || !(c.statistics.median > 0)) continue;
        out.push_back({static_cast<double>(c.bytes), c.statistics.median * 1e-9,
                       c.cold && !c.rejected, c.noisy, c.shape.batch});
    }
    return out;
}

std::optional<SlowBatch> slow_batch(const std::vector<MeasuredPoint>& points,
                                    const KernelPrediction& k) {
    constexpr double kSlow = 1.15;
    std::optional<SlowBatch> worst;
    if (k.bandwidth <= 0) return worst;
    for (const MeasuredPoint& p : points) {
        std::vector<double> here, others;
        for (const MeasuredPoint& q : points) {
            if (!q.fitted) continue;
            const double share = q.bytes / q.seconds / k.bandwidth;
            (q.batch == p.batch ? here : others).push_back(share);
        }
        if (here.size() < 2 || others.size() < 2) continue;
        const SlowBatch b{p.batch, median(here), median(others)};
        if (b.share * kSlow > b.others) continue;
        if (!worst || b.share < worst->share) worst = b;
    }
    return worst;
}

void measure_plots(Ui& u, Rect r, const Measurement& m, const KernelPrediction& k,
                   const Progress* running) {
    std::vector<PointOf> points;
    for (const MeasuredPoint& p : decode_points(m))
        points.push_back({p.bytes / kMiB, p.seconds * 1e6, p.fitted, p.noisy, p.batch});
    const double bw = k.bandwidth;
    if (points.empty() || bw <= 0) {
        u.wrap(r.x, r.y + 8, r.w, Face::b14, u.t.text2,
               u.tr(running != nullptr ? Str::ui_meas_waiting : Str::ui_meas_no_points));
        return;
    }
    const double share = k.share;
    const auto predicted = [&](double mib) { return k.seconds(mib * kMiB) * 1e6; };
    // The running shape has a place of its own, so the axes know it from its first sample.
    std::optional<PointOf> ring;
    if (running != nullptr && running->now && running->now->kernel == KernelKind::decode &&
        running->bytes > 0) {
        const double mib = static_cast<double>(running->bytes) / kMiB;
        ring = PointOf{mib, running->median_ns > 0 ? running->median_ns / 1e3 : predicted(mib),
                       false, false, running->now->shape.batch};
    }
    double low = 1e300, high = 0, fast = 1e300, slow = 0;
    const auto reach = [&](const PointOf& p) {
        low = std::min(low, p.mib);
        high = std::max(high, p.mib);
        fast = std::min({fast, p.us, predicted(p.mib) * .8});
        slow = std::max({slow, p.us, predicted(p.mib) * 1.2});
    };
    for (const PointOf& p : points) reach(p);
    if (ring) reach(*ring);
    Plot p;
    p.x = {std::exp2(std::floor(std::log2(low / 1.5))), std::exp2(std::ceil(std::log2(high * 1.5))),
           true, u.tr(Str::ui_meas_x), axis_mib};
    while (p.x.high / p.x.low < 8) p.x.high *= 2;
    for (double v = p.x.low; v <= p.x.high * 1.01; v *= p.x.high / p.x.low > 512 ? 4 : 2) {
        p.x_ticks.push_back(v);
    }
    p.y = {step_below(std::min(fast, predicted(p.x.low) * .8)),
           step_above(std::max(slow, predicted(p.x.high))), true, u.tr(Str::ui_meas_y), axis_us};
    p.bare_x = true;
    p.left = 60;
    Rect strip = r.cut_bottom(std::min(148.0f, r.h * .36f));
    p.begin(u, r, 116);
    const auto curve = [&](auto f) {
        std::vector<ImVec2> out;
        for (int i = 0; i <= 80; ++i) {
            const double x = p.x.low * std::pow(p.x.high / p.x.low, i / 80.0);
            out.push_back(p.at(x, f(x)));
        }
        return out;
    };
    // Where buffers take turns no cache holds them, and nothing is shaded.
    double cached = 2.0 * static_cast<double>(m.device.cache_bytes) / kMiB;
    for (const PointOf& q : points) {
        if (q.fitted && q.mib < cached) cached = 0;
    }
    p.clip(u);
    if (cached > p.x.low) {
        const float x = p.at(std::min(cached, p.x.high), 1).x;
        u.fill({p.box.x, p.box.y, x - p.box.x, p.box.h}, fade(u.t.text3, .06f));
    }
    u.band(curve([&](double x) { return predicted(x) * (1 - kPredictedBand); }),
           curve([&](double x) { return predicted(x) * (1 + kPredictedBand); }),
           fade(u.t.text3, .17f));
    u.polyline(curve([&](double x) { return x * kMiB / bw * 1e6; }), u.t.text3, 1.2f, {2, 3});
    u.polyline(curve(predicted), u.t.text2, 1.6f, {7, 4});
    const bool fitted = m.fit.e_kv && *m.fit.e_kv > 0;
    const double fit_rate = fitted ? *m.fit.e_kv * bw : 0;
    const double fit_t0 = m.fit.t0.value_or(0);
    if (fitted) {
        u.polyline(curve([&](double x) { return line_us(x, fit_t0, fit_rate); }), u.t.accent, 2.4f);
    }
    p.unclip(u);
    if (cached > p.x.low * 2) {
        u.text(p.box.x + 10, p.box.y + 8, Face::c12, u.t.text3, u.tr(Str::ui_meas_cached));
    }
    for (const PointOf& q : points) {
        draw_mark(u, p.at(q.mib, q.us), q.fitted ? Mark::diamond : Mark::ring,
                  q.fitted ? u.t.accent : u.t.text2, q.fitted ? 4.5f : 3.5f);
    }
    if (ring) {
        const ImVec2 c = p.at(ring->mib, ring->us);
        u.ring(c.x, c.y, 9, fade(u.t.accent, .5f), 2);
        u.ring(c.x, c.y, 4.5f, u.t.accent, 2);
    }
    std::vector<EndLabel> ends;
    if (fitted) {
        ends.push_back({p.at(p.x.high, line_us(p.x.high, fit_t0, fit_rate)).y,
                        std::string(u.tr(Str::ui_meas_measured)),
                        u.tr(Str::ui_meas_fit, {decimals(*m.fit.e_kv, 2)}), u.t.accent, true, -1});
    }
    ends.push_back({p.at(p.x.high, predicted(p.x.high)).y,
                    std::string(u.tr(Str::ui_speed_predicted)), decimals(share, 2) + ", ±20%",
                    u.t.text2, false, -1});
    ends.push_back({p.at(p.x.high, p.x.high * kMiB / bw * 1e6).y,
                    std::string(u.tr(Str::ui_meas_ceiling)), bandwidth(bw), u.t.text3, false, -1});
    end_labels(u, "measure", std::move(ends), p.box.right(), p.box.y + 16, p.box.bottom(), 36,
               nullptr);

    Plot q;
    q.x = p.x;
    q.x_ticks = p.x_ticks;
    double least = .8, most = 1.3;
    for (const PointOf& c : points) {
        least = std::min(least, c.us / predicted(c.mib) * .95);
        most = std::max(most, c.us / predicted(c.mib) * 1.05);
    }
    q.y = {least, std::min(most, 20.0), most / least > 4, u.tr(Str::ui_meas_ratio), axis_ratio};
    q.y_ticks = ticks_125(q.y, std::clamp(static_cast<int>((strip.h - 60) / 24), 2, 5));
    q.left = p.left;
    q.begin(u, strip, 116);
    q.clip(u);
    const float top = q.at(q.x.low, 1 + kPredictedBand).y,
                bottom = q.at(q.x.low, 1 - kPredictedBand).y;
    u.fill({q.box.x, top, q.box.w, bottom - top}, fade(u.t.text3, .17f));
    u.hline(q.box.x, q.box.right(), q.at(q.x.low, 1).y, u.t.text2);
    q.unclip(u);
    for (const PointOf& c : points) {
        const double times = c.us / predicted(c.mib);
        const Color color = !c.fitted                               ? u.t.text2
                            : c.noisy || times > 1 + kPredictedBand ? u.t.warn
                                                                    : u.t.accent;
        draw_mark(u, q.at(c.mib, times), c.fitted ? Mark::diamond : Mark::ring, color,
                  c.fitted ? 4.0f : 3.0f);
    }
    // Beside the plot, where no curve is.
    if (const auto slow_one = slow_batch(decode_points(m), k)) {
        const PointOf* high_one = nullptr;
        for (const PointOf& c : points) {
            if (c.batch == slow_one->batch && c.fitted &&
                (high_one == nullptr || c.mib > high_one->mib))
                high_one = &c;
        }
        if (high_one != nullptr) {
            const std::string text =
                u.tr(Str::ui_meas_batch, {grouped(std::uint64_t{slow_one->batch})});
            const ImVec2 at = q.at(high_one->mib, high_one->us / predicted(high_one->mib));
            const bool right = at.x + 12 + u.width(Face::c12, text) < q.box.right();
            u.text_mid(right ? at.x + 10 : at.x - 10, at.y, Face::c12, u.t.warn, text,
                       right ? Align::left : Align::right);
        }
    }
}

}  // namespace kvgauge::ui
