// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "text/link.h"

namespace kvgauge {
namespace {

TEST(Link, TheLastOfARepeatedKeyCounts) {
    const Link link = parse_link("ctx=4k&kv=fp8&ctx=16k&ctx=32k", builtin_catalog());
    EXPECT_EQ(link.scenario.ctx, 32u * 1024);
    EXPECT_EQ(link.scenario.kv, DType::fp8);
    EXPECT_TRUE(link.notices.empty());
}

TEST(Link, ARepeatedBadKeyIsNoticedOnce) {
    std::string text = "v=1";
    while (text.size() < 4000) text += "&model=no-such-model-by-this-name";
    const Link link = parse_link(text, builtin_catalog());
    EXPECT_EQ(link.notices.size(), 1u);
    EXPECT_EQ(link.scenario.model, "llama-3-8b");
}

// Aliases are the same key.
TEST(Link, AnAliasRepeatsItsKey) {
    const Link link = parse_link("max-model-len=4k&ctx=8k", builtin_catalog());
    EXPECT_EQ(link.scenario.ctx, 8192u);
}

}  // namespace
}  // namespace kvgauge
