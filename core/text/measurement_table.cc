// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "text/measurement.h"

namespace kvgauge {
namespace {

std::string shape_text(const Case& c) {
    const CaseShape& s = c.shape;
    std::string text;
    switch (c.kernel) {
        case KernelKind::read:
        case KernelKind::copy:
            text = fmt::format("{} MiB", s.bytes >> 20);
            break;
        case KernelKind::gemm:
            text = fmt::format("{} x {} x {}", s.m, s.n, s.k);
            break;
        case KernelKind::decode:
        case KernelKind::prefill:
            text = fmt::format("{} x {} tokens, {}/{} heads of {}, {}", s.batch, s.ctx, s.q_heads,
                               s.kv_heads, s.head_dim, name(s.kv));
            if (s.page) text += fmt::format(", pages of {}", s.page);
            break;
    }
    if (s.threads) text += fmt::format(", {} thread{}", s.threads, s.threads == 1 ? "" : "s");
    return text;
}

std::string time_text(double ns) {
    if (ns <= 0) return "";
    if (ns < 1e6) return fmt::format("{:.1f} us", ns / 1e3);
    return fmt::format("{:.3f} ms", ns / 1e6);
}

// GB/s for memory kernels, TFLOP/s for arithmetic ones.
std::string rate_text(const Case& c) {
    if (c.statistics.median <= 0) return "";
    if (c.kernel == KernelKind::gemm || c.kernel == KernelKind::prefill)
        return fmt::format("{:.1f} TFLOP/s", c.flops_per_s() / 1e12);
    return fmt::format("{:.1f} GB/s", c.bytes_per_s() / 1e9);
}

std::string share_text(const Case& c) {
    if (c.kernel != KernelKind::decode || !c.share_of_read) return "";
    return fmt::format("{:.0f} %", *c.share_of_read * 100);
}

std::string note_text(const Case& c) {
    std::string note;
    if (c.rejected)
        note = "rejected";
    else if (c.noisy)
        note = "noisy";
    if (!c.cold) note += note.empty() ? "from cache" : ", from cache";
    return note;
}

struct Line {
    std::string name, value;
};
std::vector<Line> fit_lines(const Calibration& c) {
    std::vector<Line> lines;
    const auto add = [&](const char* name, const std::optional<double>& v, const char* format,
                         double scale) {
        if (v) lines.push_back({name, fmt::format(fmt::runtime(format), *v * scale)});
    };
    add("read bandwidth", c.bandwidth, "{:.1f} GB/s", 1e-9);
    add("e_w, share of bandwidth for weights", c.e_w, "{:.3f}", 1);
    add("e_kv, the same for a 16-bit cache", c.e_kv, "{:.3f}", 1);
    add("e_kv, for an fp8 cache", c.e_kv_fp8, "{:.3f}", 1);
    add("t0, fixed time of an attention kernel", c.t0, "{:.1f} us", 1e6);
    add("mfu_pre, share of peak in prefill products", c.mfu_pre, "{:.3f}", 1);
    add("mfu_dec, share of peak in decode products", c.mfu_dec, "{:.3f}", 1);
    add("mfu_attn, share of peak in prefill attention", c.mfu_attn, "{:.3f}", 1);
    add("tau, fixed time of a layer", c.tau, "{:.1f} us", 1e6);
    add("residual of the fit, median", c.residual, "{:.1f} %", 100);
    return lines;
}

std::string device_text(const DeviceInfo& d) {
    std::string text = d.name;
    if (!d.arch.empty()) text += ", " + d.arch;
    if (d.units) text += fmt::format(", {} {}", d.units, d.id == "cpu" ? "processors" : "SMs");
    if (d.memory_bytes)
        text += fmt::format(", {:.1f} GiB", static_cast<double>(d.memory_bytes) / (1 << 30));
    if (d.cache_bytes)
        text += fmt::format(", {:.0f} MiB cache", static_cast<double>(d.cache_bytes) / (1 << 20));
    if (d.bandwidth > 0) text += fmt::format(", {:.0f} GB/s by specification", d.bandwidth / 1e9);
    if (!d.driver.empty()) text += ", driver " + d.driver;
    return text;
}

std::string csv_cell(std::string_view text) {
    if (text.find_first_of(",\"\n") == std::string_view::npos) return std::string(text);
    std::string cell = "\"";
    for (const char c : text) {
        if (c == '"') cell += '"';
        cell += c;
    }
    return cell + "\"";
}

}  // namespace

std::string measurement_markdown(const Measurement& m) {
    std::string out = fmt::format("**{}**: {}\n\n", m.device.id, device_text(m.device));
    if (!m.failure.empty()) return out + m.failure + "\n";
    out +=
        "| kernel | shape | time | p10 to p90 | rate | of read | n | note |\n"
        "|---|---|---|---|---|---|---|---|\n";
    for (const Case& c : m.cases)
        out += fmt::format("| {} | {} | {} | {} to {} | {} | {} | {} | {} |\n", name(c.kernel),
                           shape_text(c), time_text(c.statistics.median),
                           time_text(c.statistics.p10), time_text(c.statistics.p90), rate_text(c),
                           share_text(c), c.statistics.n, note_text(c));
    out += "\n| fitted | value |\n|---|---|\n";
    for (const Line& line : fit_lines(m.fit))
        out += fmt::format("| {} | {} |\n", line.name, line.value);
    for (const std::string& warning : m.warnings) out += "\n- " + warning;
    return out + (m.warnings.empty() ? "" : "\n");
}

std::string measurement_text(const Measurement& m) {
    std::string out = fmt::format("{}  {}\n", m.device.id, device_text(m.device));
    if (!m.failure.empty()) return out + m.failure + "\n";
    out += fmt::format("\n{:<8}{:<58}{:>13}{:>17}{:>9}  {}\n", "kernel", "shape", "time", "rate",
                       "of read", "note");
    for (const Case& c : m.cases)
        out +=
            fmt::format("{:<8}{:<58}{:>13}{:>17}{:>9}  {}\n", name(c.kernel), shape_text(c),
                        time_text(c.statistics.median), rate_text(c), share_text(c), note_text(c));
    out += "\n";
    for (const Line& line : fit_lines(m.fit))
        out += fmt::format("{:<48}{:>16}\n", line.name, line.value);
    for (const std::string& warning : m.warnings) out += warning + "\n";
    return out;
}

std::string measurement_csv(const Measurement& m) {
    std::string out =
        "kernel,batch,ctx,q_heads,kv_heads,group,head_dim,kv,page,threads,m,n,k,samples,mean_ns,"
        "stddev_ns,p10_ns,median_ns,p90_ns,bytes,flops,gb_s,share_of_read,cold,noisy,rejected,"
        "device\n";
    for (const Case& c : m.cases) {
        const CaseShape& s = c.shape;
        out += fmt::format(
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.0f},{:.0f},{:.0f},{:.0f},{:.0f},"
            "{},{},{:.3f},{},{},{},{},{}\n",
            name(c.kernel), s.batch, s.ctx, s.q_heads, s.kv_heads, s.group(), s.head_dim,
            name(s.kv), s.page, s.threads, s.m, s.n, s.k, c.statistics.n, c.statistics.mean,
            c.statistics.stddev, c.statistics.p10, c.statistics.median, c.statistics.p90, c.bytes,
            c.flops, c.bytes_per_s() / 1e9,
            c.share_of_read ? fmt::format("{:.4f}", *c.share_of_read) : "", c.cold, c.noisy,
            c.rejected, csv_cell(m.device.name));
    }
    return out;
}

std::string devices_text(const std::vector<DeviceInfo>& devices) {
    std::string out;
    for (const DeviceInfo& d : devices) {
        out += fmt::format("{:<8}{}\n", d.id, d.problem.empty() ? device_text(d) : d.problem);
        if (d.slice) out += "        a MIG slice\n";
    }
    return out;
}

}  // namespace kvgauge
