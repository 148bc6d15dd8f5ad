// SPDX-License-Identifier: MIT
#include "attention.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>

#include "kernels/half.h"

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

float stored_value(Element element, const void* base, std::int64_t index) {
    switch (element) {
        case Element::f16:
            return kernels::f16_to_f32(static_cast<const std::uint16_t*>(base)[index]);
        case Element::bf16:
            return kernels::bf16_to_f32(static_cast<const std::uint16_t*>(base)[index]);
        case Element::e4m3:
            return kernels::e4m3_to_f32(static_cast<const std::uint8_t*>(base)[index]);
    }
    return 0.0f;
}

namespace {

Element query_element(Element element) {
    return element == Element::bf16 ? element : Element::f16;
}

// Sum of four uniforms, 16 bits each of one splitmix64 step: near enough to normal, unit variance.
class Noise {
  public:
    explicit Noise(std::uint32_t seed) : state_(seed) {}
    float operator()() {
        const std::uint64_t bits = next();
        std::uint64_t sum = 0;
        for (int i = 0; i < 64; i += 16) sum += bits >> i & 0xffffu;
        return (static_cast<float>(sum) * 0x1p-16f - 2.0f) * 1.7320508f;
    }
    // As std::shuffle wants it.
    struct Bits {
        using result_type = std::uint64_t;
        static constexpr std::uint64_t min() { return 0; }
        static constexpr std::uint64_t max() { return ~std::uint64_t{0}; }
        Noise& noise;
        std::uint64_t operator()() { return noise.next(); }
    };
    Bits bits() { return {*this}; }

  private:
    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state_;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        return z ^ z >> 31;
    }
    std::uint64_t state_;
};

void fill(const Buffer& buffer, Element element, float spread, Noise& noise) {
    const std::size_t count = buffer.size() / static_cast<std::size_t>(element_bytes(element));
    for (std::size_t i = 0; i < count; ++i) {
        const float value = noise() * spread;
        switch (element) {
            case Element::f16:
                reinterpret_cast<std::uint16_t*>(buffer.data())[i] = kernels::f32_to_f16(value);
                break;
            case Element::bf16:
                reinterpret_cast<std::uint16_t*>(buffer.data())[i] = kernels::f32_to_bf16(value);
                break;
            case Element::e4m3:
                buffer.data()[i] = kernels::f32_to_e4m3(value);
                break;
        }
    }
}

std::int64_t row_of(const DecodeProblem& p, int sequence, std::int64_t token, int kv_head) {
    std::int64_t block = sequence;
    if (p.paged()) {
        block = p.page_table[sequence * p.table_stride + token / p.page_tokens];
        token %= p.page_tokens;
    }
    return block * p.strides.block + token * p.strides.token + kv_head * p.strides.head;
}

}  // namespace

Workload make_workload(const Shape& shape) {
    Noise noise(shape.seed);
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
        std::shuffle(order.begin(), order.end(), noise.bits());
        table.assign(order.begin(), order.begin() + batch * p.table_stride);
    }
    p.strides = shape.layout == Layout::tokens_first ? kernels::tokens_first(p, block_tokens)
                                                     : kernels::heads_first(p, block_tokens);

    const auto queries = static_cast<std::size_t>(batch) * static_cast<std::size_t>(p.q_heads) *
                         static_cast<std::size_t>(p.head_dim) * 2;
    const auto cached = static_cast<std::size_t>(p.strides.block * blocks) *
                        static_cast<std::size_t>(element_bytes(p.element));
    Workload w{p, Buffer(queries), Buffer(cached), Buffer(cached), Buffer(queries), {}, {}};
    fill(w.q, query_element(p.element), 1.5f, noise);
    fill(w.k, p.element, 1.0f / shape.k_scale, noise);
    fill(w.v, p.element, 1.0f / shape.v_scale, noise);
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

std::vector<double> exact_attention(const DecodeProblem& p) {
    const auto dim = static_cast<std::size_t>(p.head_dim);
    std::vector<double> out(static_cast<std::size_t>(p.batch) *
                            static_cast<std::size_t>(p.q_heads) * dim);
    std::vector<float> k;
    std::vector<float> v;
    std::vector<double> query(dim);
    std::vector<double> weights;
    for (int b = 0; b < p.batch; ++b) {
        const auto length = static_cast<std::size_t>(p.lengths[b]);
        for (int h = 0; h < p.q_heads; ++h) {
            if (h % p.group() == 0) {  // a new kv head: its rows, widened once for the group
                k.resize(length * dim);
                v.resize(length * dim);
                for (std::size_t i = 0; i < length; ++i) {
                    const std::int64_t at =
                        row_of(p, b, static_cast<std::int64_t>(i), h / p.group());
                    for (std::size_t d = 0; d < dim; ++d) {
                        const std::int64_t from = at + static_cast<std::int64_t>(d);
                        k[i * dim + d] = stored_value(p.element, p.k, from);
                        v[i * dim + d] = stored_value(p.element, p.v, from);
                    }
                }
            }
            const auto row = static_cast<std::size_t>(b) * static_cast<std::size_t>(p.q_heads) +
                             static_cast<std::size_t>(h);
            for (std::size_t d = 0; d < dim; ++d)
                query[d] = stored_value(query_element(p.element), p.q,
                                        static_cast<std::int64_t>(row * dim + d));
            weights.assign(length, 0.0);
            double top = -std::numeric_limits<double>::infinity();
            for (std::size_t i = 0; i < length; ++i) {
                double score = 0.0;
                for (std::size_t d = 0; d < dim; ++d)
                    score += query[d] * static_cast<double>(k[i * dim + d]);
                weights[i] = score * static_cast<double>(p.scale) * static_cast<double>(p.k_scale);
                top = std::max(top, weights[i]);
            }
            double sum = 0.0;
            for (double& weight : weights) sum += weight = std::exp(weight - top);
            double* const to = &out[row * dim];
            for (std::size_t i = 0; i < length; ++i) {
                const double weight = weights[i] / sum * static_cast<double>(p.v_scale);
                for (std::size_t d = 0; d < dim; ++d)
                    to[d] += weight * static_cast<double>(v[i * dim + d]);
            }
        }
    }
    return out;
}

double worst_error(const DecodeProblem& p, const std::vector<double>& exact) {
    const auto dim = static_cast<std::size_t>(p.head_dim);
    double worst = 0.0;
    for (std::size_t row = 0; row * dim < exact.size(); ++row) {
        double error = 0.0;
        double norm = 0.0;
        for (std::size_t d = row * dim; d < (row + 1) * dim; ++d) {
            const double got =
                stored_value(query_element(p.element), p.out, static_cast<std::int64_t>(d));
            if (!std::isfinite(got)) return std::numeric_limits<double>::infinity();
            error += (got - exact[d]) * (got - exact[d]);
            norm += exact[d] * exact[d];
        }
        if (error == 0.0) continue;
        worst = std::max(worst, std::sqrt(error / norm));  // infinite if zeros were due
    }
    return worst;
}

}  // namespace kvgauge::testing
