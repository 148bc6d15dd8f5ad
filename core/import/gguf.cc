// SPDX-License-Identifier: MIT
#include "import/gguf.h"

#include <optional>
#include <utility>

#include "import/gguf_arch.h"
#include "import/gguf_keys.h"
#include "import/gguf_layers.h"
#include "import/gguf_tensors.h"

namespace kvgauge {
namespace {

std::string text_of(const GgufHeader& h, std::string_view key) {
    const GgufValue* v = h.find(key);
    return v != nullptr && v->kind == GgufKind::string ? v->text : std::string();
}

std::string slug(std::string_view name) {
    std::string s;
    for (const char c : name) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.';
        if (letter) {
            s += c;
        } else if (c >= 'A' && c <= 'Z') {
            s += static_cast<char>(c - 'A' + 'a');
        } else if (!s.empty() && s.back() != '-') {
            s += '-';
        }
    }
    while (!s.empty() && s.back() == '-') s.pop_back();
    return s;
}

// Keys that a decoder with nothing but whole caches may have. Anything else of an architecture that
// is not known could change its cache.
constexpr std::string_view kPlainKeys[] = {
    "vocab_size",
    "context_length",
    "embedding_length",
    "block_count",
    "feed_forward_length",
    "leading_dense_block_count",
    "use_parallel_residual",
    "tensor_data_layout",
    "logit_scale",
    "embedding_scale",
    "residual_scale",
    "attn_logit_softcapping",
    "final_logit_softcapping",
    "router_logit_softcapping",
    "attention.head_count",
    "attention.head_count_kv",
    "attention.key_length",
    "attention.value_length",
    "attention.layer_norm_epsilon",
    "attention.layer_norm_rms_epsilon",
    "attention.clamp_kqv",
    "attention.max_alibi_bias",
    "attention.scale",
    "expert_count",
    "expert_used_count",
    "expert_shared_count",
    "expert_feed_forward_length",
    "expert_shared_feed_forward_length",
    "expert_weights_scale",
    "expert_weights_norm",
    "expert_gating_func",
    "expert_group_count",
    "expert_group_used_count",
    "interleave_moe_layer_step",
    "nextn_predict_layers",
    "n_deepstack_layers",
};

// The key of `h` that forbids to take an unknown architecture for a plain decoder; empty: none.
std::string suspicious(const GgufHeader& h, const std::string& arch) {
    for (const GgufValue& v : h.values) {
        std::string_view key = v.key;
        if (key.substr(0, arch.size()) != arch || key.substr(arch.size(), 1) != ".") continue;
        key.remove_prefix(arch.size() + 1);
        bool plain = key.substr(0, 5) == "rope.";
        for (const std::string_view k : kPlainKeys) plain = plain || k == key;
        if (!plain || v.kind == GgufKind::array) return v.key;
    }
    return {};
}

void append_runs(std::vector<LayerRun>& runs, const LayerSpec& l) {
    if (!runs.empty() && runs.back().layer == l) {
        ++runs.back().count;
    } else {
        runs.push_back({1, l});
    }
}

std::uint64_t vocabulary(const GgufHeader& h, const GgufKeys& keys) {
    if (const std::uint64_t n = keys.number("vocab_size", std::uint64_t{1} << 30); n != 0) return n;
    const GgufValue* v = h.find("tokenizer.ggml.tokens");
    return v != nullptr && v->kind == GgufKind::array && v->count < (std::uint64_t{1} << 30)
               ? v->count
               : 0;
}

class Importer {
  public:
    Importer(std::span<const GgufHeader> parts, std::string_view source)
        : parts_(parts), source_(source) {}

    Import run() {
        for (const GgufHeader& h : parts_) {
            out_.issues.insert(out_.issues.end(), h.issues.begin(), h.issues.end());
        }
        if (parts_.empty()) {
            refuse({}, "no GGUF header was given.");
        } else if (!has_error(out_.issues)) {
            find_architecture();
        }
        if (has_error(out_.issues)) out_.model.reset();
        return std::move(out_);
    }

  private:
    const GgufHeader& first() const { return parts_[0]; }

    void refuse(std::string key, const std::string& text) {
        out_.issues.push_back(
            {Severity::error, std::move(key), std::string(source_) + ": " + text});
    }

    void find_architecture() {
        const std::string arch = text_of(first(), "general.architecture");
        const std::string type = text_of(first(), "general.type");
        if (arch.empty()) return refuse("general.architecture", missing_architecture());
        if (!type.empty() && type != "model") {
            return refuse("general.type", "general.type is " + type + "; a model is accepted.");
        }
        std::optional<GgufArch> rule = gguf_arch(arch);
        if (!rule) rule = plain(arch);
        if (!rule) return;
        if (!rule->refused.empty()) {
            return refuse("general.architecture",
                          "architecture " + arch + " " + std::string(rule->refused) + ".");
        }
        build(arch, *rule);
    }

    std::string missing_architecture() const {
        const GgufValue* no = first().find("split.no");
        if (no != nullptr && no->number > 0) {
            return "is part " + std::to_string(static_cast<std::uint64_t>(no->number) + 1) +
                   " of a split file; the keys are in part 1.";
        }
        return "general.architecture is missing.";
    }

    std::optional<GgufArch> plain(const std::string& arch) {
        if (const std::string key = suspicious(first(), arch); !key.empty()) {
            refuse("general.architecture", "architecture " + arch + " is not known, and its key " +
                                               key + " may change what it caches.");
            return std::nullopt;
        }
        assumed_.push_back(
            "Architecture " + arch +
            " is not known; a plain decoder is assumed, since no key speaks against it.");
        out_.issues.push_back({Severity::warning, "general.architecture", assumed_.back()});
        return GgufArch{.name = arch};
    }

    void build(const std::string& arch, const GgufArch& rule) {
        const GgufKeys keys(first(), arch, source_, out_.issues);
        GgufLayers layers = gguf_layers(keys, rule);
        if (has_error(out_.issues)) return;
        ModelSpec m;
        m.name = text_of(first(), "general.name");
        if (m.name.empty()) m.name = arch;
        m.id = slug(m.name);
        m.model_type = arch;
        m.architecture = arch;
        m.hidden = keys.number("embedding_length", kMaxGgufWidth);
        m.max_ctx = keys.number("context_length", kMaxGgufTokens);
        m.vocab = vocabulary(first(), keys);
        m.kv = DType::fp16;
        m.assumed = std::move(assumed_);
        m.gguf.present = true;
        m.gguf.latent_expanded = layers.latent_expanded;
        weights(keys, layers, m);
        for (std::size_t i = 0; i < layers.trunk.size(); ++i) {
            append_runs(m.layers, layers.trunk[i]);
            if (i < layers.cross.size()) append_runs(m.layers, layers.cross[i]);
        }
        for (const LayerSpec& l : layers.mtp) append_runs(m.mtp, l);
        if (!layers.mtp.empty()) {
            m.gguf.counts_mtp = true;
            keys.note(
                "nextn_predict_layers",
                std::to_string(layers.mtp.size()) + " of " +
                    std::to_string(layers.mtp.size() + layers.trunk.size()) +
                    " blocks are for multi-token prediction. They count in the file's KV bytes; "
                    "llama.cpp b11118 caches them only while drafting.");
        }
        if (rule.no_cache) {
            keys.note("attention.causal", "encoder or diffusion model: it has no KV cache.");
        }
        out_.model = std::move(m);
    }

    void weights(const GgufKeys& keys, GgufLayers& layers, ModelSpec& m) {
        std::vector<const GgufTensor*> table;
        for (const GgufHeader& h : parts_) {
            for (const GgufTensor& t : h.tensors) table.push_back(&t);
        }
        const GgufValue* type = first().find("general.file_type");
        std::optional<WeightKind> kind;
        if (type != nullptr && type->number >= 0 && type->number < 1000) {
            kind = gguf_file_type(static_cast<std::uint64_t>(type->number));
        }
        if (!kind) kind = gguf_main_kind(table);
        m.weights.kind = kind.value_or(WeightKind::fp16);
        if (whole_table(table.size())) {
            gguf_tensors(table, layers, m, out_.issues);
            return;
        }
        without_table(keys, layers, m);
    }

    // Whether all tensors of the file are here: of a split file, all parts.
    bool whole_table(std::size_t found) {
        if (found == 0) {
            out_.issues.push_back(
                {Severity::warning,
                 {},
                 std::string(source_) +
                     ": the header has no tensor table; weights are estimated, without "
                     "biases and q/k norms."});
            return false;
        }
        const GgufValue* total = first().find("split.tensors.count");
        const GgufValue* count = first().find("split.count");
        if (total == nullptr || count == nullptr || count->number <= 1) return true;
        if (static_cast<double>(found) >= total->number) return true;
        out_.issues.push_back({Severity::warning, "split.count",
                               std::string(source_) + ": only " + std::to_string(parts_.size()) +
                                   " of " +
                                   std::to_string(static_cast<std::uint64_t>(count->number)) +
                                   " parts of the split file are here; weights are estimated."});
        return false;
    }

    void without_table(const GgufKeys& keys, GgufLayers& layers, ModelSpec& m) {
        m.params_known = m.hidden != 0 && m.vocab != 0;
        m.final_norm_params = m.hidden;
        for (LayerSpec& l : layers.trunk) l.norm_params = 2 * m.hidden;
        for (LayerSpec& l : layers.mtp) l.norm_params = 2 * m.hidden;
        if (m.hidden == 0)
            keys.warn("embedding_length",
                      keys.full("embedding_length") + " is missing; weights are not known.");
        if (m.vocab == 0) {
            keys.warn("vocab_size",
                      "the vocabulary size is missing; embeddings are left out of the parameters.");
        }
    }

    std::span<const GgufHeader> parts_;
    std::string_view source_;
    std::vector<std::string> assumed_;
    Import out_;
};

}  // namespace

Import import_gguf(std::span<const GgufHeader> parts, std::string_view source) {
    return Importer(parts, source).run();
}

Import import_gguf(ByteSource& from, std::string_view source) {
    const GgufHeader h = read_gguf_header(from, source);
    return import_gguf(std::span(&h, 1), source);
}

Import import_gguf(std::string_view bytes, std::string_view source) {
    TextSource from(bytes);
    return import_gguf(from, source);
}

std::vector<std::string> gguf_part_names(std::string_view name) {
    // llama.cpp's llama_split_path: "%s-%05d-of-%05d.gguf".
    constexpr std::string_view kEnd = ".gguf";
    constexpr std::size_t kTail = 6 + 4 + 5 + 5;  // "-00001" "-of-" "00003" ".gguf"
    const auto alone = [&] { return std::vector<std::string>{std::string(name)}; };
    if (name.size() <= kTail || name.substr(name.size() - kEnd.size()) != kEnd) return alone();
    const std::string_view tail = name.substr(name.size() - kTail);
    if (tail[0] != '-' || tail.substr(6, 4) != "-of-") return alone();
    unsigned parts = 0;
    for (std::size_t i = 0; i < 5; ++i) {
        const char a = tail[1 + i], b = tail[10 + i];
        if (a < '0' || a > '9' || b < '0' || b > '9') return alone();
        parts = parts * 10 + static_cast<unsigned>(b - '0');
    }
    if (parts == 0 || parts > 4096) return alone();
    std::vector<std::string> out;
    for (unsigned i = 1; i <= parts; ++i) {
        std::string number = std::to_string(i);
        number.insert(0, 5 - number.size(), '0');
        out.push_back(std::string(name.substr(0, name.size() - kTail)) + "-" + number +
                      std::string(tail.substr(6)));
    }
    return out;
}

}  // namespace kvgauge
