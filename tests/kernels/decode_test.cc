// SPDX-License-Identifier: MIT
// The CUDA decode kernel, run by the emulator, against attention in double precision: every element
// type, head dimension and group size, contiguous and paged, ragged, empty and one-token sequences,
// every split from one to many, several orders of execution.
#include <gtest/gtest.h>

#include <cmath>

#include "attention.h"
#include "emulated_decode.h"

namespace kvgauge::testing {
namespace {

using kernels::Element;

struct Variant {
    const char* what;
    std::vector<int> lengths;
    int kv_heads;
    int page_tokens;
    Layout layout;
    int keys_per_split;
    emulator::Schedule schedule;
};

const std::vector<Variant>& variants() {
    using emulator::Schedule;
    static const std::vector<Variant> all = {
        {"one token", {1}, 1, 0, Layout::tokens_first, 64, Schedule::forward},
        {"around a page of 16", {15, 16, 17}, 1, 16, Layout::tokens_first, 64, Schedule::forward},
        {"ragged with an empty one",
         {150, 64, 0, 65},
         2,
         0,
         Layout::heads_first,
         64,
         Schedule::reverse},
        {"around a page of 64", {127, 128, 129}, 1, 64, Layout::heads_first, 128, Schedule::random},
        {"one split", {200}, 2, 0, Layout::tokens_first, 256, Schedule::random_each_switch},
        {"page of 256", {257}, 1, 256, Layout::tokens_first, 128, Schedule::forward},
        {"page of 32, many splits", {333, 31}, 1, 32, Layout::tokens_first, 64, Schedule::random},
    };
    return all;
}

class DecodeSweep : public ::testing::TestWithParam<std::tuple<Element, int, int>> {};

TEST_P(DecodeSweep, MatchesDoublePrecision) {
    const auto [element, head_dim, group] = GetParam();
    std::uint32_t seed = 1;
    for (const Variant& variant : variants()) {
        SCOPED_TRACE(variant.what);
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
        kernels::Split split;
        split.keys_per_split = variant.keys_per_split;
        split.splits = (work.problem.max_length + split.keys_per_split - 1) / split.keys_per_split;
        emulator::Options options;
        options.schedule = variant.schedule;
        options.seed = seed;
        const auto plan = kernels::plan_decode(work.problem, split);
        ASSERT_EQ(emulate_decode(work.problem, plan, options).error, "");
        EXPECT_LT(worst_error(work.problem, exact_attention(work.problem)), tolerance(element));
    }
}

std::string name(const ::testing::TestParamInfo<DecodeSweep::ParamType>& info) {
    return std::string(kernels::element_name(std::get<0>(info.param))) + "_dim" +
           std::to_string(std::get<1>(info.param)) + "_group" +
           std::to_string(std::get<2>(info.param));
}

// 3 x 5 x 9 = 135 tests of 7 shapes: 945 cases.
INSTANTIATE_TEST_SUITE_P(Shapes, DecodeSweep,
                         ::testing::Combine(::testing::Values(Element::f16, Element::bf16,
                                                              Element::e4m3),
                                            ::testing::Values(64, 80, 96, 128, 256),
                                            ::testing::Values(1, 2, 3, 4, 7, 8, 12, 16, 20)),
                         name);

}  // namespace
}  // namespace kvgauge::testing
