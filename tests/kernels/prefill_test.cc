// SPDX-License-Identifier: MIT
// The prefill kernel on the emulator. Truth: token i of a prompt attends as a decode step does
// whose cache holds the first i + 1 tokens, so the double-precision decode reference serves here
// too.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "attention.h"
#include "emulator/emulator.h"
#include "kernels/cuda/prefill.cuh"

namespace kvgauge::testing {
namespace {

using kernels::Element;

struct Prompt {
    Element element;
    int tokens, q_heads, kv_heads, head_dim, batch;
    emulator::Schedule schedule;
};

template <class Type, int kDim>
emulator::Result run(const kernels::dev::PrefillParams& p, const Prompt& prompt) {
    namespace dev = kernels::dev;
    emulator::Options options;
    options.schedule = prompt.schedule;
    const auto blocks = (prompt.tokens + dev::kPrefillQueries - 1) / dev::kPrefillQueries;
    return emulator::run(
        {static_cast<unsigned>(blocks), static_cast<unsigned>(prompt.q_heads),
         static_cast<unsigned>(prompt.batch)},
        {32 * dev::kPrefillWarps, 1, 1}, static_cast<std::size_t>(dev::prefill_shared_bytes(kDim)),
        [&] { dev::Prefill<Type, kDim>::run(p); }, options);
}

template <class Type>
emulator::Result run(const kernels::dev::PrefillParams& p, const Prompt& prompt) {
    switch (prompt.head_dim) {
        case 64:
            return run<Type, 64>(p, prompt);
        case 80:
            return run<Type, 80>(p, prompt);
        case 96:
            return run<Type, 96>(p, prompt);
        default:
            return run<Type, 128>(p, prompt);
    }
}

class PrefillSweep : public ::testing::TestWithParam<Prompt> {};

TEST_P(PrefillSweep, MatchesDoublePrecision) {
    const Prompt& prompt = GetParam();
    const auto row = [&](int heads) {
        return static_cast<std::size_t>(prompt.batch * prompt.tokens * heads * prompt.head_dim);
    };
    Buffer q(2 * row(prompt.q_heads)), out(2 * row(prompt.q_heads));
    Buffer k(2 * row(prompt.kv_heads)), v(2 * row(prompt.kv_heads));
    kernels::fill_random(q.data(), prompt.element, row(prompt.q_heads), 1.5f, 1);
    kernels::fill_random(k.data(), prompt.element, row(prompt.kv_heads), 1.0f, 2);
    kernels::fill_random(v.data(), prompt.element, row(prompt.kv_heads), 1.0f, 3);
    out.fill(0xff);
    const float scale = 1.0f / std::sqrt(static_cast<float>(prompt.head_dim));
    const kernels::dev::PrefillParams p{
        q.data(),      k.data(),       v.data(),        out.data(),
        prompt.tokens, prompt.q_heads, prompt.kv_heads, scale * 1.4426950408889634f};
    const emulator::Result result = prompt.element == Element::f16
                                        ? run<kernels::dev::F16>(p, prompt)
                                        : run<kernels::dev::Bf16>(p, prompt);
    ASSERT_EQ(result.error, "");

    for (int b = 0; b < prompt.batch; ++b) {
        for (int i = 0; i < prompt.tokens; i += i % 7 == 6 ? 5 : 1) {
            kernels::DecodeProblem d;
            d.element = prompt.element;
            d.q_heads = prompt.q_heads;
            d.kv_heads = prompt.kv_heads;
            d.head_dim = prompt.head_dim;
            d.scale = scale;
            d.strides = kernels::tokens_first(d, prompt.tokens);
            const std::int32_t length = i + 1;
            d.lengths = &length;
            const std::size_t query =
                2 * static_cast<std::size_t>((b * prompt.tokens + i) * prompt.q_heads *
                                             prompt.head_dim);
            const std::size_t first =
                2 * static_cast<std::size_t>(b * prompt.tokens * prompt.kv_heads * prompt.head_dim);
            d.q = q.data() + query;
            d.out = out.data() + query;
            d.k = k.data() + first;
            d.v = v.data() + first;
            ASSERT_LT(worst_error(d, exact_attention(d)), tolerance(prompt.element))
                << "token " << i << " of sequence " << b;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, PrefillSweep,
    ::testing::Values(Prompt{Element::f16, 1, 1, 1, 128, 1, emulator::Schedule::forward},
                      Prompt{Element::f16, 65, 4, 2, 128, 1, emulator::Schedule::reverse},
                      Prompt{Element::f16, 150, 3, 1, 128, 2, emulator::Schedule::random},
                      Prompt{Element::bf16, 97, 2, 2, 128, 1, emulator::Schedule::random},
                      Prompt{Element::f16, 64, 2, 1, 64, 1, emulator::Schedule::forward},
                      Prompt{Element::bf16, 63, 2, 1, 64, 1,
                             emulator::Schedule::random_each_switch},
                      Prompt{Element::f16, 33, 2, 1, 80, 1, emulator::Schedule::forward},
                      Prompt{Element::bf16, 130, 2, 2, 80, 1, emulator::Schedule::reverse},
                      Prompt{Element::f16, 100, 2, 1, 96, 1, emulator::Schedule::random}));

}  // namespace
}  // namespace kvgauge::testing
