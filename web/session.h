// SPDX-License-Identifier: MIT
// Owns: what one page shows now: its scenario, presentation, report and notices. Every change bumps
// the revision, which is how DOM, address bar and canvas know that they must follow.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/catalog.h"
#include "text/answer.h"
#include "text/link.h"

namespace kvgauge::web {

class Session {
  public:
    explicit Session(const Catalog&);

    void set_link(std::string_view);
    // A key of the field table, or lang, theme, view. An empty text gives the default back.
    // Returns why it was refused, as one sentence; empty: done.
    std::string set_field(std::string_view key, std::string_view text);
    // A pasted or opened file: config.json or link. Returns what became of it, as one sentence.
    std::string take(std::string_view name, std::string_view bytes);

    std::uint64_t revision() const { return revision_; }
    const Scenario& scenario() const { return scenario_; }
    const Presentation& presentation() const { return view_; }
    const Answered& answered() const { return answered_; }
    Lang lang() const { return view_.lang == "ko" ? Lang::ko : Lang::en; }
    std::string link() const { return format_link(scenario_, view_, unknown_); }

  private:
    void changed();

    const Catalog& catalog_;
    std::uint64_t revision_ = 0;
    Scenario scenario_;
    Presentation view_;
    std::vector<std::pair<std::string, std::string>> unknown_;  // keys of a newer link, kept
    Issues notices_;
    Answered answered_;
};

}  // namespace kvgauge::web
