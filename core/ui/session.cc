// SPDX-License-Identifier: MIT
#include "ui/session.h"

#include <algorithm>
#include <array>

#include "ui/choices.h"
#include "ui/ui.h"

namespace kvgauge::ui {
namespace {

struct ViewName {
    std::string_view id, tab;
    Str name;
};
constexpr std::array<ViewName, kViewCount> kViews{{
    {"", "tab-overview", Str::ui_tab_overview},
    {"memory", "tab-memory", Str::ui_tab_memory},
    {"batch", "tab-batch", Str::ui_tab_batch},
    {"parallel", "tab-parallel", Str::ui_tab_parallel},
    {"speed", "tab-speed", Str::ui_tab_speed},
    {"plan", "tab-plan", Str::ui_tab_plan},
    {"compare", "tab-compare", Str::ui_tab_compare},
    {"log", "tab-log", Str::ui_tab_log},
    {"measure", "tab-measure", Str::ui_tab_measure},
    {"share", "tab-share", Str::ui_tab_share},
}};

bool blank(std::string_view s) {
    return s.find_first_not_of(" \t\n–") == s.npos;
}

}  // namespace

std::string_view view_id(View v) {
    return kViews[static_cast<std::size_t>(v)].id;
}
std::string_view tab_id(View v) {
    return kViews[static_cast<std::size_t>(v)].tab;
}

Str tab_name(View v) {
    return kViews[static_cast<std::size_t>(v)].name;
}

View view_of(std::string_view id) {
    for (std::size_t i = 0; i < kViews.size(); ++i) {
        if (kViews[i].id == id) return static_cast<View>(i);
    }
    return View::overview;
}

bool type_field(Session& s, UiState& state, std::string_view key, std::string_view text) {
    if (state.error_field == key) state.error_field.clear();
    const Field* field = find_field(key);
    if (field == nullptr) return false;
    if (blank(text)) {
        field->clear(s.next);
        s.edited_by = key;
        return true;
    }
    Scenario after = s.next;
    if (const auto issue = kvgauge::set_field(after, key, text, s.catalog)) {
        state.error_field = key;
        state.error_text = issue->text;
        state.error_kept = text;
        return false;
    }
    if (field->key == "gpus" && after.gpus) set_gpus(after, *after.gpus);
    if (field->key == "tp") set_tp(after, after.tp);
    // Another model has heads of its own.
    if (field->key == "model" && after.model != s.next.model) {
        after.imported.reset();
        after.model_source.clear();
        if (after.model != "custom") after.kv_heads.reset();
    }
    s.next = std::move(after);
    s.edited_by = key;
    return true;
}

}  // namespace kvgauge::ui
