// SPDX-License-Identifier: MIT
#include "attention.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>
#include <utility>

namespace kvgauge::testing {

using kernels::DecodeProblem;
using kernels::Element;

Buffer::Buffer(std::size_t bytes) : data_(nullptr), size_(bytes) {
    void* memory = nullptr;
    if (posix_memalign(&memory, 256, bytes ? bytes : 1) != 0) std::abort();
    data_ = static_cast<unsigned char*>(memory);
}
Buffer::~Buffer() {
    std::free(data_);
}
Buffer::Buffer(Buffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
Buffer& Buffer::operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}
void Buffer::fill(unsigned char byte) {
    std::memset(data_, byte, size_);
}

namespace {

std::uint64_t elements(const Buffer& buffer, Element element) {
    return buffer.size() / static_cast<std::uint64_t>(kernels::element_bytes(element));
}

}  // namespace

Workload make_workload(const Shape& shape) {
    const int batch = static_cast<int>(shape.lengths.size());
    const int longest = *std::max_element(shape.lengths.begin(), shape.lengths.end());
    DecodeProblem p;
    p.element = shape.element;
    p.batch = batch;
    p.kv_heads = shape.kv_heads;
    p.q_heads = shape.kv_heads * shape.group;
    p.head_dim = shape.head_dim;
    p.max_length = longest;
    p.scale = 1.0f / std::sqrt(static_cast<float>(shape.head_dim));
    p.k_scale = shape.k_scale;
    p.v_scale = shape.v_scale;

    int blocks = batch;
    int block_tokens = std::max(longest, 1);
    std::vector<std::int32_t> table;
    if (shape.page_tokens > 0) {
        p.page_tokens = block_tokens = shape.page_tokens;
        p.table_stride = std::max((longest + shape.page_tokens - 1) / shape.page_tokens, 1);
        blocks = batch * p.table_stride + 3;
        std::vector<std::int32_t> order(static_cast<std::size_t>(blocks));
        for (int i = 0; i < blocks; ++i) order[static_cast<std::size_t>(i)] = i;
        std::mt19937 random(shape.seed);
        std::shuffle(order.begin(), order.end(), random);
        table.assign(order.begin(), order.begin() + batch * p.table_stride);
    }
    p.strides = shape.layout == Layout::tokens_first ? kernels::tokens_first(p, block_tokens)
                                                     : kernels::heads_first(p, block_tokens);

    const auto query_bytes = static_cast<std::size_t>(batch) * static_cast<std::size_t>(p.q_heads) *
                             static_cast<std::size_t>(p.head_dim) * 2;
    const auto cached = static_cast<std::size_t>(p.strides.block * blocks) *
                        static_cast<std::size_t>(element_bytes(p.element));
    Workload w{p, Buffer(query_bytes), Buffer(cached), Buffer(cached), Buffer(query_bytes), {}, {}};
    const Element queries = kernels::queries_are_bf16(p.element) ? Element::bf16 : Element::f16;
    const std::uint64_t seed = std::uint64_t{shape.seed} << 8;
    kernels::fill_random(w.q.data(), queries, elements(w.q, queries), 1.5f, seed);
    kernels::fill_random(w.k.data(), p.element, elements(w.k, p.element), 1.0f / shape.k_scale,
                         seed + 1);
    kernels::fill_random(w.v.data(), p.element, elements(w.v, p.element), 1.0f / shape.v_scale,
                         seed + 2);
    w.out.fill(0xff);
    w.lengths.assign(shape.lengths.begin(), shape.lengths.end());
    w.page_table = std::move(table);
    w.problem.q = w.q.data();
    w.problem.k = w.k.data();
    w.problem.v = w.v.data();
    w.problem.out = w.out.data();
    w.problem.lengths = w.lengths.data();
    w.problem.page_table = shape.page_tokens > 0 ? w.page_table.data() : nullptr;
    return w;
}

}  // namespace kvgauge::testing
