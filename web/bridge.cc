// SPDX-License-Identifier: MIT
// Owns: the functions that the page calls. Each takes one text (the input buffer) and gives one
// text; structured answers are JSON. They need no canvas. Two-part inputs have their first part on
// the first line.
#include <emscripten.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "session.h"
#include "text/page_json.h"

namespace kvgauge::web {
namespace {

std::string input;   // written by the page through kvg_input
std::string output;  // the last answer; valid until the next call

const char* answer(std::string text) {
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
    static Session one(builtin_catalog());
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

EMSCRIPTEN_KEEPALIVE const char* kvg_set_link() {
    session().set_link(input);
    return answer({});
}

EMSCRIPTEN_KEEPALIVE const char* kvg_set_field() {
    const auto [key, text] = first_line();
    return answer(session().set_field(key, text));
}

EMSCRIPTEN_KEEPALIVE const char* kvg_take() {
    const auto [name, bytes] = first_line();
    return answer(session().take(name, bytes));
}

EMSCRIPTEN_KEEPALIVE const char* kvg_state() {
    const Session& s = session();
    return answer(page_state_json({s.revision(), s.scenario(), s.presentation(), s.estimate(),
                                   s.report(), s.notices(), s.link()},
                                  builtin_catalog()));
}

EMSCRIPTEN_KEEPALIVE const char* kvg_article() {
    return answer(page_article_json(session().scenario(), builtin_catalog()));
}

EMSCRIPTEN_KEEPALIVE const char* kvg_form() {
    return answer(page_form_json(builtin_catalog()));
}

}  // extern "C"
