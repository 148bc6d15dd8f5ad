// SPDX-License-Identifier: MIT
#include "text/sweep_axes.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "text/numbers.h"

namespace kvgauge {
namespace {

std::string_view trimmed(std::string_view s) {
    while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
    while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
    return s;
}

// The number at a field's place in a scenario.
double number_at(const Field& f, Scenario& s) {
    const Slot at = f.slot(s);
    if (auto* const* p = std::get_if<std::uint64_t*>(&at)) return static_cast<double>(**p);
    if (auto* const* p = std::get_if<std::optional<std::uint64_t>*>(&at)) {
        return static_cast<double>((*p)->value_or(0));
    }
    if (auto* const* p = std::get_if<std::optional<double>*>(&at)) return (*p)->value_or(0);
    return 0;
}
bool is_whole(const Field& f, Scenario& s) {
    return !std::holds_alternative<std::optional<double>*>(f.slot(s));
}
bool is_number(const Field& f) {
    return f.slot != nullptr && f.kind != FieldKind::toggle;
}

class Reader {
  public:
    Reader(const Field& f, const Scenario& base, const Catalog& c, Issues& issues)
        : f_(f), scratch_(base), catalog_(c), issues_(issues) {}

    Axis read(std::string_view text) {
        if (text == "all") {
            all();
        } else {
            while (ok_) {
                const std::size_t end = text.find(',');
                item(trimmed(text.substr(0, end)));
                if (end == std::string_view::npos) break;
                text.remove_prefix(end + 1);
            }
        }
        if (!ok_) axis_.values.clear();
        axis_.field = &f_;
        return std::move(axis_);
    }

  private:
    void wrong(std::string what) {
        issues_.push_back(
            {Severity::error, std::string(f_.key), std::string(f_.key) + ": " + std::move(what)});
        ok_ = false;
    }

    void add(std::string_view text) {
        if (const auto bad = f_.set(scratch_, text, catalog_)) return wrong(*bad);
        std::string value = f_.get(scratch_);
        if (value.empty()) value = f_.effective(scratch_);
        if (value.empty()) value = std::string(text);
        if (!seen_.insert(value).second) return;
        axis_.values.push_back(std::move(value));
        if (axis_.values.size() > kAxisMost) wrong("more than 1,000,000 values.");
    }

    // One end or step of a range, by the field's own reader.
    bool number(std::string_view text, double& out) {
        if (const auto bad = f_.set(scratch_, trimmed(text), catalog_)) {
            wrong(*bad);
            return false;
        }
        out = number_at(f_, scratch_);
        return true;
    }

    // a..b, a..b..step, a..b..xfactor
    void item(std::string_view text) {
        std::size_t dots = text.find("..");
        if (dots == std::string_view::npos || !is_number(f_)) return add(text);
        const std::string_view from = text.substr(0, dots);
        std::string_view to = text.substr(dots + 2), by;
        dots = to.find("..");
        if (dots != std::string_view::npos) {
            by = trimmed(to.substr(dots + 2));
            to = to.substr(0, dots);
        }
        double first = 0, last = 0, step = 1;
        if (!number(from, first) || !number(to, last)) return;
        bool times = false;
        if (by.starts_with('x')) {
            const auto factor = parse_real(by.substr(1));
            if (!factor || !(*factor > 1)) {
                return wrong(quoted_text(by) + " is no factor above 1, as in 1k..128k..x2.");
            }
            times = true;
            step = *factor;
        } else if (dots != std::string_view::npos) {
            if (!number(by, step)) return;
            if (!(step > 0)) return wrong("the step of a range is above 0.");
        } else if (f_.kind == FieldKind::tokens) {
            times = true;
            step = 2;
        } else if (!is_whole(f_, scratch_)) {
            return wrong("a range needs its step, as in 0.8..0.95..0.05.");
        }
        if (times && !(first > 0)) return wrong("a range that multiplies starts above 0.");
        range(first, last, step, times);
    }

    void range(double first, double last, double step, bool times) {
        if (last < first) return wrong("a range runs from its smaller end to its larger one.");
        const double n = times ? std::log(last / std::max(first, 1e-300)) / std::log(step)
                               : (last - first) / step;
        if (!(n < static_cast<double>(kAxisMost))) return wrong("more than 1,000,000 values.");
        const bool whole = is_whole(f_, scratch_);
        // The end belongs to the range where a step meets it, rounding aside.
        const double end = last * (1 + 1e-12);
        for (std::uint64_t i = 0; ok_; ++i) {
            const double k = static_cast<double>(i);
            const double v = times ? first * std::pow(step, k) : first + step * k;
            if (v > end) break;
            place(whole ? std::floor(v * (1 + 1e-12)) : std::min(v, last), whole);
        }
    }

    // A number put where the field keeps it, then read back as text.
    void place(double v, bool whole) {
        if (whole) return add(plain(static_cast<std::uint64_t>(v)));
        const Slot at = f_.slot(scratch_);
        // Sums of decimal steps: 0.1 + 2 * 0.1 reads 0.3.
        **std::get_if<std::optional<double>*>(&at) = std::round(v * 1e12) / 1e12;
        add(f_.get(scratch_));
    }

    void all() {
        if (f_.key == "model") {
            for (const ModelEntry& m : catalog_.models()) add(m.spec->id);
        } else if (f_.key == "gpu") {
            for (const GpuEntry& g : catalog_.gpus()) add(g.spec.id);
        } else if (f_.key == "kv-heads") {
            divisors();
        } else if (!f_.choices.empty()) {
            for (std::string_view c : f_.choices) {
                if (c != "auto") add(c);
            }
        } else if (f_.kind == FieldKind::toggle) {
            add("off");
            add("on");
        } else {
            wrong("all is not accepted: a list or a range, such as 1,2,4 or 1..64..x2.");
        }
    }

    void divisors() {
        const ModelRef model = scratch_.imported ? scratch_.imported
                               : catalog_.model(scratch_.model) != nullptr
                                   ? catalog_.model(scratch_.model)->spec
                                   : nullptr;
        const AttentionSpec* a = model ? first_attention(*model) : nullptr;
        const std::uint64_t heads = a != nullptr ? a->q_heads : scratch_.custom.q_heads.value_or(0);
        if (heads == 0) return wrong("all needs one model with query heads.");
        for (std::uint64_t n = 1; n <= heads; ++n) {
            if (heads % n == 0) add(plain(n));
        }
    }

    const Field& f_;
    Scenario scratch_;
    const Catalog& catalog_;
    Issues& issues_;
    Axis axis_;
    std::unordered_set<std::string> seen_;
    bool ok_ = true;
};

}  // namespace

bool names_several(std::string_view text) {
    return text == "all" || text.find(',') != std::string_view::npos ||
           text.find("..") != std::string_view::npos;
}

Axis read_axis(const Field& f, std::string_view text, const Scenario& base, const Catalog& c,
               Issues& issues) {
    return Reader(f, base, c, issues).read(text);
}

}  // namespace kvgauge
