// SPDX-License-Identifier: MIT
#include "import/config_family.h"

#include <algorithm>
#include <iterator>

namespace kvgauge {
namespace {

// What a model_type or an architecture is called in the table of families. Sorted by name, tested.
struct Alias {
    std::string_view name, family;
};
// clang-format off
constexpr Alias kTypes[] = {
    {"AXK1", "deepseek_v3"}, {"Dream", "dream"}, {"Emu3", "llama"}, {"Keye", "qwen3"},
    {"KeyeVL1_5", "qwen3"}, {"PanguEmbedded", "pangu"}, {"RefinedWeb", "falcon"},
    {"RefinedWebModel", "falcon"}, {"Yi", "llama"}, {"afmoe", "afmoe"}, {"apertus", "apertus"},
    {"aquila", "llama"}, {"arcee", "arcee"}, {"arctic", "arctic"}, {"aria_moe_lm", "llama"},
    {"aria_text", "llama"}, {"axk1", "deepseek_v3"}, {"baichuan", "baichuan"},
    {"baichuan_m1", "baichuan_m1"}, {"bailing_hybrid", "bailing_hybrid"},
    {"bailing_moe", "bailing_moe"}, {"bailing_moe_linear", "bailing_linear"},
    {"bailing_moe_v2", "bailing_moe_v2"}, {"bamba", "bamba"}, {"bart", "bart"},
    {"bidir_mistral", "mistral"}, {"biogpt", "biogpt"}, {"bitnet", "bitnet"},
    {"blenderbot", "bart"}, {"blenderbot-small", "bart"}, {"bloom", "bloom"},
    {"chameleon", "chameleon"}, {"chatglm", "chatglm"}, {"code_llama", "llama"},
    {"codegen", "codegen"}, {"cohere", "cohere"}, {"cohere2", "cohere2"},
    {"cohere2_moe", "cohere2"}, {"cwm", "mistral"}, {"dbrx", "dbrx"}, {"deci", "nas"},
    {"decilm", "nas"}, {"deepseek", "deepseek"}, {"deepseek_v2", "deepseek_v2"},
    {"deepseek_v3", "deepseek_v3"}, {"deepseek_v32", "deepseek_v3"}, {"deepseek_v4", "deepseek_v4"},
    {"dots1", "dots1"}, {"dots_ocr", "qwen2"}, {"emu3_text_model", "llama"},
    {"ernie4_5", "ernie4_5"}, {"ernie4_5_moe", "ernie4_5"}, {"ernie4_5_moe_vl", "ernie4_5"},
    {"ernie4_5_vl", "ernie4_5"}, {"ernie4_5_vl_moe", "ernie4_5"},
    {"ernie4_5_vl_moe_text", "ernie4_5"}, {"exaone", "exaone"}, {"exaone4", "exaone4"},
    {"exaone4_5_text", "exaone4"}, {"exaone_moe", "exaone_moe"}, {"falcon", "falcon"},
    {"falcon_h1", "falcon_h1"}, {"falcon_mamba", "falcon_mamba"}, {"flex_olmo", "olmoe"},
    {"florence2_language", "bart"}, {"fuyu", "persimmon"}, {"gemma", "gemma"}, {"gemma2", "gemma2"},
    {"gemma3", "gemma3"}, {"gemma3_text", "gemma3"}, {"gemma3n", "gemma3n"},
    {"gemma3n_text", "gemma3n"}, {"gemma4", "gemma4"}, {"gemma4_text", "gemma4"},
    {"gemma4_unified", "gemma4"}, {"gemma4_unified_text", "gemma4"}, {"glm", "glm"},
    {"glm4", "glm4"}, {"glm46v", "glm4"}, {"glm4_moe", "glm4_moe"}, {"glm4_moe_lite", "glm_latent"},
    {"glm4v", "glm4"}, {"glm4v_moe", "glm4_moe"}, {"glm4v_moe_text", "glm4_moe"},
    {"glm4v_text", "glm4"}, {"glm_moe_dsa", "glm_latent"}, {"glm_ocr_text", "glm4"},
    {"gpt-sw3", "gpt2"}, {"gpt2", "gpt2"}, {"gpt_bigcode", "gpt_bigcode"}, {"gpt_neo", "gpt_neo"},
    {"gpt_neox", "gpt_neox"}, {"gpt_oss", "gpt_oss"}, {"gptj", "gptj"}, {"granite", "llama"},
    {"granitemoe", "granitemoe"}, {"granitemoehybrid", "granitemoehybrid"},
    {"granitemoeshared", "granitemoe"}, {"grok-1", "grok"}, {"helium", "llama"},
    {"hunyuan", "hunyuan"}, {"hunyuan_v1_dense", "hunyuan"}, {"hunyuan_v1_moe", "hunyuan"},
    {"hunyuan_vl", "hunyuan"}, {"hunyuan_vl_text", "hunyuan"}, {"hy_v3", "hy_v3"},
    {"hyperclovax", "llama"}, {"internlm", "internlm"}, {"internlm2", "internlm2"},
    {"internlm3", "internlm3"}, {"interns1", "qwen3"}, {"iquestcoder", "llama"}, {"isaac", "qwen3"},
    {"jais", "jais"}, {"jais2", "jais2"}, {"jamba", "jamba"}, {"joyai_llm_flash", "deepseek_v3"},
    {"kimi_k2", "deepseek_v3"}, {"kimi_k25", "deepseek_v3"}, {"kimi_linear", "kimi_linear"},
    {"laguna", "laguna"}, {"lfm2", "lfm2"}, {"lfm2_moe", "lfm2"}, {"llada", "llada"},
    {"llada2_moe", "bailing_moe_v2"}, {"llada_moe", "llada_moe"}, {"llama", "llama"},
    {"llama4_text", "llama4"}, {"llava_llama", "llama"}, {"llava_mistral", "mistral"},
    {"llava_qwen", "qwen2"}, {"longcat_flash", "longcat"}, {"longcat_flash_ngram", "longcat"},
    {"m2m_100", "bart"}, {"mamba", "mamba"}, {"mamba2", "mamba2"}, {"marian", "bart"},
    {"mbart", "bart"}, {"mimo", "qwen2"}, {"mimo_v2", "mimo_v2"}, {"mimo_v2_flash", "mimo_v2"},
    {"minicpm", "llama_tied"}, {"minicpm3", "minicpm3"}, {"minicpmo", "qwen2"},
    {"minicpmv", "qwen2"}, {"minicpmv4_6", "qwen3"}, {"minimax", "minimax"},
    {"minimax_m1", "minimax"}, {"minimax_m2", "minimax_m2"}, {"minimax_m3", "minimax_m3"},
    {"minimax_text_01", "minimax"}, {"ministral", "mistral"}, {"ministral3", "mistral"},
    {"mistral", "mistral"}, {"mistral4", "deepseek_v3"}, {"mixformer-sequential", "phi"},
    {"mixtral", "mixtral"}, {"mllama_text_model", "mllama"}, {"molmo", "molmo"}, {"mpt", "mpt"},
    {"mt5", "t5"}, {"muse_glimmer_text", "muse_glimmer"}, {"mvp", "bart"}, {"nanochat", "nanochat"},
    {"nemotron", "nemotron"}, {"nemotron-nas", "nas"}, {"nemotron_h", "nemotron_h"},
    {"nemotron_h_puzzle", "nemotron_h"}, {"olmo", "olmo"}, {"olmo2", "olmo2"}, {"olmo3", "olmo3"},
    {"olmo_hybrid", "olmo_hybrid"}, {"olmoe", "olmoe"}, {"open_llama", "llama"},
    {"openai-gpt", "openai_gpt"}, {"openelm", "openelm"}, {"opt", "opt"}, {"orion", "orion"},
    {"paddleocr_vl", "ernie4_5"}, {"pangu_embedded", "pangu"}, {"pangu_ultra_moe", "deepseek_v3"},
    {"pegasus", "bart"}, {"persimmon", "persimmon"}, {"phi", "phi"}, {"phi-msft", "phi"},
    {"phi3", "phi3"}, {"phi3_v", "phi3"}, {"phi3small", "phi3small"}, {"phi4mm", "phi3"},
    {"phimoe", "phimoe"}, {"plamo", "plamo"}, {"plamo2", "plamo2"}, {"plamo3", "plamo3"},
    {"plbart", "bart"}, {"qwen", "qwen"}, {"qwen2", "qwen2"}, {"qwen2_5_omni_text", "qwen2"},
    {"qwen2_5_vl", "qwen2"}, {"qwen2_5_vl_text", "qwen2"}, {"qwen2_moe", "qwen2_moe"},
    {"qwen2_vl", "qwen2"}, {"qwen2_vl_text", "qwen2"}, {"qwen3", "qwen3"},
    {"qwen3_5_moe_text", "qwen3_next"}, {"qwen3_5_text", "qwen3_next"}, {"qwen3_moe", "qwen3_moe"},
    {"qwen3_next", "qwen3_next"}, {"qwen3_omni_moe_text", "qwen3_moe"},
    {"qwen3_vl_moe_text", "qwen3_moe"}, {"qwen3_vl_text", "qwen3"},
    {"recurrent_gemma", "recurrent_gemma"}, {"rwkv", "rwkv"}, {"rwkv5", "rwkv"}, {"rwkv6", "rwkv"},
    {"rwkv7", "rwkv"}, {"sarvam_mla", "deepseek_v3"}, {"sdar", "qwen3"}, {"sdar_moe", "qwen3_moe"},
    {"seed_oss", "seed_oss"}, {"skywork", "llama"}, {"smollm3", "llama_tied"}, {"solar", "llama"},
    {"solar_open", "glm4_moe"}, {"stablelm", "stablelm"}, {"stablelm_epoch", "stablelm"},
    {"starcoder2", "starcoder2"}, {"step1", "step1"}, {"step3_text", "step3"},
    {"step3p5", "step3p5"}, {"step3p7", "step3p5"}, {"t5", "t5"}, {"telechat", "telechat"},
    {"telechat2", "telechat"}, {"telechat3", "llama"}, {"telechat3_moe", "deepseek_v3"},
    {"umt5", "t5"}, {"vaultgemma", "vaultgemma"}, {"whisper", "bart"}, {"xglm", "xglm"},
    {"xverse", "xverse"}, {"youtu_llm", "deepseek_v3"}, {"yuan", "yuan"}, {"zamba", "zamba"},
    {"zamba2", "zamba2"},
};
constexpr Alias kArchitectures[] = {
    {"AquilaForCausalLM", "llama"}, {"AquilaModel", "llama"}, {"BaiChuanForCausalLM", "baichuan"},
    {"BaichuanForCausalLM", "baichuan"}, {"BailingMoeForCausalLM", "bailing_moe"},
    {"BailingMoeV2ForCausalLM", "bailing_moe_v2"}, {"ChatGLMForConditionalGeneration", "chatglm"},
    {"ChatGLMModel", "chatglm"}, {"DeciLMForCausalLM", "nas"},
    {"DeepseekV2ForCausalLM", "deepseek_v2"}, {"DeepseekV32ForCausalLM", "deepseek_v3"},
    {"DeepseekV3ForCausalLM", "deepseek_v3"}, {"DeepseekV4ForCausalLM", "deepseek_v4"},
    {"DreamModel", "dream"}, {"FalconForCausalLM", "falcon"}, {"GritLM", "mistral"},
    {"Grok1ForCausalLM", "grok"}, {"Grok1ModelForCausalLM", "grok"},
    {"HunYuanMoEV1ForCausalLM", "hunyuan"}, {"InternLM2ForCausalLM", "internlm2"},
    {"InternLM2VEForCausalLM", "internlm2"}, {"LLaDAModelLM", "llada"},
    {"LLaMAForCausalLM", "llama"}, {"LlamaForCausalLM", "llama"},
    {"LlavaLlamaForCausalLM", "llama"}, {"LlavaMistralForCausalLM", "mistral"},
    {"LlavaQwenForCausalLM", "qwen2"}, {"MPTForCausalLM", "mpt"}, {"Mamba2ForCausalLM", "mamba2"},
    {"MiniMaxM1ForCausalLM", "minimax"}, {"MiniMaxText01ForCausalLM", "minimax"},
    {"MistralForCausalLM", "mistral"}, {"MixFormerSequentialForCausalLM", "phi"},
    {"MixtralForCausalLM", "mixtral"}, {"MptForCausalLM", "mpt"},
    {"NemotronHForCausalLM", "nemotron_h"}, {"OLMoForCausalLM", "olmo_old"},
    {"OpenELMForCausalLM", "openelm"}, {"PanguEmbeddedForCausalLM", "pangu"},
    {"QWenLMHeadModel", "qwen"}, {"Qwen2ForCausalLM", "qwen2"}, {"Qwen3ForCausalLM", "qwen3"},
    {"RWForCausalLM", "falcon"}, {"StableLMEpochForCausalLM", "stablelm"},
    {"Step1ForCausalLM", "step1"}, {"TeleChat2ForCausalLM", "telechat"},
    {"TeleChatForCausalLM", "telechat"}, {"YuanForCausalLM", "yuan"},
};
// clang-format on

template <std::size_t N>
const Family* by_alias(const Alias (&table)[N], std::string_view name) {
    const auto at = std::lower_bound(std::begin(table), std::end(table), name,
                                     [](const Alias& a, std::string_view n) { return a.name < n; });
    return at != std::end(table) && at->name == name ? family_named(at->family) : nullptr;
}

// configuration_*.py of transformers. Families whose nested configs state every size are not
// listed.
constexpr ClassDefaults kDefaults[] = {
    {"cohere", 40, 8192, 64, 0, 0, 22528, 256000},
    {"cohere2", 40, 8192, 64, 0, 0, 22528, 256000},
    {"emu3_text_model", 32, 4096, 32, 8, 0, 14336, 184622},
    {"granite", 32, 4096, 32, 0, 0, 11008, 32000},
    {"lfm2", 32, 2560, 32, 8, 0, 12288, 65536},
    {"qwen2_5_vl_text", 80, 8192, 64, 8, 0, 29568, 152064},
    {"qwen2_vl_text", 80, 8192, 64, 8, 0, 29568, 152064},
    {"qwen3_vl_text", 32, 4096, 32, 32, 128, 22016, 151936},
    {"gemma", 28, 3072, 16, 16, 256, 24576, 256000},
    {"gemma2", 26, 2304, 8, 4, 256, 9216, 256000},
    {"gemma3_text", 26, 2304, 8, 4, 256, 9216, 262208},
    {"gemma3n_text", 35, 2048, 8, 2, 256, 16384, 262400},
    {"llama", 32, 4096, 32, 0, 0, 11008, 32000},
    {"llama4_text", 48, 5120, 40, 8, 128, 8192, 202048},
    {"mistral", 32, 4096, 32, 8, 0, 14336, 32000},
    {"mixtral", 32, 4096, 32, 8, 0, 14336, 32000},
    {"mllama_text_model", 40, 4096, 32, 8, 0, 14336, 128256},
    {"opt", 12, 768, 12, 0, 0, 3072, 50272},
    {"phi", 24, 2048, 32, 0, 0, 8192, 51200},
    {"phi3", 32, 3072, 32, 0, 0, 8192, 32064},
    {"qwen2", 32, 4096, 32, 32, 0, 22016, 151936},
    {"qwen3", 32, 4096, 32, 32, 128, 22016, 151936},
};

}  // namespace

const Family* find_family(std::string_view model_type) {
    if (const Family* f = by_alias(kTypes, model_type)) return f;
    // The language half of a multimodal model is named after it.
    for (const std::string_view tail : {"_text_model", "_text"}) {
        if (model_type.ends_with(tail)) {
            return by_alias(kTypes, model_type.substr(0, model_type.size() - tail.size()));
        }
    }
    return nullptr;
}

const Family* find_family_of_architecture(std::string_view architecture) {
    return by_alias(kArchitectures, architecture);
}

const ClassDefaults* class_defaults(std::string_view model_type) {
    for (const ClassDefaults& d : kDefaults) {
        if (d.model_type == model_type) return &d;
    }
    return nullptr;
}

bool family_names_sorted() {
    const auto less = [](const Alias& a, const Alias& b) { return a.name < b.name; };
    const auto known = [](const Alias& a) { return family_named(a.family) != nullptr; };
    return std::is_sorted(std::begin(kTypes), std::end(kTypes), less) &&
           std::is_sorted(std::begin(kArchitectures), std::end(kArchitectures), less) &&
           std::all_of(std::begin(kTypes), std::end(kTypes), known) &&
           std::all_of(std::begin(kArchitectures), std::end(kArchitectures), known);
}

}  // namespace kvgauge
