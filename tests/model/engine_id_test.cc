// SPDX-License-Identifier: MIT
#include "model/engine_id.h"

#include <gtest/gtest.h>

namespace kvgauge {
namespace {

TEST(EngineId, NamesRoundTrip) {
    for (EngineId id : kEngineIds) EXPECT_EQ(parse_engine(name(id)), id);
    EXPECT_EQ(parse_engine("TensorRT-LLM"), EngineId::trtllm);
    EXPECT_EQ(parse_engine("llama.cpp"), EngineId::llamacpp);
    EXPECT_EQ(parse_engine("vLLM"), EngineId::vllm);
    EXPECT_EQ(parse_engine(""), std::nullopt);
    EXPECT_EQ(parse_engine("exllama"), std::nullopt);
}

TEST(Version, ComparesByComponent) {
    EXPECT_LT(*parse_version("0.9"), *parse_version("0.10"));
    EXPECT_LT(*parse_version("0.10"), *parse_version("0.10.1"));
    EXPECT_EQ(*parse_version("0.10"), *parse_version("0.10.0"));
    EXPECT_GT(*parse_version("1.4rc3"), *parse_version("1.2"));
    EXPECT_LT(*parse_version("b10256"), *parse_version("b11118"));
}

TEST(Version, WrittenForms) {
    EXPECT_EQ(to_string(Version{}), "");
    EXPECT_EQ(to_string(*parse_version("0")), "0");
    EXPECT_EQ(to_string(*parse_version("v0.11.2")), "0.11.2");
    EXPECT_EQ(to_string(*parse_version("0.20")), "0.20");
    EXPECT_EQ(to_string(*parse_version("0.5.10.post1")), "0.5.10");
    EXPECT_EQ(to_string(*parse_version("0.23.1rc1.dev531+gabc")), "0.23.1");
    EXPECT_EQ(to_string(*parse_version("b11118")), "b11118");
    EXPECT_EQ(to_string(*parse_version("b11118-e6ab7c1")), "b11118");
    for (const char* bad : {"", "v", "b", "latest", "x0.1", "99999999999999", "0.2 rc", "1;2"}) {
        EXPECT_FALSE(parse_version(bad)) << bad;
    }
}

}  // namespace
}  // namespace kvgauge
