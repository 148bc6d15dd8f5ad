// SPDX-License-Identifier: MIT
// Plain LaTeX: `tabular` without packages. The derivations stay out: they do not fit a page's
// width.
#include "text/render.h"

namespace kvgauge {
namespace {

struct Spelling {
    std::string_view text, latex;
};
// What LaTeX reads as a command, and signs that its 8-bit engines do not know.
constexpr Spelling kSpellings[] = {
    {"\\", "\\textbackslash{}"},
    {"{", "\\{"},
    {"}", "\\}"},
    {"&", "\\&"},
    {"%", "\\%"},
    {"$", "\\$"},
    {"#", "\\#"},
    {"_", "\\_"},
    {"~", "\\textasciitilde{}"},
    {"^", "\\textasciicircum{}"},
    {"<", "$<$"},
    {">", "$>$"},
    {"\"", "\\textquotedbl{}"},
    {"\n", " \\newline "},
    {"\u00d7", "$\\times$"},
    {"\u00b7", "$\\cdot$"},
    {"\u2212", "$-$"},
    {"\u2264", "$\\le$"},
    {"\u2265", "$\\ge$"},
    {"\u00b5", "$\\mu$"},
    {"\u2013", "--"},
    {"\u2014", "---"},
    {"\u2248", "$\\approx$"},
    {"\u221e", "$\\infty$"},
    {"\u00a0", "~"},
};

// One line of a comment: a line break would end it.
std::string comment(std::string_view s) {
    std::string out = "% ";
    for (char c : s) out += c == '\n' || c == '\r' ? ' ' : c;
    return out + '\n';
}

}  // namespace

std::string latex_text(std::string_view s) {
    std::string out;
    while (!s.empty()) {
        std::string_view taken = s.substr(0, 1), written = taken;
        for (const Spelling& p : kSpellings) {
            if (!s.starts_with(p.text)) continue;
            taken = p.text;
            written = p.latex;
            break;
        }
        if (written != "\r") out += written;
        s.remove_prefix(taken.size());
    }
    return out;
}

std::string render_latex(const Report& r, Lang l, std::string_view words,
                         std::string_view address) {
    const auto title = [l](Str s) { return latex_text(text(l, s)); };
    std::string out = comment("kvgauge: " + std::string(words));
    if (!address.empty()) out += comment(address);
    out += comment(r.sentence + (r.range.empty() ? "" : " " + r.range));
    out += "\\begin{tabular}{@{}lp{0.4\\linewidth}ll@{}}\n\\hline\n" + title(Str::title_rows) +
           " & " + title(Str::title_value) + " & " + title(Str::title_range) + " & " +
           title(Str::title_basis) + " \\\\\n\\hline\n";
    for (const Row& row : r.rows) {
        out += latex_text(row.label) + " & " + latex_text(full_value_text(row)) + " & " +
               latex_text(range_text(row)) + " & " + latex_text(basis_word(l, row.basis)) +
               " \\\\\n";
    }
    return out + "\\hline\n\\end{tabular}\n";
}

}  // namespace kvgauge
