// SPDX-License-Identifier: MIT
// Owns: undo and redo of scenario edits. A run of edits by one control (a slider drag) is one step.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/scenario.h"

namespace kvgauge::ui {

class History {
  public:
    // The scenario as it was before an edit by `control`. Empty control: never merged.
    void record(const Scenario& before, std::string_view control) {
        redo_.clear();
        if (!control.empty() && control == last_) return;
        last_ = control;
        undo_.push_back(before);
        if (undo_.size() > kDepth) undo_.erase(undo_.begin());
    }
    // Ends a run: the next edit of the same control is a step of its own.
    void close_run() { last_.clear(); }

    std::optional<Scenario> undo(const Scenario& now) { return move(undo_, redo_, now); }
    std::optional<Scenario> redo(const Scenario& now) { return move(redo_, undo_, now); }
    bool can_undo() const { return !undo_.empty(); }
    bool can_redo() const { return !redo_.empty(); }

  private:
    static constexpr std::size_t kDepth = 200;
    std::optional<Scenario> move(std::vector<Scenario>& from, std::vector<Scenario>& to,
                                 const Scenario& now) {
        last_.clear();
        if (from.empty()) return std::nullopt;
        to.push_back(now);
        Scenario out = from.back();
        from.pop_back();
        return out;
    }
    std::vector<Scenario> undo_, redo_;
    std::string last_;
};

}  // namespace kvgauge::ui
