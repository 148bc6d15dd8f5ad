// SPDX-License-Identifier: MIT
// Owns: what the application knows between frames: the scenario and its answer, edits of this
// frame, undo, and what each view remembers. Views read the answer and write `next`; the
// application compares the two after the frame and estimates again only when they differ.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "estimate.h"
#include "import/engine_log.h"
#include "probe/measurement.h"
#include "text/fields.h"
#include "text/reconcile.h"
#include "text/report.h"
#include "ui/app.h"
#include "ui/changes.h"
#include "ui/curves.h"
#include "ui/history.h"
#include "ui/plan_map.h"
#include "ui/rect.h"
#include "ui/tp_matrix.h"

namespace kvgauge::ui {

enum class View : std::uint8_t {
    overview,
    memory,
    batch,
    parallel,
    speed,
    plan,
    compare,
    log,
    measure,
    share,
};
inline constexpr int kViewCount = 10;
std::string_view view_id(View);  // as links spell it; overview is empty
View view_of(std::string_view id);
std::string_view tab_id(View);
Str tab_name(View);

// A strip at the lower end of the view.
struct Notice {
    std::string title, text;
};

// The derivation of one number, open below it.
struct OpenDerivation {
    std::string row;  // empty: closed
    Rect anchor;
    bool opening = false;
};

// A place under the pointer that all plots of a page show; one frame late, so that order is no
// matter.
struct Cross {
    std::optional<double> now, next;
    void turn() {
        now = next;
        next.reset();
    }
};

struct PaletteState {
    bool open = false, opening = false;
    std::string search;
    int cursor = 0;
    std::vector<std::string> recent;  // ids of what was chosen, newest first
};

struct PlotState {
    std::uint32_t hidden = 0;                       // series that were toggled off
    std::optional<std::pair<double, double>> zoom;  // of x
    std::optional<float> drag_from;
};

struct Compared {  // a scenario beside the base
    Estimate estimate;
    Report report;
};

// A start-up log that was dropped or pasted, and one of its runs beside the prediction.
struct ReadLog {
    EngineLog log;
    std::size_t run = 0;         // shown
    std::uint64_t revision = 0;  // of the scenario that `answer` was computed for; 0: none yet
    Reconciliation answer;
    std::string words;  // the log's scenario
    bool example = false;
};

struct Session {
    const Catalog& catalog;
    Host host;

    Scenario scenario;
    Presentation presentation;
    std::vector<std::pair<std::string, std::string>> unknown_keys;
    Estimate estimate;
    Report report;
    std::uint64_t revision = 0;
    History history;

    // Written by views.
    Scenario next;
    std::string edited_by;  // the control that changed `next`: its run of edits is one undo step
    std::vector<Notice> notices;
    std::uint64_t issues_dismissed = 0;  // the revision whose issues were read
    OpenDerivation derivation;
    Cross cross_ctx, cross_batch;

    // Computed from the scenario when a view first asks, kept for its revision.
    Curves curves;
    Changes changes;
    TpMatrix tp_matrix;
    PlanMap plan_map;
    std::vector<Compared> compared;
    std::uint64_t compare_revision = 0;
    std::vector<PlanChoice> plan_choices;
    std::uint64_t plan_revision = 0;
    bool computing = false;  // a view still fills its picture

    // What views remember.
    PlotState limit_plot, kv_plot, time_plot, rate_plot;
    PaletteState palette;
    std::vector<Scenario> compare;                   // beside the current one, which is the base
    std::optional<std::pair<int, int>> pinned_cell;  // row and column of the matrix
    std::uint64_t pinned_revision = 0;
    std::size_t share_format = 0;
    std::uint64_t share_revision = 0;
    std::string share_text;
    bool share_copied = false;
    std::optional<ReadLog> log;
    float log_height = 0, measure_height = 0;  // what the views wanted in the last frame
    std::vector<DeviceInfo> measure_devices;
    bool measure_devices_known = false;
    std::size_t measure_device = 0;
    std::size_t measure_cases = 0;  // finished cases that `measurement` holds
    Measurement measurement;
    bool measure_running = false;
    bool measure_from_file = false;  // `measurement` was dropped, not run here
    int measure_wait_ms = -1;        // to the next look at a measurement; -1: nothing runs
    float phone_answer = 0;          // height of the answer in the last frame
    std::string next_history;        // "undo" or "redo", done after the frame

    Lang lang() const { return presentation.lang == "ko" ? Lang::ko : Lang::en; }
    View view() const { return view_of(presentation.view); }
    const Row* row(std::string_view id) const { return report.find(id); }
};

struct UiState;
// Sets a key of `next` as if typed; an empty text gives the default back. On a bad text nothing
// changes and the field keeps the text with what is accepted.
bool type_field(Session&, UiState&, std::string_view key, std::string_view text);

}  // namespace kvgauge::ui
