// SPDX-License-Identifier: MIT
// Facts of real files as their start-up dumps print them (thread or repository beside each case);
// the expected bytes are the arithmetic written there, and match the cache lines of the same logs.
#include "import/gguf.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/kv_cache.h"
#include "model/weights.h"
#include "support/gguf_writer.h"

namespace kvgauge {
namespace {

using testing::GgufWriter;

constexpr KvTypes kF16{DType::fp16, DType::fp16, DType::fp32};

// A header with the keys of one architecture.
class File {
  public:
    explicit File(std::string arch) : arch_(std::move(arch)) {
        w_.text("general.architecture", arch_);
    }
    File& u(std::string_view key, std::uint32_t v) {
        w_.u32(arch_ + "." + std::string(key), v);
        return *this;
    }
    File& f(std::string_view key, float v) {
        w_.f32(arch_ + "." + std::string(key), v);
        return *this;
    }
    File& list(std::string_view key, const std::vector<std::uint32_t>& v) {
        w_.list(arch_ + "." + std::string(key), v);
        return *this;
    }
    File& bools(std::string_view key, const std::vector<bool>& v) {
        w_.bools(arch_ + "." + std::string(key), v);
        return *this;
    }
    // block_count, embedding_length, head_count, head_count_kv
    File& shape(std::uint32_t blocks, std::uint32_t hidden, std::uint32_t q, std::uint32_t kv) {
        return u("block_count", blocks)
            .u("embedding_length", hidden)
            .u("attention.head_count", q)
            .u("attention.head_count_kv", kv);
    }
    File& dims(std::uint32_t k, std::uint32_t v) {
        return u("attention.key_length", k).u("attention.value_length", v);
    }
    GgufWriter& raw() { return w_; }
    Import import() const { return import_gguf(w_.done(), "m.gguf"); }

  private:
    std::string arch_;
    GgufWriter w_;
};

std::string errors(const Import& i) {
    std::string all;
    for (const Issue& x : i.issues) {
        if (x.severity == Severity::error) all += x.text + "\n";
    }
    return all;
}

void expect_kv(const Import& i, double all, double full) {
    ASSERT_TRUE(i.model.has_value()) << errors(i);
    const KvSizes k = kv_sizes(*i.model, kF16, 4096, 0);
    EXPECT_EQ(k.bytes_per_token, all);
    EXPECT_EQ(k.bytes_per_token_full, full);
}

std::uint64_t state_f32(const Import& i) {
    if (!i.model) return 0;
    std::uint64_t n = 0;
    for (const LayerRun& r : i.model->layers) {
        n += (r.layer.state.ssm_elements + r.layer.state.conv_elements) * r.count * 4;
    }
    return n;
}

// Meta-Llama-3.1-8B-Instruct, ik_llama.cpp#562: 2 x 32 layers x 8 heads x 128 x 2 B.
TEST(Gguf, PlainDecoder) {
    expect_kv(File("llama").shape(32, 4096, 32, 8).u("rope.dimension_count", 128).import(), 131072,
              131072);
    // pythia-1.4b: head_count_kv is absent, every head has its own: 2 x 24 x 16 x 128 x 2 B.
    expect_kv(File("gptneox")
                  .u("block_count", 24)
                  .u("embedding_length", 2048)
                  .u("attention.head_count", 16)
                  .import(),
              196608, 196608);
    // GLM-Z1-32B: 61 layers, 2 KV heads of 128: 2 x 61 x 256 x 2 B.
    expect_kv(File("glm4").shape(61, 6144, 48, 2).dims(128, 128).import(), 62464, 62464);
}

// Cohere2 111B, ik_llama.cpp#633: 64 layers, 48 of them with a window of 4096.
// Gemma 3 27B, #539: 62 layers, 10 full. gpt-oss-20b, #822: 24 layers, 12 full. Gemma 2 2B: 13
// of 26.
TEST(Gguf, WindowsByTheFamilysPattern) {
    expect_kv(File("cohere2")
                  .shape(64, 12288, 96, 8)
                  .dims(128, 128)
                  .u("attention.sliding_window", 4096)
                  .import(),
              262144, 65536);
    expect_kv(File("gemma3")
                  .shape(62, 5376, 32, 16)
                  .dims(128, 128)
                  .u("attention.sliding_window", 1024)
                  .import(),
              507904, 81920);
    expect_kv(File("gpt-oss")
                  .shape(24, 2880, 64, 8)
                  .dims(64, 64)
                  .u("attention.sliding_window", 128)
                  .import(),
              49152, 24576);
    expect_kv(File("gemma2")
                  .shape(26, 2304, 8, 4)
                  .dims(256, 256)
                  .u("attention.sliding_window", 4096)
                  .import(),
              106496, 53248);
    // A pattern in the file rules: every second layer full.
    expect_kv(File("gemma3")
                  .shape(62, 5376, 32, 16)
                  .dims(128, 128)
                  .u("attention.sliding_window", 1024)
                  .u("attention.sliding_window_pattern", 2)
                  .import(),
              507904, 253952);
    // Phi-4-mini states 262144; llama.cpp has Phi's windows switched off (#13676).
    expect_kv(File("phi3").shape(32, 3072, 24, 8).u("attention.sliding_window", 262144).import(),
              131072, 131072);
    // Llama 4 Scout: chunks of 8192 on three of four layers.
    const Import llama4 = File("llama4").shape(48, 5120, 40, 8).dims(128, 128).import();
    expect_kv(llama4, 196608, 49152);
    EXPECT_EQ(llama4.model->layers[0].layer.attn.kind, AttnKind::chunked);
    EXPECT_EQ(llama4.model->layers[0].layer.attn.window, 8192u);
    // EXAONE 4.0: the 32B (64 layers) has windows, the 1.2B (30 layers) none.
    expect_kv(File("exaone4").shape(64, 5120, 40, 8).dims(128, 128).import(), 262144, 65536);
    expect_kv(File("exaone4").shape(30, 2048, 32, 8).dims(64, 64).import(), 61440, 61440);
}

// Gemma 4 26B-A4B, its print_info: head_count_kv 8 x5, 2; keys of 512 on full layers, 256 in
// windows.
TEST(Gguf, ListsByLayer) {
    std::vector<std::uint32_t> kv;
    std::vector<bool> slides;
    for (unsigned i = 0; i < 30; ++i) {
        kv.push_back(i % 6 == 5 ? 2 : 8);
        slides.push_back(i % 6 != 5);
    }
    const auto gemma4 = [&] {
        return File("gemma4")
            .u("block_count", 30)
            .u("embedding_length", 2816)
            .u("attention.head_count", 16)
            .dims(512, 512)
            .u("attention.key_length_swa", 256)
            .u("attention.value_length_swa", 256)
            .u("attention.sliding_window", 1024)
            .u("attention.shared_kv_layers", 0);
    };
    expect_kv(gemma4()
                  .list("attention.head_count_kv", kv)
                  .bools("attention.sliding_window_pattern", slides)
                  .import(),
              225280, 20480);
    const Import cut = gemma4().list("attention.head_count_kv", kv).import();
    EXPECT_FALSE(cut.model.has_value());
    EXPECT_NE(errors(cut).find("gemma4.attention.sliding_window_pattern is missing"),
              std::string::npos);
    kv.resize(12);
    const Import short_list = gemma4()
                                  .list("attention.head_count_kv", kv)
                                  .bools("attention.sliding_window_pattern", slides)
                                  .import();
    EXPECT_FALSE(short_list.model.has_value());
    EXPECT_NE(errors(short_list).find("head_count_kv lists 12"), std::string::npos);
    // Llama-3.3-Nemotron-Super style: layers without attention have 0.
    std::vector<std::uint32_t> nas(80, 8), q(80, 64), ff(80, 28672);
    for (unsigned i = 40; i < 71; ++i) nas[i] = q[i] = 0;
    expect_kv(File("deci")
                  .u("block_count", 80)
                  .u("embedding_length", 8192)
                  .dims(128, 128)
                  .list("attention.head_count", q)
                  .list("attention.head_count_kv", nas)
                  .list("feed_forward_length", ff)
                  .import(),
              49 * 4096, 49 * 4096);
    const Import none = File("deci")
                            .u("block_count", 80)
                            .u("embedding_length", 8192)
                            .u("attention.head_count", 64)
                            .import();
    EXPECT_NE(errors(none).find("deci.attention.head_count_kv is missing"), std::string::npos);
}

// Gemma 3n E4B: 35 layers, the last 15 read earlier caches; shared_kv_layers is an f32 in its
// files. 20 layers own a cache, every fifth of them keeps every token: 4 full of 2 x 256 x 2 x 2 B.
TEST(Gguf, SharedCaches) {
    const Import i = File("gemma3n")
                         .shape(35, 2048, 8, 2)
                         .dims(256, 256)
                         .u("attention.sliding_window", 512)
                         .f("attention.shared_kv_layers", 15.0f)
                         .import();
    expect_kv(i, 20 * 2048, 4 * 2048);
    expect_kv(File("gemma3n")
                  .shape(35, 2048, 8, 2)
                  .dims(256, 256)
                  .u("attention.sliding_window", 512)
                  .import(),
              20 * 2048, 4 * 2048);
}

// DeepSeek-R1, ik_llama.cpp#235 and #645: 61 x (512 + 64) x 2 B, in files with and without MLA
// keys.
TEST(Gguf, LatentAttention) {
    const Import old = File("deepseek2")
                           .shape(61, 7168, 128, 128)
                           .dims(192, 128)
                           .u("attention.kv_lora_rank", 512)
                           .u("attention.q_lora_rank", 1536)
                           .u("rope.dimension_count", 64)
                           .import();
    expect_kv(old, 70272, 70272);
    EXPECT_TRUE(old.model->gguf.latent_expanded);
    const Import mla = File("deepseek2")
                           .shape(61, 7168, 128, 1)
                           .dims(576, 512)
                           .u("attention.kv_lora_rank", 512)
                           .u("attention.key_length_mla", 192)
                           .u("attention.value_length_mla", 128)
                           .u("rope.dimension_count", 64)
                           .import();
    expect_kv(mla, 70272, 70272);
    EXPECT_FALSE(mla.model->gguf.latent_expanded);
    EXPECT_EQ(mla.model->layers[0].layer.attn.k_dim, 192u);
    EXPECT_EQ(mla.model->layers[0].layer.attn.v_dim, 128u);
}

// DeepSeek-V3.2: an index of 128 fp8 and a scale on all 61 layers. GLM-5.2 (78 + 1 layers, 1M
// tokens): 21 layers own one; the MTP block has the latent alone.
TEST(Gguf, SparseIndex) {
    const Import v32 = File("deepseek32")
                           .shape(61, 7168, 128, 1)
                           .dims(576, 512)
                           .u("attention.kv_lora_rank", 512)
                           .u("attention.key_length_mla", 192)
                           .u("attention.value_length_mla", 128)
                           .u("attention.indexer.head_count", 64)
                           .u("attention.indexer.key_length", 128)
                           .import();
    expect_kv(v32, 70272 + 61 * 132, 70272 + 61 * 132);
    const Import glm = File("glm-dsa")
                           .shape(79, 6144, 64, 1)
                           .dims(576, 512)
                           .u("context_length", 1048576)
                           .u("nextn_predict_layers", 1)
                           .u("attention.kv_lora_rank", 512)
                           .u("attention.key_length_mla", 256)
                           .u("attention.value_length_mla", 256)
                           .u("attention.indexer.head_count", 32)
                           .u("attention.indexer.key_length", 128)
                           .import();
    expect_kv(glm, 79 * 1152 + 21 * 132, 79 * 1152 + 21 * 132);
}

// GLM-4.5-Air, ik_llama.cpp#749: 47 blocks, one of them for multi-token prediction: 192,512 B in
// the file, 188,416 B without it.
TEST(Gguf, PredictionBlocks) {
    const Import i = File("glm4moe")
                         .shape(47, 4096, 96, 8)
                         .dims(128, 128)
                         .u("nextn_predict_layers", 1)
                         .u("expert_count", 128)
                         .u("expert_used_count", 8)
                         .u("expert_shared_count", 1)
                         .u("expert_feed_forward_length", 1408)
                         .u("feed_forward_length", 10944)
                         .u("leading_dense_block_count", 1)
                         .import();
    expect_kv(i, 192512, 192512);
    EXPECT_EQ(layer_count(*i.model), 46u);
    ASSERT_EQ(i.model->mtp.size(), 1u);
    EXPECT_TRUE(i.model->gguf.counts_mtp);
    EXPECT_EQ(i.model->layers[0].layer.ffn.inter, 10944u);
    EXPECT_EQ(i.model->layers[1].layer.ffn.experts, 128u);
    EXPECT_EQ(i.model->layers[1].layer.ffn.shared_inter, 1408u);
    const Import draft = File("qwen3moe").shape(1, 64, 2, 1).u("nextn_predict_layers", 1).import();
    EXPECT_NE(errors(draft).find("draft"), std::string::npos);
}

// State bytes are those of llama.cpp's recurrent cache (f32), per sequence.
TEST(Gguf, RecurrentStates) {
    // Qwen3-Coder-Next: 12 of 48 layers attend, 36 x (24,576 + 524,288) x 4 B.
    const Import next = File("qwen3next")
                            .shape(48, 2048, 16, 2)
                            .dims(256, 256)
                            .u("ssm.conv_kernel", 4)
                            .u("ssm.state_size", 128)
                            .u("ssm.group_count", 16)
                            .u("ssm.time_step_rank", 32)
                            .u("ssm.inner_size", 4096)
                            .u("full_attention_interval", 4)
                            .import();
    expect_kv(next, 24576, 24576);
    EXPECT_EQ(state_f32(next), 79036416u);
    EXPECT_EQ(next.model->layers[0].layer.state.k_heads, 16u);
    EXPECT_EQ(next.model->layers[0].layer.state.v_heads, 32u);
    EXPECT_EQ(next.model->layers[0].layer.state.v_dim, 128u);
    // Falcon-H1 1.5B, genie-claw#410: both in each of 24 layers; no head count in the quoted lines.
    const Import h1 = File("falcon-h1")
                          .u("block_count", 24)
                          .u("attention.head_count_kv", 2)
                          .dims(128, 128)
                          .u("ssm.conv_kernel", 4)
                          .u("ssm.state_size", 256)
                          .u("ssm.group_count", 1)
                          .u("ssm.inner_size", 3072)
                          .import();
    expect_kv(h1, 24576, 24576);
    EXPECT_EQ(state_f32(h1), 76529664u);
    // Nemotron-3 Nano 4B: 4 attention, 21 Mamba-2 and 17 feed-forward layers of 42.
    std::vector<std::uint32_t> kv(42, 0), ff(42, 0);
    for (const unsigned i : {12u, 17u, 24u, 32u}) kv[i] = 8;
    for (const unsigned i :
         {1u, 3u, 5u, 8u, 10u, 13u, 15u, 18u, 20u, 22u, 25u, 27u, 29u, 33u, 37u, 39u, 41u}) {
        ff[i] = 12544;
    }
    const Import nemotron = File("nemotron_h")
                                .u("block_count", 42)
                                .u("embedding_length", 3136)
                                .u("attention.head_count", 40)
                                .list("attention.head_count_kv", kv)
                                .list("feed_forward_length", ff)
                                .dims(128, 128)
                                .u("ssm.conv_kernel", 4)
                                .u("ssm.inner_size", 7680)
                                .u("ssm.state_size", 128)
                                .u("ssm.group_count", 8)
                                .u("ssm.time_step_rank", 96)
                                .import();
    expect_kv(nemotron, 16384, 16384);
    EXPECT_EQ(state_f32(nemotron), 85026816u);
    // LFM2.5 Audio 1.5B: 6 of 16 layers attend, 10 keep 2 rows of the hidden size.
    const Import lfm =
        File("lfm2")
            .u("block_count", 16)
            .u("embedding_length", 2048)
            .u("attention.head_count", 32)
            .u("shortconv.l_cache", 3)
            .list("attention.head_count_kv", {0, 0, 8, 0, 0, 8, 0, 0, 8, 0, 8, 0, 8, 0, 8, 0})
            .import();
    expect_kv(lfm, 12288, 12288);
    EXPECT_EQ(state_f32(lfm), 163840u);
    // mamba-130m: 24 layers, inner 1536, state 16, convolution 4; no cache.
    const Import mamba = File("mamba")
                             .u("block_count", 24)
                             .u("embedding_length", 768)
                             .u("ssm.conv_kernel", 4)
                             .u("ssm.inner_size", 1536)
                             .u("ssm.state_size", 16)
                             .u("ssm.time_step_rank", 48)
                             .import();
    expect_kv(mamba, 0, 0);
    EXPECT_EQ(state_f32(mamba), 24u * (3 * 1536 + 16 * 1536) * 4);
    // Kimi-Linear 48B: 7 latent layers of 27, 20 KDA layers of 32 heads x 128 x 128 and 3 x 3 x
    // 4096.
    std::vector<std::uint32_t> latent(27, 0);
    for (unsigned i = 3; i < 27; i += 4) latent[i] = 1;
    latent[26] = 1;
    const Import kimi = File("kimi-linear")
                            .u("block_count", 27)
                            .u("embedding_length", 2304)
                            .u("attention.head_count", 32)
                            .list("attention.head_count_kv", latent)
                            .dims(576, 512)
                            .u("attention.kv_lora_rank", 512)
                            .u("attention.key_length_mla", 192)
                            .u("attention.value_length_mla", 128)
                            .u("ssm.conv_kernel", 4)
                            .u("kda.head_dim", 128)
                            .import();
    expect_kv(kimi, 7 * 1152, 7 * 1152);
    EXPECT_EQ(state_f32(kimi), 20u * (32 * 128 * 128 + 3 * 3 * 4096) * 4);
    // A hybrid whose lists were left out cannot be sized.
    const Import cut = File("granitehybrid")
                           .u("block_count", 40)
                           .u("embedding_length", 4096)
                           .u("attention.head_count", 32)
                           .import();
    EXPECT_FALSE(cut.model.has_value());
    EXPECT_NE(errors(cut).find("granitehybrid.attention.head_count_kv is missing"),
              std::string::npos);
}

// Compressed caches of DeepSeek-V4: 512 elements an entry; one more per `ratio` tokens.
TEST(Gguf, CompressedCaches) {
    const Import i = File("deepseek4")
                         .shape(4, 4096, 64, 1)
                         .dims(512, 512)
                         .u("attention.sliding_window", 128)
                         .u("attention.q_lora_rank", 1024)
                         .u("attention.indexer.head_count", 64)
                         .u("attention.indexer.key_length", 128)
                         .list("attention.compress_ratios", {0, 4, 128, 4, 0})
                         .import();
    ASSERT_TRUE(i.model.has_value()) << errors(i);
    // 8,192 tokens: 4 windows of 128, 2 x 2048 and 64 entries of 1,024 B, 2 x 2048 index rows of 68
    // B.
    const KvSizes k = kv_sizes(*i.model, kF16, 8192, 0);
    EXPECT_EQ(k.bytes_per_request.value(), (4 * 128 + 2 * 2048 + 64) * 1024u + 2 * 2048 * 68u);
    EXPECT_EQ(k.state_bytes_per_request.value(), 2u * 40960 + 524288);
}

// bge-small, T5-XXL's encoder: no cache. flan-t5-small: 8 decoder layers of 6 x 64, and as much
// again for each encoder token.
TEST(Gguf, EncodersAndCrossAttention) {
    expect_kv(File("bert")
                  .u("block_count", 12)
                  .u("embedding_length", 384)
                  .u("attention.head_count", 12)
                  .import(),
              0, 0);
    const Import t5 = File("t5")
                          .u("block_count", 8)
                          .u("embedding_length", 512)
                          .u("attention.head_count", 6)
                          .dims(64, 64)
                          .import();
    expect_kv(t5, 12288, 12288);
    EXPECT_EQ(kv_sizes(*t5.model, kF16, 10, 100).bytes_per_request.value(), 110u * 12288);
}

TEST(Gguf, RefusesWhatItDoesNotKnow) {
    const auto refused = [](const Import& i, const char* text) {
        EXPECT_FALSE(i.model.has_value());
        EXPECT_NE(errors(i).find(text), std::string::npos) << errors(i);
    };
    refused(import_gguf(GgufWriter().done(), "m.gguf"), "general.architecture is missing");
    refused(import_gguf(GgufWriter().u32("split.no", 3).done(), "m.gguf"),
            "part 4 of a split file");
    refused(File("clip").import(), "mmproj");
    refused(File("llama").import(), "llama.block_count is missing");
    refused(File("llama").u("block_count", 32).import(), "llama.attention.head_count is missing");
    refused(File("llama").shape(0, 4096, 32, 8).import(), "block_count is 0");
    refused(File("llama").shape(4000000, 4096, 32, 8).import(), "block_count is 4000000");
    refused(File("llama").shape(2, 4096, 32, 0xffffffff).import(), "head_count_kv is 4294967295");
    refused(File("llama").shape(2, 4096, 32, 8).f("attention.key_length", 0.5f).import(),
            "key_length is 0.5");
    refused(File("new-arch").shape(2, 4096, 32, 8).u("attention.sliding_window", 512).import(),
            "new-arch.attention.sliding_window");
    refused(File("new-arch")
                .u("block_count", 2)
                .u("embedding_length", 64)
                .u("attention.head_count", 4)
                .list("attention.head_count_kv", {4, 0})
                .import(),
            "new-arch.attention.head_count_kv");
}

// An architecture nobody told us of, whose keys leave only a plain decoder: taken, and marked.
TEST(Gguf, TakesAnUnknownPlainDecoderAsAssumed) {
    const Import i =
        File("new-arch").shape(30, 2560, 20, 5).u("feed_forward_length", 6912).import();
    expect_kv(i, 76800, 76800);
    EXPECT_FALSE(i.model->assumed.empty());
}

// Llama 3 8B as Q8_0 with f32 norms: 8,030,261,248 parameters in 8,532,934,656 B.
GgufWriter llama3_8b(bool tied = false) {
    GgufWriter w = File("llama")
                       .shape(32, 4096, 32, 8)
                       .u("feed_forward_length", 14336)
                       .u("context_length", 8192)
                       .u("vocab_size", 128256)
                       .raw();
    w.text("general.name", "Meta Llama 3 8B").u32("general.file_type", 7);
    w.tensor("token_embd.weight", {4096, 128256}, 8).tensor("output_norm.weight", {4096}, 0);
    if (!tied) w.tensor("output.weight", {4096, 128256}, 8);
    w.tensor("rope_freqs.weight", {64}, 0);
    for (unsigned i = 0; i < 32; ++i) {
        const std::string b = "blk." + std::to_string(i) + ".";
        w.tensor(b + "attn_norm.weight", {4096}, 0).tensor(b + "ffn_norm.weight", {4096}, 0);
        w.tensor(b + "attn_q.weight", {4096, 4096}, 8)
            .tensor(b + "attn_output.weight", {4096, 4096}, 8);
        w.tensor(b + "attn_k.weight", {4096, 1024}, 8).tensor(b + "attn_v.weight", {4096, 1024}, 8);
        w.tensor(b + "ffn_gate.weight", {4096, 14336}, 8)
            .tensor(b + "ffn_up.weight", {4096, 14336}, 8);
        w.tensor(b + "ffn_down.weight", {14336, 4096}, 8);
    }
    return w;
}

TEST(Gguf, TensorTableGivesExactWeights) {
    const Import i = import_gguf(llama3_8b().done(), "m.gguf");
    ASSERT_TRUE(i.model.has_value()) << errors(i);
    const ModelSpec& m = *i.model;
    EXPECT_EQ(params(m).total.value(), 8030261248u);
    EXPECT_EQ(m.weight_bytes, 8532934656u + 64 * 4);  // rope_freqs are bytes, not parameters
    EXPECT_EQ(m.weights.kind, WeightKind::q8_0);
    EXPECT_EQ(m.name, "Meta Llama 3 8B");
    EXPECT_EQ(m.id, "meta-llama-3-8b");
    EXPECT_EQ(m.max_ctx, 8192u);
    EXPECT_FALSE(m.tied_embeddings);
    EXPECT_EQ(m.gguf.embedding_bytes, 525336576u / 32 * 34);
    EXPECT_EQ(m.gguf.head_bytes, 525336576u / 32 * 34);
    ASSERT_EQ(m.layers.size(), 1u);
    EXPECT_EQ(m.layers[0].count, 32u);
    EXPECT_EQ(m.layers[0].layer.other_params, 8192u);  // the two norms
    EXPECT_TRUE(i.issues.empty());
    const Import tied = import_gguf(llama3_8b(true).done(), "m.gguf");
    EXPECT_TRUE(tied.model->tied_embeddings);
    EXPECT_EQ(params(*tied.model).total.value(), 8030261248u - 525336576u);
}

// One block of Qwen3-30B-A3B: 128 experts of 768, 8 active, router 128 x 2048, q and k norms of
// 128.
TEST(Gguf, ExpertShapesComeFromTheTensors) {
    GgufWriter w = File("qwen3moe")
                       .shape(1, 2048, 32, 4)
                       .dims(128, 128)
                       .u("feed_forward_length", 6144)
                       .u("expert_count", 128)
                       .u("expert_used_count", 8)
                       .raw();
    w.tensor("token_embd.weight", {2048, 100}, 1);
    w.tensor("blk.0.attn_q.weight", {2048, 4096}, 12)
        .tensor("blk.0.attn_k.weight", {2048, 512}, 12);
    w.tensor("blk.0.attn_v.weight", {2048, 512}, 14)
        .tensor("blk.0.attn_output.weight", {4096, 2048}, 12);
    w.tensor("blk.0.attn_q_norm.weight", {128}, 0).tensor("blk.0.attn_k_norm.weight", {128}, 0);
    w.tensor("blk.0.ffn_gate_inp.weight", {2048, 128}, 0);
    for (const char* t : {"ffn_gate_exps", "ffn_up_exps"}) {
        w.tensor(std::string("blk.0.") + t + ".weight", {2048, 768, 128}, 12);
    }
    w.tensor("blk.0.ffn_down_exps.weight", {768, 2048, 128}, 14);
    const Import i = import_gguf(w.done(), "m.gguf");
    ASSERT_TRUE(i.model.has_value()) << errors(i);
    const FfnSpec& f = i.model->layers[0].layer.ffn;
    EXPECT_EQ(f.experts, 128u);
    EXPECT_EQ(f.experts_active, 8u);
    EXPECT_EQ(f.expert_inter, 768u);
    EXPECT_EQ(f.inter, 0u);
    EXPECT_TRUE(f.gated);
    EXPECT_EQ(params(*i.model).total.value(),
              2048u * 100 + 2048 * (4096 * 2 + 512 * 2) + 256 + 2048 * 128 + 3u * 128 * 768 * 2048);
    EXPECT_EQ(i.model->weights.kind, WeightKind::q4_k_m);  // most elements are q4_K; no file_type
}

TEST(Gguf, SplitFilesAreWholeOnlyTogether) {
    EXPECT_EQ(gguf_part_names("dir/m-00002-of-00003.gguf"),
              (std::vector<std::string>{"dir/m-00001-of-00003.gguf", "dir/m-00002-of-00003.gguf",
                                        "dir/m-00003-of-00003.gguf"}));
    EXPECT_EQ(gguf_part_names("m.gguf"), std::vector<std::string>{"m.gguf"});
    EXPECT_EQ(gguf_part_names("-of-00003.gguf"), std::vector<std::string>{"-of-00003.gguf"});
    const auto part = [](std::uint32_t n) {
        GgufWriter w =
            n == 0 ? File("llama").shape(2, 64, 2, 2).u("vocab_size", 10).raw() : GgufWriter();
        w.u32("split.no", n).u32("split.count", 2).i32("split.tensors.count", 2);
        w.tensor(n == 0 ? "token_embd.weight" : "output.weight", {64, 10}, 0);
        const std::string bytes = w.done();
        TextSource from(bytes);
        return read_gguf_header(from, "m");
    };
    const GgufHeader both[] = {part(0), part(1)};
    const Import one = import_gguf(std::span(both, 1), "m-00001-of-00002.gguf");
    ASSERT_TRUE(one.model.has_value());
    EXPECT_EQ(one.model->weight_bytes, 0u);
    ASSERT_FALSE(one.issues.empty());
    EXPECT_NE(one.issues[0].text.find("1 of 2 parts"), std::string::npos) << one.issues[0].text;
    const Import whole = import_gguf(both, "m-00001-of-00002.gguf");
    ASSERT_TRUE(whole.model.has_value());
    EXPECT_EQ(whole.model->weight_bytes, 2u * 640 * 4);
}

}  // namespace
}  // namespace kvgauge
