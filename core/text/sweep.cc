// SPDX-License-Identifier: MIT
#include "text/sweep.h"

#include <algorithm>
#include <bit>

#include "estimate_traffic.h"

namespace kvgauge {
namespace {

// Keys that make more stale come first.
bool heavier(const Axis& a, const Axis& b) {
    return std::popcount(stale_by(a.field->key)) > std::popcount(stale_by(b.field->key));
}

}  // namespace

std::optional<std::uint64_t> points_of(const std::vector<Axis>& axes) {
    Count n = 1;
    for (const Axis& a : axes) n *= a.values.size();
    if (n.overflow()) return std::nullopt;
    return n.value();
}

Sweep::Sweep(Scenario base, std::vector<Axis> axes, const Catalog& catalog, bool traffic)
    : catalog_(catalog),
      scenario_(std::move(base)),
      axes_(std::move(axes)),
      digits_(axes_.size(), 0),
      size_(points_of(axes_).value_or(0)),
      estimator_(catalog, estimate_),
      traffic_(traffic) {
    std::stable_sort(axes_.begin(), axes_.end(), heavier);
    for (const Axis& a : axes_) values_.push_back(prepare(a));
}

Sweep::Values Sweep::prepare(const Axis& axis) {
    Values v;
    const Field& f = *axis.field;
    v.stale = stale_by(f.key);
    if (f.slot == nullptr) return v;
    v.slot = f.slot(scenario_);
    const bool real = std::holds_alternative<std::optional<double>*>(v.slot);
    Scenario scratch = scenario_;
    const Slot at = f.slot(scratch);
    for (const std::string& text : axis.values) {
        f.set(scratch, text, catalog_);
        if (real) {
            v.real.push_back(std::get<std::optional<double>*>(at)->value_or(0));
        } else if (auto* const* n = std::get_if<std::uint64_t*>(&at)) {
            v.whole.push_back(**n);
        } else if (auto* const* o = std::get_if<std::optional<std::uint64_t>*>(&at)) {
            v.whole.push_back((*o)->value_or(0));
        } else if (auto* const* b = std::get_if<bool*>(&at)) {
            v.whole.push_back(**b ? 1 : 0);
        } else {
            v.whole.push_back(std::get<std::optional<bool>*>(at)->value_or(false) ? 1 : 0);
        }
    }
    return v;
}

void Sweep::apply(std::size_t axis) {
    const Values& v = values_[axis];
    const std::size_t i = digits_[axis];
    if (auto* const* n = std::get_if<std::uint64_t*>(&v.slot)) {
        **n = v.whole[i];
    } else if (auto* const* o = std::get_if<std::optional<std::uint64_t>*>(&v.slot)) {
        **o = v.whole[i];
    } else if (auto* const* r = std::get_if<std::optional<double>*>(&v.slot)) {
        **r = v.real[i];
    } else if (auto* const* b = std::get_if<bool*>(&v.slot)) {
        **b = v.whole[i] != 0;
    } else if (auto* const* t = std::get_if<std::optional<bool>*>(&v.slot)) {
        **t = v.whole[i] != 0;
    } else {
        // A word: accepted when the axis was read.
        axes_[axis].field->set(scenario_, axes_[axis].values[i], catalog_);
    }
}

void Sweep::go(std::uint64_t index) {
    Stale stale = 0;
    std::uint64_t carry = index == at_ + 1 && started_ ? 1 : 0, rest = index;
    const bool next = carry != 0;
    for (std::size_t a = axes_.size(); a-- > 0 && (!next || carry != 0);) {
        const std::uint64_t n = axes_[a].values.size();
        std::uint64_t digit;
        if (next) {
            digit = digits_[a] + carry;
            carry = digit == n ? 1 : 0;
            if (carry != 0) digit = 0;
        } else {
            digit = rest % n;
            rest /= n;
        }
        if (started_ && digit == digits_[a]) continue;
        digits_[a] = static_cast<std::uint32_t>(digit);
        stale |= values_[a].stale;
        apply(a);
    }
    at_ = index;
    if (!started_) stale = kAllStale;
    started_ = true;
    if (stale != 0) estimator_.run(scenario_, stale);
    // Why a point has no answer is not said point by point.
    Issues unsaid;
    if (traffic_ && scenario_.mix.given()) add_traffic(scenario_, catalog_, estimate_, unsaid);
}

}  // namespace kvgauge
