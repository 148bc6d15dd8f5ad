// SPDX-License-Identifier: MIT
// Owns: one measurement from self-test to fit, in slices short enough to be cancelled between. The
// same object serves a worker thread, the command line and a page without threads.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "probe/fit.h"
#include "probe/probe.h"
#include "probe/sweep.h"

namespace kvgauge {

struct Progress {
    std::size_t done = 0, total = 0;  // cases
    std::string running;              // "decode batch 8 ctx 16384 heads 32/8 dim 128 bf16"
    double seconds_left = 0;          // estimated
    bool finished = false;
    // The case that runs now: bytes of one call, samples taken and their median so far.
    std::optional<CaseSpec> now;
    std::uint64_t bytes = 0;
    std::size_t samples = 0;
    double median_ns = 0;
};

// Short text of a case, for progress and messages.
std::string describe(KernelKind, const CaseShape&);

class Session {
  public:
    using Clock = std::function<double()>;  // seconds, monotonic

    // `clock` is the wall clock that stop rules and time estimates use; a test hands in its own.
    Session(Probe&, MeasureRequest, Clock clock, StopRule rule);
    Session(Probe&, MeasureRequest, Clock clock);

    // Runs for about `budget_ms`, at least one sample; true while there is more to do.
    bool step(double budget_ms, const std::atomic<bool>* stop = nullptr);
    const Progress& progress() const { return progress_; }
    // So far, or for good when finished; fitted from the cases there are.
    Measurement result() const;

  private:
    void start();
    void begin_case();
    void end_case();
    void finish();
    void fail(std::string reason);

    enum class Stage { start, begin, sample, finished };
    Probe& probe_;
    MeasureRequest request_;
    Clock clock_;
    StopRule rule_;
    Stage stage_ = Stage::start;
    Progress progress_;
    Measurement measurement_;
    std::vector<CaseSpec> cases_;
    std::size_t next_ = 0;
    Case current_;
    std::vector<double> shares_;
    double began_ = 0;
    int warm_up_left_ = 0;
    int timeless_ = 0;
};

}  // namespace kvgauge
