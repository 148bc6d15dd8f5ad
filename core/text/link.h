// SPDX-License-Identifier: MIT
// Owns: links. `v=1&model=...`: canonical (only what differs from the defaults, in table order),
// tolerant (a bad value falls back for that key alone), at most 4,096 characters read.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/catalog.h"
#include "model/issue.h"
#include "model/scenario.h"
#include "text/fields.h"

namespace kvgauge {

inline constexpr std::size_t kLinkMost = 4096;
inline constexpr unsigned kLinkVersion = 1;

struct Link {
    Scenario scenario;
    Presentation view;
    std::vector<std::pair<std::string, std::string>> unknown;  // kept and written out again
    std::string rev;  // of the catalog that a pinned link was made with
    Issues notices;
};

// With or without a leading '#', also a whole address that has one.
Link parse_link(std::string_view text, const Catalog&);
std::string format_link(const Scenario&, const Presentation& = {},
                        const std::vector<std::pair<std::string, std::string>>& unknown = {});
// What one key adds to a link: "&tp=2", empty at its default.
std::string link_item(const Field&, const Scenario&);
// With the numbers of the presets written out, so that a published figure never changes.
std::string pinned_link(const Scenario&, const Catalog&);

// Sets one presentation key (lang, theme, view). Empty: done, or the key is none of them (`known`).
std::optional<std::string> set_presentation(Presentation&, std::string_view key,
                                            std::string_view value, bool& known);

}  // namespace kvgauge
