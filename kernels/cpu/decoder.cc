// SPDX-License-Identifier: MIT
#include "kernels/cpu/decoder.h"

#include <algorithm>
#include <cmath>

#include "kernels/half.h"

namespace kvgauge::kernels::cpu {
namespace {

constexpr float log2_e = 1.4426950408889634f;
constexpr int cut_keys = 64;          // pieces start on a multiple of this, and so on a page
constexpr std::uint64_t block = 256;  // bytes the streams work in

std::size_t size(std::int64_t a, std::int64_t b = 1, std::int64_t c = 1) {
    return static_cast<std::size_t>(a * b * c);
}

// Of `total` things for `threads` takers, the first that taker `index` gets.
std::int64_t share(std::int64_t total, int index, int threads) {
    return total * index / threads;
}

// Merges `parts` results of one unit row and writes it: o and ml of part p lie p * stride rows on.
void write_row(const DecodeProblem& p, std::int64_t row, const float* o, const float* ml, int parts,
               std::int64_t stride) {
    const bool bf16 = queries_are_bf16(p.element);
    const float gain = p.v_scale * (p.element == Element::e4m3 ? e4m3_gain : 1.0f);
    float top = ml[0];
    for (int i = 1; i < parts; ++i) top = std::max(top, ml[2 * i * stride]);
    float sum = 0.0f;
    for (int i = 0; i < parts; ++i)
        sum += std::exp2(ml[2 * i * stride] - top) * ml[2 * i * stride + 1];
    const float norm = sum > 0.0f ? gain / sum : 0.0f;
    auto* const out = static_cast<std::uint16_t*>(p.out) + row * p.head_dim;
    for (int d = 0; d < p.head_dim; ++d) {
        float value = 0.0f;
        for (int i = 0; i < parts; ++i)
            value += std::exp2(ml[2 * i * stride] - top) * o[i * stride * p.head_dim + d];
        out[d] = bf16 ? f32_to_bf16(value * norm) : f32_to_f16(value * norm);
    }
}

}  // namespace

Decoder::Decoder(Isa isa, int threads)
    : isa_(isa), functions_(isa_functions(isa)), workers_(threads) {}

void Decoder::cut(const DecodeProblem& p) {
    const int items = p.batch * p.kv_heads;
    // Whole sequences when they divide evenly among the threads, else every one in pieces.
    parts_ = items % threads() == 0 ? 1 : threads();
    units_.clear();
    for (int b = 0; b < p.batch; ++b) {
        const std::int64_t blocks = (std::int64_t{p.lengths[b]} + cut_keys - 1) / cut_keys;
        for (int h = 0; h < p.kv_heads; ++h) {
            for (int i = 0; i < parts_; ++i) {
                const std::int64_t first = share(blocks, i, parts_) * cut_keys;
                const std::int64_t end =
                    std::min<std::int64_t>(share(blocks, i + 1, parts_) * cut_keys, p.lengths[b]);
                units_.push_back({b, h, static_cast<int>(first),
                                  static_cast<int>(std::max<std::int64_t>(end - first, 0))});
            }
        }
    }
    queries_.resize(size(threads(), p.group(), p.head_dim));
    o_.resize(size(static_cast<std::int64_t>(units_.size()), p.group(), p.head_dim));
    ml_.resize(size(static_cast<std::int64_t>(units_.size()), p.group(), 2));
}

void Decoder::run_unit(const DecodeProblem& p, const Unit& unit, float* query, float* o,
                       float* ml) {
    const std::int64_t bytes = element_bytes(p.element);
    const std::int64_t row = std::int64_t{unit.sequence} * p.q_heads + unit.kv_head * p.group();
    const auto* const q = static_cast<const std::uint16_t*>(p.q) + row * p.head_dim;
    const float scale =
        p.scale * p.k_scale * log2_e * (p.element == Element::e4m3 ? e4m3_gain : 1.0f);
    const bool bf16 = queries_are_bf16(p.element);
    for (int i = 0; i < p.group() * p.head_dim; ++i)
        query[i] = scale * (bf16 ? bf16_to_f32(q[i]) : f16_to_f32(q[i]));

    Range range;
    const std::int64_t at =
        bytes * (unit.kv_head * p.strides.head + (p.paged() ? 0 : unit.sequence * p.strides.block));
    range.rows.k = static_cast<const unsigned char*>(p.k) + at;
    range.rows.v = static_cast<const unsigned char*>(p.v) + at;
    range.rows.stride = bytes * p.strides.token;
    if (p.paged()) {
        range.rows.table = p.page_table + std::int64_t{unit.sequence} * p.table_stride;
        range.rows.block_bytes = bytes * p.strides.block;
        while ((1 << range.rows.page_shift) < p.page_tokens) ++range.rows.page_shift;
    }
    range.q = query;
    range.group = p.group();
    range.dim = p.head_dim;
    range.first = unit.first;
    range.count = unit.count;
    range.o = o;
    range.ml = ml;
    const RangeFunction run = p.element == Element::f16    ? functions_.f16
                              : p.element == Element::bf16 ? functions_.bf16
                                                           : functions_.e4m3;
    run(range);
}

bool Decoder::decode(const DecodeProblem& p, const std::atomic<bool>* stop) {
    cut(p);
    const std::int64_t rows = p.group();
    workers_.run([&](int thread) {
        float* const query = &queries_[size(thread, rows, p.head_dim)];
        for (std::size_t u = size(thread); u < units_.size(); u += size(threads())) {
            if (stop != nullptr && stop->load(std::memory_order_relaxed)) return;
            run_unit(p, units_[u], query, &o_[u * size(rows, p.head_dim)], &ml_[u * size(rows, 2)]);
        }
    });
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) return false;
    for (std::size_t u = 0; u < units_.size(); u += size(parts_)) {
        const std::int64_t first =
            std::int64_t{units_[u].sequence} * p.q_heads + units_[u].kv_head * rows;
        for (std::int64_t h = 0; h < rows; ++h)
            write_row(p, first + h, &o_[(u * size(rows) + size(h)) * size(p.head_dim)],
                      &ml_[(u * size(rows) + size(h)) * 2], parts_, rows);
    }
    return true;
}

std::uint64_t Decoder::read(const unsigned char* from, std::uint64_t bytes) {
    std::atomic<std::uint64_t> sum{0};
    const auto blocks = static_cast<std::int64_t>(bytes / block);
    workers_.run([&](int thread) {
        const auto first = static_cast<std::uint64_t>(share(blocks, thread, threads())) * block;
        const auto end = static_cast<std::uint64_t>(share(blocks, thread + 1, threads())) * block;
        sum ^= functions_.read(from + first, end - first);
    });
    return sum;
}

void Decoder::copy(unsigned char* to, const unsigned char* from, std::uint64_t bytes) {
    const auto blocks = static_cast<std::int64_t>(bytes / block);
    workers_.run([&](int thread) {
        const auto first = static_cast<std::uint64_t>(share(blocks, thread, threads())) * block;
        const auto end = static_cast<std::uint64_t>(share(blocks, thread + 1, threads())) * block;
        functions_.copy(to + first, from + first, end - first);
    });
}

}  // namespace kvgauge::kernels::cpu
