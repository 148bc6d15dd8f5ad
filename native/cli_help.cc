// SPDX-License-Identifier: MIT
// Help from native/help.md: the whole first part, or the section of one command.
#include <cstdio>

#include "native/cli.h"
#include "native/help_text.h"
#include "native/table.h"
#include "text/numbers.h"

namespace kvgauge {
namespace {

Table keys_table() {
    Table t{{"key", "aliases", "unit", "accepts", "help"}, {}};
    for (const Field& f : fields()) {
        std::string aliases;
        for (std::string_view a : f.aliases) {
            aliases += (aliases.empty() ? "" : " ") + std::string(a);
        }
        t.rows.push_back({std::string(f.key), aliases, std::string(f.unit), std::string(f.accepts),
                          std::string(f.help)});
    }
    return t;
}

// Ids of a scenario that has all of them.
Table rows_table() {
    Table t{{"id", "unit", "label"}, {}};
    Scenario s;
    s.model = "mixtral-8x7b";
    s.tp = 2;
    s.tpot_max = 0.05;
    s.mix.in.p50 = 500;
    for (const Row& r : answer(s, {}, builtin_catalog()).report.rows) {
        t.rows.push_back({std::string(r.id), std::string(r.unit), r.label});
    }
    return t;
}

std::string_view section(std::string_view page, std::string_view name) {
    const std::string head = "\n## " + std::string(name) + "\n";
    const std::size_t at = page.find(head);
    if (at == std::string_view::npos) return {};
    page.remove_prefix(at + 1);
    return page.substr(0, std::min(page.find("\n## ", 1), page.size()));
}

// "  --ctx tokens    Maximum sequence length" for every key.
std::string keys_summary() {
    std::string out = "\nKeys (kvgauge help keys has ranges and aliases):\n";
    Group group = Group::workload;
    for (const Field& f : fields()) {
        if (f.group != group) {
            group = f.group;
            out += '\n';
        }
        std::string name = "  --" + std::string(f.key);
        if (name.size() < 20) name.append(20 - name.size(), ' ');
        out += name + ' ' + std::string(f.help) + '\n';
    }
    return out;
}

}  // namespace

int run_help(const Output& o, const std::string& topic) {
    if (topic == "keys") return emit(o, table_text(keys_table(), o.kind)) ? kOk : kFailed;
    if (topic == "rows") return emit(o, table_text(rows_table(), o.kind)) ? kOk : kFailed;
    const std::string_view page = kHelpText;
    if (topic.empty() || topic == "help") {
        return emit(o, page.substr(0, page.find("\n## "))) ? kOk : kFailed;
    }
    const std::string_view text = section(page, topic);
    if (text.empty()) {
        std::fprintf(stderr, "kvgauge: no help on %s; kvgauge help names the topics.\n",
                     quoted_text(topic).c_str());
        return kUsage;
    }
    const bool keys =
        topic == "estimate" || topic == "check" || topic == "sweep" || topic == "link";
    return emit(o, std::string(text) + (keys ? keys_summary() : "")) ? kOk : kFailed;
}

}  // namespace kvgauge
