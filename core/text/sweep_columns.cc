// SPDX-License-Identifier: MIT
#include "text/sweep_columns.h"

#include <algorithm>

#include "text/numbers.h"

namespace kvgauge {
namespace {

std::string_view trimmed(std::string_view s) {
    while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
    while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
    return s;
}

void refuse(Issues& issues, std::string_view key, std::string text) {
    issues.push_back(
        {Severity::error, std::string(key), std::string(key) + ": " + std::move(text)});
}

template <class Each>
void split(std::string_view text, Each&& each) {
    for (;;) {
        const std::size_t end = text.find(',');
        if (const std::string_view part = trimmed(text.substr(0, end)); !part.empty()) each(part);
        if (end == std::string_view::npos) return;
        text.remove_prefix(end + 1);
    }
}

std::optional<double> number_of(const Field& f, const Scenario& s) {
    // slot() hands out places to write to; here they are only read.
    const Slot at = f.slot(const_cast<Scenario&>(s));
    if (auto* const* p = std::get_if<std::uint64_t*>(&at)) return static_cast<double>(**p);
    if (auto* const* p = std::get_if<std::optional<std::uint64_t>*>(&at)) {
        if ((*p)->has_value()) return static_cast<double>(***p);
    }
    if (auto* const* p = std::get_if<std::optional<double>*>(&at)) {
        if ((*p)->has_value()) return ***p;
    }
    return std::nullopt;
}

// Seconds only with their unit: 30 may mean either.
std::optional<double> seconds(std::string_view text) {
    if (!text.ends_with('s')) return std::nullopt;
    if (text.ends_with("us") || text.ends_with("µs")) {
        const std::size_t unit = text.ends_with("us") ? 2 : 3;
        const auto v = parse_real(trimmed(text.substr(0, text.size() - unit)));
        return v ? std::optional(*v * 1e-6) : std::nullopt;
    }
    return parse_milliseconds(text);
}

std::optional<double> read_number(const Column& c, std::string_view text) {
    if (c.unit == "s" || c.unit == "ms") return seconds(text);
    if (c.unit == "B" || c.unit == "bytes") {
        const auto v = parse_bytes(text);
        return v ? std::optional(static_cast<double>(*v)) : std::nullopt;
    }
    if (c.field != nullptr && c.field->kind == FieldKind::fraction) return parse_fraction(text);
    if (c.field != nullptr && c.field->kind == FieldKind::rate) return parse_rate(text);
    if (const auto v = parse_real(text)) return v;
    const auto v = parse_tokens(text);  // 32k
    return v ? std::optional(static_cast<double>(*v)) : std::nullopt;
}

constexpr std::string_view kVerdictAt[] = {
    "tp.verdict@1",  "tp.verdict@2",  "tp.verdict@4",  "tp.verdict@8",
    "tp.verdict@16", "tp.verdict@32", "tp.verdict@64",
};

struct Sign {
    std::string_view text;
    Condition::Op op;
};
constexpr Sign kSigns[] = {
    {"<=", Condition::Op::at_most},   {">=", Condition::Op::at_least},
    {"!=", Condition::Op::not_equal}, {"<", Condition::Op::less},
    {">", Condition::Op::more},       {"=", Condition::Op::equal},
};

std::optional<Condition> read_condition(std::string_view text, Issues& issues) {
    if (text == "fits") return Condition{};
    const std::size_t at = text.find_first_of("<>=!");
    const Sign* sign = nullptr;
    for (const Sign& s : kSigns) {
        if (at != std::string_view::npos && text.substr(at).starts_with(s.text)) {
            sign = &s;
            break;
        }
    }
    if (sign == nullptr) {
        refuse(issues, "where",
               quoted_text(text) +
                   " is no condition: fits, or a row and a value, as in "
                   "tpot<30ms.");
        return std::nullopt;
    }
    const std::string_view id = trimmed(text.substr(0, at));
    const std::string_view value = trimmed(text.substr(at + sign->text.size()));
    const auto column = find_column(id);
    if (!column || (column->row != nullptr && column->row->get == nullptr)) {
        refuse(issues, "where",
               quoted_text(id) + " is no number or word of a point; kvgauge help rows lists them.");
        return std::nullopt;
    }
    Condition c{sign->op, *column, 0, {}};
    if (column->unit == "word") {
        if (sign->op != Condition::Op::equal && sign->op != Condition::Op::not_equal) {
            refuse(issues, "where", std::string(id) + " is a word: = and != compare it.");
            return std::nullopt;
        }
        c.word = value;
        return c;
    }
    const auto number = read_number(*column, value);
    if (!number) {
        const bool time = column->unit == "s" || column->unit == "ms";
        refuse(issues, "where",
               quoted_text(text) + (time ? ": a time needs its unit, as in tpot<30ms."
                                         : ": " + quoted_text(value) + " is no number here."));
        return std::nullopt;
    }
    c.number = *number;
    return c;
}

}  // namespace

std::optional<double> Prices::of(std::string_view gpu) const {
    for (const auto& [id, price] : of_gpu) {
        if (id == gpu) return price;
    }
    return any;
}

bool read_prices(std::string_view text, const Catalog& catalog, Prices& out, Issues& issues) {
    const std::size_t before = issues.size();
    split(text, [&](std::string_view item) {
        const std::size_t equals = item.find('=');
        const std::string_view price_text =
            trimmed(equals == std::string_view::npos ? item : item.substr(equals + 1));
        const auto price = parse_real(price_text);
        if (!price || !(*price >= 0)) {
            return refuse(issues, "price", quoted_text(price_text) + " is no price of a GPU-hour.");
        }
        if (equals == std::string_view::npos) {
            out.any = *price;
            return;
        }
        const std::string_view name = trimmed(item.substr(0, equals));
        const GpuEntry* gpu = catalog.gpu(name);
        if (gpu == nullptr) {
            return refuse(issues, "price", quoted_text(name) + " is no GPU of the catalog.");
        }
        out.of_gpu.emplace_back(gpu->spec.id, *price);
    });
    return issues.size() == before;
}

bool Column::small_is_good() const {
    return unit == "s" || unit == "B" || extra == Extra::gpus || extra == Extra::cost_per_hour ||
           extra == Extra::cost_per_million_tokens;
}

std::optional<Column> find_column(std::string_view id) {
    if (id == "gpus") return Column{"gpus", "1", "GPUs", Extra::gpus};
    if (id == "cost.per_hour" || id == "cost") {
        return Column{"cost.per_hour", "1", "Cost per hour", Extra::cost_per_hour};
    }
    if (id == "cost.per_million_tokens") {
        return Column{"cost.per_million_tokens", "1", "Cost per million output tokens",
                      Extra::cost_per_million_tokens};
    }
    for (std::size_t i = 0; i < std::size(kVerdictAt); ++i) {
        if (id != kVerdictAt[i]) continue;
        return Column{kVerdictAt[i], "word",  kVerdictAt[i],        Extra::verdict_at,
                      nullptr,       nullptr, std::uint64_t{1} << i};
    }
    if (const RowKind* r = find_row(id)) {
        return Column{r->id, r->unit, text(Lang::en, r->label), Extra::row, r};
    }
    const Field* f = find_field(id);
    if (f == nullptr || f->slot == nullptr || f->kind == FieldKind::toggle) return std::nullopt;
    return Column{f->key, f->unit, f->key, Extra::key, nullptr, f};
}

std::uint64_t gpus_of(const Scenario& s) {
    const Count n = Count(s.tp) * s.pp * s.dp;
    return n.overflow() ? UINT64_MAX : n.value();
}

bool fits(const Estimate& e) {
    return e.batch && e.batch->max.value >= 1 && !(e.tp && e.tp->verdict == Verdict::error);
}

std::optional<RowValue> value_of(const Column& c, const Scenario& s, const Estimate& e,
                                 const Prices& prices) {
    const auto plain_value = [](double v, Basis basis) { return RowValue{v, basis, {}, {}}; };
    switch (c.extra) {
        case Extra::row:
            return c.row->get != nullptr ? c.row->get(s, e) : std::nullopt;
        case Extra::gpus:
            return RowValue{gpus_of(s), Basis::exact, {}, {}};
        case Extra::key: {
            const auto v = number_of(*c.field, s);
            return v ? std::optional(plain_value(*v, Basis::exact)) : std::nullopt;
        }
        case Extra::verdict_at:
            if (!e.tp) return std::nullopt;
            return RowValue{
                name(rules(e.engine).tp(engine_input(s, e), c.tp).verdict), Basis::exact, {}, {}};
        case Extra::cost_per_hour: {
            const auto price = prices.of(s.gpu);
            if (!price) return std::nullopt;
            return plain_value(*price * static_cast<double>(gpus_of(s)), Basis::exact);
        }
        case Extra::cost_per_million_tokens: {
            const auto price = prices.of(s.gpu);
            if (!price || !e.speed || !(e.speed->tokens_per_s.value > 0)) return std::nullopt;
            const double a_token = *price * static_cast<double>(e.speed->gpus) / 3600;
            const Quantity& rate = e.speed->tokens_per_s;
            RowValue v{a_token / rate.value * 1e6, rate.basis, {}, {}};
            if (rate.high && *rate.high > 0) v.low = a_token / *rate.high * 1e6;
            if (rate.low && *rate.low > 0) v.high = a_token / *rate.low * 1e6;
            return v;
        }
    }
    return std::nullopt;
}

std::vector<Condition> read_conditions(std::string_view text, Issues& issues) {
    std::vector<Condition> out;
    split(text, [&](std::string_view part) {
        if (auto c = read_condition(part, issues)) out.push_back(std::move(*c));
    });
    return out;
}

bool holds(const Condition& c, const Scenario& s, const Estimate& e, const Prices& prices) {
    using Op = Condition::Op;
    if (c.op == Op::fits) return fits(e);
    const auto v = value_of(c.column, s, e, prices);
    if (!v) return false;
    if (!v->number()) {
        return (std::get<std::string_view>(v->value) == c.word) == (c.op == Op::equal);
    }
    const double n = v->real();
    switch (c.op) {
        case Op::less:
            return n < c.number;
        case Op::at_most:
            return n <= c.number;
        case Op::more:
            return n > c.number;
        case Op::at_least:
            return n >= c.number;
        case Op::equal:
            return n == c.number;
        case Op::not_equal:
            return n != c.number;
        case Op::fits:
            break;
    }
    return false;
}

}  // namespace kvgauge
