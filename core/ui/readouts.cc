// SPDX-License-Identifier: MIT
#include "ui/readouts.h"

#include <algorithm>

#include "text/numbers.h"
#include "ui/number_text.h"

namespace kvgauge::ui {
namespace {

constexpr float kOneRow = 760, kReadoutRow = 108;

Readout from_row(const Session& s, std::string_view id, std::string_view label) {
    Readout o;
    o.row = id;
    o.label = label;
    o.value = "–";
    if (const Row* row = s.row(id)) o.basis = row->basis;
    return o;
}

void set_value(Readout& o, const std::string& text) {
    Split split = split_unit(text);
    o.value = std::move(split.value);
    o.unit = std::move(split.unit);
}

// Another duration in the unit of `like`, without it: "9.7" beside "21.3 ms". Two digits are enough
// beside a value.
std::string in_unit_of(double seconds, double like) {
    const std::string unit = split_unit(duration(like)).unit;
    const double v = seconds * (unit == "s" ? 1 : unit == "ms" ? 1e3 : 1e6);
    return v >= 9.95 ? grouped(static_cast<std::uint64_t>(v + .5)) : decimals(v, v < 1 ? 2 : 1);
}

// 1.1 s
std::string short_duration(double seconds) {
    return in_unit_of(seconds, seconds) + " " + split_unit(duration(seconds)).unit;
}

}  // namespace

std::vector<Readout> main_readouts(const Ui& u, const Session& s, bool brief) {
    std::vector<Readout> out;
    const Scenario& n = s.scenario;
    {
        Readout o = from_row(s, "kv.bytes_per_token", u.tr(Str::ui_ro_kv_token));
        if (const Row* row = s.row(o.row)) {
            const double v = number_of(*row);
            set_value(o, binary_size(v));
            const std::string bytes = grouped(v) + " B";
            o.note = brief ? bytes : u.tr(Str::ui_ro_one_copy, {bytes});
        }
        out.push_back(o);
    }
    {
        Readout o = from_row(s, "kv.bytes_per_request", u.tr(Str::ui_ro_kv_request));
        if (const Row* row = s.row(o.row)) {
            set_value(o, binary_size(number_of(*row)));
            o.note = u.tr(Str::ui_ro_tokens, {grouped(n.ctx)});
        }
        out.push_back(o);
    }
    {
        Readout o = from_row(s, "decode.tpot_s", u.tr(Str::ui_ro_tpot));
        const Row* floor = s.row("decode.floor_s");
        if (const Row* row = s.row(o.row)) {
            const double v = number_of(*row);
            set_value(o, duration(v));
            const double f = floor != nullptr ? number_of(*floor) : 0;
            o.note = u.tr(Str::ui_ro_floor, {in_unit_of(f, v)});
            if (row->low && row->high) {
                if (!brief) {
                    o.note += ", " + in_unit_of(*row->low, v) + "–" + in_unit_of(*row->high, v);
                }
                o.range = Range{f, *row->low, v, *row->high};
            }
        }
        out.push_back(o);
    }
    {
        Readout o = from_row(s, "prefill.ttft_s", u.tr(Str::ui_ro_ttft));
        const Row* floor = s.row("prefill.floor_s");
        if (const Row* row = s.row(o.row)) {
            const double v = number_of(*row);
            set_value(o, duration(v));
            const double f = floor != nullptr ? number_of(*floor) : 0;
            o.note = u.tr(Str::ui_ro_floor, {in_unit_of(f, v)});
            if (row->high && *row->high > v * 1.001) {
                if (!brief)
                    o.note =
                        u.tr(Str::ui_ro_floor_load, {in_unit_of(f, v), short_duration(*row->high)});
                o.range = Range{f, row->low.value_or(v), v, *row->high};
            } else {
                o.range = Range{f, v, v, v};
            }
        }
        out.push_back(o);
    }
    {
        Readout o = from_row(s, "decode.tokens_per_s", u.tr(Str::ui_ro_rate));
        if (const Row* row = s.row(o.row)) {
            o.value = three_digits(number_of(*row));
            o.unit = "tok/s";
            o.note = u.tr(brief ? Str::ui_ro_load_short : Str::ui_ro_load,
                          {grouped(n.batch), grouped(n.in), grouped(n.out)});
        }
        out.push_back(o);
    }
    if (brief) {
        for (Readout& o : out) o.range.reset();
    }
    return out;
}

float readouts_height(float width) {
    return width < kOneRow ? 2 * kReadoutRow : kReadoutRow;
}

void readout_row(Ui& u, Session& s, Rect r) {
    const std::vector<Readout> all = main_readouts(u, s, false);
    // Notes need their width: two rows of three where five would be narrow.
    const std::size_t columns = r.w < kOneRow ? 3 : all.size();
    const float w = r.w / static_cast<float>(columns);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Rect c{r.x + static_cast<float>(i % columns) * w,
                     r.y + static_cast<float>(i / columns) * kReadoutRow, w - 18, kReadoutHeight};
        if (i % columns > 0) u.vline(c.x - 16, c.y, c.y + 78, u.t.line);
        readout(u, s, c, all[i]);
    }
}

}  // namespace kvgauge::ui
