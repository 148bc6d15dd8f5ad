// SPDX-License-Identifier: MIT
// Owns: what a web page needs to draw itself, as JSON: the field table as a form, and the state of
// one page (rows as a person reads them, issues, the text of every key). The result for programs is
// kvgauge.estimate/1 and stands elsewhere; these two change with the page that reads them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "data/catalog.h"
#include "text/answer.h"
#include "text/fields.h"

namespace kvgauge {

struct PageState {
    std::uint64_t revision = 0;
    const Answered& answered;
    const Presentation& view;
    std::string link;
    std::string_view version;
};

std::string page_state_json(const PageState&, const Catalog&);
// {"fields":[...],"models":[{"id","name"}],"gpus":[...],"engines":[...]}
std::string page_form_json(const Catalog&);
// The tables of text/article.h.
std::string page_article_json(const Scenario&, const Catalog&);
// A text as a JSON string, with its quotes.
std::string page_string_json(std::string_view);
// "Llama 3 8B · 1 × A100 80GB SXM · vLLM 0.28 · TP 1"
std::string scenario_words(const Scenario&, const Estimate&);

}  // namespace kvgauge
