// SPDX-License-Identifier: MIT
// Owns: the interface to whatever measures for the window: a thread of its own, or slices of a
// page's only thread. Polled once a frame; nothing here waits.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "probe/measurement.h"
#include "probe/session.h"

namespace kvgauge::ui {

class Measurer {
  public:
    virtual ~Measurer() = default;
    // What could be measured; those that cannot be say why. Empty while they are being looked for:
    // a driver may take its time.
    virtual std::optional<std::vector<DeviceInfo>> devices() = 0;
    virtual void start(std::string_view device, const MeasureRequest&) = 0;
    virtual void cancel() = 0;
    // Work of a shell without threads; at most about 10 ms.
    virtual void step() {}
    // How soon another frame is wanted while something runs.
    virtual int frame_ms() const { return 100; }
    virtual bool running() const = 0;
    // Copies as of now. The number grows with every finished case, so that a caller copies the
    // measurement only then.
    virtual Progress progress() const = 0;
    virtual std::size_t cases() const = 0;
    virtual Measurement result() const = 0;
};

}  // namespace kvgauge::ui
