// SPDX-License-Identifier: MIT
// Owns: the functions that the page calls. Each takes one text (the input buffer) and gives one
// text; structured answers are JSON. They need no canvas. Two-part inputs have their first part on
// the first line.
#include <emscripten.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "canvas.h"
#include "import/config_json.h"
#include "import/engine_log.h"
#include "session.h"
#include "sweep.h"
#include "text/json.h"
#include "text/link.h"
#include "text/numbers.h"
#include "text/page_json.h"
#include "text/reconcile.h"
#include "text/render.h"

namespace kvgauge::web {
namespace {

constexpr std::string_view kVersion = KVGAUGE_VERSION;

std::string input;   // written by the page through kvg_input
std::string output;  // the last answer; valid until the next call

const char* reply(std::string text) {
    output = std::move(text);
    return output.c_str();
}

std::pair<std::string_view, std::string_view> first_line() {
    const std::string_view text = input;
    const std::size_t end = text.find('\n');
    if (end == text.npos) return {text, {}};
    return {text.substr(0, end), text.substr(end + 1)};
}

}  // namespace

Session& session() {
    static Session one(builtin_catalog(), page_host());
    return one;
}

}  // namespace kvgauge::web

using namespace kvgauge;
using namespace kvgauge::web;

extern "C" {

// Room for a text of n bytes; the page writes it there.
EMSCRIPTEN_KEEPALIVE char* kvg_input(std::size_t n) {
    input.resize(n);
    return input.data();
}

// kvgauge.estimate/1 of a link, whatever the page shows.
EMSCRIPTEN_KEEPALIVE const char* kvg_estimate() {
    Link link = parse_link(input, builtin_catalog());
    const Lang lang = link.view.lang == "ko" ? Lang::ko : Lang::en;
    return reply(estimate_json(
        answer(std::move(link.scenario), std::move(link.notices), builtin_catalog(), lang),
        builtin_catalog(), {.version = kVersion}));
}

// A config.json -> kvgauge.estimate/1 of its model, whatever the page shows.
EMSCRIPTEN_KEEPALIVE const char* kvg_import() {
    Scenario scenario;
    Import import = import_config(input, "config.json");
    if (!import.model)
        return reply(unread_json(import.issues, builtin_catalog(), {.version = kVersion}));
    if (import.model->name.empty()) import.model->name = "config.json";
    scenario.model = import.model->name;
    scenario.model_source = "config.json";
    scenario.imported = std::make_shared<const ModelSpec>(*std::move(import.model));
    return reply(
        estimate_json(answer(std::move(scenario), std::move(import.issues), builtin_catalog()),
                      builtin_catalog(), {.version = kVersion}));
}

// The first line is a link, each further one an axis: key=value,value. An array of
// kvgauge.estimate/1, the last axis fastest.
EMSCRIPTEN_KEEPALIVE const char* kvg_sweep() {
    const auto [link, axes] = first_line();
    return reply(sweep_json(link, axes, builtin_catalog(), kVersion));
}

// The first line is a link, the rest an engine's log. kvgauge.reconcile/1 of every run in it.
EMSCRIPTEN_KEEPALIVE const char* kvg_reconcile() {
    const auto [link, log] = first_line();
    const Link base = parse_link(link, builtin_catalog());
    return reply(reconcile_json(read_engine_log(log), base.scenario, builtin_catalog(), false,
                                kVersion, base.view.lang == "ko" ? Lang::ko : Lang::en));
}

// What the page shows, as a file of the format on the first line. The second is the address of the
// page, before the '#'.
EMSCRIPTEN_KEEPALIVE const char* kvg_export() {
    const Session& s = session();
    const auto [format, page] = first_line();
    const Answered shown = s.answered();
    const auto words = [&] { return scenario_words(s.scenario(), shown.estimate); };
    const std::string address = std::string(page) + "#" + s.link();
    if (format == "md") return reply(render_markdown(shown.report, s.lang(), words(), address));
    if (format == "csv") return reply(render_csv(shown.report));
    if (format == "tex") return reply(render_latex(shown.report, s.lang(), words(), address));
    return reply(estimate_json(shown, builtin_catalog(), {.pretty = true, .version = kVersion}) +
                 "\n");
}

EMSCRIPTEN_KEEPALIVE const char* kvg_pinned() {
    return reply(pinned_link(session().scenario(), builtin_catalog()));
}

EMSCRIPTEN_KEEPALIVE const char* kvg_set_link() {
    session().set_link(input);
    return reply({});
}

EMSCRIPTEN_KEEPALIVE const char* kvg_set_field() {
    const auto [key, text] = first_line();
    return reply(session().set_field(key, text));
}

// The first line: a name, and after a tab how many bytes at the end are hf_quant_config.json.
EMSCRIPTEN_KEEPALIVE const char* kvg_take() {
    const auto [head, bytes] = first_line();
    const std::size_t tab = std::min(head.find('\t'), head.size());
    std::size_t quant = 0;
    if (tab < head.size()) {
        quant = static_cast<std::size_t>(parse_count(head.substr(tab + 1)).value_or(0));
    }
    const std::size_t own = bytes.size() - std::min(quant, bytes.size());
    return reply(session().take(head.substr(0, tab), bytes.substr(0, own), bytes.substr(own)));
}

EMSCRIPTEN_KEEPALIVE const char* kvg_text_field() {
    return reply(canvas_field_json());
}

EMSCRIPTEN_KEEPALIVE const char* kvg_canvas_state() {
    return reply(canvas_state_json());
}

EMSCRIPTEN_KEEPALIVE const char* kvg_paste() {
    canvas_paste(input);
    return reply({});
}

// The first line: id, a tab, 1 while an input method composes.
EMSCRIPTEN_KEEPALIVE const char* kvg_text_input() {
    const auto [head, text] = first_line();
    const std::size_t tab = head.find('\t');
    canvas_text_input(head.substr(0, tab), text, tab != head.npos && head.substr(tab + 1) == "1");
    return reply({});
}

// The first line: language, a tab, bytes of the regular face; both faces follow.
EMSCRIPTEN_KEEPALIVE const char* kvg_fonts() {
    const auto [head, bytes] = first_line();
    const std::size_t tab = std::min(head.find('\t'), head.size());
    const Lang lang = parse_lang(head.substr(0, tab)).value_or(Lang::en);
    const auto regular = static_cast<std::size_t>(
        parse_count(head.substr(std::min(tab + 1, head.size()))).value_or(0));
    if (regular > bytes.size()) return reply("The faces are shorter than said.");
    canvas_take_fonts(lang, bytes.substr(0, regular), bytes.substr(regular));
    return reply({});
}

EMSCRIPTEN_KEEPALIVE const char* kvg_state() {
    const Session& s = session();
    return reply(page_state_json({s.revision(), s.answered(), s.presentation(), s.link(), kVersion},
                                 builtin_catalog()));
}

EMSCRIPTEN_KEEPALIVE const char* kvg_article() {
    return reply(page_article_json(session().scenario(), builtin_catalog()));
}

EMSCRIPTEN_KEEPALIVE const char* kvg_form() {
    return reply(page_form_json(builtin_catalog()));
}

}  // extern "C"
