// SPDX-License-Identifier: MIT
// Sweeps as text, Markdown and CSV: the axes, then the asked columns.
#include <algorithm>

#include "text/numbers.h"
#include "text/render.h"
#include "text/report.h"
#include "text/sweep_job.h"
#include "text/tp_text.h"

namespace kvgauge {
namespace {

// Rows that only a report writes.
std::string text_value(const Column& c, const Scenario& s, const Estimate& e) {
    if (c.id == "tp.valid" && e.model) return tp_sizes(valid_sizes(engine_input(s, e)));
    if (c.id == "tp.reason" && e.tp) {
        return tp_reason(*e.tp, e.engine, s.tp, e.weights.group, Lang::en);
    }
    if (!e.model) return {};
    const Report r = report(s, e);
    const Row* row = r.find(c.id);
    return row != nullptr ? value_text(*row) : std::string();
}

class TableWriter : public SweepWriter {
  public:
    TableWriter(const SweepRequest& r, const Sweep& sweep) : r_(r) {
        for (const Axis& a : sweep.axes()) heads_.push_back(std::string(a.field->key));
        for (const Column& c : r.columns) heads_.push_back(std::string(c.id));
        heads_.push_back("basis");
    }

    void begin(std::string& out) override {
        line(heads_, out);
        if (r_.format != SweepFormat::md) return;
        out += '|';
        for (std::size_t i = 0; i < heads_.size(); ++i) out += "---|";
        out += '\n';
    }

    void point(const Sweep& sweep, std::string& out) override {
        const Scenario& s = sweep.scenario();
        const Estimate& e = sweep.estimate();
        cells_.clear();
        for (std::size_t a = 0; a < sweep.axes().size(); ++a) {
            cells_.push_back(sweep.axes()[a].values[sweep.value_of(a)]);
        }
        Basis weakest = Basis::exact;
        for (const Column& c : r_.columns) {
            const auto v = value_of(c, s, e, r_.prices);
            if (!v) {
                const bool made = c.extra == Extra::row && c.row->get == nullptr;
                cells_.push_back(made ? text_value(c, s, e) : std::string());
                continue;
            }
            weakest = weaker(weakest, v->basis);
            cells_.push_back(cell(c, *v));
        }
        cells_.push_back(std::string(name(weakest)));
        line(cells_, out);
    }

  private:
    std::string cell(const Column& c, const RowValue& v) const {
        if (const auto* w = std::get_if<std::string_view>(&v.value)) return std::string(*w);
        if (r_.format == SweepFormat::csv) {
            if (const auto* n = std::get_if<std::uint64_t>(&v.value)) return plain(*n);
            return plain(std::get<double>(v.value));
        }
        Row row;
        row.unit = c.unit;
        if (const auto* n = std::get_if<std::uint64_t>(&v.value)) row.value = *n;
        if (const auto* d = std::get_if<double>(&v.value)) row.value = *d;
        return value_text(row);
    }

    void line(const std::vector<std::string>& cells, std::string& out) {
        switch (r_.format) {
            case SweepFormat::csv:
                for (std::size_t i = 0; i < cells.size(); ++i) {
                    if (i != 0) out += ',';
                    out += csv_cell(cells[i]);
                }
                out += "\r\n";
                return;
            case SweepFormat::md:
                out += '|';
                for (const std::string& c : cells) out += ' ' + markdown_cell(c) + " |";
                out += '\n';
                return;
            default:
                break;
        }
        // Columns are as wide as their heads, or as what they mostly hold: a table that streams
        // cannot know better.
        constexpr std::size_t kUsual = 12;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::size_t width = std::max(display_width(heads_[i]), kUsual);
            out += cells[i];
            if (i + 1 == cells.size()) break;
            const std::size_t have = display_width(cells[i]);
            out.append(have < width ? width - have + 2 : 2, ' ');
        }
        out += '\n';
    }

    const SweepRequest& r_;
    std::vector<std::string> heads_, cells_;
};

}  // namespace

std::unique_ptr<SweepWriter> make_table_writer(const SweepRequest& r, const Sweep& sweep) {
    return std::make_unique<TableWriter>(r, sweep);
}

}  // namespace kvgauge
