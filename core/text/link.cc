// SPDX-License-Identifier: MIT
#include "text/link.h"

#include <algorithm>
#include <array>

#include "text/lengths.h"
#include "text/numbers.h"

namespace kvgauge {
namespace {

constexpr std::array<std::string_view, 2> kLangs{"en", "ko"};
constexpr std::array<std::string_view, 3> kThemes{"light", "dark", "auto"};
constexpr std::array<std::string_view, 10> kViews{"overview", "memory", "batch",   "parallel",
                                                  "speed",    "plan",   "compare", "log",
                                                  "measure",  "share"};

int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

std::string decoded(std::string_view s) {
    std::string out;
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (s[i] == '%' && i + 2 < s.size() && hex(s[i + 1]) >= 0 && hex(s[i + 2]) >= 0) {
            out += static_cast<char>(hex(s[i + 1]) * 16 + hex(s[i + 2]));
            i += 2;
        } else {
            out += s[i];
        }
    }
    return out;
}

bool stands_alone(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("-._~@:,/").find(c) != std::string_view::npos;
}

std::string encoded(std::string_view s) {
    constexpr char kHex[] = "0123456789ABCDEF";
    std::string out;
    for (char c : s) {
        if (stands_alone(c)) {
            out += c;
            continue;
        }
        const auto u = static_cast<unsigned char>(c);
        out += '%';
        out += kHex[u >> 4];
        out += kHex[u & 15];
    }
    return out;
}

void append(std::string& link, std::string_view key, std::string_view value) {
    link += '&';
    link += encoded(key);
    link += '=';
    link += encoded(value);
}

void note(Link& link, std::string_view key, std::string text, std::string_view code = {},
          std::vector<std::string> args = {}) {
    link.notices.push_back(
        {Severity::notice, std::string(key), std::move(text), code, std::move(args)});
}

template <std::size_t N>
std::optional<std::string> choose(std::string& where, std::string_view value,
                                  const std::array<std::string_view, N>& words) {
    std::string accepted;
    for (std::string_view w : words) {
        if (w == value) {
            where = w;
            return std::nullopt;
        }
        accepted += (accepted.empty() ? "" : ", ") + std::string(w);
    }
    return quoted_text(value) + " is not accepted: " + accepted + ".";
}

void read_version(Link& link, const std::string& value) {
    const auto v = parse_count(value);
    if (!v || *v == 0) {
        note(link, "v", "v: " + quoted_text(value) + " is no link version; read as version 1.");
    } else if (*v > kLinkVersion) {
        note(link, "v",
             "This link is of version " + plain(*v) +
                 ", newer than this program; read as far as it is known.");
    }
}

void read_pair(Link& link, std::string_view item, const Catalog& catalog) {
    const std::size_t equals = item.find('=');
    const std::string key = valid_utf8(decoded(item.substr(0, equals)));
    const std::string value = equals == std::string_view::npos
                                  ? std::string()
                                  : valid_utf8(decoded(item.substr(equals + 1)));
    if (key.empty()) return;
    if (key == "v") return read_version(link, value);
    if (key == "rev") {
        link.rev = value;
        return;
    }
    bool presentation = false;
    if (const auto wrong = set_presentation(link.view, key, value, presentation)) {
        return note(link, key, key + ": " + *wrong);
    }
    if (presentation) return;
    const Field* f = find_field(key);
    if (f == nullptr || !f->link) {
        note(link, key.substr(0, 60),
             "The key " + quoted_text(key) + " is not known here; the link keeps it.");
        link.unknown.emplace_back(key, value);
        return;
    }
    if (auto issue = set_field(link.scenario, key, value, catalog)) {
        f->clear(link.scenario);
        issue->severity = Severity::notice;
        link.notices.push_back(std::move(*issue));
    }
}

// Of another catalog: the numbers behind a name may be others by now, those written out are not.
void note_drift(Link& link, const Catalog& catalog) {
    if (link.rev.empty() || link.rev == catalog.revision()) return;
    std::string text = "This link was made with catalog " + quoted_text(link.rev) +
                       "; this one is \"" + std::string(catalog.revision()) + "\". ";
    std::string named;
    if (link.scenario.model != "custom") named = link.scenario.model;
    if (!link.scenario.gpu_own.memory) {
        named += (named.empty() ? "" : " and ") + link.scenario.gpu;
    }
    text += named.empty() ? "Its numbers are written out and are those of then."
                          : "What it takes from the catalog (" + named + ") may have changed.";
    note(link, "rev", std::move(text));
}

// A key that is written again counts once, by its last value: so a link of nothing but bad model
// names asks the catalog for its neighbours once.
std::vector<std::string_view> last_of_each(const std::vector<std::string_view>& items) {
    std::vector<std::string_view> kept;
    std::vector<const Field*> seen;
    for (auto at = items.rbegin(); at != items.rend(); ++at) {
        const Field* f = find_field(valid_utf8(decoded(at->substr(0, at->find('=')))));
        if (f != nullptr) {
            if (std::find(seen.begin(), seen.end(), f) != seen.end()) continue;
            seen.push_back(f);
        }
        kept.push_back(*at);
    }
    std::reverse(kept.begin(), kept.end());
    return kept;
}

}  // namespace

std::optional<std::string> set_presentation(Presentation& p, std::string_view key,
                                            std::string_view value, bool& known) {
    known = key == "lang" || key == "theme" || key == "view";
    if (key == "lang") return choose(p.lang, value, kLangs);
    if (key == "theme") return choose(p.theme, value, kThemes);
    if (key == "view") return choose(p.view, value, kViews);
    return std::nullopt;
}

Link parse_link(std::string_view text, const Catalog& catalog) {
    Link link;
    if (const std::size_t hash = text.find('#'); hash != std::string_view::npos) {
        text.remove_prefix(hash + 1);
    }
    if (text.size() > kLinkMost) {
        note(link, "", "The link is longer than 4,096 characters; the rest was not read.");
        text = text.substr(0, kLinkMost);
        // Not half a key at the end.
        const std::size_t last = text.rfind('&');
        if (last != std::string_view::npos) text = text.substr(0, last);
    }
    std::vector<std::string_view> items;
    while (!text.empty()) {
        const std::size_t end = text.find('&');
        items.push_back(text.substr(0, end));
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    for (const std::string_view item : last_of_each(items)) read_pair(link, item, catalog);
    note_drift(link, catalog);
    return link;
}

std::string link_item(const Field& f, const Scenario& s) {
    std::string item;
    if (!f.link) return item;
    const std::string value = f.get(s);
    if (f.key == "lengths" && value.size() > kLinkedLengths) return item;
    if (!value.empty()) append(item, f.key, value);
    return item;
}

std::string format_link(const Scenario& s, const Presentation& view,
                        const std::vector<std::pair<std::string, std::string>>& unknown) {
    std::string link = "v=1";
    for (const Field& f : fields()) link += link_item(f, s);
    if (!view.lang.empty() && view.lang != "en") append(link, "lang", view.lang);
    if (!view.theme.empty() && view.theme != "auto") append(link, "theme", view.theme);
    if (!view.view.empty() && view.view != "overview") append(link, "view", view.view);
    for (const auto& [key, value] : unknown) append(link, key, value);
    return link;
}

}  // namespace kvgauge
