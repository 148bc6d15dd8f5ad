// SPDX-License-Identifier: MIT
// Decode problems with random data in host memory, and attention over them in double precision by
// the textbook formula: the truth every kernel is held to.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/problem.h"

namespace kvgauge::testing {

// 256-byte alignment as cudaMalloc gives, and exact sizes, so that AddressSanitizer sees overruns.
class Buffer {
  public:
    explicit Buffer(std::size_t bytes);
    ~Buffer();
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    unsigned char* data() const { return data_; }
    std::size_t size() const { return size_; }
    void fill(unsigned char byte);

  private:
    unsigned char* data_;
    std::size_t size_;
};

enum class Layout { heads_first, tokens_first };

struct Shape {
    kernels::Element element = kernels::Element::f16;
    int kv_heads = 1;
    int group = 1;
    int head_dim = 128;
    std::vector<int> lengths;
    int page_tokens = 0;  // 0: contiguous
    Layout layout = Layout::tokens_first;
    float k_scale = 1.0f;
    float v_scale = 1.0f;
    std::uint32_t seed = 1;
};

struct Workload {
    kernels::DecodeProblem problem;
    Buffer q, k, v, out;
    std::vector<std::int32_t> lengths;
    std::vector<std::int32_t> page_table;
};

Workload make_workload(const Shape& shape);

float stored_value(kernels::Element element, const void* base, std::int64_t index);

// [batch][q_heads][head_dim]
std::vector<double> exact_attention(const kernels::DecodeProblem& problem);

// The largest over (sequence, query head) of |out - exact| / |exact|, Euclidean norms over the
// head's dimensions; infinite where anything is not finite. Empty sequences must give zeros.
double worst_error(const kernels::DecodeProblem& problem, const std::vector<double>& exact);

// What the accuracy of the formats allows: probabilities are rounded to the cache's own 16-bit type
// before the second product, 2^-11 (f16) or 2^-8 (bf16) at worst each, and the output once more.
constexpr double tolerance(kernels::Element element) {
    return element == kernels::Element::bf16 ? 1e-2 : 2e-3;
}

}  // namespace kvgauge::testing
