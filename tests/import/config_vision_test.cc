// SPDX-License-Identifier: MIT
// Towers by the difference between published totals of whole models and of their language halves.
#include <gtest/gtest.h>

#include <string>

#include "import/config_json.h"
#include "model/weights.h"

namespace kvgauge {
namespace {

std::uint64_t vision(const std::string& outer, const std::string& text, const std::string& tower) {
    const Import i = import_config(
        "{" + outer + ", \"text_config\": {" + text +
            ", \"num_hidden_layers\": 2, \"num_attention_heads\": 8, \"num_key_value_heads\": 8, "
            "\"vocab_size\": 1000, \"intermediate_size\": 64}, "
            "\"vision_config\": {" +
            tower + "}}",
        "config.json");
    if (!i.model) {
        ADD_FAILURE() << (i.issues.empty() ? "" : i.issues[0].text);
        return 0;
    }
    EXPECT_EQ(params(*i.model).vision, Count(i.model->vision_params));
    return i.model->vision_params;
}

TEST(ConfigVision, Clip) {
    // CLIP ViT-L/14 of 336 pixels has 303507456 parameters; LLaVA's projector 1024*4096 + 4096 +
    // 4096*4096 + 4096 = 20979712.
    EXPECT_EQ(vision(R"("model_type": "llava", "architectures": ["LlavaForConditionalGeneration"])",
                     R"("model_type": "llama", "hidden_size": 4096)",
                     R"("model_type": "clip_vision_model", "hidden_size": 1024,
                        "intermediate_size": 4096, "num_hidden_layers": 24, "image_size": 336,
                        "patch_size": 14, "num_attention_heads": 16)"),
              303507456u + 20979712u);
}

TEST(ConfigVision, Siglip) {
    // medgemma-27b-it: 54864813280 bytes of bf16 are 27432406640 parameters, gemma-3-27b's text
    // half has 27009346304: 423060336 for tower and projector.
    EXPECT_EQ(vision(R"("model_type": "gemma3")",
                     R"("model_type": "gemma3_text", "hidden_size": 5376, "sliding_window": 1024)",
                     R"("model_type": "siglip_vision_model", "hidden_size": 1152,
                        "intermediate_size": 4304, "num_hidden_layers": 27, "image_size": 896,
                        "patch_size": 14, "num_attention_heads": 16)"),
              423060336u);
}

TEST(ConfigVision, Pixtral) {
    // Mistral-Small-3.1-24B: 24011361280 less the 23572403200 of Mistral-Small-24B.
    EXPECT_EQ(vision(R"("model_type": "mistral3", "spatial_merge_size": 2)",
                     R"("model_type": "mistral", "hidden_size": 5120, "sliding_window": null)",
                     R"("model_type": "pixtral", "hidden_size": 1024, "intermediate_size": 4096,
                        "num_hidden_layers": 24, "patch_size": 14, "num_attention_heads": 16)"),
              438958080u);
}

TEST(ConfigVision, Qwen) {
    // Qwen2-VL-7B 8291375616, Qwen2.5-VL-7B 8292166656, both on Qwen2-7B's 7615616512; Qwen3-VL-8B
    // 8767123696 on Qwen3-8B's 8190735360.
    EXPECT_EQ(vision(R"("model_type": "qwen2_vl")", R"("model_type": "qwen2", "hidden_size": 3584)",
                     R"("depth": 32, "embed_dim": 1280, "hidden_size": 3584, "patch_size": 14,
                        "spatial_merge_size": 2, "temporal_patch_size": 2, "num_heads": 16)"),
              8291375616u - 7615616512u);
    EXPECT_EQ(
        vision(R"("model_type": "qwen2_5_vl")", R"("model_type": "qwen2", "hidden_size": 3584)",
               R"("depth": 32, "hidden_size": 1280, "intermediate_size": 3420,
                        "out_hidden_size": 3584, "patch_size": 14, "num_heads": 16)"),
        8292166656u - 7615616512u);
    EXPECT_EQ(vision(R"("model_type": "qwen3_vl")", R"("model_type": "qwen3", "hidden_size": 4096)",
                     R"("depth": 27, "hidden_size": 1152, "intermediate_size": 4304,
                        "out_hidden_size": 4096, "patch_size": 16, "num_position_embeddings": 2304,
                        "deepstack_visual_indexes": [8, 16, 24], "num_heads": 16)"),
              8767123696u - 8190735360u);
}

TEST(ConfigVision, InternVit) {
    // InternVL3-8B: 7944373760 less the text half (Qwen2.5-7B with 151674 rows: 7612820992).
    EXPECT_EQ(
        vision(R"("model_type": "internvl_chat")", R"("model_type": "qwen2", "hidden_size": 3584)",
               R"("model_type": "intern_vit_6b", "hidden_size": 1024, "intermediate_size": 4096,
                        "num_hidden_layers": 24, "image_size": 448, "patch_size": 14,
                        "qkv_bias": true, "norm_type": "layer_norm", "num_attention_heads": 16)"),
        7944373760u - 7612820992u);
}

TEST(ConfigVision, UnknownTowerIsNamedNotGuessed) {
    const Import i = import_config(
        R"({"model_type": "x", "text_config": {"model_type": "llama", "hidden_size": 4096,
            "num_hidden_layers": 2, "num_attention_heads": 8, "vocab_size": 10,
            "intermediate_size": 64}, "vision_config": {"model_type": "y", "num_heads": 25}})",
        "config.json");
    ASSERT_TRUE(i.model.has_value());
    EXPECT_EQ(i.model->vision_params, 0u);
    EXPECT_EQ(i.model->vision_heads, 25u);
    bool named = false;
    for (const Issue& x : i.issues) named = named || x.key == "vision_config";
    EXPECT_TRUE(named);
}

}  // namespace
}  // namespace kvgauge
