// SPDX-License-Identifier: MIT
// Attention over a stored cache in double precision, by the textbook formula, and how far a result
// is from it: the truth that self-tests and tests hold every kernel to. Pointers in host memory.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/problem.h"

namespace kvgauge::kernels {

float stored_value(Element element, const void* base, std::int64_t index);

// [batch][q_heads][head_dim]
std::vector<double> exact_attention(const DecodeProblem& problem);

// The largest over (sequence, query head) of |out - exact| / |exact|, Euclidean norms over the
// head's dimensions; infinite where anything is not finite. Empty sequences must give zeros.
double worst_error(const DecodeProblem& problem, const std::vector<double>& exact);

// What the accuracy of the formats allows: probabilities are rounded to the cache's own 16-bit type
// before the second product, 2^-11 (f16) or 2^-8 (bf16) at worst each, and the output once more.
constexpr double tolerance(Element element) {
    return element == Element::bf16 ? 1e-2 : 2e-3;
}

// `count` pseudo-random values, near enough to normal, of standard deviation `spread`; the same for
// the same seed everywhere. Never an infinity or a NaN.
void fill_random(void* to, Element element, std::uint64_t count, float spread, std::uint64_t seed);

}  // namespace kvgauge::kernels
