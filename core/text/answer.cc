// SPDX-License-Identifier: MIT
#include "text/answer.h"

#include <algorithm>
#include <utility>

#include "text/lengths.h"

namespace kvgauge {

Answered answer(Scenario s, Issues written, const Catalog& catalog, Lang lang) {
    Answered a;
    a.scenario = std::move(s);
    a.estimate = estimate(a.scenario, catalog);
    for (const Issue& i : written) {
        if (i.severity == Severity::error) stop(a.estimate, a.scenario, i.key);
    }
    // An estimate made with a default in place of an unusable value has nothing to say about it.
    Issues& own = a.estimate.issues;
    own.erase(std::remove_if(own.begin(), own.end(),
                             [&](const Issue& i) {
                                 return std::any_of(
                                     written.begin(), written.end(), [&](const Issue& w) {
                                         return w.severity == Severity::error && w.key == i.key;
                                     });
                             }),
              own.end());
    own.insert(own.begin(), std::make_move_iterator(written.begin()),
               std::make_move_iterator(written.end()));
    if (lengths_text(a.scenario.mix.seen).size() > kLinkedLengths) {
        own.push_back({Severity::notice, "lengths",
                       "lengths: the table is too long for a link, which opens without it.",
                       "lengths_unlinked"});
    }
    a.report = report(a.scenario, a.estimate, lang);
    return a;
}

}  // namespace kvgauge
