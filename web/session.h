// SPDX-License-Identifier: MIT
// Owns: what one page shows now. The scenario lives in the application that the canvas draws, also
// while there is no canvas, so that DOM, address bar and canvas can only follow the same one; its
// revision says when they must.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "data/catalog.h"
#include "text/answer.h"
#include "text/link.h"
#include "ui/app.h"

namespace kvgauge::web {

class Session {
  public:
    Session(const Catalog&, ui::Host);

    void set_link(std::string_view);
    // A key of the field table, or lang, theme, view. An empty text gives the default back.
    // Returns why it was refused, as one sentence; empty: done.
    std::string set_field(std::string_view key, std::string_view text);
    // A pasted or opened file: config.json, GGUF header, link. `quant`: the hf_quant_config.json
    // that lay beside a config.json. Returns why nothing came of it; empty: done.
    std::string take(std::string_view name, std::string_view bytes, std::string_view quant = {});

    ui::App& app() { return app_; }
    std::uint64_t revision() const { return app_.revision() + own_revision_; }
    const Scenario& scenario() const { return app_.scenario(); }
    const Presentation& presentation() const { return app_.presentation(); }
    std::string link() const { return app_.link(); }
    Lang lang() const { return app_.lang(); }
    // The answer with the notices of the last link or file before its own.
    Answered answered() const;

  private:
    void put(Scenario, Issues notices);

    const Catalog& catalog_;
    ui::App app_;
    Issues notices_;
    std::uint64_t noticed_at_ = 0;  // the application's revision the notices belong to
    std::uint64_t own_revision_ = 0;
};

// The page's one session.
Session& session();

}  // namespace kvgauge::web
