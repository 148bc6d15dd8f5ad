// SPDX-License-Identifier: MIT
// Words a shell may offer, read from the parser itself, so that no list is kept twice.
#include "native/cli_complete.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "engine/engine.h"
#include "text/fields.h"

namespace kvgauge {
namespace {

std::vector<std::string> catalog_ids(std::string_view kind) {
    std::vector<std::string> out;
    if (kind == "model") {
        for (const ModelEntry& m : builtin_catalog().models()) out.push_back(m.spec->id);
    } else if (kind == "gpu") {
        for (const GpuEntry& g : builtin_catalog().gpus()) out.push_back(g.spec.id);
    } else if (kind == "engine") {
        for (const EngineId id : kEngineIds) out.emplace_back(name(id));
    }
    return out;
}

std::vector<std::string> values_of(std::string_view option) {
    if (option == "-o" || option == "--format") return {"text", "md", "csv", "json", "jsonl"};
    if (!option.starts_with("-")) return {};
    const std::size_t dashes = option.find_first_not_of('-');
    if (dashes == std::string_view::npos) return {};
    const Field* f = find_field(option.substr(dashes));
    if (f == nullptr) return {};
    std::vector<std::string> out = catalog_ids(f->key);
    if (f->kind == FieldKind::toggle) out = {"on", "off"};
    for (const std::string_view c : f->choices) out.emplace_back(c);
    return out;
}

std::vector<const CLI::App*> subcommands(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

const CLI::App* subcommand(const CLI::App& app, const std::string& name) {
    for (const CLI::App* sub : subcommands(app)) {
        if (sub->get_name() == name) return sub;
    }
    return nullptr;
}

bool takes_value(const CLI::App& app, const std::string& word) {
    const CLI::Option* option = app.get_option_no_throw(word);
    return option != nullptr && option->get_items_expected_min() > 0;
}

}  // namespace

std::vector<std::string> completions(const CLI::App& app, const std::vector<std::string>& words) {
    const std::string last = words.empty() ? std::string() : words.back();
    std::vector<std::string> all;
    const CLI::App* at = &app;
    if (words.size() > 1) {
        if (const CLI::App* sub = subcommand(app, words.front())) at = sub;
        all = values_of(words[words.size() - 2]);
    }
    const bool value = words.size() > 1 && takes_value(*at, words[words.size() - 2]);
    if (all.empty() && !value) {
        if (at == &app) {
            for (const CLI::App* sub : subcommands(app)) all.push_back(sub->get_name());
        } else if (words.size() == 2 && words.front() == "list") {
            all = {"models", "gpus", "engines"};
        } else if (words.size() == 2 && words.front() == "help") {
            for (const CLI::App* sub : subcommands(app)) all.push_back(sub->get_name());
            all.insert(all.end(), {"keys", "rows"});
        }
        for (const CLI::Option* option : at->get_options()) {
            for (const std::string& name : option->get_lnames()) all.push_back("--" + name);
        }
    }
    std::erase_if(all, [&](const std::string& w) { return !w.starts_with(last); });
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

}  // namespace kvgauge
