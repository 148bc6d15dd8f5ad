// SPDX-License-Identifier: MIT
#include "import/gguf_layers.h"

#include <optional>
#include <string>
#include <utility>

namespace kvgauge {
namespace {

using List = std::vector<std::uint64_t>;

std::uint32_t narrow(std::uint64_t v) {
    return static_cast<std::uint32_t>(v);
}

// What every layer of the file is made of.
struct Shape {
    std::size_t blocks = 0, mtp = 0;
    std::size_t trunk = 0;  // blocks - mtp; T5: decoder layers
    std::uint64_t hidden = 0;
    List heads, kv_heads, ffn, expert, active;
    std::uint64_t k = 0, v = 0, k_swa = 0, v_swa = 0;
    std::uint64_t rank = 0, rope = 0, q_rank = 0, k_mla = 0, v_mla = 0;
    std::uint64_t window = 0;
    std::vector<bool> slides, recurrent;
    std::size_t kv_from_start = 0;  // layers that own their cache
};

std::uint64_t at(const List& l, std::size_t i) {
    return i < l.size() ? l[i] : 0;
}

bool attends(const Shape& s, const GgufArch& a, std::size_t i) {
    if (a.recurrent == GgufRecurrent::every || at(s.kv_heads, i) == 0) return false;
    return a.recurrent == GgufRecurrent::beside || i >= s.trunk || !s.recurrent[i];
}

// head_count, head_count_kv and feed_forward_length, one number a layer.
bool read_heads(const GgufKeys& keys, const GgufArch& a, Shape& s) {
    s.ffn = keys.per_layer("feed_forward_length", s.blocks, kMaxGgufWidth).value_or(List{});
    if (a.recurrent == GgufRecurrent::kv_ff_zero && s.ffn.empty()) {
        if (!keys.has("feed_forward_length")) {
            keys.missing("feed_forward_length", "it tells which layers are feed-forward layers");
        }
        return false;
    }
    if (a.recurrent == GgufRecurrent::every) return true;
    const auto q = keys.per_layer("attention.head_count", s.blocks, kMaxGgufHeads);
    const auto kv = keys.per_layer("attention.head_count_kv", s.blocks, kMaxGgufHeads);
    if (!kv && keys.has("attention.head_count_kv")) return false;
    const bool by_layer = a.list_heads || a.recurrent == GgufRecurrent::kv_zero ||
                          a.recurrent == GgufRecurrent::kv_ff_zero;
    if (!kv && by_layer) {
        keys.missing("attention.head_count_kv", "it tells which layers have a cache");
        return false;
    }
    if (!q && keys.has("attention.head_count")) return false;
    if (!q && !kv) {
        keys.missing("attention.head_count", {});
        return false;
    }
    if (!q)
        keys.warn("attention.head_count",
                  keys.full("attention.head_count") +
                      " is missing; as many query heads as KV heads are assumed.");
    s.heads = q ? *q : *kv;
    s.kv_heads = kv ? *kv : *q;  // absent: every query head has its own
    return true;
}

bool read_dims(const GgufKeys& keys, const GgufArch& a, Shape& s) {
    if (a.recurrent == GgufRecurrent::every) return true;
    std::uint64_t plain = 0;
    if (s.hidden != 0 && at(s.heads, 0) != 0) plain = s.hidden / at(s.heads, 0);
    s.k = keys.number("attention.key_length", kMaxGgufWidth, plain);
    s.v = keys.number("attention.value_length", kMaxGgufWidth, plain);
    s.k_swa = keys.number("attention.key_length_swa", kMaxGgufWidth, s.k);
    s.v_swa = keys.number("attention.value_length_swa", kMaxGgufWidth, s.v);
    s.rank = keys.number("attention.kv_lora_rank", kMaxGgufWidth);
    s.q_rank = keys.number("attention.q_lora_rank", kMaxGgufWidth);
    s.k_mla = keys.number("attention.key_length_mla", kMaxGgufWidth);
    s.v_mla = keys.number("attention.value_length_mla", kMaxGgufWidth);
    if (s.k == 0 && s.rank == 0) {
        keys.missing("attention.key_length", "the head size cannot be worked out without it");
        return false;
    }
    if (s.rank == 0) return true;
    // With MLA keys key_length is the cached entry: the latent and the rotary part.
    const bool entry = s.k_mla != 0 && s.k > s.rank;
    s.rope = entry ? s.k - s.rank : keys.number("rope.dimension_count", kMaxGgufWidth);
    if (s.rope == 0 && !keys.has("rope.dimension_count")) {
        keys.missing("rope.dimension_count", "it is the rotary part of the latent cache");
        return false;
    }
    return true;
}

// llama_model_base::load_swa_pattern: the list, else every n-th layer keeps every token.
bool read_windows(const GgufKeys& keys, const GgufArch& a, Shape& s) {
    s.slides.assign(s.blocks, false);
    if (a.window == GgufWindow::never) return true;
    if (a.window_layers != 0 && a.window_layers != s.trunk) return true;
    std::uint64_t w = keys.number("attention.sliding_window", kMaxGgufTokens, a.window_default);
    if (a.window_fixed != 0 && keys.has("attention.sliding_window") && w != 0) w = a.window_fixed;
    if (w == 0) {
        if (a.window == GgufWindow::optional) return true;
        keys.required("attention.sliding_window", kMaxGgufTokens);
        return false;
    }
    s.window = w;
    const GgufValue* p = keys.find("attention.sliding_window_pattern");
    if (p != nullptr && p->kind == GgufKind::array) {
        const auto list =
            keys.per_layer("attention.sliding_window_pattern", s.trunk, 1, kMaxGgufLayers);
        if (!list) return false;
        for (std::size_t i = 0; i < s.trunk; ++i) s.slides[i] = at(*list, i) != 0;
        return true;
    }
    if (a.pattern == 0 && !a.every_slides) {
        keys.missing("attention.sliding_window_pattern", "it tells which layers keep a window");
        return false;
    }
    const std::uint64_t n =
        a.every_slides ? 0
                       : keys.number("attention.sliding_window_pattern", kMaxGgufLayers, a.pattern);
    for (std::size_t i = 0; i < s.trunk; ++i) {
        s.slides[i] = n == 0 || (a.dense_first ? i % n != 0 : i % n < n - 1);
    }
    return true;
}

bool read_recurrent(const GgufKeys& keys, const GgufArch& a, Shape& s) {
    s.recurrent.assign(s.blocks, false);
    if (a.recurrent == GgufRecurrent::none) return true;
    std::optional<List> list;
    std::uint64_t n = 1;
    if (a.recurrent == GgufRecurrent::interval) {
        list = keys.per_layer("attention.recurrent_layers", s.blocks, 1);
        if (!list && keys.has("attention.recurrent_layers")) return false;
        n = keys.number("full_attention_interval", kMaxGgufLayers, a.interval);
        if (n == 0) {
            keys.required("full_attention_interval", kMaxGgufLayers);
            return false;
        }
    }
    for (std::size_t i = 0; i < s.trunk; ++i) {
        const bool no_kv = at(s.kv_heads, i) == 0;
        switch (a.recurrent) {
            case GgufRecurrent::kv_zero:
                s.recurrent[i] = no_kv;
                break;
            case GgufRecurrent::kv_ff_zero:
                s.recurrent[i] = no_kv && at(s.ffn, i) == 0;
                break;
            case GgufRecurrent::interval:
                s.recurrent[i] = list ? at(*list, i) != 0 : (i + 1) % n != 0;
                break;
            default:
                s.recurrent[i] = true;
                break;
        }
    }
    return true;
}

// llama_hparams::n_embd_r (convolution or token-shift history) and n_embd_s (recurrent state).
std::optional<StateSpec> read_state(const GgufKeys& keys, const GgufArch& a, const Shape& s) {
    StateSpec st;
    st.kind = a.state;
    bool good = true;
    const auto need = [&](std::string_view key) {
        const std::uint64_t n = keys.required(key, kMaxGgufWidth);
        good = good && n != 0;
        return n;
    };
    switch (a.state) {
        case StateKind::none:
        case StateKind::rg_lru:  // no GGUF architecture has one
            break;
        case StateKind::mamba1:
        case StateKind::mamba2:
        case StateKind::gdn: {
            const std::uint64_t conv = need("ssm.conv_kernel"), inner = need("ssm.inner_size");
            const std::uint64_t d = need("ssm.state_size");
            const std::uint64_t groups =
                a.state == StateKind::mamba1 ? 0 : keys.number("ssm.group_count", kMaxGgufHeads);
            const std::uint64_t rank = keys.number("ssm.time_step_rank", kMaxGgufWidth);
            if (!good) break;
            st.conv_elements = (conv - 1) * (inner + 2 * groups * d);
            st.ssm_elements = d * inner;
            st.conv = narrow(conv);
            st.k_dim = narrow(d);
            if (a.state == StateKind::mamba1) break;
            st.v_heads = narrow(rank);  // heads; time_step_rank holds them
            if (rank != 0) st.v_dim = narrow(inner / rank);
            if (a.state == StateKind::gdn) {
                st.k_heads = narrow(groups);
            } else {
                st.groups = narrow(groups);
            }
            break;
        }
        case StateKind::kda: {
            const std::uint64_t d = need("kda.head_dim"),
                                conv = keys.number("ssm.conv_kernel", 64, 4);
            const std::uint64_t heads = at(s.heads, 0);
            st.conv_elements = 3 * (conv == 0 ? 3 : conv - 1) * heads * d;
            st.ssm_elements = d * d * heads;
            st.ssm_fp32 = true;
            st.k_heads = st.v_heads = narrow(heads);
            st.k_dim = st.v_dim = narrow(d);
            st.conv = narrow(conv);
            break;
        }
        case StateKind::lightning:
            st.ssm_elements = s.k * s.k * at(s.heads, 0);
            st.v_heads = narrow(at(s.heads, 0));
            st.k_dim = st.v_dim = narrow(s.k);
            break;
        case StateKind::short_conv: {
            const std::uint64_t n = need("shortconv.l_cache");
            good = good && need("embedding_length") != 0;
            if (n == 0) break;
            st.conv_elements = s.hidden * (n - 1);
            st.conv = narrow(n);
            break;
        }
        case StateKind::rwkv: {
            const std::uint64_t d = need("wkv.head_size");
            good = good && need("embedding_length") != 0;
            st.conv_elements = s.hidden * keys.number("token_shift_count", 64, 2);
            st.ssm_elements = s.hidden * d;
            st.k_dim = st.v_dim = narrow(d);
            if (d != 0) st.v_heads = narrow(s.hidden / d);
            break;
        }
    }
    if (!good) return std::nullopt;
    return st;
}

AttentionSpec attention(const Shape& s, const GgufArch& a, std::size_t i) {
    AttentionSpec t;
    const bool slides = i < s.trunk && s.slides[i];
    t.kind = slides ? a.window_kind : AttnKind::full;
    t.window = slides ? s.window : 0;
    t.q_heads = narrow(at(s.heads, i));
    t.kv_heads = narrow(at(s.kv_heads, i));
    t.k_dim = narrow(slides ? s.k_swa : s.k);
    t.v_dim = narrow(slides ? s.v_swa : s.v);
    t.owns_cache = !a.no_cache && i < s.kv_from_start;
    if (s.rank != 0) {
        t.kind = AttnKind::mla;
        t.window = 0;
        t.mla_rank = narrow(s.rank);
        t.mla_rope = narrow(s.rope);
        t.q_rank = narrow(s.q_rank);
        if (s.k_mla != 0) t.k_dim = narrow(s.k_mla);
        if (s.v_mla != 0) t.v_dim = narrow(s.v_mla);
    }
    return t;
}

// Dense or experts, by the keys alone.
FfnSpec ffn(const GgufKeys& keys, const GgufArch& a, const Shape& s, std::size_t i) {
    FfnSpec f;
    f.gated = !a.plain_ffn;
    const std::uint64_t experts = keys.number("expert_count", kMaxGgufHeads);
    const std::uint64_t lead = keys.number("leading_dense_block_count", kMaxGgufLayers);
    const std::uint64_t step = keys.number("interleave_moe_layer_step", kMaxGgufLayers);
    const std::uint64_t wide = at(s.ffn, i);
    const bool dense = experts == 0 || i < lead || (step > 1 && (i + 1) % step != 0) ||
                       (a.recurrent == GgufRecurrent::kv_ff_zero && wide == 0);
    if (dense) {
        f.inter = narrow(wide);
        return f;
    }
    f.experts = narrow(experts);
    f.experts_active = narrow(at(s.active, i));
    f.expert_inter = narrow(at(s.expert, i) != 0 ? at(s.expert, i) : wide);
    const std::uint64_t shared = keys.number("expert_shared_count", kMaxGgufHeads);
    f.shared_inter = narrow(
        keys.number("expert_shared_feed_forward_length", kMaxGgufWidth, shared * f.expert_inter));
    f.router_params = experts * s.hidden;
    return f;
}

// Key of a sparse-attention index, kept beside the cache: 128 fp8 and an fp32 scale (DeepSeek-V3.2,
// GLM-5), bf16 without a scale in MiniMax-M3.
bool read_index(const GgufKeys& keys, const Shape& s, GgufLayers& out) {
    const std::uint64_t dim = keys.number("attention.indexer.key_length", kMaxGgufWidth);
    if (dim == 0 || keys.has("attention.compress_ratios")) return true;
    const std::uint64_t heads = keys.number("attention.indexer.head_count", kMaxGgufHeads);
    const bool minimax = keys.arch() == "minimax-m3";
    const std::uint64_t lead =
        minimax ? keys.number("leading_dense_block_count", kMaxGgufLayers) : 0;
    const auto types = keys.per_layer("attention.indexer.types", s.trunk, 1, kMaxGgufLayers);
    if (!types && keys.has("attention.indexer.types")) return false;
    // GLM-5.2 and later (1M tokens) share indexes even where the file does not list them.
    const bool shared = !types && keys.arch() == "glm-dsa" &&
                        keys.number("context_length", kMaxGgufTokens) >= 1048576;
    for (std::size_t i = 0; i < s.trunk; ++i) {
        const bool own = types ? at(*types, i) != 0 : shared ? i < 2 || i % 4 == 2 : i >= lead;
        AttentionSpec& t = out.trunk[i].attn;
        if (!own || t.kind == AttnKind::none) continue;
        t.index_bytes = narrow(minimax ? 2 * dim : dim + 4);
        t.index_heads = narrow(heads);
        t.index_dim = narrow(dim);
    }
    return true;
}

// DeepSeek-V4: a window of single entries (K = V), and one entry per `ratio` tokens. The compressor
// keeps 2 x 4 rows of entry and index for ratio 4, `ratio` rows of the entry else, K and V in fp32.
bool read_compressed(const GgufKeys& keys, const Shape& s, GgufLayers& out) {
    if (!keys.has("attention.compress_ratios")) return true;
    const auto ratios =
        keys.per_layer("attention.compress_ratios", s.trunk, kMaxGgufTokens, kMaxGgufLayers);
    const std::uint64_t window = keys.required("attention.sliding_window", kMaxGgufTokens);
    if (!ratios || window == 0) return false;
    const std::uint64_t index = keys.number("attention.indexer.key_length", kMaxGgufWidth);
    const std::uint64_t index_heads = keys.number("attention.indexer.head_count", kMaxGgufHeads);
    const auto compress = [&](AttentionSpec& t, std::uint64_t ratio) {
        t.kind = AttnKind::compressed;
        t.window = window;
        t.mla_rank = t.k_dim;
        t.q_rank = narrow(s.q_rank);
        t.compress_ratio = narrow(ratio);
        if (ratio == 0) return;
        const bool indexed = ratio == 4 && index != 0;
        const std::uint64_t rows = ratio == 4 ? 8 : ratio;
        t.compress_state_bytes = 2 * rows * (s.k + (indexed ? index : 0)) * 4;
        if (!indexed) return;
        t.index_bytes = narrow(index / 2 + index / 32);  // mxfp4: 4 bit and e8m0 per 32
        t.index_heads = narrow(index_heads);
        t.index_dim = narrow(index);
    };
    for (std::size_t i = 0; i < out.trunk.size(); ++i) compress(out.trunk[i].attn, at(*ratios, i));
    for (LayerSpec& l : out.mtp) compress(l.attn, 0);
    return true;
}

bool read_shape(const GgufKeys& keys, const GgufArch& a, Shape& s) {
    s.blocks = static_cast<std::size_t>(keys.required("block_count", kMaxGgufLayers));
    if (s.blocks == 0) return false;
    s.mtp = static_cast<std::size_t>(keys.number("nextn_predict_layers", kMaxGgufLayers));
    if (s.mtp >= s.blocks) {
        keys.error("nextn_predict_layers",
                   "all " + std::to_string(s.blocks) +
                       " blocks are for multi-token prediction: a draft model, "
                       "which is no language model by itself.");
        return false;
    }
    s.trunk = s.blocks - s.mtp;
    if (a.name == "t5") {  // block_count is the encoder's
        s.trunk = s.blocks =
            static_cast<std::size_t>(keys.number("decoder_block_count", kMaxGgufLayers, s.blocks));
    }
    s.hidden = keys.number("embedding_length", kMaxGgufWidth);
    if (keys.number("num_loops", kMaxGgufLayers, 1) > 1) {
        keys.error("num_loops",
                   keys.full("num_loops") + " above 1 (looped layers) is not modelled.");
        return false;
    }
    if (!read_heads(keys, a, s) || !read_dims(keys, a, s)) return false;
    if (!read_windows(keys, a, s) || !read_recurrent(keys, a, s)) return false;
    s.expert =
        keys.per_layer("expert_feed_forward_length", s.blocks, kMaxGgufWidth).value_or(List{});
    s.active = keys.per_layer("expert_used_count", s.blocks, kMaxGgufHeads).value_or(List{});
    s.kv_from_start = s.blocks;
    // Gemma 3n without the key: the first 20 layers own their cache.
    const auto shared = static_cast<std::size_t>(
        keys.number("attention.shared_kv_layers", kMaxGgufLayers,
                    a.name == "gemma3n" && s.blocks > 20 ? s.blocks - 20 : 0));
    if (shared >= s.blocks) {
        keys.error("attention.shared_kv_layers",
                   keys.full("attention.shared_kv_layers") + " is " + std::to_string(shared) +
                       " of " + std::to_string(s.blocks) + " layers; fewer are accepted.");
        return false;
    }
    s.kv_from_start -= shared;
    return true;
}

}  // namespace

GgufLayers gguf_layers(const GgufKeys& keys, const GgufArch& a) {
    GgufLayers out;
    Shape s;
    if (!read_shape(keys, a, s)) return out;
    std::optional<StateSpec> state = StateSpec{};
    if (a.recurrent != GgufRecurrent::none) {
        bool any = false;
        for (const bool r : s.recurrent) any = any || r;
        if (any) state = read_state(keys, a, s);
        if (!state) return out;
    }
    const bool t5 = a.name == "t5";
    for (std::size_t i = 0; i < s.blocks; ++i) {
        LayerSpec l;
        if (attends(s, a, i)) l.attn = attention(s, a, i);
        if (i < s.trunk && s.recurrent[i]) l.state = *state;
        l.ffn = ffn(keys, a, s, i);
        if (t5) {
            LayerSpec c = l;  // the second attention of a decoder layer, with its feed-forward part
            c.attn.kind = AttnKind::cross;
            l.ffn = FfnSpec{};
            out.cross.push_back(c);
        }
        (i < s.trunk ? out.trunk : out.mtp).push_back(l);
    }
    out.latent_expanded = s.rank != 0 && s.k_mla == 0;
    if (!read_index(keys, s, out) || !read_compressed(keys, s, out)) return {};
    return out;
}

}  // namespace kvgauge
