// SPDX-License-Identifier: MIT
#include "kernels/exact.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/half.h"

namespace kvgauge::kernels {
namespace {

Element query_element(Element element) {
    return element == Element::bf16 ? element : Element::f16;
}

std::int64_t row_of(const DecodeProblem& p, int sequence, std::int64_t token, int kv_head) {
    std::int64_t block = sequence;
    if (p.paged()) {
        block = p.page_table[sequence * p.table_stride + token / p.page_tokens];
        token %= p.page_tokens;
    }
    return block * p.strides.block + token * p.strides.token + kv_head * p.strides.head;
}

class Noise {
  public:
    explicit Noise(std::uint64_t seed) : state_(seed) {}
    // Sum of four uniforms, 16 bits each of one splitmix64 step; unit variance.
    float operator()() {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state_;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        z ^= z >> 31;
        const std::uint64_t sum =
            (z & 0xffffu) + (z >> 16 & 0xffffu) + (z >> 32 & 0xffffu) + (z >> 48);
        return (static_cast<float>(sum) * 0x1p-16f - 2.0f) * 1.7320508f;
    }

  private:
    std::uint64_t state_;
};

}  // namespace

float stored_value(Element element, const void* base, std::int64_t index) {
    switch (element) {
        case Element::f16:
            return f16_to_f32(static_cast<const std::uint16_t*>(base)[index]);
        case Element::bf16:
            return bf16_to_f32(static_cast<const std::uint16_t*>(base)[index]);
        case Element::e4m3:
            return e4m3_to_f32(static_cast<const std::uint8_t*>(base)[index]);
    }
    return 0.0f;
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

void fill_random(void* to, Element element, std::uint64_t count, float spread, std::uint64_t seed) {
    Noise noise(seed);
    auto* const halves = static_cast<std::uint16_t*>(to);
    auto* const bytes = static_cast<std::uint8_t*>(to);
    for (std::uint64_t i = 0; i < count; ++i) {
        const float value = noise() * spread;
        switch (element) {
            case Element::f16:
                halves[i] = f32_to_f16(value);
                break;
            case Element::bf16:
                halves[i] = f32_to_bf16(value);
                break;
            case Element::e4m3:
                bytes[i] = f32_to_e4m3(value);
                break;
        }
    }
}

}  // namespace kvgauge::kernels
