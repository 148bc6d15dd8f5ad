// SPDX-License-Identifier: MIT
#include "sweep.h"

#include <vector>

#include "text/json.h"
#include "text/link.h"

namespace kvgauge::web {
namespace {

struct Axis {
    std::string_view key;
    std::vector<std::string_view> values;
};

// Cuts `text` at the first `at`; the rest stays in `text`.
std::string_view cut(std::string_view& text, char at) {
    const std::size_t end = text.find(at);
    const std::string_view head = text.substr(0, end);
    text = end == text.npos ? std::string_view() : text.substr(end + 1);
    return head;
}

std::vector<Axis> read_axes(std::string_view text) {
    std::vector<Axis> axes;
    while (!text.empty()) {
        std::string_view line = cut(text, '\n');
        Axis axis{cut(line, '='), {}};
        while (!line.empty()) axis.values.push_back(cut(line, ','));
        if (!axis.key.empty() && !axis.values.empty()) axes.push_back(std::move(axis));
    }
    return axes;
}

}  // namespace

std::string sweep_json(std::string_view text, std::string_view axes_text, const Catalog& catalog,
                       std::string_view version) {
    const std::vector<Axis> axes = read_axes(axes_text);
    const JsonOptions options{.version = version};
    std::size_t count = 1;
    for (const Axis& axis : axes) {
        if (axis.values.size() > kSweepMost / count) {
            return "[" +
                   unread_json({{Severity::error, std::string(axis.key),
                                 "The axes make more than 20,000 answers; give fewer values."}},
                               catalog, options) +
                   "]";
        }
        count *= axis.values.size();
    }
    const Link base = parse_link(text, catalog);
    std::string out = "[";
    for (std::size_t n = 0; n < count; ++n) {
        Scenario scenario = base.scenario;
        Issues written = base.notices;
        std::size_t rest = n;
        for (std::size_t i = axes.size(); i-- > 0;) {
            const Axis& axis = axes[i];
            const std::string_view value = axis.values[rest % axis.values.size()];
            rest /= axis.values.size();
            if (auto issue = set_field(scenario, axis.key, value, catalog)) {
                written.push_back(*std::move(issue));
            }
        }
        if (n > 0) out += ",";
        out += estimate_json(answer(std::move(scenario), std::move(written), catalog), catalog,
                             options);
    }
    return out + "]";
}

}  // namespace kvgauge::web
