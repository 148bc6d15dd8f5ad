// SPDX-License-Identifier: MIT
// Owns: a model while it is read from config.json, and the steps that fill it. Each step looks at
// the fields it owns and leaves the rest; an error issue ends the import.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "import/config_family.h"
#include "import/config_fields.h"
#include "model/model_spec.h"

namespace kvgauge {

struct Draft {
    const Fields& f;      // the object of the language model
    const Fields& outer;  // the whole file; the same object where nothing is nested
    const Family& family;
    bool nested = false;
    ModelSpec m;
    std::vector<LayerSpec> layers;
    std::uint32_t q_heads = 0, kv_heads = 0, k_dim = 0, v_dim = 0;
    std::string blocks;  // Nemotron-H: a letter for every block
    bool failed = false;

    // An error on a field: nothing is imported.
    void fail(std::string_view key, std::string text) {
        f.error(key, std::move(text));
        failed = true;
    }
    // The parameters are counted by rules that may not be this model's.
    void doubt(std::string_view key, std::string text) {
        f.warn(key, std::move(text));
        m.params_assumed = true;
    }
    // Something the file does not say and the importer takes for granted.
    void assume(std::string sentence) { m.assumed.push_back(std::move(sentence)); }
};

// Steps in order, each on a draft whose `failed` is still false.
void read_shape(Draft&);       // layers, hidden, heads, head dimensions, vocabulary, context
void read_attention(Draft&);   // kind of every layer by layer_types, windows and the family's rule
void read_ffn(Draft&);         // dense and expert widths of every layer
void read_parameters(Draft&);  // norms, biases, embeddings, positions
void read_mtp(Draft&);         // multi-token-prediction layers

// What families with another attention do in place of read_attention (see each .cc).
void attention_latent(Draft&);      // MLA, with or without a sparse index
void attention_compressed(Draft&);  // DeepSeek-V4
void attention_chunked(Draft&);     // Llama 4
void attention_shared(Draft&);      // Gemma 3n, Gemma 4: windows, shared KV, two head shapes
void attention_cross(Draft&);       // Llama 3.2 Vision
void attention_encoder_decoder(Draft&);
void attention_falcon(Draft&);
void attention_nas(Draft&);  // Nemotron NAS (DeciLM): block_configs
void attention_openelm(Draft&);
void attention_sparse_index(Draft&);  // MiniMax-M3
void attention_gpt_neo(Draft&);
void attention_two_shapes(Draft&);   // MiMo-V2: window layers of another head shape
void attention_double(Draft&);       // LongCat: two latent attentions a layer
void attention_baichuan_m1(Draft&);  // window layers of other heads, short convolutions on K and V
void attention_uncached(Draft&);     // diffusion language models keep no cache
void attention_cla(Draft&);          // Hunyuan: layers share caches in groups

// What families change of the common feed-forward step.
void ffn_none(Draft&);
void ffn_of_cross_half(Draft&);  // encoder-decoder: the second entry of each layer carries it
void ffn_double(Draft&);         // LongCat: two dense FFNs and one set of experts a layer
void ffn_half(Draft&);           // the file states twice the width
void ffn_openelm(Draft&);
void ffn_nas(Draft&);
void ffn_pattern(Draft&);

// Layers with a constant state.
void state_pure(Draft&);  // Mamba, Mamba 2, Falcon-Mamba: no attention at all
void state_rwkv(Draft&);
void state_jamba(Draft&);
void state_pattern(Draft&);         // Nemotron-H: one mixer or FFN per block
void state_parallel(Draft&);        // Falcon-H1: attention and Mamba 2 in every layer
void state_listed(Draft&);          // Bamba, Granite 4, Zamba: Mamba layers by list
void state_gdn(Draft&);             // Qwen3-Next, Qwen3.5
void state_kda(Draft&);             // Kimi Linear
void state_lightning(Draft&);       // MiniMax-Text-01, Bailing linear
void state_conv(Draft&);            // LFM2
void state_bailing_hybrid(Draft&);  // Ring 2.5, Ling 3: lightning or KDA, and latent attention
void state_zamba(Draft&);
void state_plamo2(Draft&);
void state_griffin(Draft&);  // RecurrentGemma

// Helpers.
// The base attention of a plain layer from the draft's heads and dimensions.
AttentionSpec plain_attention(const Draft&);
// The window of sliding layers, 0 (and a failure when `needed`) if the file has none.
std::uint64_t read_window(Draft&, bool needed);
// Words of layer_types and its relatives; empty when absent or shorter than the model.
std::vector<std::string_view> layer_words(Draft&);
void set_window(AttentionSpec&, AttnKind, std::uint64_t window);

}  // namespace kvgauge
