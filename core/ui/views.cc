// SPDX-License-Identifier: MIT
#include "ui/views.h"

#include <algorithm>

#include "ui/readouts.h"
#include "ui/traffic_block.h"

namespace kvgauge::ui {

float view_height(const Session& s, float width) {
    switch (s.view()) {
        case View::overview:
            return width >= 860 ? 460.0f : readouts_height(width) + 340 + 224;
        case View::memory:
            return width >= 760 ? 470.0f : 760.0f;
        case View::batch:
            return (width >= 700 ? 470.0f : 640.0f) + traffic_height(s, width);
        case View::parallel:
            return width >= 820 ? 440.0f : 820.0f;
        case View::speed:
            return width >= 640 ? 128.0f + 300 + 24 + 340 : 128.0f + 640 + 24 + 340;
        case View::plan:
            return width >= 640 ? 430.0f : 800.0f;
        case View::compare:
            return width >= 620 ? 380.0f : 500.0f;
        case View::share:
            return width >= 640 ? 320.0f : 620.0f;
        case View::measure:
            return std::max(width >= 720 ? 470.0f : 420.0f, s.measure_height);
        case View::log:
            return std::max(200.0f, s.log_height);
    }
    return 0;
}

void draw_view(View v, Ui& u, Session& s, Rect r) {
    switch (v) {
        case View::overview:
            overview(u, s, r);
            return;
        case View::memory:
            memory_view(u, s, r);
            return;
        case View::batch:
            batch_view(u, s, r);
            return;
        case View::parallel:
            parallel_view(u, s, r);
            return;
        case View::speed:
            speed_view(u, s, r);
            return;
        case View::plan:
            plan_view(u, s, r);
            return;
        case View::compare:
            compare_view(u, s, r);
            return;
        case View::share:
            share_view(u, s, r);
            return;
        case View::log:
            log_view(u, s, r);
            return;
        case View::measure:
            measure_view(u, s, r);
            return;
    }
}

}  // namespace kvgauge::ui
