// SPDX-License-Identifier: MIT
#include "data/catalog.h"

#include <algorithm>
#include <utility>

#include "data/catalog_data.h"
#include "data/catalog_decode.h"

namespace kvgauge {
namespace {

using Index = std::vector<CatalogName>;

// Names are compared without case; blanks and underscores count as hyphens.
char fold(char c) {
    if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
    return c == ' ' || c == '_' ? '-' : c;
}
std::string fold(std::string_view name) {
    std::string s(name);
    for (char& c : s) c = fold(c);
    return s;
}

// FNV-1a of the folded name.
std::uint64_t hash_of(std::string_view name) {
    std::uint64_t h = 14695981039346656037u;
    for (char c : name) h = (h ^ static_cast<unsigned char>(fold(c))) * 1099511628211u;
    return h;
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
        index.push_back({hash_of(name), fold(name), static_cast<std::uint32_t>(i)});
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
    const auto by_hash = [](const CatalogName& a, const CatalogName& b) {
        return a.hash != b.hash ? a.hash < b.hash : a.folded < b.folded;
    };
    std::stable_sort(index.begin(), index.end(), by_hash);
    const auto same = [](const CatalogName& a, const CatalogName& b) {
        return a.folded == b.folded;
    };
    index.erase(std::unique(index.begin(), index.end(), same), index.end());
    index.shrink_to_fit();
    return index;
}

template <class Entry>
const Entry* find(const Index& index, const std::vector<Entry>& entries, std::string_view name) {
    const std::uint64_t key = hash_of(name);
    auto at = std::lower_bound(index.begin(), index.end(), key,
                               [](const CatalogName& a, std::uint64_t k) { return a.hash < k; });
    for (; at != index.end() && at->hash == key; ++at) {
        const bool same = std::equal(name.begin(), name.end(), at->folded.begin(), at->folded.end(),
                                     [](char asked, char known) { return fold(asked) == known; });
        if (same) return &entries[at->entry];
    }
    return nullptr;
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
                                 std::string_view name, std::size_t most) {
    const std::string key = fold(name).substr(0, 100);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> best;
    std::vector<std::uint32_t> row;
    for (const CatalogName& n : index) best.emplace_back(distance(key, n.folded, row), n.entry);
    std::stable_sort(best.begin(), best.end());
    std::vector<std::string> out;
    for (const auto& [d, i] : best) {
        // Two thirds of the letters wrong: no more a slip than any other name.
        if (out.size() >= most || d > 2 * key.size()) break;
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
      gpu_index_(build_index(gpus_)) {
    for (ModelEntry& m : models_) m.sums = weight_sums(*m.spec, m.spec->weights);
}

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
