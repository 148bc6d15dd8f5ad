// SPDX-License-Identifier: MIT
#include "import/gguf_keys.h"

#include <cmath>
#include <utility>

namespace kvgauge {
namespace {

std::string written(double v) {
    if (std::abs(v) < 1e15 && v == std::floor(v)) {
        return std::to_string(static_cast<std::int64_t>(v));
    }
    return std::to_string(v);
}

}  // namespace

void GgufKeys::add(Severity severity, std::string_view key, std::string text) const {
    issues_.push_back({severity, full(key), std::string(source_) + ": " + std::move(text)});
}

void GgufKeys::error(std::string_view key, std::string text) const {
    add(Severity::error, key, std::move(text));
}
void GgufKeys::warn(std::string_view key, std::string text) const {
    add(Severity::warning, key, std::move(text));
}
void GgufKeys::note(std::string_view key, std::string text) const {
    add(Severity::notice, key, std::move(text));
}
void GgufKeys::missing(std::string_view key, std::string_view why) const {
    error(key, full(key) + " is missing" + (why.empty() ? "" : "; ") + std::string(why) + ".");
}

std::optional<std::uint64_t> GgufKeys::whole(double v, const GgufValue& from,
                                             std::uint64_t max) const {
    if (v >= 0 && v <= static_cast<double>(max) && v == std::floor(v)) {
        return static_cast<std::uint64_t>(v);
    }
    issues_.push_back({Severity::error, from.key,
                       std::string(source_) + ": " + from.key + " is " + written(v) +
                           "; a whole number from 0 to " + std::to_string(max) + " is accepted."});
    return std::nullopt;
}

std::uint64_t GgufKeys::number(std::string_view key, std::uint64_t max,
                               std::uint64_t fallback) const {
    const GgufValue* v = find(key);
    if (v == nullptr) return fallback;
    // Some writers put a list of one value for all layers, or of equal values, where one would do.
    if (v->kind == GgufKind::array && !v->list.empty()) {
        for (const double x : v->list) {
            if (x != v->list[0]) {
                error(key, v->key + " is a list of different numbers; one number is accepted.");
                return fallback;
            }
        }
        return whole(v->list[0], *v, max).value_or(fallback);
    }
    if (v->kind == GgufKind::array || v->kind == GgufKind::string) {
        error(key, v->key + " is a " + std::string(name(v->kind)) + "; a number is accepted.");
        return fallback;
    }
    return whole(v->number, *v, max).value_or(fallback);
}

std::uint64_t GgufKeys::required(std::string_view key, std::uint64_t max) const {
    const GgufValue* v = find(key);
    if (v == nullptr) {
        missing(key, {});
        return 0;
    }
    const std::size_t before = issues_.size();
    const std::uint64_t n = number(key, max);
    if (n == 0 && issues_.size() == before) {
        error(key,
              v->key + " is 0; a whole number from 1 to " + std::to_string(max) + " is accepted.");
    }
    return n;
}

std::optional<std::vector<std::uint64_t>> GgufKeys::per_layer(std::string_view key,
                                                              std::uint64_t layers,
                                                              std::uint64_t max,
                                                              std::uint64_t at_most) const {
    const GgufValue* v = find(key);
    if (v == nullptr) return std::nullopt;
    if (v->kind != GgufKind::array) {
        return std::vector<std::uint64_t>(static_cast<std::size_t>(layers), number(key, max));
    }
    if (v->count < layers || (v->count > layers && v->count > at_most) ||
        v->list.size() != v->count) {
        error(key, v->key + " lists " + std::to_string(v->count) + " " +
                       std::string(name(v->element)) + " values for " + std::to_string(layers) +
                       " layers; one number a layer is accepted.");
        return std::nullopt;
    }
    std::vector<std::uint64_t> out;
    for (std::uint64_t i = 0; i < layers; ++i) {
        const auto n = whole(v->list[static_cast<std::size_t>(i)], *v, max);
        if (!n) return std::nullopt;
        out.push_back(*n);
    }
    return out;
}

}  // namespace kvgauge
