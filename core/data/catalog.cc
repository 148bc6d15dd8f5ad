// SPDX-License-Identifier: MIT
#include "data/catalog.h"

#include <algorithm>
#include <utility>

#include "data/catalog_data.h"
#include "data/catalog_decode.h"

namespace kvgauge {
namespace {

using Index = std::vector<std::pair<std::string, std::uint32_t>>;

// Names are compared without case; blanks and underscores count as hyphens.
std::string fold(std::string_view name) {
    std::string s(name);
    for (char& c : s) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        if (c == ' ' || c == '_') c = '-';
    }
    return s;
}

template <class Entry>
const std::string& id_of(const Entry& e) {
    if constexpr (requires { e.spec->id; }) {
        return e.spec->id;
    } else {
        return e.spec.id;
    }
}

template <class Entry>
const std::string& name_of(const Entry& e) {
    if constexpr (requires { e.spec->name; }) {
        return e.spec->name;
    } else {
        return e.spec.name;
    }
}

// Ids first, then aliases, then what may be ambiguous: display names and the part of a Hugging Face
// id after its slash. The first to claim a name has it.
template <class Entry>
Index build_index(const std::vector<Entry>& entries) {
    Index index;
    const auto add = [&](std::string_view name, std::size_t i) {
        index.emplace_back(fold(name), static_cast<std::uint32_t>(i));
    };
    for (std::size_t i = 0; i < entries.size(); ++i) add(id_of(entries[i]), i);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        for (const std::string& a : entries[i].aliases) add(a, i);
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
        add(name_of(entries[i]), i);
        for (const std::string& a : entries[i].aliases) {
            const std::size_t slash = a.rfind('/');
            if (slash != std::string::npos) add(std::string_view(a).substr(slash + 1), i);
        }
    }
    const auto by_name = [](const auto& a, const auto& b) { return a.first < b.first; };
    std::stable_sort(index.begin(), index.end(), by_name);
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    index.erase(std::unique(index.begin(), index.end(), same), index.end());
    index.shrink_to_fit();
    return index;
}

template <class Entry>
const Entry* find(const Index& index, const std::vector<Entry>& entries, std::string_view name) {
    const std::string key = fold(name);
    const auto at =
        std::lower_bound(index.begin(), index.end(), key,
                         [](const auto& a, const std::string& k) { return a.first < k; });
    return at != index.end() && at->first == key ? &entries[at->second] : nullptr;
}

// Edit distance, with a run of missing letters at the end cheap: "llama-3" is near "llama-3-8b".
// `row` is the caller's, so that a thousand names need one allocation.
std::uint32_t distance(std::string_view asked, std::string_view known,
                       std::vector<std::uint32_t>& row) {
    row.resize(known.size() + 1);
    for (std::size_t j = 0; j <= known.size(); ++j) row[j] = static_cast<std::uint32_t>(j) * 3;
    for (std::size_t i = 1; i <= asked.size(); ++i) {
        std::uint32_t corner = row[0];
        row[0] = static_cast<std::uint32_t>(i) * 3;
        for (std::size_t j = 1; j <= known.size(); ++j) {
            const std::uint32_t insert = i == asked.size() ? 1 : 3;
            const std::uint32_t swap = corner + (asked[i - 1] == known[j - 1] ? 0 : 3);
            corner = row[j];
            row[j] = std::min({row[j] + 3, row[j - 1] + insert, swap});
        }
    }
    return row[known.size()];
}

template <class Entry>
std::vector<std::string> nearest(const Index& index, const std::vector<Entry>& entries,
                                 std::string_view name, std::size_t n) {
    const std::string key = fold(name).substr(0, 100);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> best;
    std::vector<std::uint32_t> row;
    for (const auto& [known, i] : index) best.emplace_back(distance(key, known, row), i);
    std::stable_sort(best.begin(), best.end());
    std::vector<std::string> out;
    for (const auto& [d, i] : best) {
        // Two thirds of the letters wrong: no more a slip than any other name.
        if (out.size() >= n || d > 2 * key.size()) break;
        const std::string& id = id_of(entries[i]);
        if (std::find(out.begin(), out.end(), id) == out.end()) out.push_back(id);
    }
    return out;
}

}  // namespace

Catalog::Catalog(std::vector<ModelEntry> models, std::vector<GpuEntry> gpus, std::string revision)
    : models_(std::move(models)),
      gpus_(std::move(gpus)),
      revision_(std::move(revision)),
      model_index_(build_index(models_)),
      gpu_index_(build_index(gpus_)) {}

const ModelEntry* Catalog::model(std::string_view name) const {
    return find(model_index_, models_, name);
}
const GpuEntry* Catalog::gpu(std::string_view name) const {
    return find(gpu_index_, gpus_, name);
}

std::vector<std::string> Catalog::nearest_models(std::string_view name, std::size_t n) const {
    return nearest(model_index_, models_, name, n);
}
std::vector<std::string> Catalog::nearest_gpus(std::string_view name, std::size_t n) const {
    return nearest(gpu_index_, gpus_, name, n);
}

const Catalog& builtin_catalog() {
    static const Catalog catalog(decode_models({catalog_data::models, catalog_data::models_size}),
                                 decode_gpus({catalog_data::gpus, catalog_data::gpus_size}),
                                 catalog_data::revision);
    return catalog;
}

}  // namespace kvgauge
