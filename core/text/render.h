// SPDX-License-Identifier: MIT
// Owns: a report as a page of text, a Markdown table and CSV. JSON: text/json.h.
#pragma once
#include <string>
#include <string_view>

#include "text/report.h"

namespace kvgauge {

struct RenderOptions {
    Lang lang = Lang::en;
    bool colour = false;       // terminal escapes; text only
    bool derivations = false;  // the formula under each row; text only
};
// The answer, the warnings, then one row a line.
std::string render_text(const Report&, const RenderOptions& = {});
std::string render_markdown(const Report&, Lang = Lang::en);
// RFC 4180: id,label,value,unit,basis,low,high,derivation; numbers raw.
std::string render_csv(const Report&, bool header = true);

std::string markdown_cell(std::string_view);
std::string csv_cell(std::string_view);
// Columns of a terminal that a text takes: CJK two, combining marks none.
std::size_t display_width(std::string_view utf8);

}  // namespace kvgauge
