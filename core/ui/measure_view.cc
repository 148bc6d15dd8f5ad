// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "text/measurement.h"
#include "text/numbers.h"
#include "ui/button.h"
#include "ui/measure_plot.h"
#include "ui/measurer.h"
#include "ui/number_text.h"
#include "ui/readout.h"
#include "ui/views.h"

namespace kvgauge::ui {
namespace {

constexpr float kSide = 264, kGap = 48;

std::string device_caption(const Ui& u, const DeviceInfo& d) {
    std::string out = d.name;
    if (d.units > 0)
        out += ", " + u.tr(d.id == "cpu" ? Str::ui_meas_processors : Str::ui_meas_units,
                           {grouped(std::uint64_t{d.units})});
    if (d.cache_bytes > 0)
        out += ", " + u.tr(Str::ui_meas_cache, {binary_size(static_cast<double>(d.cache_bytes))});
    if (d.bandwidth > 0) out += ", " + bandwidth(d.bandwidth);
    return out;
}

// The geometry that most layers of the scenario's model have, if the kernels take it.
MeasureShape shape_of(const Session& s) {
    MeasureShape shape;
    const AttentionSpec* a = s.estimate.model ? first_attention(*s.estimate.model) : nullptr;
    if (a == nullptr || a->kind == AttnKind::mla || a->k_dim != a->v_dim || a->kv_heads == 0)
        return shape;
    for (const std::uint32_t dim : {64u, 80u, 96u, 128u, 256u}) {
        if (a->k_dim != dim) continue;
        shape.q_heads = a->q_heads;
        shape.kv_heads = a->kv_heads;
        shape.head_dim = dim;
    }
    return shape;
}

void explain_absence(Ui& u, Rect r) {
    float y =
        u.wrap(r.x, r.y, std::min(r.w, 640.0f), Face::b14, u.t.text, u.tr(Str::ui_meas_absent));
    u.wrap(r.x, y + 6, std::min(r.w, 640.0f), Face::b14, u.t.text2, u.tr(Str::ui_meas_native));
}

// Before a run: what could be measured, one primary button.
void offer(Ui& u, Session& s, Rect r) {
    Measurer& m = *s.host.measurer;
    if (!s.measure_devices_known) {
        s.measure_devices = m.devices();
        s.measure_devices_known = true;
    }
    float y =
        u.wrap(r.x, r.y, std::min(r.w, 640.0f), Face::b14, u.t.text2, u.tr(Str::ui_meas_intro)) +
        14;
    for (std::size_t i = 0; i < s.measure_devices.size(); ++i) {
        const DeviceInfo& d = s.measure_devices[i];
        const Rect row{r.x - 8, y, std::min(r.w, 720.0f), 48};
        const bool good = d.problem.empty();
        const Hit h = u.hit("device-" + d.id, row, ItemKind::button, good);
        const bool on = good && i == s.measure_device;
        if (on)
            u.fill(row, u.t.accent_soft, 6);
        else if (good && h.hover)
            u.fill(row, u.t.field_hover, 6);
        if (h.focus) u.focus_ring(row, 6);
        u.text(row.x + 12, row.y + 6, Face::b14b, good ? u.t.text : u.t.text2,
               d.name.empty() ? d.id : d.name);
        u.text(row.x + 12, row.y + 26, Face::c12, u.t.text3,
               u.fit(Face::c12, good ? device_caption(u, d) : d.problem, row.w - 24));
        if (good && h.click) s.measure_device = i;
        y += 52;
    }
    const bool any = s.measure_device < s.measure_devices.size() &&
                     s.measure_devices[s.measure_device].problem.empty();
    y += 28;
    const std::string_view start = u.tr(Str::ui_meas_start);
    const auto run = [&](bool quick) {
        MeasureRequest request;
        request.quick = quick;
        request.shape = shape_of(s);
        const DeviceInfo& d = s.measure_devices[s.measure_device];
        request.peak_flops16 = s.estimate.gpu.flops16;
        m.start(d.id, request);
        s.measurement = {};
        s.measure_cases = 0;
    };
    if (button(u, "measure-start", r.x, y, start, {}, Weight::primary, any)) run(true);
    if (button(u, "measure-full", r.x + button_width(u, start) + 10, y, u.tr(Str::ui_meas_full), {},
               Weight::plain, any)) {
        run(false);
    }
    u.wrap(r.x, y + 28, std::min(r.w, 640.0f), Face::c12, u.t.text3,
           u.tr(Str::ui_meas_nothing_changes));
}

void head(Ui& u, Session& s, Rect r) {
    Measurer& m = *s.host.measurer;
    const Measurement& now = s.measurement;
    const bool running = m.running();
    u.text(r.x, r.y, Face::t16b, u.t.text,
           u.tr(now.device.id == "cpu" ? Str::ui_meas_title_cpu : Str::ui_meas_title));
    const std::string_view word = u.tr(running ? Str::ui_meas_cancel : Str::ui_meas_again);
    const float w = button_width(u, word, running ? "Esc" : "");
    u.text(r.x, r.y + 25, Face::c12, u.t.text3,
           u.fit(Face::c12, device_caption(u, now.device), r.w - w - 20));
    if (button(u, "measure-cancel", r.right() - w, r.y + 18, word, running ? "Esc" : "")) {
        if (running)
            m.cancel();
        else
            s.measure_cases = 0, s.measurement = {};
    }
    const Progress p = m.progress();
    const float y = r.y + 56;
    const double share =
        p.total > 0 ? static_cast<double>(p.done) / static_cast<double>(p.total) : 0;
    u.fill({r.x, y, r.w, 4}, u.t.line, 2);
    u.fill({r.x, y, r.w * static_cast<float>(running ? share : 1), 4}, u.t.accent, 2);
    const std::string done = u.tr(Str::ui_meas_done, {grouped(p.done), grouped(p.total)});
    const std::string left =
        running ? u.tr(Str::ui_meas_left, {grouped(std::ceil(p.seconds_left))}) : std::string();
    u.text(r.x, y + 12, Face::c12, u.t.text2,
           u.fit(Face::c12, running ? done + " " + p.running : done,
                 r.w - u.width(Face::c12, left) - 20));
    u.text(r.right(), y + 12, Face::c12, u.t.text2, left, Align::right);
}

Readout measured(std::string_view id, std::string_view label, std::string value, std::string unit,
                 std::string note) {
    Readout o;
    o.row = id;
    o.label = label;
    o.value = std::move(value);
    o.unit = std::move(unit);
    o.note = std::move(note);
    o.basis = Basis::measured;
    return o;
}

void side_panel(Ui& u, Session& s, Rect r) {
    const Measurement& m = s.measurement;
    const Calibration& f = m.fit;
    float y = r.y;
    u.text(r.x, y, Face::b14b, u.t.text,
           u.tr(s.host.measurer->running() ? Str::ui_meas_so_far : Str::ui_meas_result));
    y += 30;
    const float half = r.w * .5f;
    const auto show = [&](float x, const Readout& o) {
        // No derivation: the plot beside it is the derivation.
        float end = u.text(x, y, Face::c12, u.t.text2, o.label);
        draw_basis(u, end + 10, y + 7, Basis::measured, u.t.accent);
        end = u.text(x, y + 20, Face::v20b, u.t.text, o.value);
        u.text(end + 5, y + 24, Face::b14, u.t.text2, o.unit);
        u.text(x, y + 50, Face::c12, u.t.text3, o.note);
    };
    const std::string dash = "–";
    show(r.x, measured("", u.tr(Str::ui_meas_share), f.e_kv ? decimals(*f.e_kv * 100, 0) : dash,
                       "%", u.tr(Str::ui_meas_predicted, {"89"})));
    if (m.device.id == "cpu") {
        show(r.x + half,
             measured("", u.tr(Str::ui_meas_bandwidth),
                      f.bandwidth ? three_digits(*f.bandwidth / 1e9) : dash, "GB/s", {}));
    } else {
        show(r.x + half,
             measured("", u.tr(Str::ui_meas_fixed), f.t0 ? decimals(*f.t0 * 1e6, 1) : dash, "µs",
                      u.tr(Str::ui_meas_predicted, {"17.1"})));
    }
    y += 80;
    u.hline(r.x, r.right(), y, u.t.line);
    y += 14;
    u.text(r.x, y, Face::c12, u.t.text3, u.tr(Str::ui_meas_shape));
    u.text(r.right() - 84, y, Face::c12, u.t.text3, "µs", Align::right);
    u.text(r.right(), y, Face::c12, u.t.text3, "GB/s", Align::right);
    y += 22;
    int shown = 0;
    for (auto c = m.cases.rbegin(); c != m.cases.rend() && shown < 6; ++c) {
        if (c->kernel != KernelKind::decode) continue;
        ++shown;
        const std::string shape =
            grouped(std::uint64_t{c->shape.batch}) + " × " + grouped(std::uint64_t{c->shape.ctx});
        const bool odd = c->noisy || c->rejected;
        u.text(r.x, y, Face::b14, u.t.text, shape);
        u.text(r.right() - 84, y, Face::b14, u.t.text, three_digits(c->statistics.median / 1e3),
               Align::right);
        u.text(r.right(), y, odd ? Face::b14b : Face::b14, odd ? u.t.warn : u.t.text,
               grouped(std::round(c->bytes_per_s() / 1e9)), Align::right);
        y += 24;
    }
    y += 12;
    // Findings: a sentence each, at most two.
    int findings = 0;
    for (const std::string& w : m.warnings) {
        if (findings++ == 2) break;
        draw_sign(u, r.x + 6, y + 9, Sign::warning, u.t.warn, 5.5f);
        y = u.wrap(r.x + 22, y, r.w - 22, Face::c12, u.t.text2, w) + 8;
    }
    if (!m.failure.empty()) {
        draw_sign(u, r.x + 6, y + 9, Sign::cross, u.t.bad, 5.5f);
        y = u.wrap(r.x + 22, y, r.w - 22, Face::c12, u.t.text2, m.failure) + 8;
    }
    if (s.host.measurer->running()) return;
    y += 20;
    const bool useful = f.e_kv.has_value();
    const std::string_view use = u.tr(Str::ui_meas_use);
    if (button(u, "measure-use", r.x, y, use, {}, Weight::primary, useful)) {
        s.next.calibration = f;
        s.edited_by.clear();
    }
    if (s.host.save_text &&
        button(u, "measure-save", r.x + button_width(u, use) + 10, y, u.tr(Str::ui_meas_save))) {
        s.host.save_text("measurement.json", measurement_json(m));
    }
}

}  // namespace

void measure_view(Ui& u, Session& s, Rect r) {
    if (!s.host.measurer) {
        explain_absence(u, r);
        return;
    }
    Measurer& m = *s.host.measurer;
    m.step();
    const bool running = m.running();
    if (m.cases() != s.measure_cases || running != s.measure_running) {
        s.measure_cases = m.cases();
        s.measurement = m.result();
    }
    s.measure_running = running;
    if (running && !ImGui::GetIO().WantTextInput && ImGui::IsKeyPressed(ImGuiKey_Escape, false))
        m.cancel();
    if (!running && s.measurement.cases.empty() && s.measurement.failure.empty()) {
        offer(u, s, r);
        return;
    }
    const bool beside = r.w >= 720;
    Rect side = beside ? r.cut_right(kSide) : Rect{};
    if (beside) r.cut_right(kGap);
    head(u, s, r.cut_top(100));
    if (beside)
        u.vline(side.x - 24, side.y, side.bottom(), u.t.line);
    else
        side = r.cut_bottom(420);
    measure_plots(u, s, r, s.measurement, running);
    side_panel(u, s, side);
}

}  // namespace kvgauge::ui
