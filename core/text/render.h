// SPDX-License-Identifier: MIT
// Owns: a report as a page of text, a Markdown table, CSV, LaTeX and an SVG card. JSON:
// text/json.h.
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
// `words`: the scenario; `address`: of the page with its link. Empty: no line that names them.
std::string render_markdown(const Report&, Lang = Lang::en, std::string_view words = {},
                            std::string_view address = {});
// RFC 4180: id,label,value,unit,basis,low,high,derivation; numbers raw.
std::string render_csv(const Report&, bool header = true);

// A `tabular`, with scenario, address and answer as comments before it.
std::string render_latex(const Report&, Lang, std::string_view words, std::string_view address);
std::string render_svg(const Report&, std::string_view words);

// The value, byte counts also in full: "128 KiB (131,072 B)".
std::string full_value_text(const Row&);
std::string latex_text(std::string_view);
std::string markdown_cell(std::string_view);
std::string csv_cell(std::string_view);
// Columns of a terminal that a text takes: CJK two, combining marks none.
std::size_t display_width(std::string_view utf8);

}  // namespace kvgauge
