// SPDX-License-Identifier: MIT
// Catalog rows against figures published elsewhere: threads and logs named beside each, or the
// arithmetic written out.
#include <gtest/gtest.h>

#include "data/catalog.h"
#include "model/kv_cache.h"

namespace kvgauge {
namespace {

struct Case {
    const char* model;
    std::uint64_t ctx, steady, all_full;
    const char* source;
};

constexpr KvTypes kBf16{DType::bf16, DType::bf16, DType::automatic};

TEST(Golden, KvBytesOfOneSequence) {
    const Case cases[] = {
        {"llama-3-8b", 8192, 1073741824, 1073741824, "2 x 32 x 8 x 128 x 2 B x 8192"},
        {"llama-3-70b", 8192, 2684354560, 2684354560, "2 x 80 x 8 x 128 x 2 B x 8192"},
        {"qwen3-32b", 32768, 8589934592, 8589934592, "2 x 64 x 8 x 128 x 2 B x 32768"},
        {"gemma-3-27b", 131072, 11173625856, 66571993088, "unslothai/unsloth#4757: 10.41 GiB"},
        {"gpt-oss-120b", 131072, 4836556800, 9663676416,
         "18 layers of 131,072 and 18 of 128 tokens"},
        // 32 sequences: 6.09 GiB steady, 12.00 GiB reserved.
        {"gpt-oss-20b", 8192, 6543114240 / 32, 12884901888 / 32, "alvarobartt/hf-mem#70"},
        {"qwen3-next-80b-a3b", 131072, 3221225472, 3221225472,
         "12 of 48 layers, 2 x 2 x 256 x 2 B"},
    };
    for (const Case& c : cases) {
        const ModelEntry* e = builtin_catalog().model(c.model);
        ASSERT_NE(e, nullptr) << c.model;
        const KvSizes k = kv_sizes(*e->spec, kBf16, c.ctx, 0);
        EXPECT_EQ(k.bytes_per_request, Bytes(c.steady)) << c.model << ": " << c.source;
        EXPECT_EQ(k.bytes_per_request_all_full, Bytes(c.all_full)) << c.model << ": " << c.source;
    }
}

// alvarobartt/hf-mem#60, its log: 78,384 tokens of gpt-oss-120b in 5.38 GiB, all 36 layers full.
TEST(Golden, GptOssPool) {
    const KvSizes k = kv_sizes(*builtin_catalog().model("gpt-oss-120b")->spec, kBf16, 78384, 0);
    EXPECT_EQ(k.bytes_per_request_all_full, Bytes(5779095552));
}

// 48 gated delta-net layers: 48 value and 16 key heads of 128, convolution 4. llama.cpp keeps all
// in f32 (lmstudio-bug-tracker#1862: 598.50 MiB for 4 sequences); vLLM the convolution in 16 bit.
TEST(Golden, QwenState) {
    const ModelSpec& m = *builtin_catalog().model("qwen3.6-27b")->spec;
    std::uint64_t ssm = 0, conv = 0;
    for (const LayerRun& r : m.layers) {
        ssm += r.layer.state.ssm_elements * r.count;
        conv += r.layer.state.conv_elements * r.count;
    }
    EXPECT_EQ((ssm + conv) * 4 * 4, 627572736u);
    EXPECT_EQ(ssm * 4 + conv * 2, 153944064u);
    const KvSizes k = kv_sizes(m, {DType::bf16, DType::bf16, DType::fp32}, 1, 0);
    EXPECT_EQ(k.state_bytes_per_request, Bytes(153944064));
}

}  // namespace
}  // namespace kvgauge
