// SPDX-License-Identifier: MIT
#include "kernels/problem.h"

namespace kvgauge::kernels {

const char* element_name(Element element) {
    switch (element) {
        case Element::f16:
            return "fp16";
        case Element::bf16:
            return "bf16";
        case Element::e4m3:
            return "fp8";
    }
    return "?";
}

KvStrides heads_first(const DecodeProblem& problem, std::int64_t tokens) {
    const std::int64_t head = tokens * problem.head_dim;
    return {head * problem.kv_heads, problem.head_dim, head};
}

KvStrides tokens_first(const DecodeProblem& problem, std::int64_t tokens) {
    const std::int64_t token = static_cast<std::int64_t>(problem.kv_heads) * problem.head_dim;
    return {token * tokens, token, problem.head_dim};
}

namespace {

std::string number(std::int64_t value) {
    return std::to_string(value);
}

bool whole_vectors(std::int64_t elements, Element element) {
    return elements >= 0 && elements * element_bytes(element) % 16 == 0;
}

bool aligned(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
}

}  // namespace

std::string refusal(const DecodeProblem& p) {
    switch (p.head_dim) {
        case 64:
        case 80:
        case 96:
        case 128:
        case 256:
            break;
        default:
            return "head_dim " + number(p.head_dim) + ": the kernels take 64, 80, 96, 128 and 256";
    }
    if (p.batch < 1 || p.batch > 65535)
        return "batch " + number(p.batch) + ": the kernels take 1 to 65535";
    if (p.kv_heads < 1 || p.q_heads < 1 || p.q_heads % p.kv_heads != 0)
        return "q_heads " + number(p.q_heads) + " and kv_heads " + number(p.kv_heads) +
               ": both at least 1, the first a multiple of the second";
    if (p.max_length < 0) return "max_length " + number(p.max_length) + ": must not be negative";
    if (!(p.scale > 0.0f)) return "scale: must be above 0";
    if (!whole_vectors(p.strides.block, p.element) || !whole_vectors(p.strides.token, p.element) ||
        !whole_vectors(p.strides.head, p.element))
        return "strides: every row of K and V must start on a multiple of 16 bytes";
    if (!aligned(p.q) || !aligned(p.k) || !aligned(p.v) || !aligned(p.out))
        return "pointers: q, k, v and out must be 16-byte aligned";
    if (p.paged()) {
        switch (p.page_tokens) {
            case 16:
            case 32:
            case 64:
            case 128:
            case 256:
                break;
            default:
                return "page of " + number(p.page_tokens) +
                       " tokens: the kernels take 16, 32, 64, 128 and 256";
        }
        if (static_cast<std::int64_t>(p.table_stride) * p.page_tokens < p.max_length)
            return "page table rows of " + number(p.table_stride) +
                   " pages: too short for max_length " + number(p.max_length);
    }
    return {};
}

DecodeCost decode_cost(const DecodeProblem& p, std::uint64_t tokens, int splits) {
    const auto batch = static_cast<std::uint64_t>(p.batch);
    const auto q_heads = static_cast<std::uint64_t>(p.q_heads);
    const auto kv_heads = static_cast<std::uint64_t>(p.kv_heads);
    const auto dim = static_cast<std::uint64_t>(p.head_dim);
    const auto bytes = static_cast<std::uint64_t>(element_bytes(p.element));
    DecodeCost cost;
    cost.kv_bytes = 2 * tokens * kv_heads * dim * bytes;
    cost.query_bytes = 2 * batch * q_heads * dim * 2;
    if (splits > 1)
        cost.partial_bytes =
            2 * batch * q_heads * static_cast<std::uint64_t>(splits) * (dim + 2) * 4;
    if (p.paged()) {
        const auto page = static_cast<std::uint64_t>(p.page_tokens);
        cost.table_bytes = (tokens + page - 1) / page * 4;
    }
    cost.flops = 4 * tokens * q_heads * dim;
    return cost;
}

}  // namespace kvgauge::kernels
