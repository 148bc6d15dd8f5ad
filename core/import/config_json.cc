// SPDX-License-Identifier: MIT
#include "import/config_json.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "import/config_draft.h"
#include "import/config_quant.h"
#include "import/config_smells.h"
#include "import/config_vision.h"
#include "import/json_reader.h"

namespace kvgauge {
namespace {

// Where the language model of a multimodal config is.
struct TextObject {
    JsonValue object;
    std::string path;  // "text_config."
};

TextObject find_text(JsonValue root) {
    constexpr std::array<std::string_view, 7> sizes{
        "num_hidden_layers", "num_layers", "n_layer", "n_layers",
        "hidden_size",       "n_embd",     "d_model"};
    const auto sized = [&](JsonValue v) {
        return std::any_of(sizes.begin(), sizes.end(),
                           [&](std::string_view k) { return !v[k].is_null(); });
    };
    for (const std::string_view key :
         {"text_config", "language_config", "llm_config", "thinker_config", "language_model_config",
          "decoder_config"}) {
        JsonValue v = root[key];
        std::string path = std::string(key) + ".";
        if (key == "thinker_config" && v["text_config"].is_object()) {
            v = v["text_config"];
            path += "text_config.";
        }
        if (!v.is_object() || v.size() == 0) continue;
        // A flat file may carry a small object of this name that holds no sizes.
        if (!sized(v) && sized(root)) continue;
        return {v, path};
    }
    return {root, {}};
}

std::string_view architecture_of(JsonValue v) {
    return v["architectures"].at(0).string().value_or(std::string_view());
}

const Family* family_of(JsonValue text, JsonValue root, bool nested) {
    const std::string_view type = text["model_type"].string().value_or("");
    const std::string_view architecture = architecture_of(text);
    // An architecture says more than a model_type, which copies of a model change at will.
    if (const Family* f = find_family_of_architecture(architecture)) return f;
    if (const Family* f = find_family(type)) return f;
    if (!nested) return nullptr;
    if (!type.empty() || !architecture.empty()) return nullptr;
    return find_family(root["model_type"].string().value_or(""));
}

void compress(ModelSpec& m, std::vector<LayerSpec>& layers) {
    for (LayerSpec& l : layers) {
        if (!m.layers.empty() && m.layers.back().layer == l) {
            ++m.layers.back().count;
        } else {
            m.layers.push_back({1, l});
        }
    }
}

void build(Draft& d, bool known) {
    read_shape(d);
    if (d.failed) return;
    if (known) {
        refuse_foreign_fields(d);
    } else {
        refuse_unproven(d);
    }
    if (d.failed) return;
    if (d.family.attention != nullptr) {
        d.family.attention(d);
    } else {
        read_attention(d);
    }
    if (d.failed) return;
    read_ffn(d);
    if (d.family.ffn != nullptr) d.family.ffn(d);
    read_parameters(d);
    if (d.family.finish != nullptr) d.family.finish(d);
    read_mtp(d);
}

}  // namespace

Import import_config(std::string_view json, std::string_view source,
                     std::string_view hf_quant_config) {
    Import out;
    const std::string file(source);
    const auto unreadable = [&](std::string text) {
        out.issues.push_back({Severity::error, file, file + ": " + std::move(text) + "."});
    };
    JsonDocument document, sidecar;
    if (const auto e = document.parse(json)) {
        unreadable("not JSON: " + e->text + " (line " + std::to_string(e->line) + ", column " +
                   std::to_string(e->column) + ")");
        return out;
    }
    const JsonValue root = document.root();
    if (!root.is_object()) {
        unreadable("holds " + root.text() + "; accepted is a JSON object, a model's config.json");
        return out;
    }
    if (!hf_quant_config.empty()) {
        if (const auto e = sidecar.parse(hf_quant_config)) {
            out.issues.push_back({Severity::warning, "hf_quant_config.json",
                                  "hf_quant_config.json beside " + file + " is not JSON: " +
                                      e->text + "; its quantisation is not used."});
        }
    }

    const TextObject text = find_text(root);
    const bool nested = !text.path.empty();
    const Fields outer(root, "", out.issues);
    const Fields inner(text.object, text.path, out.issues);
    const Family* family = family_of(text.object, root, nested);
    Draft d{inner, outer, family != nullptr ? *family : unknown_family(), nested, {}, {}};
    d.m.model_type = inner.word({"model_type"});
    if (d.m.model_type.empty()) d.m.model_type = outer.word({"model_type"});
    d.m.architecture = architecture_of(root);
    if (d.m.architecture.empty()) d.m.architecture = architecture_of(text.object);
    d.m.name = d.m.architecture.empty() ? d.m.model_type : d.m.architecture;

    build(d, family != nullptr);
    if (d.failed || has_error(out.issues)) {
        if (!has_error(out.issues)) unreadable("could not be read as a model");
        return out;
    }
    if (family == nullptr) {
        d.assume("architecture \"" + d.m.name +
                 "\" is not known: taken as a plain decoder by its fields");
        d.m.params_assumed = true;
    }
    for (const std::string_view draft : {"Eagle", "Medusa", "MTP", "Speculator"}) {
        if (d.m.architecture.find(draft) == std::string::npos) continue;
        d.doubt("architectures",
                "a draft model for speculation: its own projections are not counted");
        break;
    }
    compress(d.m, d.layers);
    read_storage(inner, outer, hf_quant_config.empty() ? JsonValue() : sidecar.root(), d.m);
    read_vision(outer, d.m);
    out.model = std::move(d.m);
    return out;
}

}  // namespace kvgauge
