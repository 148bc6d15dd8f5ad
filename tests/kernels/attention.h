// SPDX-License-Identifier: MIT
// Decode problems with random data in host memory.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/exact.h"
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

using kernels::exact_attention;
using kernels::tolerance;
using kernels::worst_error;

}  // namespace kvgauge::testing
