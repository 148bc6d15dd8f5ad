// SPDX-License-Identifier: MIT
#include "ui/curves.h"

#include <algorithm>
#include <cmath>

namespace kvgauge::ui {
namespace {

constexpr int kPerOctave = 8;
constexpr Part kBytesAndPlan = static_cast<Part>(static_cast<std::uint32_t>(Part::geometry) |
                                                 static_cast<std::uint32_t>(Part::plan));

// Requests that stay within the limits, with the part of a request that is left over: TPOT and TTFT
// grow with the batch, so the border lies between the whole number and the next one.
double within_limits(Scenario s, const Catalog& catalog, double whole) {
    const auto excess = [&](double batch) {  // > 0: over a limit, as a share of it
        s.batch = static_cast<std::uint64_t>(std::max(batch, 1.0));
        const Estimate e = estimate(s, catalog, Part::speed);
        if (!e.speed) return 0.0;
        double over = -1;
        if (s.tpot_max && *s.tpot_max > 0)
            over = std::max(over, e.speed->tpot.value / *s.tpot_max - 1);
        if (s.ttft_max && *s.ttft_max > 0)
            over = std::max(over, e.speed->ttft.value / *s.ttft_max - 1);
        return over;
    };
    if (whole < 1) return whole;
    const double a = excess(whole);
    const double b = excess(whole + 1);
    return a <= 0 && b > 0 ? whole + a / (a - b) : whole;
}

CtxPoint point(const Scenario& s, const Catalog& catalog) {
    CtxPoint p;
    p.ctx = static_cast<double>(s.ctx);
    const bool limits = s.tpot_max || s.ttft_max;
    const Estimate e = estimate(s, catalog, limits ? kWithoutTraffic : kBytesAndPlan);
    if (e.kv) {
        p.request_bytes = e.kv->bytes_per_request.real();
        p.all_full_bytes = e.kv->bytes_per_request_all_full.real();
    }
    if (e.plan) {
        p.requests = e.plan->max_concurrency;
        p.reserved_bytes = e.plan->reserved_per_request.real();
    }
    p.low = e.plan_low ? e.plan_low->max_concurrency : p.requests;
    p.high = e.plan_high ? e.plan_high->max_concurrency : p.requests;
    if (limits && e.batch && e.batch->max_slo) {
        const double whole = e.batch->max_slo->value;
        // At the memory's own limit the curves coincide.
        const bool memory_binds = e.plan && whole >= static_cast<double>(e.plan->max_requests);
        p.within_limit = memory_binds ? p.requests : within_limits(s, catalog, whole);
    }
    return p;
}

double between(double a, double b, double u) {
    return a > 0 && b > 0 ? a * std::pow(b / a, u) : a + (b - a) * u;
}

}  // namespace

std::vector<HeadVariant> head_variants(const Scenario& s, const Estimate& e) {
    const AttentionSpec* attn = e.model ? first_attention(*e.model) : nullptr;
    const bool heads = attn != nullptr && attn->q_heads > 0 && attn->kv_heads > 0 &&
                       (attn->kind == AttnKind::full || attn->kind == AttnKind::sliding ||
                        attn->kind == AttnKind::chunked);
    if (!heads) return {{Variant::model, 0, true}};
    const std::uint64_t now = s.kv_heads.value_or(attn->kv_heads);
    std::vector<HeadVariant> out;
    if (now != 1) out.push_back({Variant::mqa, 1, false});
    const Variant own = now == 1               ? Variant::mqa
                        : now == attn->q_heads ? Variant::mha
                                               : Variant::gqa;
    out.push_back({own, now, true});
    if (now == attn->q_heads && attn->q_heads >= 8) {
        out.insert(out.end() - 1, HeadVariant{Variant::gqa, attn->q_heads / 4, false});
    }
    if (now != attn->q_heads) out.push_back({Variant::mha, attn->q_heads, false});
    return out;
}

CtxPoint CtxCurve::at(double ctx) const {
    if (points.empty()) return {};
    const auto next =
        std::find_if(points.begin(), points.end(), [&](const CtxPoint& p) { return p.ctx >= ctx; });
    if (next == points.end()) return points.back();
    if (next == points.begin() || next->ctx == ctx) return *next;
    const CtxPoint& a = *(next - 1);
    const double u = std::log(ctx / a.ctx) / std::log(next->ctx / a.ctx);
    CtxPoint p;
    p.ctx = ctx;
    p.requests = between(a.requests, next->requests, u);
    p.low = between(a.low, next->low, u);
    p.high = between(a.high, next->high, u);
    p.request_bytes = between(a.request_bytes, next->request_bytes, u);
    p.reserved_bytes = between(a.reserved_bytes, next->reserved_bytes, u);
    p.all_full_bytes = between(a.all_full_bytes, next->all_full_bytes, u);
    if (a.within_limit && next->within_limit) {
        p.within_limit = between(*a.within_limit, *next->within_limit, u);
    }
    return p;
}

const std::vector<CtxCurve>& Curves::by_context(const Scenario& s, const Catalog& catalog,
                                                const Estimate& e, std::uint64_t revision) {
    if (ctx_revision_ == revision) return by_ctx_;
    ctx_revision_ = revision;
    by_ctx_.clear();
    ctx_low = 1024;
    ctx_high = 131072;
    const double ctx = static_cast<double>(s.ctx);
    while (ctx_high < ctx && ctx_high < 1e9) ctx_high *= 2;
    while (ctx_low > ctx && ctx_low > 1) ctx_low /= 2;
    const int n = static_cast<int>(std::lround(std::log2(ctx_high / ctx_low))) * kPerOctave;
    for (const HeadVariant& head : head_variants(s, e)) {
        CtxCurve curve{head, {}};
        Scenario at = s;
        if (!head.is_model) at.kv_heads = head.kv_heads;
        for (int i = 0; i <= n; ++i) {
            at.ctx = static_cast<std::uint64_t>(
                std::llround(ctx_low * std::exp2(static_cast<double>(i) / kPerOctave)));
            curve.points.push_back(point(at, catalog));
        }
        by_ctx_.push_back(std::move(curve));
    }
    return by_ctx_;
}

CtxPoint Curves::context_at(const Scenario& s, const Catalog& catalog, const HeadVariant& head,
                            double ctx) const {
    Scenario at = s;
    if (!head.is_model) at.kv_heads = head.kv_heads;
    at.ctx = static_cast<std::uint64_t>(std::llround(ctx));
    return point(at, catalog);
}

BatchPoint Curves::batch_at(const Scenario& s, const Catalog& catalog, double batch) const {
    Scenario at = s;
    at.batch = static_cast<std::uint64_t>(std::max(1LL, std::llround(batch)));
    const Estimate e = estimate(at, catalog, Part::speed);
    BatchPoint p;
    p.batch = static_cast<double>(at.batch);
    if (!e.speed) return p;
    const Speed& v = *e.speed;
    p.tpot = v.tpot.value;
    p.tpot_low = v.tpot.low.value_or(p.tpot);
    p.tpot_high = v.tpot.high.value_or(p.tpot);
    p.floor = v.floor.value;
    p.rate = v.tokens_per_s.value;
    p.rate_low = v.tokens_per_s.low.value_or(p.rate);
    p.rate_high = v.tokens_per_s.high.value_or(p.rate);
    return p;
}

const std::vector<BatchPoint>& Curves::by_batch(const Scenario& s, const Catalog& catalog,
                                                std::uint64_t revision) {
    if (batch_revision_ == revision) return by_batch_;
    batch_revision_ = revision;
    by_batch_.clear();
    batch_high = 256;
    while (batch_high < static_cast<double>(s.batch) && batch_high < 1e6) batch_high *= 2;
    // Whole batches only, closer than a pixel where they are many.
    for (double b = 1; b <= batch_high; b = std::max(b + 1, std::round(b * 1.06))) {
        by_batch_.push_back(batch_at(s, catalog, b));
    }
    if (by_batch_.back().batch < batch_high) by_batch_.push_back(batch_at(s, catalog, batch_high));
    return by_batch_;
}

}  // namespace kvgauge::ui
