// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "native/probe_cuda_class.h"

namespace kvgauge {

using kernels::DecodeProblem;
using kernels::Element;

std::string CudaProbe::prepare_decode(CaseShape& shape, const MeasureLimits& limits) {
    for (;;) {
        DecodeProblem& p = decode_ = {};
        p.element = element_of(shape.kv);
        p.batch = static_cast<int>(shape.batch);
        p.q_heads = static_cast<int>(shape.q_heads);
        p.kv_heads = static_cast<int>(shape.kv_heads);
        p.head_dim = static_cast<int>(shape.head_dim);
        p.max_length = static_cast<int>(shape.ctx);
        p.scale = 1.0f / std::sqrt(static_cast<float>(shape.head_dim));
        std::uint64_t tokens = shape.ctx;
        if (shape.page != 0) {
            p.page_tokens = static_cast<int>(shape.page);
            p.table_stride = static_cast<int>((shape.ctx + shape.page - 1) / shape.page);
            tokens = static_cast<std::uint64_t>(p.table_stride) * shape.page;
        }
        p.strides = kernels::tokens_first(
            p, shape.page != 0 ? std::int64_t{shape.page} : static_cast<std::int64_t>(tokens));
        const kernels::DecodeCost cost =
            kernels::decode_cost(p, std::uint64_t{shape.batch} * shape.ctx, 1);
        ready_.bytes = cost.kv_bytes;
        ready_.flops = cost.flops;
        call_bytes_ = round_up_256(2 * tokens * shape.batch * shape.kv_heads * shape.head_dim *
                                   static_cast<std::uint64_t>(kernels::element_bytes(p.element)));
        // FlashInfer's rule: as many copies as make five caches full, one where one is that large.
        const std::uint64_t five = 5 * info_.cache_bytes;
        copies_ = call_bytes_ >= five
                      ? 1
                      : std::max<std::uint64_t>(2, (five + call_bytes_ - 1) / call_bytes_ + 1);
        // The workspace of the most splits, so that trying splits needs no other block.
        kernels::Split most;
        most.splits = kernels::split_max;
        most.keys_per_split = kernels::split_min_keys;
        const std::uint64_t workspace = round_up_256(kernels::plan_decode(p, most).workspace_bytes);
        const std::uint64_t rows =
            round_up_256(std::uint64_t{shape.batch} * shape.q_heads * shape.head_dim * 2);
        const std::uint64_t lengths = round_up_256(std::uint64_t{shape.batch} * 4);
        const std::uint64_t table = round_up_256(std::uint64_t{shape.batch} *
                                                 static_cast<std::uint64_t>(p.table_stride) * 4);
        const std::uint64_t rest = workspace + 2 * rows + lengths + table + 256;

        std::string wrong = reserve(copies_ * call_bytes_ + rest, limits);
        if (!wrong.empty() && !ready_.fatal && copies_ > 2) {
            copies_ = 2;
            wrong = reserve(copies_ * call_bytes_ + rest, limits);
            if (wrong.empty())
                ready_.notes.push_back("Fewer copies than five caches full: memory.");
        }
        if (!wrong.empty() && !ready_.fatal && shape.batch > 1) {
            shape.batch /= 2;
            if (ready_.notes.empty()) ready_.notes.push_back("Batch lowered: memory.");
            continue;
        }
        if (!wrong.empty()) return wrong;
        ready_.cold = copies_ * call_bytes_ >= 2 * info_.cache_bytes;

        unsigned char* at = memory_.data() + copies_ * call_bytes_;
        const auto take = [&at](std::uint64_t bytes) {
            unsigned char* const here = at;
            at += bytes;
            return here;
        };
        workspace_ = take(workspace);
        p.q = take(rows);
        p.out = take(rows);
        unsigned char* const lengths_at = take(lengths);
        unsigned char* const table_at = take(table);
        sink_ = take(256);
        p.k = memory_.data();
        p.v = memory_.data() + call_bytes_ / 2;
        p.lengths = reinterpret_cast<const std::int32_t*>(lengths_at);
        if (shape.page != 0) p.page_table = reinterpret_cast<const std::int32_t*>(table_at);
        wrong = kc::decode_refusal(p, device_);
        if (!wrong.empty()) return wrong;

        const std::vector<std::int32_t> all(shape.batch, static_cast<std::int32_t>(shape.ctx));
        std::vector<std::int32_t> pages(static_cast<std::size_t>(p.table_stride) * shape.batch);
        for (std::size_t i = 0; i < pages.size(); ++i) pages[i] = static_cast<std::int32_t>(i);
        std::uint32_t random = 1;
        for (std::size_t i = pages.size(); i > 1; --i) {
            random = random * 1664525u + 1013904223u;
            std::swap(pages[i - 1], pages[(random >> 8) % i]);
        }
        wrong = cuda::sentence(cudaMemcpyAsync(lengths_at, all.data(), all.size() * 4,
                                               cudaMemcpyHostToDevice, stream_),
                               "Lengths");
        if (wrong.empty() && !pages.empty())
            wrong = cuda::sentence(cudaMemcpyAsync(table_at, pages.data(), pages.size() * 4,
                                                   cudaMemcpyHostToDevice, stream_),
                                   "Page table");
        const Element queries = kernels::queries_are_bf16(p.element) ? Element::bf16 : Element::f16;
        if (wrong.empty())
            wrong = kc::launch_fill(memory_.data(), copies_ * call_bytes_, p.element, 1, device_,
                                    stream_);
        if (wrong.empty())
            wrong = kc::launch_fill(const_cast<void*>(p.q), rows, queries, 2, device_, stream_);
        if (wrong.empty())
            wrong = cuda::sentence(cudaStreamSynchronize(stream_), "Filling the cache");
        return wrong.empty() ? choose_split(p) : wrong;
    }
}

// The model's three cheapest splits, tried; the fastest stays. Its own first choice is noted where
// it was another.
std::string CudaProbe::choose_split(const DecodeProblem& p) {
    const int slots = kc::decode_slots(p, device_);
    const std::vector<kernels::Split> candidates =
        kernels::best_splits(kernels::split_input(p, slots), 3);
    double best = 0;
    int chosen = 0;
    for (const kernels::Split& split : candidates) {
        plan_ = kernels::plan_decode(p, split);
        calls_ = 1;
        std::string wrong = record(static_cast<int>(std::min<std::uint64_t>(copies_, 4)));
        double fastest = 0;
        for (int i = 0; i < 4 && wrong.empty(); ++i) {
            const double ns = timed(case_graph_, nullptr, wrong);
            if (i > 0 && (fastest == 0 || ns < fastest)) fastest = ns;
        }
        if (!wrong.empty()) return wrong;
        if (best == 0 || fastest < best) {
            best = fastest;
            chosen = split.splits;
        }
    }
    for (const kernels::Split& split : candidates) {
        if (split.splits == chosen) plan_ = kernels::plan_decode(p, split);
    }
    ready_.splits = static_cast<std::uint32_t>(chosen);
    if (chosen != candidates.front().splits)
        ready_.notes.push_back("Fastest with " + std::to_string(chosen) +
                               " splits; the model chose " +
                               std::to_string(candidates.front().splits) + ".");
    return {};
}

}  // namespace kvgauge
