// SPDX-License-Identifier: MIT
// What a decode-attention kernel is asked to do: one new token for each of `batch` sequences, each
// attending to its own KV cache. Grouped-query attention with q_heads = group * kv_heads covers MHA
// (group 1) and MQA (kv_heads 1). Every backend takes this one description; pointers belong to the
// backend's memory. Strides are in elements, sizes in tokens, counts in bytes and FLOP.
#pragma once

#include <cstdint>
#include <string>

namespace kvgauge::kernels {

enum class Element : std::uint8_t { f16, bf16, e4m3 };

constexpr int element_bytes(Element element) {
    return element == Element::e4m3 ? 1 : 2;
}
const char* element_name(Element element);

// Queries and outputs are f16 beside an f16 or e4m3 cache and bf16 beside a bf16 cache.
constexpr bool queries_are_bf16(Element element) {
    return element == Element::bf16;
}

// Row of (block, token, head) starts at block * block + token * token + head * head. A block is a
// sequence when the cache is contiguous and a page when it is paged.
struct KvStrides {
    std::int64_t block = 0;
    std::int64_t token = 0;
    std::int64_t head = 0;
};

struct DecodeProblem {
    Element element = Element::f16;
    int batch = 1;
    int q_heads = 1;
    int kv_heads = 1;
    int head_dim = 128;    // 64, 80, 96, 128 or 256
    int max_length = 0;    // the longest of `lengths`
    float scale = 1.0f;    // of the scores, usually 1 / sqrt(head_dim)
    float k_scale = 1.0f;  // value = stored * scale, per tensor
    float v_scale = 1.0f;
    const void* q = nullptr;  // [batch][q_heads][head_dim]
    const void* k = nullptr;
    const void* v = nullptr;
    KvStrides strides;                         // of k and v alike
    const std::int32_t* lengths = nullptr;     // [batch]
    const std::int32_t* page_table = nullptr;  // [batch][table_stride]; null: contiguous
    int page_tokens = 0;                       // 16, 32, 64, 128 or 256
    int table_stride = 0;
    void* out = nullptr;  // [batch][q_heads][head_dim], written whole

    constexpr int group() const { return kv_heads > 0 ? q_heads / kv_heads : 0; }
    constexpr bool paged() const { return page_table != nullptr; }
};

// Strides of the three usual layouts of a cache.
KvStrides heads_first(const DecodeProblem& problem, std::int64_t tokens);   // [block][head][token]
KvStrides tokens_first(const DecodeProblem& problem, std::int64_t tokens);  // [block][token][head]

// Empty when every backend can run it, else a sentence that names the value and what is accepted.
std::string refusal(const DecodeProblem& problem);

// Traffic and work of one call over `tokens` cached tokens in all sequences together, each byte
// counted once. K and V: 2 * tokens * kv_heads * head_dim * bytes. Scores and weighted sum: 2 FLOP
// a multiply-add, 4 * tokens * q_heads * head_dim; softmax is not counted.
struct DecodeCost {
    std::uint64_t kv_bytes = 0;
    std::uint64_t query_bytes = 0;    // q read, out written
    std::uint64_t partial_bytes = 0;  // partial results written and read again; 0 with one split
    std::uint64_t table_bytes = 0;
    std::uint64_t flops = 0;
};
DecodeCost decode_cost(const DecodeProblem& problem, std::uint64_t tokens, int splits);

}  // namespace kvgauge::kernels
