// SPDX-License-Identifier: MIT
#include "kernels/split.h"

#include <algorithm>

namespace kvgauge::kernels {
namespace {

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

}  // namespace

Split make_split(const SplitInput& input, int wanted, const SplitCosts& costs) {
    const std::int64_t length = std::max<std::int64_t>(input.length, 1);
    const std::int64_t tiles = ceil_div(length, split_tile_keys);
    const std::int64_t per_split = ceil_div(tiles, std::clamp(wanted, 1, split_max));
    const std::int64_t splits = ceil_div(tiles, per_split);
    const std::int64_t slots = std::max(input.slots, 1);
    const std::int64_t waves =
        ceil_div(std::max<std::int64_t>(input.work_items, 1) * splits, slots);
    Split split;
    split.splits = static_cast<int>(splits);
    split.keys_per_split = static_cast<int>(per_split * split_tile_keys);
    split.cost = static_cast<double>(waves) * (static_cast<double>(per_split) + costs.per_block) +
                 (splits > 1 ? costs.per_partial * static_cast<double>(splits) : 0.0);
    return split;
}

std::vector<Split> best_splits(const SplitInput& input, int count, const SplitCosts& costs) {
    const std::int64_t most = std::clamp<std::int64_t>(input.length / split_min_keys, 1, split_max);
    std::vector<Split> found;
    for (int wanted = 1; wanted <= most; ++wanted) {
        const Split split = make_split(input, wanted, costs);
        // Several wishes round to one split; they come in order, so the last found is the twin.
        if (found.empty() || found.back().splits != split.splits) found.push_back(split);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Split& a, const Split& b) { return a.cost < b.cost; });
    if (count >= 0 && found.size() > static_cast<std::size_t>(count))
        found.resize(static_cast<std::size_t>(count));
    return found;
}

Split choose_split(const SplitInput& input, const SplitCosts& costs) {
    return best_splits(input, 1, costs).front();
}

}  // namespace kvgauge::kernels
