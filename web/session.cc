// SPDX-License-Identifier: MIT
#include "session.h"

#include <memory>

#include "import/config_json.h"
#include "import/gguf.h"

namespace kvgauge::web {

Session::Session(const Catalog& catalog) : catalog_(catalog) {
    changed();
}

void Session::changed() {
    ++revision_;
    answered_ = answer(scenario_, notices_, catalog_, lang());
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
    bool presentation = false;
    if (const auto why = set_presentation(view_, key, text, presentation)) return *why;
    if (!presentation) {
        const Field* field = find_field(key);
        if (field != nullptr && text.empty()) {
            field->clear(scenario_);
        } else if (const auto issue = kvgauge::set_field(scenario_, key, text, catalog_)) {
            return issue->text;
        }
    }
    notices_.clear();
    changed();
    return {};
}

std::string Session::take(std::string_view name, std::string_view bytes) {
    const std::size_t start = bytes.find_first_not_of(" \t\r\n");
    const std::string_view text = start == bytes.npos ? std::string_view() : bytes.substr(start);
    if (text.starts_with('{') || text.starts_with("GGUF")) {
        const std::string_view source = name.empty() ? "the pasted text" : name;
        Import import = text[0] == '{' ? import_config(text, source) : import_gguf(text, source);
        if (!import.model) {
            return import.issues.empty() ? "No model could be read." : import.issues.front().text;
        }
        if (import.model->name.empty()) import.model->name = source;
        scenario_.model = import.model->name;
        scenario_.model_source = source;
        scenario_.imported = std::make_shared<const ModelSpec>(*std::move(import.model));
        scenario_.kv_heads.reset();
        notices_ = std::move(import.issues);
        changed();
        return {};
    }
    if (const std::size_t hash = text.find('#'); hash != text.npos || text.starts_with("v=")) {
        set_link(hash == text.npos ? text : text.substr(hash + 1));
        return {};
    }
    return "Not recognised. A config.json begins with {, a GGUF file with GGUF, a link holds #v=1.";
}

}  // namespace kvgauge::web
