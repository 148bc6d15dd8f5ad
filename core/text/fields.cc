// SPDX-License-Identifier: MIT
// How a field's text becomes a value of the Scenario and back. The table itself: field_table.cc.
#include "text/fields.h"

#include <cmath>

#include "text/numbers.h"
#include "text/words.h"

namespace kvgauge {
namespace {

std::optional<std::uint64_t> read_whole(FieldKind kind, std::string_view text) {
    switch (kind) {
        case FieldKind::tokens:
            return parse_tokens(text);
        case FieldKind::bytes:
            return parse_bytes(text);
        default:
            return parse_count(text);
    }
}

std::optional<double> read_real(FieldKind kind, std::string_view text) {
    switch (kind) {
        case FieldKind::rate:
            return parse_rate(text);
        case FieldKind::fraction:
            return parse_fraction(text);
        case FieldKind::milliseconds:
            return parse_milliseconds(text);
        case FieldKind::tokens:
            if (const auto n = parse_tokens(text)) return static_cast<double>(*n);
            return parse_real(text);
        default:
            return parse_real(text);
    }
}

bool in_range(const Field& f, double v) {
    return v >= f.min && v <= f.max;
}

std::optional<std::uint64_t> whole_value(const Field& f, std::string_view text) {
    const auto v = read_whole(f.kind, text);
    if (!v || !in_range(f, static_cast<double>(*v))) return std::nullopt;
    return v;
}

std::string write_whole(FieldKind kind, std::uint64_t v) {
    return kind == FieldKind::tokens ? token_text(v) : plain(v);
}

std::string write_real(FieldKind kind, double v) {
    return kind == FieldKind::milliseconds ? millisecond_text(v) : plain(v);
}

// The number of GPUs that the parallel sizes need; saturated, because it is only compared.
std::uint64_t gpus_needed(const Scenario& s) {
    const Count n = Count(s.tp) * s.pp * s.dp;
    return n.overflow() ? 0 : n.value();
}

const Scenario& defaults() {
    static const Scenario kDefault;
    return kDefault;
}

Slot slot_of(const Field& f, const Scenario& s) {
    return f.slot(const_cast<Scenario&>(s));
}

}  // namespace

std::optional<std::string> Field::set(Scenario& s, std::string_view text, const Catalog& c) const {
    if (set_text != nullptr) return set_text(s, text, c);
    bool done = false;
    const Slot where = slot(s);
    if (auto* const* p = std::get_if<std::uint64_t*>(&where)) {
        if (const auto v = whole_value(*this, text)) {
            **p = *v;
            done = true;
        }
    } else if (auto* const* o = std::get_if<std::optional<std::uint64_t>*>(&where)) {
        if (const auto v = whole_value(*this, text)) {
            **o = *v;
            done = true;
        }
    } else if (auto* const* r = std::get_if<std::optional<double>*>(&where)) {
        const auto v = read_real(kind, text);
        if (v && in_range(*this, *v)) {
            **r = *v;
            done = true;
        }
    } else if (const auto v = parse_toggle(text)) {
        if (auto* const* b = std::get_if<bool*>(&where)) **b = *v;
        if (auto* const* b = std::get_if<std::optional<bool>*>(&where)) **b = *v;
        done = true;
    }
    if (done) return std::nullopt;
    return quoted_text(text) + " is not accepted: " + std::string(accepts) + ".";
}

std::string Field::get(const Scenario& s) const {
    if (get_text != nullptr) {
        std::string text = get_text(s);
        return text == get_text(defaults()) ? std::string() : text;
    }
    const Slot where = slot_of(*this, s), unset = slot_of(*this, defaults());
    if (auto* const* p = std::get_if<std::uint64_t*>(&where)) {
        return **p == **std::get_if<std::uint64_t*>(&unset) ? std::string()
                                                            : write_whole(kind, **p);
    }
    if (auto* const* o = std::get_if<std::optional<std::uint64_t>*>(&where)) {
        if (!(*o)->has_value()) return {};
        // Written out or not, the number of GPUs is the same scenario.
        if (key == "gpus" && ***o == gpus_needed(s)) return {};
        return write_whole(kind, ***o);
    }
    if (auto* const* r = std::get_if<std::optional<double>*>(&where)) {
        return (*r)->has_value() ? write_real(kind, ***r) : std::string();
    }
    if (auto* const* b = std::get_if<bool*>(&where)) return **b ? "on" : "";
    if (auto* const* b = std::get_if<std::optional<bool>*>(&where)) {
        return !(*b)->has_value() ? "" : ***b ? "on" : "off";
    }
    return {};
}

std::string Field::effective(const Scenario& s) const {
    if (get_text != nullptr) return get_text(s);
    const Slot where = slot_of(*this, s);
    if (auto* const* p = std::get_if<std::uint64_t*>(&where)) return plain(**p);
    if (auto* const* o = std::get_if<std::optional<std::uint64_t>*>(&where)) {
        if ((*o)->has_value()) return plain(***o);
        return key == "gpus" && gpus_needed(s) != 0 ? plain(gpus_needed(s)) : std::string();
    }
    if (auto* const* b = std::get_if<bool*>(&where)) return **b ? "on" : "off";
    return get(s);
}

void Field::clear(Scenario& s) const {
    if (set_text != nullptr) {
        const std::string text = get_text(defaults());
        // The defaults need no catalog: their own text is what is stored.
        static const Catalog kNone({}, {}, "");
        if (key == "model") {
            s.model = defaults().model;
            s.imported = nullptr;
            s.model_source.clear();
            s.source_key.clear();
        } else if (key == "gpu") {
            s.gpu = defaults().gpu;
        } else if (text.empty()) {
            if (key == "kv-k") s.kv_k.reset();
            if (key == "kv-v") s.kv_v.reset();
            if (key == "split") s.split.reset();
            if (key == "calibration") s.calibration.reset();
            if (key == "lengths") s.mix.seen.clear();
        } else {
            set_text(s, text, kNone);
        }
        return;
    }
    const Slot where = slot(s), unset = slot_of(*this, defaults());
    if (auto* const* p = std::get_if<std::uint64_t*>(&where)) {
        **p = **std::get_if<std::uint64_t*>(&unset);
    } else if (auto* const* o = std::get_if<std::optional<std::uint64_t>*>(&where)) {
        (*o)->reset();
    } else if (auto* const* r = std::get_if<std::optional<double>*>(&where)) {
        (*r)->reset();
    } else if (auto* const* b = std::get_if<bool*>(&where)) {
        **b = **std::get_if<bool*>(&unset);
    } else if (auto* const* t = std::get_if<std::optional<bool>*>(&where)) {
        (*t)->reset();
    }
}

std::string field_key(std::string_view written) {
    while (!written.empty() && written.front() == '-') written.remove_prefix(1);
    std::string out = lower_case(written);
    for (char& c : out) {
        if (c == '_') c = '-';
    }
    return out;
}

const Field* find_field(std::string_view key) {
    const std::string k = field_key(key);
    for (const Field& f : fields()) {
        if (f.key == k) return &f;
    }
    for (const Field& f : fields()) {
        for (std::string_view a : f.aliases) {
            if (a == k) return &f;
        }
    }
    return nullptr;
}

std::optional<Issue> set_field(Scenario& s, std::string_view key, std::string_view text,
                               const Catalog& c) {
    const Field* f = find_field(key);
    if (f == nullptr) {
        return Issue{Severity::error,
                     valid_utf8(key.substr(0, 60)),
                     "The key " + quoted_text(key) + " is not known; kvgauge help keys lists them.",
                     "unknown_key",
                     {quoted_text(key)}};
    }
    if (auto wrong = f->set(s, text, c)) {
        Issue issue{Severity::error, std::string(f->key), std::string(f->key) + ": " + *wrong};
        if (f->key == "model" || f->key == "gpu") {
            const bool model = f->key == "model";
            std::string near;
            for (const std::string& id :
                 model ? c.nearest_models(text, 3) : c.nearest_gpus(text, 3)) {
                near += (near.empty() ? "" : ", ") + id;
            }
            issue.code = near.empty() ? (model ? "unknown_model" : "unknown_gpu")
                                      : (model ? "unknown_model_near" : "unknown_gpu_near");
            issue.args = {valid_utf8(text.substr(0, 60)), near};
        } else {
            issue.code = "not_accepted";
            issue.args = {std::string(f->key), quoted_text(text), std::string(f->accepts)};
        }
        return issue;
    }
    return std::nullopt;
}

}  // namespace kvgauge
