// SPDX-License-Identifier: MIT
// A cache of 2^20 tokens whose offsets pass 2^31 elements and 2^33 bytes. The memory is reserved,
// not backed: only the rows of the blocks that run are ever touched.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cmath>
#include <cstring>

#include "attention.h"
#include "emulated_decode_impl.h"
#include "kernels/cpu/decoder.h"

namespace kvgauge::testing {
namespace {

using kernels::Element;

struct Reserved {
    explicit Reserved(std::size_t bytes)
        : size(bytes),
          data(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
    ~Reserved() {
        if (data != MAP_FAILED) munmap(data, size);
    }
    unsigned char* bytes() const { return static_cast<unsigned char*>(data); }
    std::size_t size;
    void* data;
};

TEST(LongSequence, SplitsBeyondTwoToThe31AddressTheirOwnKeys) {
    namespace dev = kernels::dev;
    constexpr int tokens = 1 << 20;
    constexpr int kv_heads = 32;
    constexpr int dim = 128;
    constexpr int splits = 256;
    constexpr int keys = tokens / splits;
    kernels::DecodeProblem p;
    p.kv_heads = kv_heads;
    p.q_heads = kv_heads;
    p.head_dim = dim;
    p.max_length = tokens;
    p.scale = 1.0f / std::sqrt(128.0f);
    p.strides = kernels::tokens_first(p, tokens);
    const std::size_t bytes = static_cast<std::size_t>(p.strides.block) * 2;
    ASSERT_GE(bytes, std::size_t{1} << 33) << "the point of this test";
    Reserved k(bytes), v(bytes);
    if (k.data == MAP_FAILED || v.data == MAP_FAILED) GTEST_SKIP() << "no address space for it";
    Buffer q(kv_heads * dim * 2), out(kv_heads * dim * 2);
    kernels::fill_random(q.data(), Element::f16, kv_heads * dim, 1.5f, 1);
    const std::int32_t length = tokens;
    p.q = q.data();
    p.k = k.bytes();
    p.v = v.bytes();
    p.out = out.data();
    p.lengths = &length;
    kernels::Split split;
    split.splits = splits;
    split.keys_per_split = keys;
    const kernels::DecodePlan plan = kernels::plan_decode(p, split);

    std::vector<float> workspace(plan.workspace_bytes / 4);
    const dev::DecodeParams params = kernels::decode_params(p, plan, workspace.data());
    for (const int s : {0, 127, 128, splits - 1}) {
        const int head = s == 127 ? 5 : kv_heads - 1;
        // One key in eight of this split holds data; zero rows are keys too, with a score of 0.
        for (int i = 0; i < keys; i += 8) {
            const std::int64_t at = (std::int64_t{s} * keys + i) * p.strides.token + head * dim;
            kernels::fill_random(k.bytes() + 2 * at, Element::f16, dim, 1.0f,
                                 static_cast<std::uint64_t>(2 * (s * keys + i)));
            kernels::fill_random(v.bytes() + 2 * at, Element::f16, dim, 1.0f,
                                 static_cast<std::uint64_t>(2 * (s * keys + i) + 1));
        }
        emulator::Options options;
        options.only = {{static_cast<unsigned>(head), static_cast<unsigned>(s), 0}};
        const auto result = emulator::run(
            {kv_heads, splits, 1}, {32 * dev::kDecodeWarps, 1, 1},
            static_cast<std::size_t>(dev::decode_shared_bytes(dim, 1)),
            [&] { dev::Decode<dev::F16, dim, 1, false>::run(params); }, options);
        ASSERT_EQ(result.error, "");

        // The same keys as a problem of their own.
        kernels::DecodeProblem part = p;
        const std::int32_t part_length = keys;
        part.q_heads = part.kv_heads = 1;
        part.lengths = &part_length;
        part.q = q.data() + 2 * head * dim;
        const std::int64_t first = std::int64_t{s} * keys * p.strides.token + head * dim;
        part.k = k.bytes() + 2 * first;
        part.v = v.bytes() + 2 * first;
        const std::vector<double> exact = exact_attention(part);
        const std::size_t row =
            static_cast<std::size_t>(head) * splits + static_cast<std::size_t>(s);
        const float sum = params.partial_ml[2 * row + 1];
        double error = 0, norm = 0;
        for (std::size_t d = 0; d < dim; ++d) {
            const double got = params.partial[row * dim + d] / sum;
            error += (got - exact[d]) * (got - exact[d]);
            norm += exact[d] * exact[d];
        }
        EXPECT_LT(std::sqrt(error / norm), tolerance(Element::f16)) << "split " << s;
    }
}

TEST(LongSequence, TheCpuTakesAMillionTokensWhole) {
    constexpr int tokens = 1 << 20;
    constexpr int dim = 64;
    Shape shape;
    shape.head_dim = dim;
    shape.lengths = {tokens};
    Workload work = make_workload(shape);
    kernels::cpu::Decoder decoder(kernels::cpu::best_isa(), 2);
    ASSERT_TRUE(decoder.decode(work.problem));
    EXPECT_LT(worst_error(work.problem, exact_attention(work.problem)), tolerance(Element::f16));
}

}  // namespace
}  // namespace kvgauge::testing
