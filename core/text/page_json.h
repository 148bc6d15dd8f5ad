// SPDX-License-Identifier: MIT
// Owns: what a web page needs to draw itself, as JSON: the field table as a form, and the state of
// one page (rows as a person reads them, issues, the text of every key). The result for programs is
// kvgauge.estimate/1 and stands elsewhere; these two change with the page that reads them.
#pragma once
#include <cstdint>
#include <string>

#include "data/catalog.h"
#include "estimate.h"
#include "text/fields.h"
#include "text/report.h"

namespace kvgauge {

struct PageState {
    std::uint64_t revision = 0;
    const Scenario& scenario;
    const Presentation& view;
    const Estimate& estimate;
    const Report& report;
    const Issues& notices;  // of the link or file, beside those of the report
    std::string link;
};

std::string page_state_json(const PageState&, const Catalog&);
// {"fields":[...],"models":[{"id","name"}],"gpus":[...],"engines":[...]}
std::string page_form_json(const Catalog&);
// The tables of text/article.h.
std::string page_article_json(const Scenario&, const Catalog&);
// "Llama 3 8B · 1 × A100 80GB SXM · vLLM 0.28 · TP 1"
std::string scenario_words(const Scenario&, const Estimate&);

}  // namespace kvgauge
