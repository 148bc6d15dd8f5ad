// SPDX-License-Identifier: MIT
#include "ui/take.h"

#include <memory>

#include "import/config_json.h"
#include "import/gguf.h"
#include "text/link.h"
#include "text/measurement.h"
#include "ui/ui.h"

namespace kvgauge::ui {
namespace {

std::string_view trim(std::string_view s) {
    const std::size_t a = s.find_first_not_of(" \t\r\n");
    if (a == s.npos) return {};
    return s.substr(a, s.find_last_not_of(" \t\r\n") - a + 1);
}

bool is_link(std::string_view s) {
    if (s.size() > 4096 || s.find('\n') != s.npos) return false;
    return s.find("#v=") != s.npos || s.starts_with("v=1") || s.find("model=") != s.npos;
}

void notify(Session& s, Str title, std::string text) {
    s.notices.clear();
    s.notices.push_back({std::string(tr(s.lang(), title)), std::move(text)});
}

// The imported model becomes the scenario's; what had to be assumed is said.
void take_model(Session& s, std::string_view name, Import in) {
    std::string issues;
    for (const Issue& i : in.issues) issues += (issues.empty() ? "" : " ") + i.text;
    if (!in.model) {
        notify(s, Str::ui_take_refused,
               issues.empty() ? std::string(tr(s.lang(), Str::ui_take_unknown)) : issues);
        return;
    }
    ModelSpec model = std::move(*in.model);
    if (model.name.empty()) model.name = std::string(name);
    s.next.model = model.name;
    s.next.model_source = name;
    s.next.kv_heads.reset();
    s.next.imported = std::make_shared<const ModelSpec>(std::move(model));
    notify(s, Str::ui_take_config, issues.empty() ? s.next.imported->name : issues);
}

}  // namespace

void take_file(Session& s, std::string_view name, std::string_view bytes) {
    const std::string_view text = bytes.starts_with("GGUF") ? bytes : trim(bytes);
    if (text.empty()) {
        notify(s, Str::ui_take_refused, std::string(tr(s.lang(), Str::ui_take_empty)));
    } else if (is_link(text)) {
        const std::size_t hash = text.find('#');
        Link l = parse_link(hash == text.npos ? text : text.substr(hash + 1), s.catalog);
        s.next = l.scenario;
        s.notices.clear();
    } else if (text.front() == '{' && text.find("kvgauge.measurement/") != text.npos) {
        Issues issues;
        if (auto calibration = parse_calibration(text, issues)) {
            s.next.calibration = std::move(calibration);
            notify(s, Str::ui_take_calibration, s.next.calibration->device);
        } else {
            notify(s, Str::ui_take_refused,
                   issues.empty() ? std::string(tr(s.lang(), Str::ui_take_unknown))
                                  : issues.front().text);
        }
    } else if (text.front() == '{') {
        take_model(s, name, import_config(text, name));
    } else if (bytes.starts_with("GGUF")) {
        take_model(s, name, import_gguf(bytes, name));
    } else {
        const std::string_view first = text.substr(0, std::min<std::size_t>(text.find('\n'), 120));
        notify(s, Str::ui_take_refused, kvgauge::say(s.lang(), Str::ui_take_first_line, {first}));
    }
}

}  // namespace kvgauge::ui
