// SPDX-License-Identifier: MIT
// The CPU backend against attention in double precision, on every instruction set this machine has.
#include <gtest/gtest.h>

#include "attention.h"
#include "kernels/cpu/decoder.h"

namespace kvgauge::testing {
namespace {

using kernels::Element;
using kernels::cpu::Isa;

class CpuDecode : public ::testing::TestWithParam<std::tuple<Isa, Element, int>> {};

TEST_P(CpuDecode, MatchesDoublePrecision) {
    const auto [isa, element, head_dim] = GetParam();
    if (!kernels::cpu::isa_available(isa)) GTEST_SKIP() << "this CPU lacks it";
    struct Variant {
        std::vector<int> lengths;
        int kv_heads, page_tokens, threads;
        Layout layout;
    };
    const Variant variants[] = {
        {{1}, 1, 0, 1, Layout::tokens_first},
        {{15, 16, 17}, 1, 16, 1, Layout::tokens_first},
        {{150, 64, 0, 65}, 1, 0, 3, Layout::heads_first},
        {{333, 31}, 2, 32, 2, Layout::heads_first},
        {{257}, 1, 256, 2, Layout::tokens_first},
        {{200}, 3, 0, 2, Layout::tokens_first},
    };
    std::uint32_t seed = 100;
    for (const int group : {1, 2, 3, 4, 7, 8, 20}) {
        for (const Variant& variant : variants) {
            Shape shape;
            shape.element = element;
            shape.kv_heads = variant.kv_heads;
            shape.group = group;
            shape.head_dim = head_dim;
            shape.lengths = variant.lengths;
            shape.page_tokens = variant.page_tokens;
            shape.layout = variant.layout;
            shape.seed = ++seed;
            if (element == Element::e4m3) {
                shape.k_scale = 0.05f;
                shape.v_scale = 0.02f;
            }
            Workload work = make_workload(shape);
            ASSERT_EQ(kernels::refusal(work.problem), "");
            kernels::cpu::Decoder decoder(isa, variant.threads);
            ASSERT_TRUE(decoder.decode(work.problem));
            EXPECT_LT(worst_error(work.problem, exact_attention(work.problem)), tolerance(element))
                << "group " << group << " longest " << work.problem.max_length << " page "
                << variant.page_tokens << " threads " << variant.threads;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, CpuDecode,
                         ::testing::Combine(::testing::Values(Isa::portable, Isa::avx2),
                                            ::testing::Values(Element::f16, Element::bf16,
                                                              Element::e4m3),
                                            ::testing::Values(64, 80, 96, 128, 256)),
                         [](const auto& test) {
                             return std::string(std::get<0>(test.param) == Isa::avx2 ? "avx2"
                                                                                     : "portable") +
                                    "_" + kernels::element_name(std::get<1>(test.param)) + "_dim" +
                                    std::to_string(std::get<2>(test.param));
                         });

TEST(CpuDecoder, StopsWhenTold) {
    Shape shape;
    shape.lengths = {64};
    Workload work = make_workload(shape);
    kernels::cpu::Decoder decoder(kernels::cpu::best_isa(), 1);
    const std::atomic<bool> stop{true};
    EXPECT_FALSE(decoder.decode(work.problem, &stop));
}

TEST(CpuStreams, ReadSeesEveryByteAndCopyMovesIt) {
    constexpr std::size_t bytes = 256 * 37;
    for (const Isa isa : {Isa::portable, Isa::avx2}) {
        if (!kernels::cpu::isa_available(isa)) continue;
        for (const int threads : {1, 3}) {
            kernels::cpu::Decoder decoder(isa, threads);
            Buffer from(bytes);
            Buffer to(bytes);
            from.fill(0);
            to.fill(1);
            EXPECT_EQ(decoder.read(from.data(), bytes), 0u);
            for (const std::size_t at : {std::size_t{0}, std::size_t{4711}, bytes - 1}) {
                from.data()[at] = 5;
                EXPECT_NE(decoder.read(from.data(), bytes), 0u) << at;
                from.data()[at] = 0;
            }
            for (std::size_t i = 0; i < bytes; ++i)
                from.data()[i] = static_cast<unsigned char>(i * 31);
            decoder.copy(to.data(), from.data(), bytes);
            EXPECT_TRUE(std::equal(to.data(), to.data() + bytes, from.data()));
        }
    }
}

}  // namespace
}  // namespace kvgauge::testing
