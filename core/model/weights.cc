// SPDX-License-Identifier: MIT
#include "model/weights.h"

#include <algorithm>

namespace kvgauge {
namespace {

// A product of two sizes; too large sticks at the largest number, which the checked bytes then
// refuse.
std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    std::uint64_t r = 0;
    return __builtin_mul_overflow(a, b, &r) ? UINT64_MAX : r;
}

// Names one linear: parts of equal shape are `count` matrices merged by the engines into one.
MatrixGroup linear(Role role, Shard shard, std::uint64_t out, std::uint64_t in,
                   std::uint64_t count = 1) {
    MatrixGroup g;
    g.role = role;
    g.shard = shard;
    g.count = count;
    g.parts = static_cast<std::uint32_t>(count);
    g.out = out;
    g.in = in;
    g.quantisable = true;
    return g;
}

MatrixGroup vector(Role role, Shard shard, std::uint64_t elements) {
    MatrixGroup g;
    g.role = role;
    g.shard = shard;
    g.out = elements;
    return g;
}

MatrixGroup kv_part(MatrixGroup g, std::uint32_t heads) {
    g.heads = heads;
    return g;
}

template <class Emit>
void visit_projections(const AttentionSpec& a, std::uint64_t hidden, Emit&& emit) {
    const std::uint64_t q_out = times(times(a.q_heads, a.k_dim), a.output_gate ? 2 : 1);
    const std::uint64_t k_out = times(a.kv_heads, a.k_dim);
    const std::uint64_t v_out = times(a.kv_heads, a.v_dim);
    if (a.q_rank != 0) {  // through a low rank: Step-3, DeepSeek-V4
        emit(linear(Role::latent_down, Shard::replicated, a.q_rank, hidden));
        emit(linear(Role::q, Shard::column, q_out, a.q_rank));
    } else {
        emit(linear(Role::q, Shard::column, q_out, hidden));
    }
    if (a.k_proj) emit(kv_part(linear(Role::k, Shard::kv, k_out, hidden), a.kv_heads));
    if (a.v_proj) emit(kv_part(linear(Role::v, Shard::kv, v_out, hidden), a.kv_heads));
    emit(linear(Role::o, Shard::row, hidden, times(a.q_heads, a.v_dim)));
    if (a.qkv_bias) {
        emit(vector(Role::q, Shard::column, q_out));
        if (a.k_proj) emit(kv_part(vector(Role::k, Shard::kv, k_out), a.kv_heads));
        if (a.v_proj) emit(kv_part(vector(Role::v, Shard::kv, v_out), a.kv_heads));
    }
    if (a.o_bias) emit(vector(Role::o, Shard::replicated, hidden));
}

// MLA (DeepSeek-V2): k_dim = no-position part + mla_rope. Down projections are copied.
template <class Emit>
void visit_latent(const AttentionSpec& a, std::uint64_t hidden, Emit&& emit) {
    const std::uint64_t q_out = times(a.q_heads, a.k_dim);
    if (a.q_rank != 0) {
        emit(linear(Role::latent_down, Shard::replicated, a.q_rank, hidden));
        emit(linear(Role::q, Shard::column, q_out, a.q_rank));
    } else {
        emit(linear(Role::q, Shard::column, q_out, hidden));
    }
    emit(linear(Role::latent_down, Shard::replicated, std::uint64_t{a.mla_rank} + a.mla_rope,
                hidden));
    const std::uint64_t nope = a.k_dim > a.mla_rope ? a.k_dim - a.mla_rope : 0;
    emit(linear(Role::latent_up, Shard::column, times(a.q_heads, nope + a.v_dim), a.mla_rank));
    emit(linear(Role::o, Shard::row, hidden, times(a.q_heads, a.v_dim)));
    if (a.o_bias) emit(vector(Role::o, Shard::replicated, hidden));
}

// Indexer of sparse attention (DeepSeek-V3.2): queries from the query latent, one shared key with a
// LayerNorm, one weight per index head. All copied.
template <class Emit>
void visit_index(const AttentionSpec& a, std::uint64_t hidden, Emit&& emit) {
    const std::uint64_t in = a.q_rank != 0 ? a.q_rank : hidden;
    emit(linear(Role::index, Shard::replicated, times(a.index_heads, a.index_dim), in));
    emit(linear(Role::index, Shard::replicated, a.index_dim, hidden));
    emit(vector(Role::index, Shard::replicated, times(a.index_heads, hidden)));
    emit(vector(Role::norm, Shard::replicated, std::uint64_t{2} * a.index_dim));
}

template <class Emit>
void visit_ffn(const FfnSpec& f, std::uint64_t hidden, Emit&& emit) {
    const std::uint64_t in_parts = f.gated ? 2 : 1;
    if (f.inter != 0) {
        emit(linear(Role::ffn_in, Shard::column, f.inter, hidden, in_parts));
        emit(linear(Role::ffn_out, Shard::row, hidden, f.inter));
        if (f.bias) {
            emit(vector(Role::ffn_in, Shard::column, times(f.inter, in_parts)));
            emit(vector(Role::ffn_out, Shard::replicated, hidden));
        }
    }
    if (f.experts != 0) {
        const std::uint64_t width = f.expert_hidden != 0 ? f.expert_hidden : hidden;
        MatrixGroup in = linear(Role::expert_in, Shard::expert, f.expert_inter, width, in_parts);
        in.count = times(in_parts, f.experts);
        emit(in);
        MatrixGroup out = linear(Role::expert_out, Shard::expert, width, f.expert_inter);
        out.count = f.experts;
        emit(out);
        if (f.bias_params != 0) {
            MatrixGroup bias = vector(Role::expert_in, Shard::expert, f.bias_params / f.experts);
            bias.count = f.experts;
            emit(bias);
        }
    }
    if (f.shared_inter != 0) {
        emit(linear(Role::shared_in, Shard::column, f.shared_inter, hidden, in_parts));
        emit(linear(Role::shared_out, Shard::row, hidden, f.shared_inter));
    }
    if (f.router_params != 0) emit(vector(Role::router, Shard::replicated, f.router_params));
}

template <class Emit>
void visit_state(const StateSpec& s, std::uint64_t hidden, Emit&& emit) {
    if (s.kind == StateKind::none || s.params == 0) return;
    // The mixer's linears all have `hidden` on one side; the rest of the shape is not needed.
    const bool even = hidden != 0 && s.sharded_params % hidden == 0;
    MatrixGroup m = linear(Role::state_mixer, Shard::column,
                           even ? s.sharded_params / hidden : s.sharded_params, even ? hidden : 1);
    m.quantisable = even;
    emit(m);
    if (s.params > s.sharded_params) {
        emit(vector(Role::state_mixer, Shard::replicated, s.params - s.sharded_params));
    }
}

template <class Emit>
void visit_layer(const LayerSpec& l, std::uint64_t hidden, Emit&& emit) {
    switch (l.attn.kind) {
        case AttnKind::none:
            break;
        case AttnKind::mla:
            visit_latent(l.attn, hidden, emit);
            break;
        default:
            visit_projections(l.attn, hidden, emit);
            break;
    }
    if (l.attn.index_heads != 0) visit_index(l.attn, hidden, emit);
    visit_state(l.state, hidden, emit);
    visit_ffn(l.ffn, hidden, emit);
    if (const std::uint64_t n = l.norm_params + l.attn.norm_params; n != 0) {
        emit(vector(Role::norm, Shard::replicated, n));
    }
    if (l.other_params != 0) emit(vector(Role::other, Shard::replicated, l.other_params));
}

// Every matrix of the layers [first, end), and of the ends of the model where asked.
template <class Emit>
void visit_model(const ModelSpec& m, std::uint32_t first, std::uint32_t end, bool head_end,
                 bool tail_end, Emit&& emit) {
    if (head_end) {
        if (m.vocab != 0) {
            MatrixGroup e = linear(Role::embedding, Shard::vocab, m.vocab, m.hidden);
            e.quantisable = false;
            emit(e);
        }
        if (m.position_params != 0) {
            emit(vector(Role::other, Shard::replicated, m.position_params));
        }
        if (m.encoder_params != 0) emit(vector(Role::other, Shard::column, m.encoder_params));
        if (m.vision_params != 0) emit(vector(Role::vision, Shard::vision, m.vision_params));
    }
    std::uint32_t at = 0;
    for (const LayerRun& r : m.layers) {
        const std::uint32_t from = std::max(at, first), to = std::min(at + r.count, end);
        at += r.count;
        if (from >= to) continue;
        visit_layer(r.layer, m.hidden, [&](MatrixGroup g) {
            g.count = times(g.count, to - from);
            emit(g);
        });
    }
    if (!tail_end) return;
    if (m.final_norm_params != 0) emit(vector(Role::norm, Shard::replicated, m.final_norm_params));
    if (!m.tied_embeddings && m.vocab != 0) {
        MatrixGroup h = linear(Role::head, Shard::vocab, m.vocab, m.hidden);
        h.quantisable = false;
        emit(h);
    }
    if (m.head_bias) emit(vector(Role::head, Shard::vocab, m.vocab));
}

template <class Emit>
void visit_all(const ModelSpec& m, Emit&& emit) {
    visit_model(m, 0, layer_count(m), true, true, emit);
}

Count elements(const MatrixGroup& g) {
    return Count(g.count) * g.out * g.in;
}

Bytes group_bytes(const MatrixGroup& g, const WeightFormat& f, WeightKind kind) {
    return matrix_bytes(f, kind, g.out, g.in) * g.count;
}

Bytes group_bytes(const MatrixGroup& g, const WeightFormat& f) {
    return group_bytes(g, f, kind_of(f, matrix_class(g)));
}

// The share of one group on one GPU. Sizes that do not divide are rounded up: whether an engine
// takes them is the engine's verdict, not ours.
MatrixGroup shard(MatrixGroup g, std::uint64_t tp, bool ep, std::uint32_t vision_heads) {
    const auto cut = [tp](std::uint64_t n) { return n / tp + (n % tp != 0 ? 1 : 0); };
    switch (g.shard) {
        case Shard::replicated:
            break;
        case Shard::column:
            g.out = cut(g.out);
            break;
        case Shard::row:
            g.in = cut(g.in);
            break;
        case Shard::kv:
            if (g.heads != 0) g.out = g.out / g.heads * cut(g.heads);
            break;
        case Shard::vocab:
            g.out = cut((g.out + 63) / 64 * 64);
            break;
        case Shard::expert:
            if (ep) {
                const std::uint64_t parts = g.parts == 0 ? 1 : g.parts;
                g.count = cut(g.count / parts) * parts;
            } else if (g.role == Role::expert_out) {
                g.in = cut(g.in);
            } else {
                g.out = cut(g.out);
            }
            break;
        case Shard::vision:
            if (vision_heads != 0 && vision_heads % tp == 0) g.out = cut(g.out);
            break;
    }
    return g;
}

// Parameters that a typed-in or published total has beyond the shapes; 0 when it has fewer.
struct Stated {
    std::uint64_t extra = 0;
    double scale = 1;  // of bytes, where the total is below the shapes' own
};
Stated stated(const ModelSpec& m, Count sum) {
    if (m.stated_params == 0) return {};
    if (sum.overflow() || sum.value() == m.stated_params) return {};
    if (sum.value() < m.stated_params) return {m.stated_params - sum.value(), 1};
    return {0, static_cast<double>(m.stated_params) / sum.real()};
}

Stated stated(const ModelSpec& m) {
    if (m.stated_params == 0) return {};
    Count sum;
    visit_all(m, [&](const MatrixGroup& g) {
        if (g.role != Role::vision) sum += elements(g);
    });
    return stated(m, sum);
}

// Parameters as the matrices are met.
class Counted {
  public:
    void add(const MatrixGroup& g) {
        const Count n = kvgauge::elements(g);
        if (g.role == Role::vision) {
            vision_ += n;
            return;
        }
        total_ += n;
        if (g.role == Role::embedding) embedding_ += n;
        if (g.role == Role::head) head_ += n;
    }
    Count elements() const { return total_; }  // language model, by its shapes

    Params params(const ModelSpec& m) const {
        Params p;
        Count idle;
        for (const LayerRun& r : m.layers) {
            const FfnSpec& f = r.layer.ffn;
            if (f.experts <= f.experts_active || f.experts == 0) continue;
            const Count expert = Count(f.gated ? 3 : 2) * f.expert_inter * m.hidden +
                                 Count(f.bias_params / f.experts);
            idle += expert * (f.experts - f.experts_active) * r.count;
        }
        for (const LayerRun& r : m.mtp) {
            visit_layer(r.layer, m.hidden,
                        [&](const MatrixGroup& g) { p.mtp += kvgauge::elements(g) * r.count; });
        }
        p.vision = vision_;
        p.head = head_;
        p.total = m.stated_params != 0 ? Count(m.stated_params) : total_;
        p.active = p.total - idle;
        if (p.active.overflow() && !p.total.overflow()) p.active = p.total;
        p.linear = p.total - embedding_ - p.head;
        if (p.linear.overflow() && !p.total.overflow()) p.linear = 0;
        if (m.tied_embeddings) p.head = embedding_;
        return p;
    }

  private:
    Count total_, embedding_, head_, vision_;
};

Bytes scaled(Bytes b, double by) {
    if (b.overflow() || by == 1) return b;
    const double r = b.real() * by;
    return r < 18e18 ? Bytes(static_cast<std::uint64_t>(r)) : Bytes::overflowed();
}

Bytes formula_bytes(const ModelSpec& m, const WeightFormat& f, const Stated& s) {
    Bytes sum;
    visit_all(m, [&](const MatrixGroup& g) { sum += group_bytes(g, f); });
    if (s.extra != 0) sum += matrix_bytes(f, s.extra, 1);
    return scaled(sum, s.scale);
}

}  // namespace

MatrixClass matrix_class(const MatrixGroup& g) {
    switch (g.role) {
        case Role::embedding:
            return MatrixClass::embedding;
        case Role::head:
            return g.in == 1 ? MatrixClass::small : MatrixClass::head;
        case Role::vision:
            return MatrixClass::vision;
        case Role::router:
            return MatrixClass::router;
        default:
            break;
    }
    if (!g.quantisable) return MatrixClass::small;
    switch (g.role) {
        case Role::state_mixer:
            return MatrixClass::state;
        case Role::ffn_in:
        case Role::ffn_out:
            return MatrixClass::dense_ffn;
        case Role::expert_in:
        case Role::expert_out:
            return MatrixClass::expert;
        case Role::shared_in:
        case Role::shared_out:
            return MatrixClass::shared_expert;
        default:
            return MatrixClass::attention;
    }
}

std::vector<MatrixGroup> inventory(const ModelSpec& m) {
    std::vector<MatrixGroup> all;
    all.reserve(m.layers.size() * 12 + 8);
    visit_all(m, [&](const MatrixGroup& g) { all.push_back(g); });
    for (const LayerRun& r : m.mtp) {
        visit_layer(r.layer, m.hidden, [&](MatrixGroup g) {
            g.count = times(g.count, r.count);
            g.mtp = true;
            all.push_back(g);
        });
    }
    return all;
}

Params params(const ModelSpec& m) {
    Counted counted;
    visit_all(m, [&](const MatrixGroup& g) { counted.add(g); });
    return counted.params(m);
}

WeightSums weight_sums(const ModelSpec& m, const WeightFormat& f) {
    WeightSums sums;
    StreamBytes& s = sums.stream;
    Counted counted;
    Bytes ends, embedding;
    visit_model(m, 0, 0, true, false, [&](const MatrixGroup& g) {
        counted.add(g);
        const Bytes bytes = group_bytes(g, f);
        ends += bytes;
        if (g.role == Role::embedding) embedding += bytes;
    });
    visit_model(m, 0, layer_count(m), false, true, [&](const MatrixGroup& g) {
        counted.add(g);
        const bool routed = g.role == Role::expert_in || g.role == Role::expert_out;
        (routed ? s.routed : g.role == Role::head ? s.head : s.dense) += group_bytes(g, f);
    });
    sums.params = counted.params(m);
    const Stated extra = stated(m, counted.elements());
    if (extra.extra != 0) s.dense += matrix_bytes(f, extra.extra, 1);
    sums.checkpoint = scaled(ends + s.dense + s.routed + s.head, extra.scale);
    if (m.tied_embeddings) s.head += embedding;
    double scale = extra.scale;
    if (m.weight_bytes != 0 && f == m.weights) {
        // An exact total: the formula only says how it is made up.
        scale *= static_cast<double>(m.weight_bytes) / std::max(1.0, sums.checkpoint.real());
        sums.checkpoint = m.weight_bytes;
    }
    s.dense = scaled(s.dense, scale);
    s.routed = scaled(s.routed, scale);
    s.head = scaled(s.head, scale);
    return sums;
}

WeightFormat effective_format(const ModelSpec& m, WeightKind asked) {
    if (asked == WeightKind::automatic || asked == m.weights.kind) return m.weights;
    WeightFormat f;
    f.kind = asked;
    // Published MXFP4 checkpoints quantise the routed experts alone (gpt-oss).
    if (asked == WeightKind::mxfp4) {
        for (const MatrixClass c : {MatrixClass::attention, MatrixClass::state,
                                    MatrixClass::dense_ffn, MatrixClass::shared_expert}) {
            f.of[static_cast<std::size_t>(c)] = WeightKind::bf16;
        }
    }
    return f;
}

Bytes checkpoint_bytes(const ModelSpec& m, const WeightFormat& f) {
    if (m.weight_bytes != 0 && f == m.weights) return m.weight_bytes;
    return formula_bytes(m, f, stated(m));
}

Bytes bytes_per_gpu(const ModelSpec& m, const WeightFormat& f, std::uint64_t tp, std::uint64_t pp,
                    bool ep) {
    if (tp == 0 || pp == 0) return Bytes::overflowed();
    const Stated s = stated(m);
    const std::uint32_t layers = layer_count(m);
    const auto stages =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(pp, 1, layers == 0 ? 1 : layers));
    Bytes worst;
    std::uint32_t first = 0;
    for (std::uint32_t i = 0; i < stages; ++i) {
        const std::uint32_t left = layers % stages;
        // The remainder goes to the stages before the last, backwards.
        const bool extra = i + 1 < stages && i + 1 + left >= stages;
        const std::uint32_t end = i + 1 == stages ? layers : first + layers / stages + extra;
        Bytes sum;
        visit_model(m, first, end, i == 0, i + 1 == stages, [&](const MatrixGroup& g) {
            // The class is the whole matrix's: a shard one column wide is still a matrix.
            sum += group_bytes(shard(g, tp, ep, m.vision_heads), f, kind_of(f, matrix_class(g)));
        });
        // A tied head needs the embedding on the last stage too.
        if (stages > 1 && i + 1 == stages && m.tied_embeddings && m.vocab != 0) {
            MatrixGroup h = linear(Role::head, Shard::vocab, m.vocab, m.hidden);
            sum += group_bytes(shard(h, tp, ep, 0), f, kind_of(f, MatrixClass::embedding));
        }
        if (s.extra != 0) {
            sum += ceil_div(ceil_div(matrix_bytes(f, s.extra, 1), tp), stages);
        }
        if (sum.overflow()) return sum;
        if (sum.value() > worst.value()) worst = sum;
        first = end;
    }
    worst = scaled(worst, s.scale);
    if (m.weight_bytes == 0 || !(f == m.weights)) return worst;
    // An exact total from a header: the formula only says how it is shared out.
    if (tp == 1 && stages == 1) return m.weight_bytes;
    const Bytes whole = formula_bytes(m, f, s);
    if (whole.overflow() || whole.value() == 0) {
        return ceil_div(ceil_div(m.weight_bytes, tp), stages);
    }
    return scaled(worst, static_cast<double>(m.weight_bytes) / whole.real());
}

}  // namespace kvgauge
