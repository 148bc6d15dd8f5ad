// SPDX-License-Identifier: MIT
// A 16-bit matrix product by cuBLASLt, for the speed of a model's weight products: D[m][n] =
// A[m][k] * B[n][k]^T, accumulated in float. The library is opened at run time; kvgauge neither
// links nor needs it. Without its header at build time open() says so.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "kernels/problem.h"

namespace kvgauge::kernels::cuda {

class Gemm {
  public:
    // Null and a sentence in `problem` when the library or a matching algorithm is missing.
    static std::unique_ptr<Gemm> open(Element element, int m, int n, int k,
                                      std::uint64_t workspace_bytes, std::string& problem);
    ~Gemm();
    Gemm(const Gemm&) = delete;
    Gemm& operator=(const Gemm&) = delete;

    std::string launch(const void* a, const void* b, void* d, void* workspace, void* stream);

  private:
    struct State;
    explicit Gemm(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace kvgauge::kernels::cuda
