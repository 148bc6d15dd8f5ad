// SPDX-License-Identifier: MIT
#include "ui/palette_items.h"

#include <algorithm>
#include <cctype>

#include "text/numbers.h"
#include "text/words.h"
#include "ui/choices.h"
#include "ui/curves.h"
#include "ui/inputs.h"

namespace kvgauge::ui {
namespace {

std::vector<std::string> words_of(std::string_view s) {
    std::vector<std::string> out;
    std::string word;
    for (const char c : s) {
        if (c == ' ' || c == ',' || c == '\t') {
            if (!word.empty()) out.push_back(std::move(word));
            word.clear();
        } else {
            word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    if (!word.empty()) out.push_back(std::move(word));
    return out;
}

std::string lower_case_of(std::string_view s) {
    std::string out(s);
    for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

struct Searchable {
    std::string text;  // lower case
    explicit Searchable(std::string_view a, std::string_view b = {},
                        const std::vector<std::string>* aliases = nullptr)
        : text(lower_case_of(a) + " " + lower_case_of(b)) {
        if (aliases == nullptr) return;
        for (const std::string& alias : *aliases) text += " " + alias;
    }
    bool has(const std::vector<std::string>& words) const {
        return std::all_of(words.begin(), words.end(),
                           [&](const std::string& w) { return text.find(w) != std::string::npos; });
    }
};

// What begins with the words stands before what only holds them: "mistral 7b" is not E5 Mistral 7B.
int rank(const std::string& id, const std::vector<std::string>& words) {
    std::string joined;
    for (const std::string& w : words) joined += (joined.empty() ? "" : "-") + w;
    if (id == joined) return 0;
    if (id.starts_with(joined)) return 1;
    return id.starts_with(words.front()) ? 2 : 3;
}

// The models that the words name, the nearest first.
std::vector<const ModelEntry*> models_named(const Catalog& c,
                                            const std::vector<std::string>& words) {
    std::vector<const ModelEntry*> out;
    for (const ModelEntry& m : c.models()) {
        if (Searchable(m.spec->id, m.spec->name, &m.aliases).has(words)) out.push_back(&m);
    }
    std::stable_sort(out.begin(), out.end(), [&](const ModelEntry* a, const ModelEntry* b) {
        return rank(a->spec->id, words) < rank(b->spec->id, words);
    });
    return out;
}

// How a search splits into a model, a GPU and settings. Each word that is no setting must belong to
// one of the two; a word may belong to both ("80gb").
struct Reading {
    std::vector<std::string> model, gpu;
    std::optional<std::uint64_t> ctx, gpus;
    bool fp8 = false;
};

std::optional<std::uint64_t> times_gpu(std::string_view w) {  // 4x, 4×
    std::size_t digits = 0;
    while (digits < w.size() && std::isdigit(static_cast<unsigned char>(w[digits]))) ++digits;
    const std::string_view rest = w.substr(digits);
    if (digits == 0 || (rest != "x" && rest != "×")) return std::nullopt;
    return parse_count(w.substr(0, digits));
}

bool any_gpu(const Catalog& c, const std::string& word) {
    return std::any_of(c.gpus().begin(), c.gpus().end(), [&](const GpuEntry& g) {
        return Searchable(g.spec.id, g.spec.name, &g.aliases).has({word});
    });
}
bool any_model(const Catalog& c, const std::string& word) {
    return std::any_of(c.models().begin(), c.models().end(), [&](const ModelEntry& m) {
        return Searchable(m.spec->id, m.spec->name, &m.aliases).has({word});
    });
}

Reading read(const Catalog& c, const std::vector<std::string>& words) {
    Reading r;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& w = words[i];
        const bool before_gpu =
            i + 1 < words.size() && any_gpu(c, words[i + 1]) && !any_model(c, words[i + 1]);
        if (w == "on" || w == "at" || w == "with" || w == "x" || w == "×") continue;
        if (w == "fp8") {
            r.fp8 = true;
        } else if (const auto n = times_gpu(w)) {
            r.gpus = n;
        } else if (w.size() > 1 && w.back() == 'k' && parse_tokens(w)) {
            r.ctx = parse_tokens(w);
        } else if (any_gpu(c, w) && !any_model(c, w)) {
            r.gpu.push_back(w);
        } else if (before_gpu && w.size() <= 2 && parse_count(w)) {
            r.gpus = parse_count(w);
        } else {
            // 4xh100 in one word
            const std::size_t x = w.find('x');
            if (x != std::string::npos && x > 0 && times_gpu(w.substr(0, x + 1)) &&
                any_gpu(c, w.substr(x + 1))) {
                r.gpus = times_gpu(w.substr(0, x + 1));
                r.gpu.push_back(w.substr(x + 1));
            } else {
                r.model.push_back(w);
            }
        }
    }
    return r;
}

// The whole scenario that the words may mean.
std::optional<PaletteItem> whole(const Session& s, const Reading& r) {
    if (r.model.empty() || (r.gpu.empty() && !r.ctx && !r.fp8 && !r.gpus)) return std::nullopt;
    // Of several, the one whose name is most like the present model's: 70b beside Llama 3 8B is
    // Llama 3 70B.
    const ModelEntry* model = nullptr;
    const std::string now = model_name(s);
    const auto alike = [&](const ModelEntry& m) {
        const std::string& name = m.spec->name;
        return std::mismatch(name.begin(), name.end(), now.begin(), now.end()).first - name.begin();
    };
    for (const ModelEntry* m : models_named(s.catalog, r.model)) {
        if (model == nullptr || alike(*m) > alike(*model)) model = m;
    }
    // A word that is a name of its own decides between boards: H100 is an alias of the SXM one.
    const GpuEntry* gpu = nullptr;
    for (const GpuEntry& g : s.catalog.gpus()) {
        if (r.gpu.empty() || !Searchable(g.spec.id, g.spec.name, &g.aliases).has(r.gpu)) continue;
        const bool named = std::any_of(r.gpu.begin(), r.gpu.end(), [&](const std::string& w) {
            return s.catalog.gpu(w) == &g;
        });
        if (gpu == nullptr || named) gpu = &g;
        if (named) break;
    }
    if (model == nullptr || (gpu == nullptr && !r.gpu.empty())) return std::nullopt;
    Scenario a = s.scenario;
    a.imported.reset();
    a.kv_heads.reset();
    a.model = model->spec->id;
    if (gpu != nullptr) a.gpu = gpu->spec.id;
    if (r.ctx) a.ctx = *r.ctx;
    if (r.fp8) a.weights = WeightKind::fp8;
    a.gpus.reset();
    a.tp = 1;
    if (r.gpus) {
        set_gpus(a, *r.gpus);
    } else {
        for (const std::uint64_t tp : {1u, 2u, 4u, 8u}) {  // the smallest that holds a request
            a.tp = tp;
            const Estimate e = estimate(a, s.catalog, kWithoutTraffic);
            if (e.plan && e.plan->fits && (!e.tp || e.tp->verdict != Verdict::error)) break;
        }
    }
    const Estimate e = estimate(a, s.catalog, kWithoutTraffic);
    std::string label = kvgauge::say(s.lang(), Str::ui_palette_whole,
                                     {model->spec->name, grouped(a.tp), e.gpu.name});
    if (r.fp8) label += ", FP8";
    std::string note = "TP " + grouped(a.tp);
    if (e.batch) {
        note += ", " + kvgauge::say(s.lang(), Str::ui_palette_requests,
                                    {grouped(static_cast<std::uint64_t>(e.batch->max.value)),
                                     token_text(a.ctx)});
    }
    return PaletteItem{
        Str::ui_palette_try, std::move(label), std::move(note), {}, std::move(a), {}, {}};
}

void add_models(const Session& s, const std::vector<std::string>& words,
                std::vector<PaletteItem>& out, std::size_t most) {
    for (const ModelEntry* m : models_named(s.catalog, words)) {
        if (out.size() >= most) return;
        Scenario a = s.scenario;
        a.imported.reset();
        a.model_source.clear();
        a.kv_heads.reset();
        a.model = m->spec->id;
        out.push_back(
            {Str::ui_palette_model, m->spec->name, m->spec->id, {}, std::move(a), {}, {}});
    }
}

void add_gpus(const Session& s, const std::vector<std::string>& words,
              std::vector<PaletteItem>& out, std::size_t most) {
    for (const GpuEntry& g : s.catalog.gpus()) {
        if (out.size() >= most) return;
        if (!Searchable(g.spec.id, g.spec.name, &g.aliases).has(words)) continue;
        Scenario a = s.scenario;
        a.gpu = g.spec.id;
        a.gpu_own = {};
        std::string note = bandwidth(g.spec.bandwidth);
        if (g.spec.flops16 > 0) note += ", " + flop_rate(g.spec.flops16);
        out.push_back(
            {Str::ui_palette_gpu, g.spec.name, std::move(note), {}, std::move(a), {}, {}});
    }
}

void add_others(const Session& s, const std::vector<std::string>& words,
                std::vector<PaletteItem>& out) {
    const Lang lang = s.lang();
    for (const EngineId id : kEngineIds) {
        const std::string label(display_name(id));
        if (id == s.scenario.engine || !Searchable(label, name(id)).has(words)) continue;
        Scenario a = s.scenario;
        a.engine = id;
        a.engine_version.reset();
        out.push_back(
            {Str::ui_palette_engine, label, to_string(rules(id).newest), {}, std::move(a), {}, {}});
    }
    for (int i = 0; i < kViewCount; ++i) {
        const View v = static_cast<View>(i);
        const std::string label(tr(lang, tab_name(v)));
        if (!Searchable(label, tr(Lang::en, tab_name(v))).has(words)) continue;
        out.push_back({Str::ui_palette_view, label, {}, std::to_string((i + 1) % 10), {}, v, {}});
    }
    struct Action {
        Str key;
        std::string_view shortcut;
        TopAction action;
    };
    constexpr Action actions[] = {{Str::ui_top_copy_link, "L", TopAction::copy_link},
                                  {Str::ui_palette_theme, "T", TopAction::theme},
                                  {Str::ui_palette_language, "K", TopAction::language}};
    for (const Action& a : actions) {
        const std::string label(tr(lang, a.key));
        if (!Searchable(label, tr(Lang::en, a.key)).has(words)) continue;
        out.push_back(
            {Str::ui_palette_action, label, {}, std::string(a.shortcut), {}, {}, a.action});
    }
}

std::vector<PaletteItem> key_list(Lang lang) {
    constexpr std::pair<const char*, Str> keys[] = {
        {"Ctrl K  /", Str::ui_help_palette}, {"1 … 9, 0", Str::ui_help_views},
        {"Tab", Str::ui_help_tab},           {"Enter", Str::ui_help_enter},
        {"Esc", Str::ui_help_esc},           {"Ctrl Z", Str::ui_help_undo},
        {"Ctrl V", Str::ui_help_paste},      {"L   T   K", Str::ui_help_letters},
    };
    std::vector<PaletteItem> out;
    for (const auto& [key, text] : keys) {
        out.push_back({Str::ui_palette_key, std::string(tr(lang, text)), {}, key, {}, {}, {}});
    }
    return out;
}

}  // namespace

std::vector<PaletteItem> palette_items(const Session& s, std::string_view search, int most) {
    if (search.starts_with("?")) return key_list(s.lang());
    const std::vector<std::string> words = words_of(search);
    std::vector<PaletteItem> out;
    const std::size_t limit = static_cast<std::size_t>(most);
    if (words.empty()) {
        add_others(s, words, out);
        std::stable_sort(out.begin(), out.end(), [&](const PaletteItem& a, const PaletteItem& b) {
            const auto rank = [&](const PaletteItem& i) {
                return std::find(s.palette.recent.begin(), s.palette.recent.end(), i.label) -
                       s.palette.recent.begin();
            };
            return rank(a) < rank(b);
        });
        std::stable_partition(out.begin(), out.end(), [](const PaletteItem& i) {
            return i.kind != Str::ui_palette_engine;
        });
        if (out.size() > limit) out.resize(limit);
        return out;
    }
    const Reading reading = read(s.catalog, words);
    if (auto item = whole(s, reading)) out.push_back(std::move(*item));
    const bool split = !reading.gpu.empty() && !reading.model.empty();
    if (!reading.model.empty()) add_models(s, reading.model, out, split ? 4 : limit - 2);
    if (!reading.gpu.empty())
        add_gpus(s, reading.gpu, out, limit - 1);
    else
        add_gpus(s, words, out, limit);
    add_others(s, words, out);
    if (out.size() > limit) out.resize(limit);
    return out;
}

}  // namespace kvgauge::ui
