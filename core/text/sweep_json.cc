// SPDX-License-Identifier: MIT
// Sweeps as kvgauge.estimate/1, one object a point: the same keys, link and rows as `estimate`,
// less the sentence and the derivations. A million lines are asked of it: what axes do not change
// is written once and copied.
#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "text/json.h"
#include "text/link.h"
#include "text/report.h"
#include "text/sweep_job.h"

namespace kvgauge {
namespace {

// A piece of every line: text that stays, or one that an axis or an estimate changes.
struct Piece {
    std::string text;              // in front of the live part
    const Field* field = nullptr;  // live; null: the end
    bool link = false;             // of the link, else of the scenario
};

class Lines : public SweepWriter {
  public:
    Lines(const SweepRequest& r, const Sweep& sweep, const Catalog& catalog) : r_(r) {
        for (const Axis& a : sweep.axes()) live_.push_back({a.field, {}, {}, 0, false});
        // These follow from others.
        for (std::string_view key : {"gpus", "util", "engine", "model"}) {
            if (is_live(key)) continue;
            live_.push_back({find_field(key), {}, {}, 0, true});
        }
        JsonOptions options;
        options.version = r.version;
        head_ = "{" + head_json(catalog, options);
        for (const Column& c : r.columns) {
            const std::string label = c.extra == Extra::row
                                          ? std::string(text(r.lang, c.row->label))
                                          : std::string(c.label);
            columns_.push_back(
                fmt::format("{{\"id\":\"{}\",\"label\":\"{}\",\"value\":", c.id, label));
            tails_.push_back(fmt::format(",\"unit\":\"{}\",\"basis\":\"", c.unit));
        }
    }

    void begin(std::string& out) override {
        if (r_.format == SweepFormat::json) out += "[";
    }
    void end(std::string& out) override {
        if (r_.format == SweepFormat::json) out += "\n]\n";
    }

    void point(const Sweep& sweep, std::string& out) override {
        const Scenario& s = sweep.scenario();
        const Estimate& e = sweep.estimate();
        if (r_.format == SweepFormat::json) out += first_ ? "\n" : ",\n";
        if (first_) lay_out(s, e);
        first_ = false;
        refresh(sweep);
        out += head_;
        for (const Piece& p : pieces_) {
            out += p.text;
            if (p.field == nullptr) continue;
            const Live& l = live_of(*p.field);
            out += p.link ? l.link : l.json;
        }
        issues(s, e, out);
        out += ",\"rows\":[";
        rows(s, e, out);
        out += "]}";
        if (r_.format == SweepFormat::jsonl) out += '\n';
    }

  private:
    struct Live {
        const Field* field;
        std::string json, link;  // of the point at hand; json with the comma in front
        std::uint32_t value;     // of the axis when they were made
        bool follows;            // from other keys and the estimate
    };

    bool is_live(std::string_view key) const {
        for (const Live& l : live_) {
            if (l.field->key == key) return true;
        }
        return false;
    }
    const Live& live_of(const Field& f) const {
        for (const Live& l : live_) {
            if (l.field == &f) return l;
        }
        return live_.front();
    }

    // Cuts the line into what stays and what lives. The first key, model, always lives, so that
    // every other piece of the scenario begins with a comma.
    void lay_out(const Scenario& s, const Estimate& e) {
        std::string text = ",\"scenario\":{";
        const auto add = [&](const Field& f, bool link) {
            if (is_live(f.key)) {
                pieces_.push_back({std::move(text), &f, link});
                text.clear();
            } else if (link) {
                text += link_item(f, s);
            } else if (const std::string item = scenario_item_json(f, s, e); !item.empty()) {
                text += ',' + item;
            }
        };
        for (const Field& f : fields()) add(f, false);
        text += "},\"link\":\"v=1";
        for (const Field& f : fields()) add(f, true);
        text += "\",";
        pieces_.push_back({std::move(text), nullptr, false});
        make_all_ = true;
    }

    // What follows from other keys is written again only when one of these changed.
    void refresh(const Sweep& sweep) {
        const Scenario& s = sweep.scenario();
        const Estimate& e = sweep.estimate();
        const Followed now{gpus_of(s), e.budget ? e.budget->util : 0, e.version, e.model.get()};
        const bool moved = make_all_ || !(now == followed_);
        followed_ = now;
        for (std::size_t i = 0; i < live_.size(); ++i) {
            Live& l = live_[i];
            const bool axis = i < sweep.axes().size();
            if (axis && !make_all_ && l.value == sweep.value_of(i)) continue;
            if (!axis && !moved) continue;
            if (axis) l.value = sweep.value_of(i);
            const std::string item = scenario_item_json(*l.field, s, e);
            l.json = item.empty() || l.field->key == "model" ? item : ',' + item;
            l.link = link_item(*l.field, s);
        }
        make_all_ = false;
    }

    void issues(const Scenario& s, const Estimate& e, std::string& out) {
        noted_.clear();
        noted_ = e.issues;
        add_notes(s, e, noted_);
        out += noted_.empty() ? "\"issues\":[]" : issues_json(in_language(r_.lang, noted_));
    }

    static void number(double v, std::string& out) {
        if (!std::isfinite(v)) {
            out += "null";
        } else if (v >= 0 && v < 9007199254740992.0 && v == std::floor(v)) {
            fmt::format_to(std::back_inserter(out), "{}", static_cast<std::uint64_t>(v));
        } else {
            fmt::format_to(std::back_inserter(out), "{}", v);
        }
    }

    void rows(const Scenario& s, const Estimate& e, std::string& out) {
        bool some = false;
        for (std::size_t i = 0; i < r_.columns.size(); ++i) {
            const auto v = value_of(r_.columns[i], s, e, r_.prices);
            if (!v) {
                made_row(r_.columns[i], s, e, some, out);
                continue;
            }
            if (some) out += ',';
            some = true;
            out += columns_[i];
            if (const auto* n = std::get_if<std::uint64_t>(&v->value)) {
                fmt::format_to(std::back_inserter(out), "{}", *n);
            } else if (const auto* d = std::get_if<double>(&v->value)) {
                number(*d, out);
            } else {
                out += '"';
                out += std::get<std::string_view>(v->value);
                out += '"';
            }
            out += tails_[i];
            out += name(v->basis);
            out += '"';
            if (v->low) {
                out += ",\"low\":";
                number(*v->low, out);
            }
            if (v->high) {
                out += ",\"high\":";
                number(*v->high, out);
            }
            out += '}';
        }
    }

    // Rows of text are made by a report, however long that takes.
    void made_row(const Column& c, const Scenario& s, const Estimate& e, bool& some,
                  std::string& out) {
        if (c.extra != Extra::row || c.row->get != nullptr || !e.model) return;
        const Report r = report(s, e, r_.lang);
        const Row* row = r.find(c.id);
        if (row == nullptr) return;
        if (some) out += ',';
        some = true;
        out += row_json(*row);
    }

    // What the keys that are no axes follow.
    struct Followed {
        std::uint64_t gpus = 0;
        double util = 0;
        Version version;
        const ModelSpec* model = nullptr;
        bool operator==(const Followed&) const = default;
    };

    const SweepRequest& r_;
    std::string head_;
    std::vector<Piece> pieces_;
    std::vector<Live> live_;  // the axes first, in their order
    std::vector<std::string> columns_, tails_;
    Followed followed_;
    Issues noted_;
    bool first_ = true, make_all_ = true;
};

}  // namespace

std::unique_ptr<SweepWriter> make_json_writer(const SweepRequest& r, const Sweep& sweep,
                                              const Catalog& catalog) {
    return std::make_unique<Lines>(r, sweep, catalog);
}

}  // namespace kvgauge
