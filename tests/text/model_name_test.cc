// SPDX-License-Identifier: MIT
#include "text/model_name.h"

#include <gtest/gtest.h>

namespace kvgauge {
namespace {

TEST(ModelName, NamesAndPaths) {
    const auto named = [](std::string_view n) { return model_by_name(n, builtin_catalog()); };
    EXPECT_TRUE(named("llama-3-8b")->exact);
    const auto path = named("/data/models/Qwen3-32B/");
    ASSERT_TRUE(path);
    EXPECT_EQ(path->id, "qwen3-32b");
    EXPECT_FALSE(path->exact);
    EXPECT_EQ(path->weights, WeightKind::automatic);
    const auto fp8 = named("amd/Llama-3.1-70B-Instruct-FP8-KV");
    ASSERT_TRUE(fp8);
    EXPECT_EQ(fp8->id, "llama-3.1-70b");
    EXPECT_EQ(fp8->weights, WeightKind::fp8);
    EXPECT_FALSE(named("/data/models/nothing-here"));
    EXPECT_FALSE(named(""));
}

}  // namespace
}  // namespace kvgauge
