// SPDX-License-Identifier: MIT
// A reconciliation in words and as JSON.
#include <fmt/format.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cmath>

#include "text/link.h"
#include "text/numbers.h"
#include "text/page_json.h"
#include "text/reconcile.h"

namespace kvgauge {
namespace {

std::string_view cause_name(Cause c) {
    constexpr std::string_view names[] = {"",
                                          "rounding",
                                          "smallest_rank",
                                          "length_times",
                                          "dcp_multiplied",
                                          "extra_page",
                                          "block_rounding",
                                          "stand_in",
                                          "graphs_counted",
                                          "graphs_later",
                                          "rank_spread",
                                          "padded_weights",
                                          "towers",
                                          "other_gpu",
                                          "unexplained"};
    return names[static_cast<std::size_t>(c)];
}

std::string words(Lang lang, std::string_view key) {
    const auto s = find_string(key);
    return s ? std::string(text(lang, *s)) : std::string(key);
}

std::string figure(const ReconcileRow& row, double v) {
    if (!row.count) return binary_size(v);
    return row.step == LogStep::concurrency_of_budget ? fmt::format("{:.2f}", v)
                                                      : grouped(std::floor(v));
}

class Json {
  public:
    explicit Json(rapidjson::Writer<rapidjson::StringBuffer>& w) : w_(w) {}
    void key(std::string_view k) { w_.Key(k.data(), static_cast<rapidjson::SizeType>(k.size())); }
    void string(std::string_view k, std::string_view v) {
        key(k);
        text(v);
    }
    void text(std::string_view v) {
        const std::string safe = valid_utf8(v);
        w_.String(safe.data(), static_cast<rapidjson::SizeType>(safe.size()));
    }
    void number(std::string_view k, std::optional<double> v) {
        if (!v || !std::isfinite(*v)) return;
        key(k);
        if (*v >= 0 && *v < 9007199254740992.0 && *v == std::floor(*v)) {
            w_.Uint64(static_cast<std::uint64_t>(*v));
        } else {
            w_.Double(*v);
        }
    }

  private:
    rapidjson::Writer<rapidjson::StringBuffer>& w_;
};

std::string_view severity(Severity s) {
    return s == Severity::error ? "error" : s == Severity::warning ? "warning" : "notice";
}

void write_run(rapidjson::Writer<rapidjson::StringBuffer>& w, const Observation& o,
               const Reconciliation& r, Lang lang) {
    Json j(w);
    w.StartObject();
    if (o.engine) j.string("engine", name(*o.engine));
    j.string("version", o.version_text);
    j.string("model", o.model);
    j.string("link", format_link(r.scenario));
    j.key("filled");
    w.StartArray();
    for (const std::string& k : r.filled) j.text(k);
    w.EndArray();
    j.key("rows");
    w.StartArray();
    for (const ReconcileRow& row : r.rows) {
        w.StartObject();
        j.string("id", name(row.step));
        j.string("label", label(row.step, lang));
        j.string("unit", row.count ? "1" : "B");
        if (row.predicted) {
            j.number("predicted", row.predicted->value);
            j.number("low", row.predicted->low);
            j.number("high", row.predicted->high);
        }
        j.number("observed", row.observed);
        j.key("inside");
        w.Bool(row.inside);
        if (row.cause != Cause::none) {
            j.string("cause", cause_name(row.cause));
            j.string("text", sentence(row.cause, lang));
        }
        w.EndObject();
    }
    w.EndArray();
    const auto count = [](std::optional<std::uint64_t> v) {
        return v ? std::optional(static_cast<double>(*v)) : std::nullopt;
    };
    j.number("overhead", count(r.overhead));
    j.number("kv_budget", count(r.kv_budget));
    j.key("errors");
    w.StartArray();
    for (const std::string& e : o.errors) j.text(e);
    w.EndArray();
    j.key("issues");
    w.StartArray();
    for (const Issue& i : r.issues) {
        w.StartObject();
        j.string("severity", severity(i.severity));
        j.string("key", i.key);
        j.string("text", issue_text(lang, i));
        w.EndObject();
    }
    w.EndArray();
    w.EndObject();
}

std::string run_text(const Observation& o, const Reconciliation& r, const Catalog& catalog,
                     Lang lang) {
    std::string s =
        scenario_words(r.scenario, estimate(r.scenario, catalog, Part::geometry)) + "\n";
    for (const ReconcileRow& row : r.rows) {
        if (!row.predicted && !row.observed) continue;
        std::string predicted = "-";
        if (row.predicted) {
            predicted = figure(row, row.predicted->value);
            if (row.predicted->low && row.predicted->high) {
                predicted += " (" + figure(row, *row.predicted->low) + "\xe2\x80\x93" +
                             figure(row, *row.predicted->high) + ")";
            }
        }
        s +=
            fmt::format("  {:<36} {} {}, {} {}", label(row.step, lang), words(lang, "log.observed"),
                        row.observed ? figure(row, *row.observed) : "-",
                        words(lang, "log.predicted"), predicted);
        if (row.cause != Cause::none) s += ". " + sentence(row.cause, lang);
        s += '\n';
    }
    s += "  " +
         fill(words(lang, "log.matched"), {std::to_string(r.inside), std::to_string(r.compared)}) +
         "\n";
    if (r.overhead && r.kv_budget) {
        s += "  " +
             fill(words(lang, "log.keep"),
                  {binary_size(static_cast<double>(*r.overhead)), std::to_string(*r.overhead),
                   std::to_string(*r.kv_budget)}) +
             "\n";
    }
    for (const std::string& e : o.errors) s += "  " + e + "\n";
    for (const Issue& i : r.issues) s += "  " + issue_text(lang, i) + "\n";
    return s;
}

}  // namespace

std::string label(LogStep step, Lang lang) {
    return words(lang, name(step));
}

std::string sentence(Cause c, Lang lang) {
    return c == Cause::none ? std::string{} : words(lang, "cause." + std::string(cause_name(c)));
}

std::string reconcile_json(const EngineLog& log, const Scenario& base, const Catalog& catalog,
                           bool known, std::string_view version, Lang lang) {
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> w(buffer);
    Json j(w);
    w.StartObject();
    j.string("schema", "kvgauge.reconcile/1");
    j.string("version", version);
    j.string("catalog", catalog.revision());
    j.number("lines", static_cast<double>(log.lines));
    j.number("recognised", static_cast<double>(log.recognised));
    j.key("runs");
    w.StartArray();
    for (const Observation& o : log.runs) write_run(w, o, reconcile(o, base, catalog, known), lang);
    w.EndArray();
    if (log.more_runs != 0) j.number("more_runs", static_cast<double>(log.more_runs));
    j.key("unknown");
    w.StartArray();
    for (const std::string& u : log.unknown) j.text(u);
    w.EndArray();
    j.key("issues");
    w.StartArray();
    if (log.runs.empty()) {
        w.StartObject();
        j.string("severity", "error");
        j.string("key", "log");
        j.string("text", words(lang, "log.none"));
        w.EndObject();
    }
    w.EndArray();
    w.EndObject();
    return std::string(buffer.GetString(), buffer.GetSize());
}

std::string reconcile_text(const EngineLog& log, const Scenario& base, const Catalog& catalog,
                           bool known, Lang lang) {
    if (log.runs.empty()) return words(lang, "log.none") + "\n";
    std::string s;
    for (const Observation& o : log.runs) {
        if (!s.empty()) s += '\n';
        s += run_text(o, reconcile(o, base, catalog, known), catalog, lang);
    }
    if (!log.unknown.empty()) {
        s += '\n' + words(lang, "log.unknown") + "\n";
        for (const std::string& u : log.unknown) s += "  " + u + "\n";
    }
    return s;
}

}  // namespace kvgauge
