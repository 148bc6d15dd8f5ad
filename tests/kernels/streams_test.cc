// SPDX-License-Identifier: MIT
// Ceiling kernels and the self-test, on the emulator.
#include "kernels/cuda/streams.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "attention.h"
#include "emulator/emulator.h"
#include "kernels/cuda/self_test.cuh"
#include "kernels/half.h"

namespace kvgauge::testing {
namespace {

namespace dev = kernels::dev;

emulator::Result launch(unsigned blocks, unsigned threads, std::size_t shared,
                        const std::function<void()>& body) {
    return emulator::run({blocks, 1, 1}, {threads, 1, 1}, shared, body, {});
}

TEST(Streams, ReadTouchesEveryByteOnceAndWritesNothing) {
    for (const std::int64_t vectors : {1, 255, 256, 8 * 512, 8 * 512 + 77, 20000}) {
        Buffer from(static_cast<std::size_t>(vectors) * 16), sink(16);
        kernels::fill_random(from.data(), kernels::Element::f16, from.size() / 2, 1.0f, 1);
        sink.fill(0x55);
        const dev::StreamParams p{from.data(), sink.data(), vectors};
        const auto result = launch(2, dev::kStreamThreads, 0, [&] { dev::ReadStream::run(p); });
        ASSERT_EQ(result.error, "");
        EXPECT_EQ(result.stats.loaded_bytes, from.size());
        EXPECT_EQ(result.stats.stored_bytes, 0u);
    }
}

TEST(Streams, CopyMovesEveryByte) {
    for (const std::int64_t vectors : {1, 511, 4096, 9999}) {
        Buffer from(static_cast<std::size_t>(vectors) * 16), to(from.size());
        kernels::fill_random(from.data(), kernels::Element::f16, from.size() / 2, 1.0f, 1);
        const dev::StreamParams p{from.data(), to.data(), vectors};
        ASSERT_EQ(launch(3, dev::kStreamThreads, 0, [&] { dev::CopyStream::run(p); }).error, "");
        EXPECT_TRUE(std::equal(to.data(), to.data() + to.size(), from.data()));
    }
}

TEST(Streams, FillIsFiniteSpreadAndNeverZero) {
    constexpr std::int64_t vectors = 3000;
    for (const kernels::Element element :
         {kernels::Element::f16, kernels::Element::bf16, kernels::Element::e4m3}) {
        Buffer to(vectors * 16);
        const dev::FillParams p{to.data(), vectors, static_cast<dev::FillKind>(element), 7};
        ASSERT_EQ(launch(2, dev::kStreamThreads, 0, [&] { dev::Fill::run(p); }).error, "");
        const auto count = static_cast<std::int64_t>(to.size()) / kernels::element_bytes(element);
        double sum = 0, squares = 0;
        for (std::int64_t i = 0; i < count; ++i) {
            const double value = kernels::stored_value(element, to.data(), i);
            ASSERT_TRUE(std::isfinite(value));
            sum += value;
            squares += value * value;
        }
        const auto n = static_cast<double>(count);
        EXPECT_NEAR(sum / n, 0, 0.05);
        // Uniform over +-sqrt(3) has variance 1. The e4m3 codes 0x20..0x3f are 4 octaves of 8 steps
        // from 2^-3: the mean square of 2^2e (1 + m/8)^2 is (1/64 + 1/16 + 1/4 + 1) / 4 * 2.2734.
        EXPECT_NEAR(squares / n, element == kernels::Element::e4m3 ? 0.7549 : 1.0, 0.05);
    }
}

dev::SelfTestIn in[32];
dev::SelfTestOut out[32];

std::string self_test() {
    dev::make_self_test(in);
    const dev::SelfTestParams p{in, out, 1};
    const auto result = launch(1, 32, dev::kSelfTestSharedBytes, [&] { dev::SelfTest::run(p); });
    return result.error.empty() ? dev::check_self_test(in, out, true) : result.error;
}

TEST(SelfTest, TheEmulatorPassesIt) {
    EXPECT_EQ(self_test(), "");
}

TEST(SelfTest, EveryWrapperThatLiesIsFound) {
    ASSERT_EQ(self_test(), "");
    // One bit of each result, as a wrong operand order would change it at least.
    const auto* const first = reinterpret_cast<const unsigned char*>(out);
    int found = 0;
    int fields = 0;
    for (std::size_t word = 0; word < offsetof(dev::SelfTestOut, pad); word += 4) {
        dev::SelfTestOut wrong[32];
        std::copy(std::begin(out), std::end(out), wrong);
        auto* const bytes = reinterpret_cast<unsigned char*>(&wrong[11]) + word;
        ASSERT_EQ(bytes[3], (first + 11 * sizeof(dev::SelfTestOut) + word)[3]);
        bytes[3] ^= 0x40u;
        ++fields;
        found += !dev::check_self_test(in, wrong, true).empty();
    }
    EXPECT_EQ(found, fields);
    EXPECT_GT(fields, 40);
}

}  // namespace
}  // namespace kvgauge::testing
