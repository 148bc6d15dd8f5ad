// SPDX-License-Identifier: MIT
// Owns: the interface to one device that can be measured. A probe allocates, runs and times; what
// to run, how often, and what the times mean is the session's (session.h), the same for every
// device. A probe belongs to one thread.
#pragma once
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "probe/measurement.h"

namespace kvgauge {

struct MeasureLimits {
    std::uint64_t memory_cap = 0;  // bytes a case may allocate; 0: the probe's own rule
    std::uint32_t threads = 0;     // of a CPU; 0: all it may use
};

// How a case was set up, or why it was not.
struct Prepared {
    std::string refusal;  // empty: ready. Else a sentence: what, how much, what there was
    bool fatal = false;   // nothing more can be run on this device
    std::uint64_t bytes = 0, flops = 0;  // of one call
    std::uint32_t splits = 0;
    bool cold = true;
    std::string clock;
    std::vector<std::string> notes;  // batch halved, fewer copies, ...
};

// One call of the case, and one read of the same number of bytes beside it: pairs, so that what
// disturbs the machine disturbs both.
struct Sample {
    double ns = 0;
    double read_ns = 0;   // 0: no such pair (gemm, prefill)
    std::string failure;  // not empty: the device failed meanwhile
};

class Probe {
  public:
    virtual ~Probe() = default;
    virtual DeviceInfo device() = 0;
    virtual ClockState clocks() { return {}; }
    // Empty when the device computes what it should; no figure is taken before.
    virtual std::string self_test() = 0;
    // Kernel kinds and cache types it has; a case of another is left out of a sweep.
    virtual bool has(KernelKind, DType kv) const = 0;
    // `shape` may come back smaller where memory was short; the notes say so.
    virtual Prepared prepare(KernelKind, CaseShape& shape, const MeasureLimits&) = 0;
    // About 30 ms of device work at most where the case allows it.
    virtual Sample sample(const std::atomic<bool>* stop) = 0;
    virtual void release() = 0;
    virtual std::optional<double> launch_floor_ns() { return std::nullopt; }
};

}  // namespace kvgauge
