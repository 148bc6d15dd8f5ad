// SPDX-License-Identifier: MIT
#include "ui/take.h"

#include <algorithm>
#include <memory>

#include "import/command_line.h"
#include "import/config_json.h"
#include "import/engine_log.h"
#include "import/gguf.h"
#include "text/calibration.h"
#include "text/command_scenario.h"
#include "text/link.h"
#include "text/measurement.h"
#include "text/numbers.h"
#include "ui/ui.h"

namespace kvgauge::ui {
namespace {

std::string_view trim(std::string_view s) {
    const std::size_t a = s.find_first_not_of(" \t\r\n");
    if (a == s.npos) return {};
    return s.substr(a, s.find_last_not_of(" \t\r\n") - a + 1);
}

bool is_link(std::string_view s) {
    if (s.size() > 4096 || s.find_first_of(" \n") != s.npos) return false;
    return s.find("#v=") != s.npos || s.starts_with("v=1") || s.find("model=") != s.npos;
}

void notify(Session& s, Str title, std::string text) {
    s.notices.clear();
    s.notices.push_back({std::string(tr(s.lang(), title)), std::move(text)});
}

std::string refuse(Session& s, std::string why) {
    notify(s, Str::ui_take_refused, why);
    return why;
}

std::string unknown(const Session& s) {
    return std::string(tr(s.lang(), Str::ui_take_unknown));
}

// The imported model becomes the scenario's; what had to be assumed is said.
std::string take_model(Session& s, std::string_view name, Import in) {
    std::string issues;
    for (const Issue& i : in.issues) issues += (issues.empty() ? "" : " ") + i.text;
    if (!in.model) return refuse(s, issues.empty() ? unknown(s) : issues);
    ModelSpec model = std::move(*in.model);
    if (model.name.empty()) model.name = std::string(name);
    s.next.model = model.name;
    s.next.model_source = name;
    s.next.kv_heads.reset();
    s.next.imported = std::make_shared<const ModelSpec>(std::move(model));
    notify(s, Str::ui_take_config, issues.empty() ? s.next.imported->name : issues);
    return {};
}

// The numbers of a measurement replace the speed model's own, and the view shows its points.
std::string take_measurement(Session& s, std::string_view text) {
    Issues issues;
    const auto calibration = parse_calibration(text, issues);
    if (!calibration) return refuse(s, issues.empty() ? unknown(s) : issues.front().text);
    if (auto m = parse_measurement(text, issues); m && !s.measure_running) {
        s.measurement = std::move(*m);
        s.measure_cases = s.measurement.cases.size();
        s.measure_from_file = true;
    }
    s.next.calibration = carried(*calibration);
    s.presentation.view = view_id(View::measure);
    notify(s, Str::ui_take_calibration,
           kvgauge::say(s.lang(), Str::ui_take_calibrated, {calibration->device}));
    return {};
}

// A start-up log opens its view; nothing in the scenario changes.
bool take_log(Session& s, std::string_view text) {
    // What was pasted or dropped is whole: its last line may miss its end.
    EngineLogReader reader;
    reader.feed(text);
    reader.feed("\n");
    EngineLog log = reader.finish();
    if (log.runs.empty()) return false;
    s.log = ReadLog{std::move(log), 0, 0, {}, {}, false};
    s.presentation.view = view_id(View::log);
    s.notices.clear();
    return true;
}

#ifdef __EMSCRIPTEN__
// The reader of commands is more than the page's first view may weigh.
bool take_command(Session&, std::string_view) {
    return false;
}
#else
constexpr std::size_t kLongestCommand = std::size_t{1} << 16;

// How an engine is started: its options become the scenario's, on the GPU that stands there.
bool take_command(Session& s, std::string_view text) {
    if (text.size() > kLongestCommand) return false;
    const CommandLine command = read_command_line(text);
    if (!command.engine || (command.settings.empty() && command.unresolved.empty())) return false;
    CommandScenario c = scenario_of_command(command, s.next, s.catalog);
    s.next = std::move(c.scenario);
    std::string told;
    for (const Issue& i : c.issues) told += (told.empty() ? "" : " ") + i.text;
    if (told.empty()) told = tr(s.lang(), Str::ui_take_command_all);
    notify(s, Str::ui_take_command, std::move(told));
    return true;
}
#endif

}  // namespace

std::string take_file(Session& s, std::string_view name, std::string_view bytes) {
    const std::string_view text = bytes.starts_with("GGUF") ? bytes : trim(bytes);
    if (text.empty()) return refuse(s, std::string(tr(s.lang(), Str::ui_take_empty)));
    if (is_link(text)) {
        const std::size_t hash = text.find('#');
        Link l = parse_link(hash == text.npos ? text : text.substr(hash + 1), s.catalog);
        s.next = l.scenario;
        s.notices.clear();
        return {};
    }
    if (text.front() == '{' && text.substr(0, 4096).find("kvgauge.measurement/") != text.npos)
        return take_measurement(s, text);
    if (text.front() == '{') return take_model(s, name, import_config(text, name));
    if (bytes.starts_with("GGUF")) return take_model(s, name, import_gguf(bytes, name));
    if (take_log(s, text)) return {};
    if (take_command(s, text)) return {};
    const std::string_view first = text.substr(0, std::min<std::size_t>(text.find('\n'), 120));
    return refuse(s, kvgauge::say(s.lang(), Str::ui_take_first_line, {valid_utf8(first)}));
}

}  // namespace kvgauge::ui
