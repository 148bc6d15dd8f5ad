// SPDX-License-Identifier: MIT
#include "session.h"

#include <memory>
#include <utility>

#include "import/config_json.h"
#include "import/gguf.h"

namespace kvgauge::web {

Session::Session(const Catalog& catalog, ui::Host host)
    : catalog_(catalog), app_(catalog, std::move(host)) {}

Answered Session::answered() const {
    // An edit answers what a link got wrong: its notices go.
    const bool fresh = noticed_at_ == app_.revision();
    return answer(app_.scenario(), fresh ? notices_ : Issues(), catalog_, app_.lang());
}

void Session::put(Scenario scenario, Issues notices) {
    app_.set_scenario(scenario);
    notices_ = std::move(notices);
    noticed_at_ = app_.revision();
    ++own_revision_;
}

void Session::set_link(std::string_view text) {
    app_.set_link(text);
    notices_ = parse_link(text, catalog_).notices;
    noticed_at_ = app_.revision();
    ++own_revision_;
}

std::string Session::set_field(std::string_view key, std::string_view text) {
    Presentation view = app_.presentation();
    bool presentation = false;
    if (const auto why = set_presentation(view, key, text, presentation)) return *why;
    if (presentation) {
        app_.set_presentation(view);
        return {};
    }
    Scenario next = app_.scenario();
    const Field* field = find_field(key);
    if (field != nullptr && text.empty()) {
        field->clear(next);
    } else if (const auto issue = kvgauge::set_field(next, key, text, catalog_)) {
        return issue->text;
    }
    if (next != app_.scenario()) app_.set_scenario(next);
    return {};
}

std::string Session::take(std::string_view name, std::string_view bytes, std::string_view quant) {
    const std::size_t start = bytes.find_first_not_of(" \t\r\n");
    const std::string_view text = start == bytes.npos ? std::string_view() : bytes.substr(start);
    const bool measured = text.substr(0, 4096).find("kvgauge.measurement/") != text.npos;
    if ((text.starts_with('{') && !measured) || text.starts_with("GGUF")) {
        const std::string_view source = name.empty() ? "the pasted text" : name;
        Import import =
            text[0] == '{' ? import_config(text, source, quant) : import_gguf(text, source);
        if (!import.model) {
            return import.issues.empty() ? "No model could be read." : import.issues.front().text;
        }
        if (import.model->name.empty()) import.model->name = source;
        Scenario next = app_.scenario();
        next.model = import.model->name;
        next.model_source = source;
        next.imported = std::make_shared<const ModelSpec>(*std::move(import.model));
        next.kv_heads.reset();
        put(std::move(next), std::move(import.issues));
        return {};
    }
    if (text.starts_with("v=") || text.substr(0, text.find('\n')).find("#v=") != text.npos) {
        const std::size_t hash = text.find('#');
        set_link(hash == text.npos ? text : text.substr(hash + 1));
        return {};
    }
    const std::string why = app_.take(name, bytes);  // a log or a calibration
    if (why.empty() || measured) return why;
    return "Not recognised. A config.json begins with {, a GGUF file with GGUF, a link holds #v=1, "
           "a "
           "start-up log has an engine's lines.";
}

}  // namespace kvgauge::web
