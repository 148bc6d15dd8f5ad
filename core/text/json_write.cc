// SPDX-License-Identifier: MIT
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <cmath>

#include "text/json.h"
#include "text/link.h"
#include "text/numbers.h"
#include "text/words.h"

namespace kvgauge {
namespace {

constexpr std::string_view severity_name(Severity s) {
    return s == Severity::error ? "error" : s == Severity::warning ? "warning" : "notice";
}

// rapidjson's Writer and PrettyWriter share no base; this is what both do.
template <class W>
class Json {
  public:
    explicit Json(W& w) : w_(w) {}
    void key(std::string_view k) { w_.Key(k.data(), static_cast<rapidjson::SizeType>(k.size())); }
    void string(std::string_view s) {
        const std::string safe = valid_utf8(s);
        w_.String(safe.data(), static_cast<rapidjson::SizeType>(safe.size()));
    }
    void number(double v) {
        if (!std::isfinite(v)) {
            w_.Null();
        } else if (v >= 0 && v < 9007199254740992.0 && v == std::floor(v)) {
            w_.Uint64(static_cast<std::uint64_t>(v));
        } else {
            w_.Double(v);
        }
    }
    void number(std::uint64_t v) { w_.Uint64(v); }
    void boolean(bool v) { w_.Bool(v); }
    void open() { w_.StartObject(); }
    void close() { w_.EndObject(); }
    void open_list() { w_.StartArray(); }
    void close_list() { w_.EndArray(); }
    void field(std::string_view k, std::string_view v) {
        key(k);
        string(v);
    }

  private:
    W& w_;
};

// Text that is a plain number goes out as a number.
template <class W>
void write_value(Json<W>& j, const Field& f, const std::string& text) {
    switch (f.kind) {
        case FieldKind::count:
        case FieldKind::tokens:
        case FieldKind::bytes:
            if (const auto v = parse_count(text)) return j.number(*v);
            if (const auto v = parse_real(text)) return j.number(*v);
            break;
        case FieldKind::rate:
        case FieldKind::fraction:
        case FieldKind::milliseconds:
            if (const auto v = parse_real(text)) return j.number(*v);
            break;
        case FieldKind::toggle:
            return j.boolean(text == "on");
        case FieldKind::text:
        case FieldKind::choice:
            if (f.key == "spec") {
                if (const auto v = parse_count(text)) return j.number(*v);
            }
            break;
    }
    j.string(text);
}

// The text of a key in effect; empty where the default belongs to something else.
std::string effective_text(const Field& f, const Scenario& s, const Estimate& e) {
    if (f.key == "engine" && s.engine != EngineId::none) return engine_word(s.engine, e.version);
    std::string text = f.effective(s);
    if (f.key == "util" && text.empty() && e.budget && !s.kv_budget) text = plain(e.budget->util);
    return text;
}

template <class W>
void write_item(Json<W>& j, const Field& f, const Scenario& s, const Estimate& e,
                const JsonOptions& options) {
    if (f.key == "model" && !s.model_source.empty()) {
        j.field(s.source_key, s.model_source);
        return;
    }
    std::string text = effective_text(f, s, e);
    for (const auto& [key, word] : options.as_written) {
        if (key == f.key) text = word;
    }
    if (text.empty()) return;
    j.key(f.key);
    write_value(j, f, text);
}

template <class W>
void write_scenario(Json<W>& j, const Answered& a, const JsonOptions& options) {
    j.open();
    for (const Field& f : fields()) write_item(j, f, a.scenario, a.estimate, options);
    j.close();
}

template <class W>
void write_list(Json<W>& j, std::string_view key, const std::vector<std::string>& items) {
    j.key(key);
    j.open_list();
    for (const std::string& i : items) j.string(i);
    j.close_list();
}

template <class W>
void write_command(Json<W>& j, const CommandLine& c) {
    j.key("from");
    j.open();
    if (c.engine) j.field("engine", name(*c.engine));
    write_list(j, "ignored", c.ignored);
    write_list(j, "unresolved", c.unresolved);
    j.key("notes");
    j.open();
    for (const CommandSetting& n : c.notes) j.field(n.key, n.text);
    j.close();
    j.close();
}

template <class W>
void write_issues(Json<W>& j, const Issues& issues) {
    j.key("issues");
    j.open_list();
    for (const Issue& i : issues) {
        j.open();
        j.field("severity", severity_name(i.severity));
        j.field("key", i.key);
        j.field("text", i.text);
        j.close();
    }
    j.close_list();
}

template <class W>
void write_row(Json<W>& j, const Row& r) {
    j.open();
    j.field("id", r.id);
    j.field("label", r.label);
    j.key("value");
    if (const auto* n = std::get_if<std::uint64_t>(&r.value)) j.number(*n);
    if (const auto* d = std::get_if<double>(&r.value)) j.number(*d);
    if (const auto* s = std::get_if<std::string>(&r.value)) j.string(*s);
    j.field("unit", r.unit);
    j.field("basis", name(r.basis));
    if (r.low) {
        j.key("low");
        j.number(*r.low);
    }
    if (r.high) {
        j.key("high");
        j.number(*r.high);
    }
    if (!r.derivation.empty()) j.field("derivation", r.derivation);
    j.close();
}

template <class W>
void write_head(Json<W>& j, const Catalog& catalog, const JsonOptions& options) {
    j.field("schema", "kvgauge.estimate/1");
    j.field("version", options.version);
    j.field("catalog", catalog.revision());
}

template <class W>
void write_answer(W& writer, const Answered& a, const Catalog& catalog,
                  const JsonOptions& options) {
    Json<W> j(writer);
    j.open();
    write_head(j, catalog, options);
    j.key("scenario");
    write_scenario(j, a, options);
    if (options.from != nullptr) write_command(j, *options.from);
    j.field("link", format_link(a.scenario));
    j.field("answer", name(a.report.answer));
    j.field("sentence", a.report.sentence);
    j.field("second", a.report.second);
    write_issues(j, a.report.issues);
    j.key("rows");
    j.open_list();
    for (const Row& r : a.report.rows) {
        const auto& ids = options.rows;
        if (ids.empty() || std::find(ids.begin(), ids.end(), r.id) != ids.end()) write_row(j, r);
    }
    j.close_list();
    j.close();
}

template <class F>
std::string written(bool pretty, F&& write) {
    rapidjson::StringBuffer out;
    if (pretty) {
        rapidjson::PrettyWriter<rapidjson::StringBuffer> w(out);
        w.SetIndent(' ', 2);
        write(w);
    } else {
        rapidjson::Writer<rapidjson::StringBuffer> w(out);
        write(w);
    }
    return {out.GetString(), out.GetSize()};
}

// What `write` puts between the braces of an object.
template <class F>
std::string inside(F&& write) {
    const std::string object = written(false, [&](auto& w) {
        Json<std::remove_reference_t<decltype(w)>> j(w);
        j.open();
        write(j);
        j.close();
    });
    return object.substr(1, object.size() - 2);
}

}  // namespace

std::string estimate_json(const Answered& a, const Catalog& catalog, const JsonOptions& options) {
    return written(options.pretty, [&](auto& w) { write_answer(w, a, catalog, options); });
}

std::string scenario_item_json(const Field& f, const Scenario& s, const Estimate& e) {
    return inside([&](auto& j) { write_item(j, f, s, e, {}); });
}

std::string issues_json(const Issues& issues) {
    return inside([&](auto& j) { write_issues(j, issues); });
}

std::string head_json(const Catalog& catalog, const JsonOptions& options) {
    return inside([&](auto& j) { write_head(j, catalog, options); });
}

std::string row_json(const Row& row) {
    return written(false, [&](auto& w) {
        Json<std::remove_reference_t<decltype(w)>> j(w);
        write_row(j, row);
    });
}

std::string unread_json(const Issues& issues, const Catalog& catalog, const JsonOptions& options) {
    return written(options.pretty, [&](auto& w) {
        Json<std::remove_reference_t<decltype(w)>> j(w);
        j.open();
        write_head(j, catalog, options);
        write_issues(j, issues);
        j.key("rows");
        j.open_list();
        j.close_list();
        j.close();
    });
}

}  // namespace kvgauge
