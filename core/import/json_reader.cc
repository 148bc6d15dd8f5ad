// SPDX-License-Identifier: MIT
#include "import/json_reader.h"

#include <algorithm>
#include <cmath>

// An assertion of the library would be a bug here; it must not abort a page that reads a file.
#define RAPIDJSON_ASSERT(x) static_cast<void>(0)
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace kvgauge {
namespace {

using Value = rapidjson::Value;

const Value* raw(const void* p) {
    return static_cast<const Value*>(p);
}

// The character behind the string that begins at `i` (its opening quote).
std::size_t skip_string(std::string_view text, std::size_t i) {
    for (;;) {
        const std::size_t end = text.find('"', i + 1);
        if (end == text.npos) return text.size();
        std::size_t slashes = 0;
        while (end - slashes - 1 > i && text[end - slashes - 1] == '\\') ++slashes;
        if (slashes % 2 == 0) return end + 1;
        i = end;
        // An escaped quote: go on behind it, its slashes done with.
    }
}

// The position where brackets outside strings nest deeper than the limit.
std::optional<std::size_t> too_deep(std::string_view text) {
    std::size_t depth = 0;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == '"') {
            i = skip_string(text, i);
            continue;
        }
        if ((c == '{' || c == '[') && ++depth > kMaxJsonDepth) return i;
        if ((c == '}' || c == ']') && depth != 0) --depth;
        ++i;
    }
    return std::nullopt;
}

JsonError error_at(std::string_view text, std::size_t at, std::string what) {
    const std::string_view before = text.substr(0, std::min(at, text.size()));
    const std::size_t newline = before.rfind('\n');
    JsonError e;
    e.text = std::move(what);
    e.line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    e.column = newline == std::string_view::npos ? at + 1 : at - newline;
    return e;
}

}  // namespace

bool JsonValue::is_null() const {
    return value_ == nullptr || raw(value_)->IsNull();
}
bool JsonValue::is_object() const {
    return value_ != nullptr && raw(value_)->IsObject();
}
bool JsonValue::is_array() const {
    return value_ != nullptr && raw(value_)->IsArray();
}
bool JsonValue::is_string() const {
    return value_ != nullptr && raw(value_)->IsString();
}
bool JsonValue::is_number() const {
    return value_ != nullptr && raw(value_)->IsNumber();
}

std::optional<bool> JsonValue::boolean() const {
    if (value_ == nullptr || !raw(value_)->IsBool()) return std::nullopt;
    return raw(value_)->GetBool();
}

std::optional<std::string_view> JsonValue::string() const {
    if (!is_string()) return std::nullopt;
    return std::string_view(raw(value_)->GetString(), raw(value_)->GetStringLength());
}

std::optional<double> JsonValue::number() const {
    if (!is_number()) return std::nullopt;
    return raw(value_)->GetDouble();
}

std::optional<std::uint64_t> JsonValue::whole() const {
    if (!is_number()) return std::nullopt;
    if (raw(value_)->IsUint64()) return raw(value_)->GetUint64();
    const double d = raw(value_)->GetDouble();
    // 2^53: beyond it a double does not say which whole number was meant.
    if (!(d >= 0 && d <= 9007199254740992.0) || d != std::floor(d)) return std::nullopt;
    return static_cast<std::uint64_t>(d);
}

JsonValue JsonValue::operator[](std::string_view key) const {
    if (!is_object()) return {};
    const Value& v = *raw(value_);
    JsonValue found;
    for (auto m = v.MemberBegin(); m != v.MemberEnd(); ++m) {
        if (std::string_view(m->name.GetString(), m->name.GetStringLength()) == key) {
            found = JsonValue(&m->value);
        }
    }
    return found;
}

std::size_t JsonValue::size() const {
    if (is_array()) return raw(value_)->Size();
    if (is_object()) return raw(value_)->MemberCount();
    return 0;
}

JsonValue JsonValue::at(std::size_t i) const {
    if (i >= size()) return {};
    if (is_array()) return JsonValue(&(*raw(value_))[static_cast<rapidjson::SizeType>(i)]);
    return JsonValue(&(raw(value_)->MemberBegin() + static_cast<std::ptrdiff_t>(i))->value);
}

std::string_view JsonValue::key_at(std::size_t i) const {
    if (!is_object() || i >= size()) return {};
    const Value& name = (raw(value_)->MemberBegin() + static_cast<std::ptrdiff_t>(i))->name;
    return {name.GetString(), name.GetStringLength()};
}

std::string JsonValue::text(std::size_t limit) const {
    if (value_ == nullptr) return "null";
    // A list or object can be megabytes: say what it is.
    if (is_object()) return "an object";
    if (is_array()) return "a list of " + std::to_string(size());
    rapidjson::StringBuffer out;
    rapidjson::Writer<rapidjson::StringBuffer, rapidjson::UTF8<>, rapidjson::UTF8<>,
                      rapidjson::CrtAllocator, rapidjson::kWriteNanAndInfFlag>
        writer(out);
    raw(value_)->Accept(writer);
    std::string_view s(out.GetString(), out.GetSize());
    if (s.size() <= limit) return std::string(s);
    std::size_t end = limit;
    while (end > 0 && (static_cast<unsigned char>(s[end]) & 0xc0) == 0x80) --end;  // whole UTF-8
    return std::string(s.substr(0, end)) + "...";
}

struct JsonDocument::Impl {
    rapidjson::Document document;
};

JsonDocument::JsonDocument() : impl_(std::make_unique<Impl>()) {}
JsonDocument::~JsonDocument() = default;
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;

std::optional<JsonError> JsonDocument::parse(std::string_view text) {
    impl_ = std::make_unique<Impl>();
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    if (text.size() > kMaxJsonBytes) {
        return JsonError{"longer than " + std::to_string(kMaxJsonBytes >> 20) + " MiB"};
    }
    if (const auto at = too_deep(text)) {
        return error_at(text, *at,
                        "nested deeper than " + std::to_string(kMaxJsonDepth) + " levels");
    }
    // Not kParseFullPrecisionFlag: its StrtodDiyFp shifts by garbage for "0e308". Sizes are whole
    // or short decimals, which the plain way reads exactly.
    constexpr unsigned flags = rapidjson::kParseIterativeFlag | rapidjson::kParseNanAndInfFlag;
    impl_->document.Parse<flags>(text.data(), text.size());
    if (!impl_->document.HasParseError()) return std::nullopt;
    std::string what = rapidjson::GetParseError_En(impl_->document.GetParseError());
    if (what.ends_with('.')) what.pop_back();
    return error_at(text, impl_->document.GetErrorOffset(), std::move(what));
}

JsonValue JsonDocument::root() const {
    return JsonValue(&impl_->document);
}

}  // namespace kvgauge
