// SPDX-License-Identifier: MIT
#include "probe/measurement.h"

#include <array>

namespace kvgauge {
namespace {

constexpr std::array<std::string_view, 5> names{"read", "copy", "decode", "prefill", "gemm"};

}  // namespace

std::string_view name(KernelKind kernel) {
    return names[static_cast<std::size_t>(kernel)];
}

std::optional<KernelKind> parse_kernel(std::string_view text) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == text) return static_cast<KernelKind>(i);
    }
    return std::nullopt;
}

bool Measurement::noisy() const {
    for (const Case& c : cases) {
        if (c.noisy && !c.rejected) return true;
    }
    return !clocks_before.throttled.empty() || !clocks_after.throttled.empty();
}

}  // namespace kvgauge
