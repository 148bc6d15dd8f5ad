// SPDX-License-Identifier: MIT
#include "import/config_fields.h"

#include <utility>

namespace kvgauge {
namespace {

JsonValue follow(JsonValue v, std::string_view name) {
    for (;;) {
        const std::size_t dot = name.find('.');
        v = v[name.substr(0, dot)];
        if (dot == std::string_view::npos || v.is_null()) return v;
        name.remove_prefix(dot + 1);
    }
}

std::string join(Names names) {
    std::string all;
    for (const std::string_view n : names) {
        if (!all.empty()) all += ", ";
        all += n;
    }
    return all;
}

}  // namespace

JsonValue Fields::find(Names names, std::string_view* found) const {
    for (const std::string_view n : names) {
        const JsonValue v = follow(object_, n);
        if (v.is_null()) continue;
        if (found != nullptr) *found = n;
        return v;
    }
    return {};
}

bool Fields::written(std::string_view key) const {
    for (std::size_t i = 0; i < object_.size(); ++i) {
        if (object_.key_at(i) == key) return true;
    }
    return false;
}

std::optional<std::uint64_t> Fields::checked(JsonValue v, std::string_view name, std::uint64_t min,
                                             std::uint64_t max) const {
    const auto n = v.whole();
    if (n && *n >= min && *n <= max) return n;
    error(name, std::string(name) + " is " + v.text() + "; accepted are whole numbers from " +
                    std::to_string(min) + " to " + std::to_string(max));
    return std::nullopt;
}

bool Fields::short_enough(JsonValue list, std::string_view name) const {
    if (list.size() <= kMaxList) return true;
    error(name, std::string(name) + " is " + list.text() + "; accepted are lists of up to " +
                    std::to_string(kMaxList));
    return false;
}

std::optional<std::uint64_t> Fields::count(Names names, std::uint64_t max) const {
    std::string_view name;
    const JsonValue v = find(names, &name);
    if (v.is_null()) return std::nullopt;
    return checked(v, name, 1, max);
}

std::optional<std::uint64_t> Fields::count_or_none(Names names, std::uint64_t max) const {
    std::string_view name;
    const JsonValue v = find(names, &name);
    if (v.is_null()) return std::nullopt;
    if (const auto d = v.number(); d && *d <= 0) return std::nullopt;
    if (const auto b = v.boolean(); b && !*b) return std::nullopt;
    if (v.string() == "auto") return std::nullopt;
    return checked(v, name, 1, max);
}

std::optional<std::uint64_t> Fields::required(Names names, std::uint64_t max) const {
    if (!has(names)) {
        error(*names.begin(), std::string(*names.begin()) + " is missing; accepted are whole " +
                                  "numbers from 1 to " + std::to_string(max) +
                                  (names.size() > 1 ? " under one of " + join(names) : ""));
        return std::nullopt;
    }
    return count(names, max);
}

bool Fields::flag(Names names, bool fallback) const {
    const JsonValue v = find(names);
    if (const auto b = v.boolean()) return *b;
    if (const auto n = v.number()) return *n != 0;
    return fallback;
}

std::optional<double> Fields::real(Names names) const {
    return find(names).number();
}

std::string_view Fields::word(Names names) const {
    return find(names).string().value_or(std::string_view());
}

std::optional<std::vector<std::uint64_t>> Fields::counts(Names names, std::uint64_t max) const {
    std::string_view name;
    const JsonValue v = find(names, &name);
    if (!v.is_array() || !short_enough(v, name)) return std::nullopt;
    std::vector<std::uint64_t> all;
    all.reserve(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
        const JsonValue e = v.at(i);
        if (e.is_null()) {
            all.push_back(0);
            continue;
        }
        if (const auto b = e.boolean()) {
            all.push_back(*b ? 1 : 0);
            continue;
        }
        const auto n = checked(e, name, 0, max);
        if (!n) return std::nullopt;
        all.push_back(*n);
    }
    return all;
}

std::optional<std::vector<std::string_view>> Fields::words(Names names) const {
    std::string_view name;
    const JsonValue v = find(names, &name);
    if (!v.is_array() || !short_enough(v, name)) return std::nullopt;
    std::vector<std::string_view> all;
    all.reserve(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) {
        const auto s = v.at(i).string();
        if (!s) return std::nullopt;
        all.push_back(*s);
    }
    return all;
}

void Fields::push(Severity severity, std::string_view key, std::string text) const {
    if (!text.ends_with('.')) text += '.';
    issues_->push_back({severity, path_ + std::string(key), std::move(text)});
}

void Fields::error(std::string_view key, std::string text) const {
    push(Severity::error, key, std::move(text));
}
void Fields::warn(std::string_view key, std::string text) const {
    push(Severity::warning, key, std::move(text));
}
void Fields::note(std::string_view key, std::string text) const {
    push(Severity::notice, key, std::move(text));
}

Fields Fields::inside(std::string_view key) const {
    return Fields(object_[key], path_ + std::string(key) + ".", *issues_);
}

}  // namespace kvgauge
