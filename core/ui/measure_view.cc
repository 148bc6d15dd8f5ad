// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "text/calibration.h"
#include "text/measurement.h"
#include "text/numbers.h"
#include "ui/button.h"
#include "ui/marks.h"
#include "ui/measure_plot.h"
#include "ui/measurer.h"
#include "ui/number_text.h"
#include "ui/views.h"

namespace kvgauge::ui {
namespace {

constexpr float kSide = 264, kGap = 48, kText = 640;

bool is_processor(const DeviceInfo& d) {
    return d.id == "cpu" || d.browser;
}

std::string device_caption(const Ui& u, const DeviceInfo& d, bool named = true) {
    std::string out = !named ? std::string() : d.name.empty() ? d.id : d.name;
    if (d.units == 1 && is_processor(d))
        out += ", " + std::string(u.tr(Str::ui_meas_processor));
    else if (d.units > 0)
        out += ", " + u.tr(is_processor(d) ? Str::ui_meas_processors : Str::ui_meas_units,
                           {grouped(std::uint64_t{d.units})});
    if (d.cache_bytes > 0)
        out += ", " + u.tr(Str::ui_meas_cache, {binary_size(static_cast<double>(d.cache_bytes))});
    if (d.bandwidth > 0) out += ", " + bandwidth(d.bandwidth);
    return out.starts_with(", ") ? out.substr(2) : out;
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
    const float w = std::min(r.w, kText);
    const float y = u.wrap(r.x, r.y, w, Face::b14, u.t.text, u.tr(Str::ui_meas_absent));
    u.wrap(r.x, y + 6, w, Face::b14, u.t.text2, u.tr(Str::ui_meas_native));
}

void begin(Session& s, bool quick) {
    MeasureRequest request;
    request.quick = quick;
    request.shape = shape_of(s);
    const DeviceInfo& d = s.measure_devices[s.measure_device];
    if (!is_processor(d)) request.peak_flops16 = s.estimate.gpu.flops16;
    s.host.measurer->start(d.id, request);
    s.measurement = {};
    s.measure_cases = 0;
    s.measure_from_file = false;
}

// Before a run: what could be measured, one primary button.
void offer(Ui& u, Session& s, Rect r) {
    if (!s.measure_devices_known) {
        if (auto found = s.host.measurer->devices()) {
            s.measure_devices = std::move(*found);
            s.measure_devices_known = true;
            // The first that works.
            for (std::size_t i = s.measure_devices.size(); i-- > 0;) {
                if (s.measure_devices[i].problem.empty()) s.measure_device = i;
            }
        }
    }
    const float w = std::min(r.w, kText);
    float y = u.wrap(r.x, r.y, w, Face::b14, u.t.text2, u.tr(Str::ui_meas_intro)) + 14;
    if (!s.measure_devices_known) {
        s.measure_wait_ms = 100;
        u.text(r.x, y, Face::b14, u.t.text3, u.tr(Str::ui_meas_looking));
        return;
    }
    bool browser = false;
    for (std::size_t i = 0; i < s.measure_devices.size(); ++i) {
        const DeviceInfo& d = s.measure_devices[i];
        browser |= d.browser;
        const Rect row{r.x - 8, y, std::min(r.w + 8, 720.0f), 48};
        const bool good = d.problem.empty();
        const Hit h = u.hit("device-" + d.id, row, ItemKind::button, good);
        const bool on = good && i == s.measure_device;
        if (on)
            u.fill(row, u.t.accent_soft, 6);
        else if (good && h.hover)
            u.fill(row, u.t.field_hover, 6);
        if (h.focus) u.focus_ring(row, 6);
        u.text(row.x + 12, row.y + 6, Face::b14b, good ? u.t.text : u.t.text2,
               u.fit(Face::b14b, d.name.empty() ? d.id : d.name, row.w - 24));
        u.text(row.x + 12, row.y + 26, Face::c12, u.t.text3,
               u.fit(Face::c12, good ? device_caption(u, d, false) : d.problem, row.w - 24));
        if (good && h.click) s.measure_device = i;
        y += 52;
    }
    const bool any = s.measure_device < s.measure_devices.size() &&
                     s.measure_devices[s.measure_device].problem.empty();
    y += 28;
    const std::string_view start = u.tr(Str::ui_meas_start), full = u.tr(Str::ui_meas_full);
    if (button(u, "measure-start", r.x, y, start, {}, Weight::primary, any)) begin(s, true);
    const float x = r.x + button_width(u, start) + 10;
    if (x + button_width(u, full) <= r.right() &&
        button(u, "measure-full", x, y, full, {}, Weight::plain, any)) {
        begin(s, false);
    }
    y = u.wrap(r.x, y + 28, w, Face::c12, u.t.text3, u.tr(Str::ui_meas_nothing_changes)) + 8;
    if (browser) u.wrap(r.x, y, w, Face::b14, u.t.text2, u.tr(Str::ui_meas_native));
}

// "Now 32 × 16,384 tokens, sample 31."
std::string running_text(const Ui& u, const Progress& p) {
    if (!p.now) return {};
    const CaseShape& c = p.now->shape;
    const std::string n = grouped(std::uint64_t{p.samples});
    if (p.now->kernel == KernelKind::decode || p.now->kernel == KernelKind::prefill) {
        return u.tr(
            p.now->kernel == KernelKind::decode ? Str::ui_meas_now : Str::ui_meas_now_prompt,
            {grouped(std::uint64_t{c.batch}), grouped(std::uint64_t{c.ctx}), n});
    }
    const bool memory = p.now->kernel == KernelKind::read || p.now->kernel == KernelKind::copy;
    return u.tr(memory ? Str::ui_meas_now_memory : Str::ui_meas_now_gemm, {n});
}

void head(Ui& u, Session& s, Rect r, const Progress& p, bool running) {
    const Measurement& now = s.measurement;
    const bool cpu = is_processor(now.device);
    u.text(r.x, r.y, Face::t16b, u.t.text, u.tr(cpu ? Str::ui_meas_title_cpu : Str::ui_meas_title));
    const std::string_view word = u.tr(running ? Str::ui_meas_cancel : Str::ui_meas_again);
    const float w = button_width(u, word, running ? "Esc" : "");
    u.text(r.x, r.y + 25, Face::c12, u.t.text3,
           u.fit(Face::c12, now.device.name.empty() ? std::string() : device_caption(u, now.device),
                 r.w - w - 20));
    if ((running || s.host.measurer) &&
        button(u, "measure-cancel", r.right() - w, r.y + 18, word, running ? "Esc" : "")) {
        if (running)
            s.host.measurer->cancel();
        else
            s.measure_cases = 0, s.measurement = {}, s.measure_from_file = false;
    }
    const float y = r.y + 56;
    if (!running) {
        std::string done =
            u.tr(Str::ui_meas_shapes, {grouped(std::uint64_t{s.measurement.cases.size()})});
        if (s.measurement.cancelled) done += " " + std::string(u.tr(Str::ui_meas_cancelled));
        if (s.measure_from_file && !now.time.empty()) done += " " + now.time.substr(0, 10) + ".";
        u.hline(r.x, r.right(), y + 2, u.t.line);
        u.text(r.x, y + 12, Face::c12, u.t.text2, done);
        return;
    }
    const double share =
        p.total > 0 ? static_cast<double>(p.done) / static_cast<double>(p.total) : 0;
    u.fill({r.x, y, r.w, 4}, u.t.line, 2);
    u.fill({r.x, y, r.w * static_cast<float>(share), 4}, u.t.accent, 2);
    const std::string done =
        p.total > 0 ? u.tr(Str::ui_meas_done,
                           {grouped(std::uint64_t{p.done}), grouped(std::uint64_t{p.total})}) +
                          " " + running_text(u, p)
                    : std::string(u.tr(Str::ui_meas_testing));
    const std::string left =
        p.total > 0 ? u.tr(Str::ui_meas_left, {grouped(std::ceil(p.seconds_left))}) : std::string();
    u.text(r.x, y + 12, Face::c12, u.t.text2,
           u.fit(Face::c12, done, r.w - u.width(Face::c12, left) - 20));
    u.text(r.right(), y + 12, Face::c12, u.t.text2, left, Align::right);
}

// A measured number with its prediction under it. The plot beside it is its derivation.
void figure(const Ui& u, float x, float y, std::string_view label, std::string_view value,
            std::string_view unit, std::string_view note) {
    float end = u.text(x, y, Face::c12, u.t.text2, label);
    draw_basis(u, end + 10, y + 7, Basis::measured, u.t.accent);
    end = u.text(x, y + 20, Face::v20b, u.t.text, value);
    u.text(end + 5, y + 24, Face::b14, u.t.text2, unit);
    u.text(x, y + 50, Face::c12, u.t.text3, note);
}

float last_shapes(const Ui& u, Rect r, const Measurement& m, int most) {
    float y = r.y;
    u.text(r.x, y, Face::c12, u.t.text3, u.tr(Str::ui_meas_shape));
    u.text(r.right() - 84, y, Face::c12, u.t.text3, "µs", Align::right);
    u.text(r.right(), y, Face::c12, u.t.text3, "GB/s", Align::right);
    y += 22;
    int shown = 0;
    for (auto c = m.cases.rbegin(); c != m.cases.rend() && shown < most; ++c) {
        if (c->kernel != KernelKind::decode) continue;
        ++shown;
        const std::string shape =
            grouped(std::uint64_t{c->shape.batch}) + " × " + grouped(std::uint64_t{c->shape.ctx});
        const bool odd = c->noisy || c->rejected;
        u.text(r.x, y, Face::b14, u.t.text, shape);
        u.text(r.right() - 84, y, Face::b14, u.t.text, three_digits(c->statistics.median / 1e3),
               Align::right);
        u.text(r.right(), y, odd ? Face::b14b : Face::b14, odd ? u.t.warn : u.t.text,
               three_digits(c->bytes_per_s() / 1e9), Align::right);
        y += 24;
    }
    return y;
}

float finding(const Ui& u, float x, float y, float w, std::string_view title,
              std::string_view text) {
    draw_sign(u, x + 6, y + 9, Sign::warning, u.t.warn, 5.5f);
    if (!title.empty()) {
        u.text(x + 22, y, Face::b14b, u.t.text, title);
        y += 22;
    }
    return u.wrap(title.empty() ? x + 22 : x, y, title.empty() ? w - 22 : w, Face::c12, u.t.text2,
                  text) +
           8;
}

// A sentence each: what differs, what disturbs; at most three.
float findings(const Ui& u, Rect r, const Measurement& m, const KernelPrediction& k) {
    float y = r.y;
    int shown = 0;
    if (const auto slow = slow_batch(decode_points(m), k)) {
        const auto percent = [](double v) { return decimals(v * 100, 0); };
        y = finding(u, r.x, y, r.w, u.tr(Str::ui_meas_slow, {grouped(std::uint64_t{slow->batch})}),
                    u.tr(Str::ui_meas_slow_text, {percent(slow->share), percent(slow->others)}));
        ++shown;
    }
    std::uint64_t noisy = 0, rejected = 0;
    for (const Case& c : m.cases) {
        noisy += c.noisy;
        rejected += c.rejected;
    }
    if (noisy > 0) {
        y = finding(u, r.x, y, r.w, {}, u.tr(Str::ui_meas_noisy, {grouped(noisy)}));
        ++shown;
    }
    if (rejected > 0 && shown < 3) {
        y = finding(u, r.x, y, r.w, {}, u.tr(Str::ui_meas_rejected, {grouped(rejected)}));
        ++shown;
    }
    for (const std::string& w : m.warnings) {
        if (shown++ >= 3) break;
        y = finding(u, r.x, y, r.w, {}, w);
    }
    return y;
}

// The scenario's time per token with the model's own constants, with these, and how well the fit
// holds.
float side_by_side(const Ui& u, const Session& s, Rect r) {
    if (!s.scenario.calibration || !s.estimate.speed || !s.estimate.speed_default) return r.y;
    const Calibration& c = *s.scenario.calibration;
    float y = r.y + 14;
    u.text(r.x, y, Face::c12, u.t.text3, u.tr(Str::ui_meas_in_scenario));
    y += 20;
    const auto row = [&](Str label, const std::string& value, bool measured) {
        const float end = u.text(r.x, y, Face::b14, u.t.text2, u.tr(label));
        if (measured) draw_basis(u, end + 11, y + 9, Basis::measured, u.t.accent);
        u.text(r.right(), y, measured ? Face::b14b : Face::b14, u.t.text, value, Align::right);
        y += 24;
    };
    row(Str::ui_meas_tpot_default, duration(s.estimate.speed_default->tpot.value), false);
    row(Str::ui_meas_tpot_with, duration(s.estimate.speed->tpot.value), true);
    if (c.residual) row(Str::ui_meas_residual, decimals(*c.residual * 100, 1) + " %", false);
    return y + 8;
}

// Returns its end.
float side_panel(Ui& u, Session& s, Rect r, const KernelPrediction& k, bool running) {
    const Measurement& m = s.measurement;
    const Calibration& f = m.fit;
    const std::string dash = "–";
    float y = r.y;
    u.text(r.x, y, Face::b14b, u.t.text, u.tr(running ? Str::ui_meas_so_far : Str::ui_meas_result));
    y += 30;
    const float half = r.x + r.w * .53f;
    figure(u, r.x, y, u.tr(Str::ui_meas_share), f.e_kv ? decimals(*f.e_kv * 100, 0) : dash, "%",
           u.tr(Str::ui_meas_predicted, {decimals(k.share * 100, 0)}));
    if (is_processor(m.device)) {
        figure(u, half, y, u.tr(Str::ui_meas_bandwidth),
               f.bandwidth ? three_digits(*f.bandwidth / 1e9) : dash, "GB/s", {});
    } else {
        figure(u, half, y, u.tr(Str::ui_meas_fixed), f.t0 ? decimals(*f.t0 * 1e6, 1) : dash, "µs",
               u.tr(Str::ui_meas_predicted, {decimals(k.t0 * 1e6, 1)}));
    }
    y += 80;
    u.hline(r.x, r.right(), y, u.t.line);
    // What the numbers do to the scenario, once they are in it; until then the last shapes.
    y = s.scenario.calibration && !running ? side_by_side(u, s, {r.x, y, r.w, 0})
                                           : last_shapes(u, {r.x, y + 14, r.w, 0}, m, 5) + 4;
    u.hline(r.x, r.right(), y, u.t.line);
    y = findings(u, {r.x, y + 14, r.w, 0}, m, k);
    if (!m.failure.empty()) {
        draw_sign(u, r.x + 6, y + 9, Sign::cross, u.t.bad, 5.5f);
        y = u.wrap(r.x + 22, y, r.w - 22, Face::c12, u.t.text2, m.failure) + 8;
    }
    if (running) return y;
    // A processor's shares say nothing about the scenario's GPU.
    const bool useful = f.e_kv && !is_processor(m.device);
    if (f.e_kv && is_processor(m.device)) {
        y = u.wrap(r.x, y, r.w, Face::c12, u.t.text3, u.tr(Str::ui_meas_processor_only)) + 4;
    }
    y += 20;
    float x = r.x;
    if (s.scenario.calibration) {
        const std::string_view drop = u.tr(Str::ui_meas_drop);
        if (button(u, "measure-drop", x, y, drop)) s.next.calibration.reset();
        x += button_width(u, drop) + 10;
    } else if (useful) {
        const std::string_view use = u.tr(Str::ui_meas_use);
        if (button(u, "measure-use", x, y, use, {}, Weight::primary))
            s.next.calibration = carried(f);
        x += button_width(u, use) + 10;
    }
    if (s.host.save_text && !m.cases.empty() && !s.measure_from_file &&
        button(u, "measure-save", x, y, u.tr(Str::ui_meas_save))) {
        const std::string where = s.host.save_text("kvgauge-measurement.json", measurement_json(m));
        s.notices.clear();
        s.notices.push_back(
            {std::string(u.tr(where.empty() ? Str::ui_meas_not_saved : Str::ui_meas_saved)),
             where});
    }
    return y + 20;
}

}  // namespace

void measure_view(Ui& u, Session& s, Rect r) {
    Measurer* m = s.host.measurer.get();
    const bool running = m != nullptr && m->running();
    if (m != nullptr) {
        m->step();
        if (m->cases() != s.measure_cases || running != s.measure_running) {
            if (!s.measure_from_file) {
                s.measure_cases = m->cases();
                s.measurement = m->result();
            }
        }
    }
    s.measure_running = running;
    if (running) {
        s.measure_wait_ms = m->frame_ms();
        if (!ImGui::GetIO().WantTextInput && !s.palette.open &&
            ImGui::IsKeyPressed(ImGuiKey_Escape, false))
            m->cancel();
    }
    s.measure_height = 0;
    const bool nothing = s.measurement.cases.empty() && s.measurement.failure.empty();
    if (!running && nothing) {
        if (m != nullptr)
            offer(u, s, r);
        else
            explain_absence(u, r);
        return;
    }
    const Progress progress = running ? m->progress() : Progress{};
    const KernelPrediction k = predict_kernel(s, s.measurement);
    const bool beside = r.w >= 720;
    const float top = r.y;
    const Rect whole = r;
    Rect side = beside ? r.cut_right(kSide) : Rect{};
    if (beside) r.cut_right(kGap);
    head(u, s, r.cut_top(100), progress, running);
    if (!beside) r.h = 360;
    measure_plots(u, r, s.measurement, k, running ? &progress : nullptr);
    if (!beside) side = {whole.x, r.bottom() + 24, whole.w, 0};
    const float end = side_panel(u, s, side, k, running);
    if (beside) u.vline(side.x - 24, side.y, std::max(side.bottom(), end), u.t.line);
    s.measure_height = end - top;
}

}  // namespace kvgauge::ui
