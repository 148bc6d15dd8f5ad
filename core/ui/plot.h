// SPDX-License-Identifier: MIT
// Owns: a plot's frame, axes, curves, end labels and pointer. Horizontal grid and an x axis,
// nothing more; the y title lies on top, where it can be read. Log axes have 1-2-5 ticks, token and
// batch axes powers of two.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ui/marks.h"
#include "ui/session.h"
#include "ui/ui.h"

namespace kvgauge::ui {

struct Axis {
    double low = 1, high = 10;
    bool log = true;
    std::string_view title;
    std::string (*label)(double) = nullptr;
    double share(double v) const;  // 0 at low, 1 at high
    double at(double share) const;
};

std::vector<double> ticks_125(const Axis&, int most);
std::vector<double> ticks_pow2(const Axis&);
std::string axis_tokens(double);  // 8k
std::string axis_number(double);  // 1,000
std::string axis_ms(double);      // 20 ms, from seconds
std::string axis_gib(double);

struct Plot {
    Axis x, y;
    std::vector<double> x_ticks, y_ticks;  // empty: 1-2-5
    float left = 0;                        // fixed gutter, so that stacked plots line up
    bool bare_x = false;                   // a plot below carries the x labels

    Rect box;  // the data's area, after begin()

    // Draws the frame into `r`; `right` is room for end labels.
    void begin(const Ui&, Rect r, float right);
    ImVec2 at(double vx, double vy) const;
    double x_of(float px) const { return x.at((px - box.x) / box.w); }
    double y_of(float py) const { return y.at((box.bottom() - py) / box.h); }
    void clip(const Ui&) const;
    void unclip(const Ui&) const;
};

// Rounds to the nearest quarter octave: the steps of the crosshair.
double quarter_octave(double v);

// Drag zooms the x axis, a double click resets. Returns the place under the pointer, if any.
std::optional<double> plot_pointer(Ui&, std::string_view id, const Plot&, PlotState&,
                                   const Axis& whole);

// A label at the end of a line. Labels are pushed apart and moved into bounds as one stack; a click
// on one hides or shows its series.
struct EndLabel {
    float y = 0;
    std::string name, note;
    Color color = 0;
    bool strong = false;
    int series = -1;  // bit in PlotState::hidden
};
void end_labels(Ui&, std::string_view id, std::vector<EndLabel>, float x, float low, float high,
                float pitch, PlotState*);

// Numbers beside points, each on the side where it touches least: never another number or the
// frame while there is a choice, then no mark, then no curve.
class PointNumbers {
  public:
    // `rising`: the curves rise to the right, so the upper left is free rather than the upper
    // right.
    PointNumbers(const Ui& ui, Rect bounds, bool rising)
        : u_(ui), bounds_(bounds), rising_(rising) {}
    void avoid(ImVec2 point, float radius);
    void avoid(std::span<const ImVec2> curve, float near_x);  // its points beside an x
    // `below`: prefers the lower side, for the lowest of several lines.
    void draw(ImVec2 point, Face, Color, std::string_view, bool below = false);

  private:
    const Ui& u_;
    Rect bounds_;
    bool rising_;
    struct Taken {
        Rect box;
        int weight;  // how bad it is to lie on it
    };
    std::vector<Taken> taken_;
};

// The nearest 1-2-5 step below (or at) and above a positive value.
double step_below(double v);
double step_above(double v);

// The values under the crosshair, in one box that flips at the right edge.
struct HoverValue {
    std::string name, value;
    Color color = 0;
};
void hover_box(const Ui&, const Plot&, double x, std::string_view title,
               const std::vector<HoverValue>&);

}  // namespace kvgauge::ui
