// SPDX-License-Identifier: MIT
#include "engine/tp_rules.h"

#include <algorithm>

#include "engine/shards.h"

namespace kvgauge::engine {
namespace {

constexpr const char* kDivisible = "is not divisible by";

bool divides(std::uint64_t n, std::uint64_t by) {
    return by != 0 && n % by == 0;
}

// Query and KV heads of every layer. Fills heads and copies of the most copied layer.
bool attention(const EngineInput& in, std::uint64_t tp, const TpPolicy& p, TpVerdict& v) {
    const AttentionSpec* seen = nullptr;
    bool have = false;
    for (const LayerRun& run : in.model.layers) {
        const AttentionSpec& a = run.layer.attn;
        if (a.kind == AttnKind::none || a.q_heads == 0) continue;
        if (seen != nullptr && seen->q_heads == a.q_heads && seen->kv_heads == a.kv_heads &&
            seen->kind == a.kind) {
            continue;
        }
        seen = &a;
        if (!divides(a.q_heads, tp)) {
            v = refusal(TpRule::q_heads, a.q_heads, tp, 0, p.q_fragment);
            return false;
        }
        TpVerdict mine;
        if (a.kind == AttnKind::mla || a.kind == AttnKind::compressed) {
            // One latent for all heads, on every GPU; DCP spreads its tokens.
            mine.copies = static_cast<double>(tp) / static_cast<double>(p.dcp);
            mine.kv_heads_per_gpu = 1;
            mine.a = 1;
            mine.b = tp;
            mine.c = tp / p.dcp;
            if (mine.copies > 1) {
                mine.verdict = Verdict::ok_replicated;
                mine.rule = TpRule::latent_copied;
            }
        } else {
            const std::uint64_t kv = a.kv_heads;
            if (kv == 0) continue;
            const bool fewer = tp > kv;
            if (fewer ? !divides(tp, kv) : !divides(kv, tp)) {
                v = refusal(p.copies_kv ? TpRule::kv_heads : TpRule::kv_heads_strict, kv, tp, 0,
                            p.kv_fragment);
                return false;
            }
            if (fewer && !p.copies_kv) {
                v = refusal(TpRule::kv_heads_strict, kv, tp, 0, p.kv_fragment);
                return false;
            }
            mine.kv_heads_per_gpu = static_cast<double>(heads_on_gpu(kv, tp));
            mine.a = heads_on_gpu(kv, tp);
            if (fewer) {
                mine.copies = static_cast<double>(tp / kv) / static_cast<double>(p.dcp);
                mine.a = kv;
                mine.b = tp;
                mine.c = tp / kv / p.dcp;
                if (mine.copies > 1) {
                    mine.verdict = Verdict::ok_replicated;
                    mine.rule = TpRule::kv_replicated;
                } else {
                    mine.a = 1;
                    mine.copies = 1;
                }
            }
        }
        if (!have || mine.copies > v.copies) v = mine;
        have = true;
    }
    return true;
}

bool feed_forward(const EngineInput& in, std::uint64_t tp, const TpPolicy& p, TpVerdict& v) {
    const bool ep = in.scenario.ep;
    const FfnSpec* seen = nullptr;
    for (const LayerRun& run : in.model.layers) {
        const FfnSpec& f = run.layer.ffn;
        if (seen != nullptr && *seen == f) continue;
        seen = &f;
        if (p.mlp) {
            for (std::uint64_t width : {std::uint64_t{f.inter}, std::uint64_t{f.shared_inter}}) {
                if (width != 0 && !divides(width, tp)) {
                    v = refusal(TpRule::mlp_width, width, tp, 0, kDivisible);
                    return false;
                }
            }
        }
        if (f.experts == 0) continue;
        if (p.experts_at_least_tp && tp > f.experts) {
            v = refusal(TpRule::experts, f.experts, tp, 0, "is greater than the number of experts");
            return false;
        }
        if (p.moe && !ep && !divides(f.expert_inter, tp)) {
            v = refusal(TpRule::moe_width, f.expert_inter, tp, 0, "");
            return false;
        }
    }
    return true;
}

// Widths after the cut must be whole quantisation blocks or groups.
class QuantRule {
  public:
    QuantRule(const EngineInput& in, const TpPolicy& p, TpVerdict& v) : in_(in), p_(p), v_(v) {}

    // `width` of a matrix of this class over `by` GPUs; output: the column side, blocks only.
    bool refuses(MatrixClass c, std::uint64_t width, std::uint64_t by, bool output) const {
        const WeightKind kind = kind_of(in_.weights, c);
        const bool block = kind == WeightKind::fp8_block && p_.fp8_block;
        const bool grouped =
            (kind == WeightKind::awq || kind == WeightKind::gptq || kind == WeightKind::int4) &&
            p_.quant_group && !output;
        const std::uint64_t unit = in_.weights.group;
        if ((!block && !grouped) || unit == 0 || width == 0 || !divides(width, by)) return false;
        if (divides(width / by, unit)) return false;
        const char* block_text = output ? "is not divisible by weight quantization block_n"
                                        : "is not divisible by weight quantization block_k";
        v_ = refusal(block ? TpRule::fp8_block : TpRule::quant_group, width, by, width / by,
                     block ? block_text : p_.group_fragment);
        return true;
    }

  private:
    const EngineInput& in_;
    const TpPolicy& p_;
    TpVerdict& v_;
};

bool quantised(const EngineInput& in, std::uint64_t tp, std::uint64_t attention_tp,
               const TpPolicy& p, TpVerdict& v) {
    const QuantRule rule(in, p, v);
    for (const LayerRun& run : in.model.layers) {
        const FfnSpec& f = run.layer.ffn;
        if (f.experts != 0) {
            // Block formats check the expert width of a single rank too.
            const std::uint64_t by = in.scenario.ep ? 1 : tp;
            if (rule.refuses(MatrixClass::expert, f.expert_inter, by, true)) return false;
            if (by > 1 && rule.refuses(MatrixClass::expert, f.expert_inter, by, false))
                return false;
        }
        if (tp > 1 && (rule.refuses(MatrixClass::dense_ffn, f.inter, tp, false) ||
                       rule.refuses(MatrixClass::shared_expert, f.shared_inter, tp, false))) {
            return false;
        }
        const AttentionSpec& a = run.layer.attn;
        if (attention_tp <= 1 || a.kind == AttnKind::none || a.kind == AttnKind::mla ||
            a.kind == AttnKind::compressed) {
            continue;
        }
        const std::uint64_t q = std::uint64_t{a.q_heads} * a.v_dim;
        const std::uint64_t kv = heads_on_gpu(a.kv_heads, attention_tp) * a.k_dim;
        if (rule.refuses(MatrixClass::attention, q, attention_tp, false) ||
            (p.fp8_qkv && rule.refuses(MatrixClass::attention, kv, 1, true))) {
            return false;
        }
    }
    return true;
}

bool states(const EngineInput& in, std::uint64_t tp, TpVerdict& v) {
    for (const LayerRun& run : in.model.layers) {
        const StateSpec& s = run.layer.state;
        if (s.kind == StateKind::none) continue;
        const bool delta = s.kind == StateKind::gdn || s.kind == StateKind::kda;
        if (s.v_heads != 0 && !divides(s.v_heads, tp)) {
            v = refusal(TpRule::state_heads, s.v_heads, tp, 0,
                        delta ? kDivisible : "Tensor parallel world size must divide num heads.");
            return false;
        }
        if (delta && s.k_heads != 0 && !divides(s.k_heads, tp)) {
            v = refusal(TpRule::state_heads, s.k_heads, tp, 0, kDivisible);
            return false;
        }
        // One group is extended to every rank; several must divide.
        if (s.kind == StateKind::mamba2 && s.groups > 1 && !divides(s.groups, tp)) {
            v = refusal(TpRule::state_groups, s.groups, tp, 0, "then num_groups must equal 1.");
            return false;
        }
    }
    return true;
}

}  // namespace

bool refuses_size(const EngineInput& in, std::uint64_t tp, TpVerdict& v) {
    const std::uint64_t layers = layer_count(in.model);
    if (tp == 0) {
        v = refusal(TpRule::q_heads, 0, 0, 0, "");
        return true;
    }
    if (layers != 0 && in.scenario.pp > layers) {
        v = refusal(TpRule::pipeline, layers, in.scenario.pp, 0, "");
        return true;
    }
    return false;
}

TpVerdict tp_by_rules(const EngineInput& in, std::uint64_t tp, const TpPolicy& p) {
    TpVerdict v;
    if (refuses_size(in, tp, v)) return v;
    TpVerdict heads;
    const std::uint64_t attention_tp = p.attention_tp == 0 ? tp : p.attention_tp;
    if (!attention(in, attention_tp, p, heads)) return heads;
    if (!feed_forward(in, tp, p, v) || !quantised(in, tp, attention_tp, p, v)) return v;
    if (p.vocab_pad != 0 && in.model.vocab != 0) {
        const Count padded = round_up(in.model.vocab, p.vocab_pad);
        if (padded.overflow() || !divides(padded.value(), tp)) {
            return refusal(TpRule::vocab, padded.value(), tp, 0, kDivisible);
        }
    }
    if (p.state && !states(in, attention_tp, v)) return v;
    if (in.model.vision_heads != 0 && !divides(in.model.vision_heads, tp)) {
        if (p.vision == VisionRule::divides) {
            return refusal(TpRule::vision_heads, in.model.vision_heads, tp, 0, kDivisible);
        }
        if (p.vision == VisionRule::fallback && heads.verdict == Verdict::ok) {
            heads.verdict = Verdict::ok_fallback;
            heads.rule = TpRule::vision_fallback;
            heads.a = in.model.vision_heads;
            heads.b = tp;
            heads.fragment = "Falling back to data parallelism for the vision encoder";
        }
    }
    return heads;
}

}  // namespace kvgauge::engine
