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
    for (const char* n : {"unsloth/Qwen3-8B-GGUF:Q4_K_M", "bartowski/Qwen_Qwen3-8B-GGUF:q4_k_m",
                          "/m/Qwen3-8B-Q4_K_M.gguf", "Qwen3-8B-UD-Q4_K_M-00001-of-00002.gguf"}) {
        const auto gguf = named(n);
        ASSERT_TRUE(gguf) << n;
        EXPECT_EQ(gguf->id, "qwen3-8b") << n;
        EXPECT_EQ(gguf->weights, WeightKind::q4_k_m) << n;
    }
    EXPECT_EQ(named("qwen3:8b")->id, "qwen3-8b");
    EXPECT_TRUE(named("unsloth/Qwen3-8B-GGUF:UD-IQ2_XXS")->quantised);
    EXPECT_FALSE(named("/data/models/nothing-here"));
    EXPECT_FALSE(named(""));
}

}  // namespace
}  // namespace kvgauge
