// SPDX-License-Identifier: MIT
#include "engine/vllm_cache.h"

#include <algorithm>

#include "engine/attention.h"
#include "engine/shards.h"
#include "engine/vllm.h"

namespace kvgauge::engine::vllm {
namespace {

std::uint64_t tp_of(const EngineInput& in) {
    return std::max<std::uint64_t>(1, in.scenario.tp);
}

bool latent_kind(const AttentionSpec& a) {
    return a.kind == AttnKind::mla || a.kind == AttnKind::compressed;
}

// Latent attention that this release or model caches as plain heads.
struct Expanded {
    bool yes = false;
    std::uint64_t dim = 0;  // of K and of V, which is padded to it
};
Expanded expanded_latent(const EngineInput& in, const AttentionSpec& a) {
    if (a.kind != AttnKind::mla) return {};
    // models/minicpm3.py runs plain attention over the up-projected heads, V padded to K's width.
    if (in.model.model_type == "minicpm3") return {true, a.k_dim};
    // models/deepseek_v2.py before MLA kernels: heads padded to 256.
    if (in.version < since::mla) return {true, 256};
    return {};
}

// fp8_ds_mla, the layout of FlashMLA's sparse kernels; FlashInfer's on compute capability 10.x take
// plain fp8 (#35891).
bool sparse_fp8(const EngineInput& in, const AttentionSpec& a) {
    return a.index_bytes != 0 && in.kv.k == DType::fp8 &&
           (gpu_class(in.gpu) != GpuClass::sm100 || in.version < since::flashinfer_sparse);
}

// Whether window and chunk layers are sized as full ones.
bool windows_as_full(const EngineInput& in) {
    if (in.version < since::hybrid) return true;
    if (in.scenario.hybrid && !*in.scenario.hybrid) return true;
    for (const LayerRun& run : in.model.layers) {
        // Chunked local attention turns the hybrid manager off.
        if (run.layer.attn.kind == AttnKind::chunked) return true;
    }
    return false;
}

class Collector {
  public:
    Collector(const EngineInput& in, std::uint64_t block)
        : in_(in), block_(block), as_full_(windows_as_full(in)) {
        kinds_.block = block;
    }

    void layer(const LayerSpec& l, std::uint64_t n, Bytes state_page, bool draft = false) {
        attention(l.attn, n, draft);
        if (l.state.kind == StateKind::none) return;
        CacheKind k;
        k.type = CacheType::state;
        k.layers = n;
        k.page = std::max(state_page.value(), state_page_bytes(in_, l.state).value());
        k.block = state_mode(in_) == StateMode::none ? in_.scenario.ctx : block_;
        kinds_.add(k);
    }

    CacheKinds take() { return kinds_; }

  private:
    void attention(const AttentionSpec& a, std::uint64_t n, bool draft) {
        if (a.kind == AttnKind::none || !a.owns_cache) return;
        if (a.kind == AttnKind::compressed) return compressed(a, n);
        CacheKind k;
        k.layers = n;
        k.block = block_;
        k.latent = latent_kind(a) && !expanded_latent(in_, a).yes;
        k.heads = k.latent ? 1 : heads_on_gpu(a.kv_heads, tp_of(in_));
        k.k_dim = a.k_dim;
        k.v_dim = a.v_dim;
        k.page = stored_token_bytes(in_, a) * block_;
        if (a.kind == AttnKind::cross) {
            // V0 charged cross layers per decoder token (mllama).
            k.type = in_.version < since::v1 ? CacheType::full : CacheType::cross;
        } else if (a.kind == AttnKind::sliding && !as_full_ && a.window != 0 && !draft) {
            k.type = CacheType::sliding;
            k.window = a.window;
        } else if (a.kind == AttnKind::chunked && !as_full_) {
            k.type = CacheType::chunked;
            k.window = a.window;
        }
        kinds_.add(k);
        if (a.index_bytes == 0) return;
        CacheKind index;
        index.latent = true;
        index.layers = n;
        index.block = block_;
        index.heads = 1;
        index.page = Bytes(a.index_bytes) * block_;
        kinds_.add(index);
    }

    // DeepSeek-V4 (models/deepseek_v4, fp8_ds_mla layout): latent entries of 584 B, one per
    // compress_ratio tokens in blocks of 256 tokens; a window in blocks of 64; fp32 state of the
    // compressors in blocks of 4 or 8; the index in blocks of 256. Rows aligned to 576 B.
    void compressed(const AttentionSpec& a, std::uint64_t n) {
        constexpr std::uint64_t kEntry = 584, kAlign = 576, kBlock = 256;
        const auto add = [&](CacheType type, std::uint64_t block, std::uint64_t window,
                             Bytes page) {
            CacheKind k;
            k.type = type;
            k.latent = true;
            k.heads = 1;
            k.layers = n;
            k.block = block;
            k.window = window;
            k.page = round_up(page, kAlign);
            kinds_.add(k);
        };
        add(CacheType::sliding_latent, 64, a.window, 64 * kEntry);
        if (a.compress_ratio == 0) return;
        const std::uint64_t entries = kBlock / std::min<std::uint64_t>(kBlock, a.compress_ratio);
        add(CacheType::full, kBlock, 0, entries * kEntry);
        // The finer compressor overlaps its windows and keeps two of them.
        const bool fine = a.index_bytes != 0;
        const std::uint64_t overlap = fine ? 2 : 1, block = fine ? 4 : 8;
        const std::uint64_t window = overlap * a.compress_ratio;
        const Count latent = Count(a.mla_rank) + Count(a.mla_rope);
        // Keys and scores, fp32.
        add(CacheType::sliding_latent, block, window, latent * (2 * overlap * 4) * block);
        if (!fine) return;
        add(CacheType::full, kBlock, 0, Bytes(a.index_bytes) * entries);
        const std::uint64_t dim = a.index_dim == 0 ? 128 : a.index_dim;
        add(CacheType::sliding_latent, block, window, Count(dim) * (2 * overlap * 4) * block);
    }

    const EngineInput& in_;
    std::uint64_t block_;
    bool as_full_;
    CacheKinds kinds_;
};

// The attention layer a speculative draft repeats: the model's last one that keeps every token.
const LayerSpec* draft_layer(const ModelSpec& m) {
    const LayerSpec* found = nullptr;
    for (const LayerRun& run : m.layers) {
        const AttentionSpec& a = run.layer.attn;
        if (a.kind == AttnKind::none || a.kind == AttnKind::cross || !a.owns_cache) continue;
        if (found == nullptr || a.kind == AttnKind::full || a.kind == AttnKind::mla) {
            found = &run.layer;
        }
    }
    return found;
}

}  // namespace

void CacheKinds::add(const CacheKind& k) {
    if (k.layers == 0) return;
    for (CacheKind& have : *this) {
        if (have.same_spec(k)) {
            have.layers += k.layers;
            return;
        }
    }
    if (size < kMost) {
        kind[size++] = k;
        return;
    }
    assumed = true;
    kind[kMost - 1].layers += k.layers;
}

std::uint64_t draft_tokens(const EngineInput& in) {
    const Speculation& s = in.scenario.spec;
    if (s.kind == SpecKind::none) return 0;
    if (s.kind == SpecKind::native && in.model.mtp.empty()) return 0;
    return s.tokens;
}

StateMode state_mode(const EngineInput& in) {
    const bool by_default = in.version >= since::mamba_prefix;
    if (!in.scenario.prefix_caching.value_or(by_default)) return StateMode::none;
    return in.version < since::mamba_align ? StateMode::all : StateMode::align;
}

Bytes stored_token_bytes(const EngineInput& in, const AttentionSpec& a) {
    const KvTypes& kv = in.kv;
    const std::uint64_t tp = tp_of(in);
    if (const Expanded e = expanded_latent(in, a); e.yes) {
        const Count elements = Count(heads_on_gpu(a.q_heads, tp)) * e.dim;
        return row_bytes(kv.k, elements) + row_bytes(kv.v, elements);
    }
    if (latent_kind(a)) {
        if (sparse_fp8(in, a)) return 656;  // fp8_ds_mla: 512 fp8, 4 fp32 scales, 64 bf16
        return row_bytes(kv.k, Count(a.mla_rank) + Count(a.mla_rope));
    }
    const Count heads = heads_on_gpu(a.kv_heads, tp);
    Bytes b = row_bytes(kv.k, heads * a.k_dim) + row_bytes(kv.v, heads * a.v_dim);
    // int8_per_token_head: one fp32 scale for K and one for V.
    if (kv.k == DType::int8) b += heads * 4;
    if (kv.v == DType::int8) b += heads * 4;
    return b;
}

Bytes state_page_bytes(const EngineInput& in, const StateSpec& s) {
    const std::uint64_t tp = tp_of(in), drafts = draft_tokens(in);
    const DType own = s.ssm_fp32 ? DType::fp32 : DType::bf16;
    const DType ssm = in.kv.state == DType::automatic ? own : in.kv.state;
    const Count elements = ceil_div(s.ssm_elements, tp);
    const std::uint64_t taps = s.conv > 1 ? s.conv - 1 : 0;  // columns of history
    Count conv;
    if (s.kind == StateKind::gdn) {
        conv = (Count(2) * s.k_heads * s.k_dim + Count(s.v_heads) * s.v_dim) / tp * (taps + drafts);
    } else if (s.kind == StateKind::mamba2) {
        // A single group is copied to every rank.
        const std::uint64_t groups =
            s.groups % tp == 0 ? s.groups : std::max<std::uint64_t>(s.groups, tp);
        conv = (Count(s.v_heads) * s.v_dim + Count(2) * groups * s.k_dim) / tp * (taps + drafts);
    } else {
        conv = ceil_div(s.conv_elements, tp);
        if (taps != 0) conv = conv * (taps + drafts) / taps;
    }
    return row_bytes(ssm, elements) + conv * 2;
}

std::uint64_t attention_block(const EngineInput& in) {
    const std::uint64_t base = in.scenario.block.value_or(kernel_block(in));
    Bytes state = 0, token = 0;
    bool latent = false;
    for (const LayerRun& run : in.model.layers) {
        if (run.layer.state.kind != StateKind::none) {
            state = std::max(state.value(), state_page_bytes(in, run.layer.state).value());
        }
        const AttentionSpec& a = run.layer.attn;
        if (a.kind != AttnKind::none && a.owns_cache && token.value() == 0) {
            token = stored_token_bytes(in, a);
            latent = latent_kind(a);
        }
    }
    if (state.value() == 0 || token.value() == 0) return base;
    const std::uint64_t unit = std::max<std::uint64_t>(kernel_block(in), latent ? 128 : 16);
    const Count covering = ceil_div(state, token * unit) * unit;
    return std::max(base, covering.value());
}

CacheKinds cache_kinds(const EngineInput& in, std::uint64_t stage) {
    const std::uint64_t block = attention_block(in);
    Collector c(in, block);
    // State pages are padded to the attention page.
    Bytes page = 0;
    for (const LayerRun& run : in.model.layers) {
        const AttentionSpec& a = run.layer.attn;
        if (page.value() == 0 && a.kind != AttnKind::none && a.owns_cache) {
            page = stored_token_bytes(in, a) * block;
        }
    }
    const std::uint64_t pp = std::max<std::uint64_t>(1, in.scenario.pp);
    const auto add = [&](const LayerSpec& l, std::uint64_t n) { c.layer(l, n, page); };
    if (stage == kWholeModel) {
        for_layers(in.model, 0, layer_count(in.model), add);
    } else {
        for_stage(in, stage, add);
    }
    if (stage != kWholeModel && stage + 1 != pp) return c.take();
    // Draft layers run on the last stage; an EAGLE head keeps every token.
    switch (in.scenario.spec.kind) {
        case SpecKind::none:
        case SpecKind::ngram:
            break;
        case SpecKind::native:
        case SpecKind::mtp:
            for (const LayerRun& run : in.model.mtp) c.layer(run.layer, run.count, page);
            break;
        case SpecKind::eagle:
            if (const LayerSpec* l = draft_layer(in.model)) c.layer(*l, 1, page, true);
            break;
    }
    return c.take();
}

}  // namespace kvgauge::engine::vllm
