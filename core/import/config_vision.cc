// SPDX-License-Identifier: MIT
// Transformer encoders of multimodal models and their projectors into the language model. Sources:
// modeling_clip.py, modeling_siglip.py, modeling_pixtral.py, modeling_mistral3.py,
// modeling_qwen2_vl.py, modeling_qwen2_5_vl.py, modeling_qwen3_vl.py of transformers, and
// modeling_intern_vit.py of InternVL.
#include "import/config_vision.h"

#include <algorithm>
#include <string>

namespace kvgauge {
namespace {

// Bounds of a tower far above any real one; within them no product below leaves 63 bits.
constexpr std::uint64_t kMaxTowerWidth = std::uint64_t{1} << 20;
constexpr std::uint64_t kMaxTowerFfn = std::uint64_t{1} << 22;
constexpr std::uint64_t kMaxMerge = 16;
constexpr std::uint64_t kMaxDeep = 64;

struct Tower {
    std::uint64_t layers, width, ffn, patch, image;  // image: pixels of a side, 0 = not stated
};

std::uint64_t read(const Fields& f, Names names, std::uint64_t max, std::uint64_t fallback = 0) {
    const auto n = f.find(names).whole();
    return n && *n != 0 && *n <= max ? *n : fallback;
}

// A block with biases everywhere and two norms with bias.
std::uint64_t classic_block(std::uint64_t h, std::uint64_t ffn) {
    return 4 * h * h + 4 * h + 2 * h * ffn + ffn + h + 4 * h;
}

std::uint64_t patches(const Tower& t) {
    const std::uint64_t side = t.patch == 0 ? 0 : t.image / t.patch;
    return side * side;
}

std::uint64_t patch_matrix(const Tower& t, std::uint64_t frames) {
    return 3 * frames * t.patch * t.patch * t.width;
}

std::uint64_t clip(const Tower& t) {
    return t.layers * classic_block(t.width, t.ffn) + patch_matrix(t, 1) + t.width +
           (patches(t) + 1) * t.width + 4 * t.width;
}

std::uint64_t siglip(const Tower& t) {
    return t.layers * classic_block(t.width, t.ffn) + patch_matrix(t, 1) + t.width +
           patches(t) * t.width + 2 * t.width;
}

std::uint64_t pixtral(const Tower& t) {
    const std::uint64_t h = t.width;
    return t.layers * (4 * h * h + 3 * h * t.ffn + 2 * h) + patch_matrix(t, 1) + h;
}

std::uint64_t intern_vit(const Fields& v, const Tower& t) {
    const std::uint64_t h = t.width;
    const bool bias = v.flag({"qkv_bias"}, true);
    const bool norm_bias = v.word({"norm_type"}) != "rms_norm";
    const std::uint64_t block = 3 * h * h + (bias ? 3 * h : 0) + h * h + h + 2 * h * t.ffn + t.ffn +
                                h + (norm_bias ? 4 : 2) * h + 2 * h +
                                (v.flag({"qk_normalization"}, false) ? 2 * h : 0);
    return t.layers * block + h + (patches(t) + 1) * h + patch_matrix(t, 1) + h;
}

// Two linears with bias from `in` to `out` after a norm, as in the mergers of Qwen and InternVL.
std::uint64_t merger(std::uint64_t in, std::uint64_t middle, std::uint64_t out,
                     std::uint64_t norm) {
    return norm + in * middle + middle + middle * out + out;
}

std::uint64_t qwen(const Fields& v, std::string_view type, const Tower& t, std::uint64_t text) {
    const std::uint64_t merge = read(v, {"spatial_merge_size"}, kMaxMerge, 2);
    const std::uint64_t frames = read(v, {"temporal_patch_size"}, 64, 2);
    if (type == "qwen2_vl") {
        // Its hidden_size is the language model's; the tower is embed_dim wide.
        const std::uint64_t h = read(v, {"embed_dim"}, kMaxTowerWidth, 1280);
        const std::uint64_t ffn = 4 * h, wide = h * merge * merge;
        const Tower own{t.layers, h, ffn, t.patch, 0};
        return t.layers * classic_block(h, ffn) + patch_matrix(own, frames) +
               merger(wide, wide, text, 2 * h);
    }
    const std::uint64_t h = t.width, wide = h * merge * merge;
    const std::uint64_t out = read(v, {"out_hidden_size"}, kMaxWidth, text);
    if (type == "qwen2_5_vl") {
        const std::uint64_t block =
            4 * h * h + 4 * h + 3 * h * t.ffn + 2 * t.ffn + h + 2 * h;  // gated, RMS norms
        return t.layers * block + patch_matrix(t, frames) + merger(wide, wide, out, h);
    }
    // Qwen3-VL: learned positions, and a merger for each layer that is also fed in deeper.
    const std::uint64_t deep =
        std::min<std::uint64_t>(v.find({"deepstack_visual_indexes"}).size(), kMaxDeep);
    return t.layers * classic_block(h, t.ffn) + patch_matrix(t, frames) + h +
           read(v, {"num_position_embeddings"}, kMaxVocab, 2304) * h +
           merger(wide, wide, out, 2 * h) + deep * merger(wide, wide, out, 2 * wide);
}

// From the tower's width to the language model's.
std::uint64_t projector(const Fields& outer, std::string_view type, const Tower& t,
                        std::uint64_t text) {
    const std::uint64_t h = t.width;
    if (type == "gemma3") return h * text + h;
    if (type == "mistral3") {
        const std::uint64_t merge = read(outer, {"spatial_merge_size"}, kMaxMerge, 2);
        return h + merge * merge * h * h + h * text + text * text;
    }
    if (type == "paligemma") return h * text + text;
    if (type.starts_with("llava")) return h * text + text + text * text + text;
    if (type.starts_with("internvl")) return merger(4 * h, text, text, 8 * h);
    return 0;
}

}  // namespace

void read_vision(const Fields& outer, ModelSpec& m) {
    Fields v = outer.inside("vision_config");
    if (!v.object().is_object()) v = outer.inside("thinker_config").inside("vision_config");
    if (!v.object().is_object()) return;
    m.vision_heads =
        static_cast<std::uint32_t>(read(v, {"num_attention_heads", "num_heads"}, kMaxHeads));

    const std::string_view whole = outer.word({"model_type"});
    std::string_view type = v.word({"model_type"});
    if (type.empty() && whole == "gemma3") type = "siglip_vision_model";
    if (whole.starts_with("qwen")) type = whole;
    const Tower t{read(v, {"num_hidden_layers", "depth"}, kMaxLayers),
                  read(v, {"hidden_size"}, kMaxTowerWidth),
                  read(v, {"intermediate_size"}, kMaxTowerFfn), read(v, {"patch_size"}, 4096, 14),
                  read(v, {"image_size"}, 65536)};
    std::uint64_t n = 0;
    if (t.layers != 0 && (t.width != 0 || type == "qwen2_vl")) {
        if (type == "clip_vision_model" && t.ffn != 0) n = clip(t);
        if (type == "siglip_vision_model" && t.ffn != 0) n = siglip(t);
        if (type == "pixtral" && t.ffn != 0) n = pixtral(t);
        if (type.starts_with("intern_vit") && t.ffn != 0) n = intern_vit(v, t);
        if (type == "qwen2_vl" || type == "qwen2_5_vl" || type.starts_with("qwen3_vl") ||
            type.starts_with("qwen3_5")) {
            n = qwen(v, type, t, m.hidden);
        }
    }
    if (n != 0) {
        m.vision_params = n + projector(outer, whole, t, m.hidden);
    } else {
        outer.note("vision_config", "parameters of this vision tower are not counted");
    }
}

}  // namespace kvgauge
