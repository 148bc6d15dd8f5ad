// SPDX-License-Identifier: MIT
#include "session.h"

#include "import/config_json.h"

namespace kvgauge::web {
namespace {

// One of the accepted words, or the sentence that refuses it.
std::string set_word(std::string& slot, std::string_view text,
                     std::initializer_list<std::string_view> accepted) {
    std::string words;
    for (const std::string_view word : accepted) {
        if (text == word || text.empty()) {
            slot = text;
            return {};
        }
        words += words.empty() ? "" : ", ";
        words += word;
    }
    return "not accepted: one of " + words + ".";
}

}  // namespace

Session::Session(const Catalog& catalog) : catalog_(catalog) {
    changed();
}

void Session::changed() {
    ++revision_;
    estimate_ = kvgauge::estimate(scenario_, catalog_);
    report_ = kvgauge::report(scenario_, estimate_, view_.lang == "ko" ? Lang::ko : Lang::en);
}

void Session::set_link(std::string_view text) {
    Link link = parse_link(text, catalog_);
    scenario_ = std::move(link.scenario);
    view_ = std::move(link.view);
    unknown_ = std::move(link.unknown);
    notices_ = std::move(link.notices);
    changed();
}

std::string Session::set_field(std::string_view key, std::string_view text) {
    std::string why;
    if (key == "lang") {
        why = set_word(view_.lang, text, {"en", "ko"});
    } else if (key == "theme") {
        why = set_word(view_.theme, text, {"light", "dark", "auto"});
    } else if (key == "view") {
        view_.view = text;
    } else if (const Field* field = find_field(key); field != nullptr && text.empty()) {
        field->clear(scenario_);
    } else if (auto issue = kvgauge::set_field(scenario_, key, text, catalog_)) {
        why = issue->text;
    }
    if (!why.empty()) return why;
    notices_.clear();
    changed();
    return {};
}

std::string Session::take(std::string_view name, std::string_view bytes) {
    const std::size_t start = bytes.find_first_not_of(" \t\r\n");
    const std::string_view text = start == bytes.npos ? std::string_view() : bytes.substr(start);
    if (text.starts_with('{')) {
        Import import = import_config(text, name.empty() ? "the pasted text" : name);
        if (!import.model) {
            return import.issues.empty() ? "This is no config.json that kvgauge knows."
                                         : import.issues.front().text;
        }
        scenario_.imported = std::make_shared<const ModelSpec>(*std::move(import.model));
        scenario_.model = scenario_.imported->id;
        scenario_.model_source = name;
        scenario_.kv_heads.reset();
        notices_ = std::move(import.issues);
        changed();
        return {};
    }
    if (const std::size_t hash = text.find('#'); hash != text.npos || text.starts_with("v=")) {
        set_link(hash == text.npos ? text : text.substr(hash + 1));
        return {};
    }
    return "Not recognised. A config.json begins with {, a link holds #v=1.";
}

}  // namespace kvgauge::web
