// SPDX-License-Identifier: MIT
#include "import/gguf_arch.h"

namespace kvgauge {
namespace {

using W = GgufWindow;
using R = GgufRecurrent;
using S = StateKind;

constexpr std::string_view kDraft =
    "is a draft model for speculation, which is no language model by itself";
constexpr std::string_view kNoText = "is no language model";
constexpr std::string_view kUnread = "has a cache that is not modelled";

// Windows and states: one row each.
constexpr GgufArch kSpecial[] = {
    {.name = "afmoe", .window = W::optional, .pattern = 4},
    {.name = "cohere2", .window = W::required, .pattern = 4},
    {.name = "cohere2moe", .window = W::required, .pattern = 4, .dense_first = true},
    {.name = "exaone-moe", .window = W::required, .pattern = 4, .window_default = 128},
    {.name = "exaone4",
     .window = W::required,
     .pattern = 4,
     .window_default = 4096,
     .window_layers = 64},
    {.name = "gemma2", .window = W::required, .pattern = 2, .window_default = 4096},
    {.name = "gemma3", .window = W::optional, .pattern = 6},
    {.name = "gemma3n", .window = W::required, .pattern = 5},
    {.name = "gemma4", .window = W::required},
    {.name = "gpt-oss", .window = W::required, .pattern = 2},
    {.name = "granite_swa", .window = W::required},
    {.name = "laguna", .window = W::optional, .pattern = 4, .dense_first = true},
    {.name = "llama4",
     .window = W::optional,
     .pattern = 4,
     .window_default = 8192,
     .window_fixed = 8192,
     .window_kind = AttnKind::chunked},
    {.name = "maple", .window = W::required},
    {.name = "mellum", .window = W::optional, .pattern = 4},
    {.name = "mimo2", .window = W::required},
    {.name = "muse-glimmer", .window = W::required, .pattern = 4},
    {.name = "olmo2", .window = W::optional, .pattern = 4},
    {.name = "plamo3", .window = W::optional, .pattern = 8},
    {.name = "smallthinker",
     .window = W::optional,
     .pattern = 4,
     .dense_first = true,
     .window_fixed = 4096},
    {.name = "spark2_5", .window = W::required},
    {.name = "step35", .window = W::required},

    {.name = "mamba", .recurrent = R::every, .state = S::mamba1},
    {.name = "mamba2", .recurrent = R::every, .state = S::mamba2},
    {.name = "rwkv6", .recurrent = R::every, .state = S::rwkv},
    {.name = "rwkv6qwen2", .recurrent = R::every, .state = S::rwkv},
    {.name = "rwkv7", .recurrent = R::every, .state = S::rwkv},
    {.name = "arwkv7", .recurrent = R::every, .state = S::rwkv},
    {.name = "jamba", .recurrent = R::kv_zero, .state = S::mamba1},
    {.name = "plamo2", .recurrent = R::kv_zero, .state = S::mamba2},
    {.name = "granitehybrid", .recurrent = R::kv_zero, .state = S::mamba2},
    {.name = "barbet", .recurrent = R::kv_zero, .state = S::mamba2},
    {.name = "nemotron_h", .recurrent = R::kv_ff_zero, .state = S::mamba2, .plain_ffn = true},
    {.name = "nemotron_h_moe", .recurrent = R::kv_ff_zero, .state = S::mamba2, .plain_ffn = true},
    {.name = "falcon-h1", .recurrent = R::beside, .state = S::mamba2},
    {.name = "lfm2",
     .window = W::optional,
     .every_slides = true,
     .recurrent = R::kv_zero,
     .state = S::short_conv},
    {.name = "lfm2moe", .recurrent = R::kv_zero, .state = S::short_conv},
    {.name = "kimi-linear", .recurrent = R::kv_zero, .state = S::kda},
    {.name = "kimi-k3", .recurrent = R::kv_zero, .state = S::kda},
    {.name = "bailingmoe3", .recurrent = R::kv_zero, .state = S::kda},
    {.name = "qwen3next", .recurrent = R::interval, .state = S::gdn},
    {.name = "qwen35", .recurrent = R::interval, .state = S::gdn},
    {.name = "qwen35moe", .recurrent = R::interval, .state = S::gdn},
    {.name = "minimax-01", .recurrent = R::interval, .state = S::lightning, .interval = 8},

    {.name = "deci", .list_heads = true},
    {.name = "openelm", .list_heads = true},
};

// Names between blanks. Plain decoders with a gated feed-forward part, those with up and down
// alone, and models without a cache.
constexpr std::string_view kGated =
    " llama llama-embed grok baichuan stablelm qwen qwen2 qwen2moe qwen2vl qwen3 qwen3moe qwen3vl "
    "qwen3vlmoe phi3 phimoe plamo orion internlm2 minicpm minicpm3 gemma xverse command-r dbrx "
    "olmo "
    "olmoe arctic deepseek deepseek2 deepseek2-ocr deepseek32 deepseek4 chatglm glm4 glm4moe "
    "glm-dsa "
    "bitnet bitnet-25 bitnet-b1.58 exaone granite granitemoe chameleon plm bailingmoe bailingmoe2 "
    "dots1 arcee ernie4_5 ernie4_5-moe hunyuan-moe hunyuan-dense hunyuan_vl hy_v3 hy_v4 smollm3 "
    "seed_oss grovemoe apertus hrm_text minimax-m2 minimax-m3 cogvlm pangu-embedded mistral3 "
    "mistral4 "
    "paddleocr maincoder nanbeige refact jais talkie ";
constexpr std::string_view kUpDown =
    " gpt2 gptj gptneox mpt falcon starcoder starcoder2 bloom phi2 codeshell nemotron jais2 t5 ";
constexpr std::string_view kNoCache =
    " bert modern-bert nomic-bert nomic-bert-moe neo-bert jina-bert-v2 jina-bert-v3 eurobert "
    "gemma-embedding t5encoder dream llada llada-moe rnd1 ";

struct Refused {
    std::string_view name, why;
};
constexpr Refused kRefused[] = {
    {"clip", "is a vision or audio projector (mmproj); give the file of the language model"},
    {"eagle3", kDraft},
    {"dflash", kDraft},
    {"gemma4-assistant", kDraft},
    {"wavtokenizer-dec", kNoText},
    {"pockettts", kNoText},
    {"qwen3tts", kNoText},
    {"dots3note", kUnread},
    {"qwen4exp", kUnread},
    {"graniteswitch", kUnread},
};

bool lists(std::string_view names, std::string_view name) {
    const std::size_t at = names.find(name);
    for (std::size_t i = at; i != std::string_view::npos; i = names.find(name, i + 1)) {
        if (names[i - 1] == ' ' && names[i + name.size()] == ' ') return true;
    }
    return false;
}

}  // namespace

std::optional<GgufArch> gguf_arch(std::string_view name) {
    if (name.empty() || name.find(' ') != std::string_view::npos) return std::nullopt;
    for (const GgufArch& a : kSpecial) {
        if (a.name == name) return a;
    }
    for (const Refused& r : kRefused) {
        if (r.name == name) return GgufArch{.name = r.name, .refused = r.why};
    }
    GgufArch a{.name = name};
    if (lists(kGated, name)) return a;
    a.plain_ffn = lists(kUpDown, name);
    a.no_cache = lists(kNoCache, name);
    if (a.plain_ffn || a.no_cache) return a;
    return std::nullopt;
}

}  // namespace kvgauge
