// SPDX-License-Identifier: MIT
#include "ui/roofline.h"

#include <algorithm>
#include <cmath>

#include "model/weight_format.h"
#include "text/numbers.h"
#include "ui/number_text.h"
#include "ui/plot.h"

namespace kvgauge::ui {
namespace {

std::string axis_tera(double flops) {
    return general(flops / 1e12, 3);
}

struct Work {
    std::string name, note;
    double intensity;  // FLOP per byte
    double peak;       // FLOP/s it can reach at most
    Color color;
    Mark mark;
};

std::vector<Work> works(const Ui& u, const Session& s) {
    const Estimate& e = s.estimate;
    const Speed& v = *e.speed;
    const double bytes = info(e.weights.kind).bits / 8;
    const double batch = static_cast<double>(s.scenario.batch);
    std::vector<Work> out;
    if (v.intensity > 0) {
        out.push_back({std::string(u.tr(Str::ui_roof_attention)),
                       u.tr(Str::ui_roof_attention_note, {general(v.intensity, 3)}), v.intensity,
                       e.gpu.flops16, u.t.kv, Mark::dot});
    }
    // A product of `batch` tokens with the weights: 2 FLOP a token for each element read once.
    out.push_back({std::string(u.tr(Str::ui_roof_weights)),
                   u.tr(Str::ui_roof_weights_note,
                        {grouped(s.scenario.batch), general(2 * batch / bytes, 3)}),
                   2 * batch / bytes, gemm_peak(e.gpu, e.weights.kind), u.t.weights, Mark::square});
    return out;
}

}  // namespace

void roofline(Ui& u, Session& s, Rect r) {
    const Estimate& e = s.estimate;
    u.text(r.x, r.y, Face::b14b, u.t.text, u.tr(Str::ui_roof_title));
    r.cut_top(26);
    if (!e.speed || e.gpu.bandwidth <= 0 || e.gpu.flops16 <= 0) {
        u.text(r.x, r.y, Face::b14, u.t.text2, u.tr(Str::ui_speed_none));
        return;
    }
    const std::vector<Work> all = works(u, s);
    const double bw = e.gpu.bandwidth;
    double top = e.gpu.flops16;
    for (const Work& w : all) top = std::max(top, w.peak);
    const double ridge = top / bw;
    Plot p;
    p.x = {1, 1024, true, u.tr(Str::ui_roof_x), axis_number};
    for (const Work& w : all) {
        while (w.intensity < p.x.low * 1.2 && p.x.low > 1e-3) p.x.low /= 2;
        while (w.intensity > p.x.high * .8 && p.x.high < 1e7) p.x.high *= 2;
    }
    while (ridge * 3 > p.x.high) p.x.high *= 2;
    p.x_ticks = ticks_pow2(p.x);
    p.y = {step_below(bw * p.x.low), step_above(top * 1.3), true, "TFLOP/s", axis_tera};
    p.begin(u, r, r.w < 500 ? 20 : 210);
    p.clip(u);
    // The slope is memory; each flat part is one kind of arithmetic unit.
    std::vector<double> peaks;
    for (const Work& w : all) peaks.push_back(w.peak);
    std::sort(peaks.begin(), peaks.end());
    peaks.erase(std::unique(peaks.begin(), peaks.end()), peaks.end());
    const ImVec2 slope[2] = {p.at(p.x.low, bw * p.x.low), p.at(top / bw, top)};
    u.polyline(slope, u.t.limit, 1.6f);
    for (const double peak : peaks) {
        const ImVec2 flat[2] = {p.at(peak / bw, peak), p.at(p.x.high, peak)};
        u.polyline(flat, u.t.limit, 1.6f);
    }
    p.unclip(u);
    const double first = peaks.front() / bw;
    u.vdash(p.at(first, 1).x, p.at(first, peaks.front()).y, p.box.bottom(), u.t.text3);
    const std::string ridge_text = u.tr(Str::ui_roof_ridge, {grouped(std::round(first))});
    const float rx = p.at(first, 1).x;
    u.text(rx + 8, p.box.bottom() - 22, Face::c12, u.t.text3,
           u.fit(Face::c12, ridge_text, p.box.right() - rx - 10));
    std::vector<EndLabel> labels;
    for (const Work& w : all) {
        const double y = std::min(w.peak, bw * w.intensity);
        const ImVec2 q = p.at(w.intensity, y);
        u.vdash(q.x, q.y, p.box.bottom(), fade(w.color, .7f), {2, 3});
        draw_mark(u, q, w.mark, w.color, 5);
        PointNumbers numbers(u, p.box, true);
        if (r.w < 500) {
            numbers.draw(q, Face::c12b, u.t.text, w.name);
            continue;
        }
        labels.push_back({q.y, w.name, w.note, w.color == u.t.kv ? u.t.gqa : u.t.text2, true, -1});
    }
    end_labels(u, "roof", std::move(labels), p.box.right(), p.box.y + 16, p.box.bottom() - 10, 34,
               nullptr);
}

}  // namespace kvgauge::ui
