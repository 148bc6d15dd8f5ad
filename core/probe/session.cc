// SPDX-License-Identifier: MIT
#include "probe/session.h"

#include <utility>

namespace kvgauge {
namespace {

// Samples thrown away at the start of each case: caches, clocks, page tables.
constexpr int warm_up_samples = 2;
constexpr int most_timeless = 500;

StopRule usual(bool quick) {
    StopRule rule;
    if (quick)
        rule = {.min_samples = 15, .max_samples = 200, .precision = 0.02, .max_seconds = 1.2};
    return rule;
}

}  // namespace

std::string describe(KernelKind kernel, const CaseShape& s) {
    std::string text(name(kernel));
    switch (kernel) {
        case KernelKind::read:
        case KernelKind::copy:
            text += " " + std::to_string(s.bytes >> 20) + " MiB";
            break;
        case KernelKind::gemm:
            text += " " + std::to_string(s.m) + " x " + std::to_string(s.n) + " x " +
                    std::to_string(s.k);
            break;
        case KernelKind::decode:
        case KernelKind::prefill:
            text += " batch " + std::to_string(s.batch) + " ctx " + std::to_string(s.ctx) +
                    " heads " + std::to_string(s.q_heads) + "/" + std::to_string(s.kv_heads) +
                    " dim " + std::to_string(s.head_dim) + " " + std::string(name(s.kv));
            if (s.page) text += " page " + std::to_string(s.page);
            break;
    }
    if (s.threads > 1) text += ", " + std::to_string(s.threads) + " threads";
    return text;
}

Session::Session(Probe& probe, MeasureRequest request, Clock clock, StopRule rule)
    : probe_(probe), request_(std::move(request)), clock_(std::move(clock)), rule_(rule) {
    measurement_.quick = request_.quick;
}

Session::Session(Probe& probe, MeasureRequest request, Clock clock)
    : Session(probe, request, std::move(clock), usual(request.quick)) {}

bool Session::step(double budget_ms, const std::atomic<bool>* stop) {
    const double until = clock_() + budget_ms * 1e-3;
    do {
        if (stage_ == Stage::finished) return false;
        if (stop != nullptr && stop->load(std::memory_order_relaxed)) {
            measurement_.cancelled = true;
            if (stage_ == Stage::sample && !current_.samples_ns.empty()) end_case();
            finish();
            return false;
        }
        switch (stage_) {
            case Stage::start:
                start();
                break;
            case Stage::begin:
                begin_case();
                break;
            case Stage::sample: {
                const Sample s = probe_.sample(stop);
                if (!s.failure.empty()) {
                    fail(s.failure);
                } else if (s.ns > 0 && warm_up_left_ > 0) {
                    --warm_up_left_;
                } else if (!(s.ns > 0)) {
                    // Stopped in the middle; a device that never gives a time is not waited for.
                    if (++timeless_ > most_timeless) end_case();
                } else {
                    current_.samples_ns.push_back(s.ns);
                    if (s.read_ns > 0) shares_.push_back(s.read_ns / s.ns);
                    const Statistics so_far = summarize(current_.samples_ns);
                    progress_.samples = so_far.n;
                    progress_.median_ns = so_far.median;
                    if (enough(rule_, so_far, clock_() - began_)) end_case();
                }
                break;
            }
            case Stage::finished:
                break;
        }
    } while (clock_() < until && stage_ != Stage::finished);
    return stage_ != Stage::finished;
}

void Session::start() {
    measurement_.device = probe_.device();
    if (measurement_.device.peak_flops16 == 0)
        measurement_.device.peak_flops16 = request_.peak_flops16;
    if (!measurement_.device.problem.empty()) return fail(measurement_.device.problem);
    const std::string wrong = probe_.self_test();
    if (!wrong.empty())
        return fail("The device's self-test failed, so nothing was timed: " + wrong);
    measurement_.clocks_before = probe_.clocks();
    cases_ = sweep(request_, measurement_.device, probe_);
    progress_.total = cases_.size();
    stage_ = Stage::begin;
}

void Session::begin_case() {
    if (next_ == cases_.size()) return finish();
    CaseSpec& spec = cases_[next_++];
    progress_.running = describe(spec.kernel, spec.shape);
    progress_.now = spec;
    progress_.bytes = 0;
    progress_.samples = 0;
    progress_.median_ns = 0;
    progress_.seconds_left = static_cast<double>(cases_.size() - next_ + 1) * rule_.max_seconds;
    const Prepared ready = probe_.prepare(spec.kernel, spec.shape, request_.limits);
    if (!ready.refusal.empty()) {
        if (ready.fatal) return fail(ready.refusal);
        measurement_.warnings.push_back(progress_.running + ": " + ready.refusal);
        ++progress_.done;
        return;
    }
    current_ = {};
    current_.kernel = spec.kernel;
    current_.shape = spec.shape;
    current_.bytes = progress_.bytes = ready.bytes;
    progress_.now = spec;  // it may have come back smaller
    current_.flops = ready.flops;
    current_.splits = ready.splits;
    current_.cold = ready.cold;
    current_.clock = ready.clock;
    current_.warnings = ready.notes;
    shares_.clear();
    timeless_ = 0;
    warm_up_left_ = warm_up_samples;
    began_ = clock_();
    stage_ = Stage::sample;
}

void Session::end_case() {
    probe_.release();
    Case& c = current_;
    c.statistics = summarize(c.samples_ns);
    if (c.samples_ns.empty()) c.warnings.push_back("The device gave no time for it.");
    c.noisy = is_noisy(c.statistics);
    if (!shares_.empty()) c.share_of_read = median(shares_);
    if (c.cold && !plausible(c.bytes_per_s(), measurement_.device.bandwidth)) {
        c.rejected = true;
        c.warnings.push_back("Rejected: faster than 1.03 x the device's specified bandwidth.");
    }
    measurement_.cases.push_back(std::move(current_));
    current_ = {};
    ++progress_.done;
    stage_ = Stage::begin;
}

void Session::finish() {
    if (stage_ == Stage::finished) return;
    probe_.release();
    measurement_.clocks_after = probe_.clocks();
    for (const std::string& reason : measurement_.clocks_after.throttled)
        measurement_.warnings.push_back("The device was held back: " + reason + ".");
    if (measurement_.device.slice)
        measurement_.warnings.push_back(
            "This is a MIG slice: its figures are not those of the whole card.");
    stage_ = Stage::finished;
    progress_.finished = true;
    progress_.running.clear();
    progress_.now.reset();
    progress_.seconds_left = 0;
}

void Session::fail(std::string reason) {
    measurement_.failure = std::move(reason);
    finish();
}

Measurement Session::result() const {
    Measurement m = measurement_;
    m.fit = fit(m.device, m.cases,
                m.failure.empty() && stage_ == Stage::finished && !m.cases.empty()
                    ? probe_.launch_floor_ns()
                    : std::nullopt);
    return m;
}

}  // namespace kvgauge
