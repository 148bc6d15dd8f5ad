// SPDX-License-Identifier: MIT
#include "text/page_json.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "text/article.h"
#include "text/link.h"
#include "text/numbers.h"

namespace kvgauge {
namespace {

using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

void string(Writer& w, std::string_view text) {
    const std::string safe = valid_utf8(text);
    w.String(safe.data(), static_cast<rapidjson::SizeType>(safe.size()));
}

void member(Writer& w, std::string_view name, std::string_view text) {
    string(w, name);
    string(w, text);
}

std::string_view name(Severity s) {
    switch (s) {
        case Severity::notice:
            return "notice";
        case Severity::warning:
            return "warning";
        case Severity::error:
            break;
    }
    return "error";
}

std::string_view name(FieldKind k) {
    switch (k) {
        case FieldKind::text:
            return "text";
        case FieldKind::choice:
            return "choice";
        case FieldKind::toggle:
            return "toggle";
        case FieldKind::count:
            return "count";
        case FieldKind::tokens:
            return "tokens";
        case FieldKind::bytes:
            return "bytes";
        case FieldKind::rate:
            return "rate";
        case FieldKind::fraction:
            return "fraction";
        case FieldKind::milliseconds:
            break;
    }
    return "milliseconds";
}

std::string_view name(Group g) {
    switch (g) {
        case Group::model:
            return "model";
        case Group::hardware:
            return "hardware";
        case Group::engine:
            return "engine";
        case Group::workload:
            break;
    }
    return "workload";
}

void write(Writer& w, const Issues& issues) {
    for (const Issue& issue : issues) {
        w.StartObject();
        member(w, "severity", name(issue.severity));
        member(w, "key", issue.key);
        member(w, "text", issue.text);
        w.EndObject();
    }
}

// Bytes and counts in full, where the text for people rounds them.
std::string exact_text(const Row& row) {
    if (row.unit != "B") return {};
    if (const auto* whole = std::get_if<std::uint64_t>(&row.value)) return grouped(*whole) + " B";
    if (const auto* real = std::get_if<double>(&row.value)) return grouped(*real) + " B";
    return {};
}

std::optional<double> number(const Row& row) {
    if (const auto* whole = std::get_if<std::uint64_t>(&row.value)) {
        return static_cast<double>(*whole);
    }
    if (const auto* real = std::get_if<double>(&row.value)) return *real;
    return std::nullopt;
}

void write(Writer& w, const Row& row, Lang lang) {
    const std::optional<double> raw = number(row);
    w.StartObject();
    member(w, "id", row.id);
    member(w, "label", row.label);
    member(w, "kind", raw ? "number" : "words");
    member(w, "value", value_text(row));
    member(w, "exact", exact_text(row));
    member(w, "basis", name(row.basis));
    member(w, "basis_word", basis_word(lang, row.basis));
    // A closed-loop band of one request is a point.
    member(w, "range", row.low && row.high && *row.low < *row.high ? range_text(row) : "");
    member(w, "derivation", row.derivation);
    string(w, "raw");
    if (raw) {
        w.Double(*raw);
    } else {
        w.Null();
    }
    if (row.low && row.high) {
        string(w, "low");
        w.Double(*row.low);
        string(w, "high");
        w.Double(*row.high);
    }
    w.EndObject();
}

template <class Entries>
void write_names(Writer& w, std::string_view key, const Entries& entries) {
    string(w, key);
    w.StartArray();
    for (const auto& entry : entries) {
        w.StartObject();
        member(w, "id", entry.id);
        member(w, "name", entry.name);
        w.EndObject();
    }
    w.EndArray();
}

}  // namespace

std::string page_state_json(const PageState& s, const Catalog& catalog) {
    const Scenario& scenario = s.answered.scenario;
    const Report& report = s.answered.report;
    rapidjson::StringBuffer out;
    Writer w(out);
    w.StartObject();
    string(w, "revision");
    w.Uint64(s.revision);
    member(w, "link", s.link);
    string(w, "is_default");
    // Language and theme are the visitor's; a view is a place that a link names.
    Presentation bare = s.view;
    bare.view.clear();
    w.Bool(s.link == format_link(Scenario(), bare));
    member(w, "lang", s.view.lang);
    member(w, "theme", s.view.theme);
    member(w, "view", s.view.view);
    member(w, "words", scenario_words(scenario, s.answered.estimate));
    member(w, "answer", name(report.answer));
    member(w, "sentence", report.sentence);
    member(w, "range", report.range);
    member(w, "second", report.second);
    member(w, "catalog", catalog.revision());
    member(w, "version", s.version);
    string(w, "rows");
    w.StartArray();
    const Lang lang = s.view.lang == "ko" ? Lang::ko : Lang::en;
    for (const Row& row : report.rows) write(w, row, lang);
    w.EndArray();
    string(w, "issues");
    w.StartArray();
    write(w, report.issues);
    w.EndArray();
    string(w, "values");
    w.StartObject();
    for (const Field& field : fields()) {
        string(w, field.key);
        w.StartArray();
        string(w, field.get(scenario));
        string(w, field.effective(scenario));
        w.EndArray();
    }
    w.EndObject();
    w.EndObject();
    return {out.GetString(), out.GetSize()};
}

std::string page_form_json(const Catalog& catalog) {
    rapidjson::StringBuffer out;
    Writer w(out);
    w.StartObject();
    string(w, "fields");
    w.StartArray();
    for (const Field& field : fields()) {
        if (!field.link) continue;  // a command's own key: files of its machine
        w.StartObject();
        member(w, "key", field.key);
        member(w, "kind", name(field.kind));
        member(w, "group", name(field.group));
        member(w, "unit", field.unit);
        member(w, "accepts", field.accepts);
        member(w, "help", field.help);
        string(w, "choices");
        w.StartArray();
        for (const std::string_view choice : field.choices) string(w, choice);
        w.EndArray();
        w.EndObject();
    }
    w.EndArray();
    struct Named {
        std::string_view id, name;
    };
    std::vector<Named> models, gpus, engines;
    for (const ModelEntry& m : catalog.models()) models.push_back({m.spec->id, m.spec->name});
    for (const GpuEntry& g : catalog.gpus()) gpus.push_back({g.spec.id, g.spec.name});
    for (const EngineId id : kEngineIds) engines.push_back({kvgauge::name(id), display_name(id)});
    write_names(w, "models", models);
    write_names(w, "gpus", gpus);
    write_names(w, "engines", engines);
    w.EndObject();
    return {out.GetString(), out.GetSize()};
}

std::string page_article_json(const Scenario& scenario, const Catalog& catalog) {
    const Variants all = variants(scenario, catalog);
    rapidjson::StringBuffer out;
    Writer w(out);
    w.StartObject();
    string(w, "q_heads");
    w.Uint(all.q_heads);
    string(w, "own_kv_heads");
    w.Uint(all.own_kv_heads);
    string(w, "batch_ctx");
    w.Uint64(Variants::kBatchContext);
    string(w, "batch_budget");
    w.Uint64(Variants::kBatchBudget);
    string(w, "contexts");
    w.StartArray();
    for (const std::uint64_t ctx : Variants::kContexts) w.Uint64(ctx);
    w.EndArray();
    string(w, "variants");
    w.StartArray();
    for (const Variants::Variant& v : all.variants) {
        w.StartObject();
        string(w, "kv_heads");
        w.Uint(v.kv_heads);
        string(w, "requests");
        w.Uint64(v.requests);
        string(w, "bytes");
        w.StartArray();
        for (const Bytes& bytes : v.request_bytes) w.Double(bytes.real());
        w.EndArray();
        w.EndObject();
    }
    w.EndArray();
    w.EndObject();
    return {out.GetString(), out.GetSize()};
}

std::string page_string_json(std::string_view text) {
    rapidjson::StringBuffer out;
    Writer w(out);
    string(w, text);
    return {out.GetString(), out.GetSize()};
}

std::string scenario_words(const Scenario& s, const Estimate& e) {
    std::string out = e.model ? e.model->name : s.model;
    const Count needed = Count(s.tp) * s.pp * s.dp;
    const std::uint64_t gpus = s.gpus.value_or(needed.overflow() ? 0 : needed.value());
    out += " \u00b7 " + grouped(gpus) + " \u00d7 " + (e.gpu.name.empty() ? s.gpu : e.gpu.name);
    if (s.engine != EngineId::none) {
        out += " \u00b7 ";
        out += display_name(s.engine);
        out += " " + to_string(e.version);
    }
    return out + " \u00b7 TP " + grouped(s.tp);
}

}  // namespace kvgauge
