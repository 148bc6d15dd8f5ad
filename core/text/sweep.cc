// SPDX-License-Identifier: MIT
#include "text/sweep.h"

#include <array>
#include <cmath>

#include "text/numbers.h"

namespace kvgauge {
namespace {

std::string_view trim(std::string_view s) {
    while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
    while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
    return s;
}

std::vector<std::string_view> split(std::string_view s, std::string_view by) {
    std::vector<std::string_view> out;
    while (true) {
        const std::size_t at = s.find(by);
        out.push_back(trim(s.substr(0, at)));
        if (at == std::string_view::npos) return out;
        s.remove_prefix(at + by.size());
    }
}

std::optional<double> number_of(FieldKind kind, std::string_view text) {
    const auto real = [](std::optional<std::uint64_t> v) {
        return v ? std::optional<double>(static_cast<double>(*v)) : std::nullopt;
    };
    switch (kind) {
        case FieldKind::count:
            return real(parse_count(text));
        case FieldKind::tokens:
            return real(parse_tokens(text));
        case FieldKind::bytes:
            return real(parse_bytes(text));
        case FieldKind::rate:
            return parse_rate(text);
        case FieldKind::fraction:
            return parse_fraction(text);
        case FieldKind::milliseconds:  // the unit of the text, not of the Scenario
            return parse_real(text);
        default:
            return std::nullopt;
    }
}

// Twelve digits: 0.1 added eight times is 0.8.
std::string point_text(double v) {
    return plain(std::round(v * 1e12) / 1e12);
}

// "a..b", "a..b..step", "a..b..xfactor". False: not a range of this field's numbers.
bool expand(const Field& f, std::string_view text, std::vector<std::string>& values) {
    const auto parts = split(text, "..");
    if (parts.size() < 2 || parts.size() > 3) return false;
    const auto first = number_of(f.kind, parts[0]), last = number_of(f.kind, parts[1]);
    if (!first || !last || *last < *first) return false;
    double step = 1, factor = f.kind == FieldKind::tokens ? 2 : 0;
    if (parts.size() == 3) {
        std::string_view by = parts[2];
        const bool times = by.starts_with('x');
        if (times) by.remove_prefix(1);
        const auto n = times ? parse_real(by) : number_of(f.kind, by);
        if (!n || !(*n > (times ? 1 : 0))) return false;
        factor = times ? *n : 0;
        step = times ? 0 : *n;
    }
    if (factor != 0 && !(*first > 0)) return false;
    const double slack = factor != 0 ? *last * 1e-9 : step * 1e-6;
    for (double v = *first; v <= *last + slack; v = factor != 0 ? v * factor : v + step) {
        if (values.size() >= kAxisMost) return false;
        values.push_back(point_text(v));
    }
    return true;
}

struct Operator {
    std::string_view text;
    Compare compare;
};
constexpr std::array<Operator, 7> kOperators{{
    {">=", Compare::greater_equal},
    {"<=", Compare::less_equal},
    {"!=", Compare::unequal},
    {"==", Compare::equal},
    {">", Compare::greater},
    {"<", Compare::less},
    {"=", Compare::equal},
}};

template <class T>
bool compare(const T& a, Compare c, const T& b) {
    switch (c) {
        case Compare::equal:
            return a == b;
        case Compare::unequal:
            return !(a == b);
        case Compare::less:
            return a < b;
        case Compare::less_equal:
            return a <= b;
        case Compare::greater:
            return a > b;
        case Compare::greater_equal:
            return a >= b;
    }
    return false;
}

bool one_holds(const Report& r, const Condition& c) {
    const Row* row = r.find(c.id);
    if (row == nullptr) return false;
    if (const auto* s = std::get_if<std::string>(&row->value))
        return compare(*s, c.compare, c.text);
    const auto v = row_number(r, c.id);
    return v && c.number && compare(*v, c.compare, *c.number);
}

}  // namespace

bool is_axis_text(std::string_view text) {
    return text.find(',') != std::string_view::npos || text.find("..") != std::string_view::npos;
}

std::optional<Axis> read_axis(const Field& f, std::string_view text, Issues& issues) {
    Axis axis{&f, {}};
    bool good = true;
    for (std::string_view part : split(text, ",")) {
        if (part.find("..") == std::string_view::npos) {
            axis.values.emplace_back(part);
        } else if (!expand(f, part, axis.values)) {
            good = false;
        }
    }
    if (good && axis.values.size() <= kAxisMost) return axis;
    issues.push_back(
        {Severity::error, std::string(f.key),
         std::string(f.key) + ": " + quoted_text(text) +
             " is no list of values; accepted are a,b,c and the ranges a..b, a..b..step "
             "and a..b..x2 with at most 100,000 values."});
    return std::nullopt;
}

std::uint64_t sweep_points(std::span<const Axis> axes) {
    std::uint64_t n = 1;
    for (const Axis& a : axes) {
        if (a.values.empty()) return 0;
        if (n > kSweepMost / a.values.size()) return kSweepMost + 1;
        n *= a.values.size();
    }
    return n;
}

void set_point(Scenario& s, std::span<const Axis> axes, std::uint64_t n, const Catalog& c,
               Issues& issues) {
    for (std::size_t i = axes.size(); i > 0; --i) {
        const Axis& a = axes[i - 1];
        const std::string& value = a.values[n % a.values.size()];
        n /= a.values.size();
        if (auto issue = set_field(s, a.field->key, value, c)) issues.push_back(std::move(*issue));
    }
}

std::optional<std::vector<Condition>> read_conditions(std::string_view text, std::string& why) {
    std::vector<Condition> out;
    if (trim(text).empty()) return out;
    for (std::string_view part : split(text, ",")) {
        Condition c;
        std::size_t at = std::string_view::npos;
        std::size_t length = 0;
        for (const Operator& o : kOperators) {
            const std::size_t here = part.find(o.text);
            if (here == std::string_view::npos || here > at ||
                (here == at && o.text.size() <= length)) {
                continue;
            }
            at = here;
            length = o.text.size();
            c.compare = o.compare;
        }
        if (at == std::string_view::npos || at == 0) {
            why = quoted_text(part) +
                  " is no condition; accepted are row ids compared with a value, such as "
                  "batch.max>=8 or tp.verdict=ok";
            return std::nullopt;
        }
        c.id = trim(part.substr(0, at));
        c.text = trim(part.substr(at + length));
        c.number = parse_real(c.text);
        if (!c.number) {
            if (const auto bytes = parse_bytes(c.text)) c.number = static_cast<double>(*bytes);
        }
        out.push_back(std::move(c));
    }
    return out;
}

bool holds(const Report& r, std::span<const Condition> conditions) {
    for (const Condition& c : conditions) {
        if (!one_holds(r, c)) return false;
    }
    return true;
}

std::optional<double> row_number(const Report& r, std::string_view id) {
    const Row* row = r.find(id);
    if (row == nullptr) return std::nullopt;
    if (const auto* n = std::get_if<std::uint64_t>(&row->value)) return static_cast<double>(*n);
    if (const auto* d = std::get_if<double>(&row->value)) return *d;
    return std::nullopt;
}

}  // namespace kvgauge
