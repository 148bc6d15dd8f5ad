// SPDX-License-Identifier: MIT
// What can be taken out: Markdown with its source, LaTeX that compiles, a card that is XML.
#include "text/render.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "text/answer.h"
#include "text/link.h"
#include "text/page_json.h"

namespace kvgauge {
namespace {

Answered ask(std::string_view link) {
    return answer(parse_link(link, builtin_catalog()).scenario, {}, builtin_catalog());
}

constexpr std::string_view kLink = "v=1&model=llama-3-8b&kv=bf16&ctx=8k";

std::size_t count(std::string_view text, std::string_view part) {
    std::size_t n = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size()) ++n;
    return n;
}

TEST(Latex, EveryCommandCharacterIsSpelt) {
    EXPECT_EQ(latex_text("50% of a_b & $x {y} #1 ~ ^ \\"),
              "50\\% of a\\_b \\& \\$x \\{y\\} \\#1 \\textasciitilde{} \\textasciicircum{} "
              "\\textbackslash{}");
    EXPECT_EQ(latex_text("53\u201356 \u00d7 \u2212\u00b5"), "53--56 $\\times$ $-$$\\mu$");
    EXPECT_EQ(latex_text("a\nb\r"), "a \\newline b");
}

TEST(Latex, ARowOfFourCellsForEveryRow) {
    const Report r = ask(kLink).report;
    const std::string out =
        render_latex(r, Lang::en, "words\n\\input{x}", "https://a.example/#v=1");
    // The comments stay comments; then a head and the rows.
    EXPECT_TRUE(out.starts_with("% kvgauge: words \\input{x}\n% https://a.example/#v=1\n% Fits. "));
    const std::string body = out.substr(out.find("\\begin{tabular}"));
    std::size_t rows = 0;
    for (std::size_t at = 0, end; (end = body.find('\n', at)) != body.npos; at = end + 1) {
        const std::string line = body.substr(at, end - at);
        if (!line.ends_with(" \\\\")) continue;
        ++rows;
        EXPECT_EQ(count(line, " & "), 3u) << line;
        EXPECT_EQ(count(line, "&") - count(line, "\\&"), 3u) << line;
        EXPECT_EQ(count(line, "%"), count(line, "\\%")) << line;
        EXPECT_EQ(count(line, "_"), count(line, "\\_")) << line;
    }
    EXPECT_EQ(rows, r.rows.size() + 1);
    // 2 x 32 layers x 8 heads x 128 x 2 B.
    EXPECT_NE(out.find("KV per token & 128 KiB (131,072 B) &  & exact \\\\"), out.npos);
    EXPECT_TRUE(out.ends_with("\\end{tabular}\n"));
}

TEST(Markdown, NamesItsSource) {
    const std::string out =
        render_markdown(ask(kLink).report, Lang::en, "a | b", "https://a.example/#v=1");
    EXPECT_TRUE(out.ends_with("\n[kvgauge: a \\| b](https://a.example/#v=1)\n"));
    EXPECT_EQ(render_markdown(ask(kLink).report).find("[kvgauge"), std::string::npos);
}

// Widths of the bar are shares of 592 px: weights 16,060,522,496 B of 85,094,039,552 B (79.25 GiB).
TEST(Svg, MemoryToScaleAndTheAnswer) {
    const Answered a = ask(kLink);
    const std::string out = render_svg(a.report, scenario_words(a.scenario, a.estimate));
    EXPECT_NE(out.find("width=\"111.7\" height=\"20\" class=\"w\""), out.npos) << out;
    EXPECT_NE(out.find(">128 KiB<"), out.npos);
    EXPECT_NE(out.find("Llama 3 8B"), out.npos);
    EXPECT_EQ(out.find("<script"), out.npos);
}

TEST(Svg, NamesAreTextNotMarkup) {
    Report r;
    r.sentence = "<script>\"&\x01";
    const std::string out = render_svg(r, "</title><b>");
    EXPECT_EQ(count(out, "<script"), 0u);
    EXPECT_EQ(count(out, "</title>"), 1u);
    EXPECT_NE(out.find("&lt;script&gt;&quot;&amp;"), out.npos);
    EXPECT_EQ(out.find('\x01'), out.npos);
}

// More weights than memory: the limit stands inside the bar.
TEST(Svg, WhereItDoesNotFit) {
    const Answered a = ask("v=1&model=llama-3-70b");
    EXPECT_NE(render_svg(a.report, "x").find("class=\"l\""), std::string::npos);
}

}  // namespace
}  // namespace kvgauge
