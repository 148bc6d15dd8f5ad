// SPDX-License-Identifier: MIT
#include "text/page_json.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <string_view>

#include "text/numbers.h"

namespace kvgauge {
namespace {

using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

void string(Writer& w, std::string_view text) {
    w.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

void member(Writer& w, std::string_view name, std::string_view text) {
    string(w, name);
    string(w, text);
}

std::string_view name(Severity s) {
    switch (s) {
        case Severity::notice: return "notice";
        case Severity::warning: return "warning";
        case Severity::error: break;
    }
    return "error";
}

std::string_view name(FieldKind k) {
    switch (k) {
        case FieldKind::text: return "text";
        case FieldKind::choice: return "choice";
        case FieldKind::toggle: return "toggle";
        case FieldKind::count: return "count";
        case FieldKind::tokens: return "tokens";
        case FieldKind::bytes: return "bytes";
        case FieldKind::rate: return "rate";
        case FieldKind::fraction: return "fraction";
        case FieldKind::milliseconds: break;
    }
    return "milliseconds";
}

std::string_view name(Group g) {
    switch (g) {
        case Group::model: return "model";
        case Group::hardware: return "hardware";
        case Group::engine: return "engine";
        case Group::workload: break;
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

}  // namespace
}  // namespace kvgauge
