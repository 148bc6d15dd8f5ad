// SPDX-License-Identifier: MIT
// Owns: the gauge: one GPU's memory to scale, in bytes. KV is cut into requests, so that they can
// be counted; the border between overhead and KV is hatched where it is not certain. When the
// weights alone are too big the scale grows to the need.
#pragma once
#include "estimate.h"
#include "ui/ui.h"

namespace kvgauge::ui {

struct MemoryParts {
    double total = 0;  // of the GPU, as the engine divides it
    double usable = 0;
    double weights = 0;
    double overhead = 0, overhead_low = 0, overhead_high = 0;
    double kv = 0;
    double request = 0;   // reserved for one request; 0: not known
    double requests = 0;  // whole ones, by memory
    double missing = 0;   // what weights and overhead need beyond `usable`

    bool too_big() const { return missing > 0; }
    double end() const { return too_big() ? (usable + missing) * 1.04 : total; }
};

std::optional<MemoryParts> memory_parts(const Estimate&);

// `scale`: numbers under the bar. The bar itself has height r.h.
void memory_bar(const Ui&, Rect r, const MemoryParts&, bool scale);
// One small bar without cuts or scale, for lists.
void small_bar(const Ui&, Rect r, const MemoryParts&);

}  // namespace kvgauge::ui
