// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "kernels/exact.h"
#include "native/probe_cuda_class.h"

namespace kvgauge {

using kernels::DecodeProblem;
using kernels::Element;

std::string CudaProbe::self_test() {
    std::string wrong = open();
    if (wrong.empty()) wrong = kc::self_test(device_, stream_);
    for (const Element element : {Element::f16, Element::bf16, Element::e4m3}) {
        if (element == Element::bf16 && device_.compute_capability < 80) continue;
        for (const bool paged : {false, true}) {
            for (const int splits : {1, 3})
                if (wrong.empty()) wrong = check_decode(element, paged, splits);
        }
    }
    return wrong;
}

// A small ragged decode against double precision on the host.
std::string CudaProbe::check_decode(Element element, bool paged, int splits) {
    constexpr int batch = 2, kv_heads = 2, group = 7, dim = 128, longest = 190, page = 16;
    constexpr int pages = (longest + page - 1) / page;
    DecodeProblem p;
    p.element = element;
    p.batch = batch;
    p.kv_heads = kv_heads;
    p.q_heads = kv_heads * group;
    p.head_dim = dim;
    p.max_length = longest;
    p.scale = 1.0f / std::sqrt(static_cast<float>(dim));
    if (paged) {
        p.page_tokens = page;
        p.table_stride = pages;
    }
    p.strides = kernels::tokens_first(p, paged ? page : longest);
    const auto blocks = static_cast<std::uint64_t>(paged ? batch * pages : batch);
    const std::uint64_t cache = blocks * static_cast<std::uint64_t>(p.strides.block) *
                                static_cast<std::uint64_t>(kernels::element_bytes(element));
    const std::uint64_t rows = static_cast<std::uint64_t>(batch) * kv_heads * group * dim * 2;

    // One block for both sides, laid out alike: q, k, v, out, lengths, table.
    const std::uint64_t at_k = round_up_256(rows);
    const std::uint64_t at_v = at_k + round_up_256(cache);
    const std::uint64_t at_out = at_v + round_up_256(cache);
    const std::uint64_t at_lengths = at_out + round_up_256(rows);
    const std::uint64_t at_table = at_lengths + 256;
    const std::uint64_t bytes = at_table + round_up_256(batch * pages * 4);
    std::vector<unsigned char> host(bytes, 0xff);
    const Element queries = kernels::queries_are_bf16(element) ? Element::bf16 : Element::f16;
    kernels::fill_random(host.data(), queries, rows / 2, 1.5f, 1);
    kernels::fill_random(&host[at_k], element,
                         cache / static_cast<std::uint64_t>(kernels::element_bytes(element)), 1.0f,
                         2);
    kernels::fill_random(&host[at_v], element,
                         cache / static_cast<std::uint64_t>(kernels::element_bytes(element)), 1.0f,
                         3);
    const std::int32_t lengths[batch] = {longest, 33};
    std::memcpy(&host[at_lengths], lengths, sizeof lengths);
    std::vector<std::int32_t> table(batch * pages);
    for (int i = 0; i < batch * pages; ++i)  // back to front: no order that would come by itself
        table[static_cast<std::size_t>(i)] = batch * pages - 1 - i;
    std::memcpy(&host[at_table], table.data(), table.size() * 4);

    kernels::Split split;
    split.splits = splits;
    split.keys_per_split = splits == 1 ? 256 : 64;
    const kernels::DecodePlan plan = kernels::plan_decode(p, split);
    std::string wrong =
        cuda::sentence(memory_.allocate(bytes + plan.workspace_bytes + 256), "Self-test memory");
    if (!wrong.empty()) return wrong;
    const auto place = [&](unsigned char* base) {
        p.q = base;
        p.k = base + at_k;
        p.v = base + at_v;
        p.out = base + at_out;
        p.lengths = reinterpret_cast<const std::int32_t*>(base + at_lengths);
        p.page_table = paged ? reinterpret_cast<const std::int32_t*>(base + at_table) : nullptr;
    };
    wrong = cuda::sentence(
        cudaMemcpyAsync(memory_.data(), host.data(), bytes, cudaMemcpyHostToDevice, stream_),
        "Self-test copy");
    place(memory_.data());
    if (wrong.empty()) wrong = kc::decode_refusal(p, device_);
    if (wrong.empty())
        wrong = kc::launch_decode(p, plan, memory_.data() + round_up_256(bytes), stream_);
    if (wrong.empty())
        wrong = cuda::sentence(cudaMemcpyAsync(&host[at_out], memory_.data() + at_out, rows,
                                               cudaMemcpyDeviceToHost, stream_),
                               "Self-test copy");
    if (wrong.empty()) wrong = cuda::sentence(cudaStreamSynchronize(stream_), "Self-test");
    if (!wrong.empty()) return wrong;
    place(host.data());
    const double error = kernels::worst_error(p, kernels::exact_attention(p));
    if (error < kernels::tolerance(element)) return {};
    return std::string("decode of a ") + kernels::element_name(element) + " cache" +
           (paged ? " in pages" : "") + ", " + std::to_string(splits) +
           " splits, is off by more than its rounding allows (" +
           std::to_string(std::min(error, 1e6)) + " relative)";
}

}  // namespace kvgauge
