// SPDX-License-Identifier: MIT
// A program of its own for the sanitizers and for the mutation test: a few cases of every kernel on
// the emulator, in every schedule, each with what it must compute, load and store. Prints the first
// thing that is wrong and returns 1. KVG_FEW_CASES: only what the seeded faults need.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

#include "attention.h"
#include "emulated_decode_impl.h"
#include "kernels/cuda/prefill.cuh"
#include "kernels/cuda/streams.cuh"

namespace kvgauge::testing {
namespace {

namespace dev = kernels::dev;
using emulator::Schedule;
using kernels::Element;

constexpr Schedule schedules[] = {Schedule::forward, Schedule::reverse, Schedule::random,
                                  Schedule::random_each_switch};

template <class Type, int kDim, int kHeadTiles, bool kPaged>
std::string decode(Shape shape, int splits) {
    shape.head_dim = kDim;
    for (const Schedule schedule : schedules) {
        Workload work = make_workload(shape);
        kernels::Split split;
        split.keys_per_split = (work.problem.max_length + splits - 1) / splits / 64 * 64 + 64;
        split.splits = (work.problem.max_length + split.keys_per_split - 1) / split.keys_per_split;
        kernels::DecodePlan plan = kernels::plan_decode(work.problem, split);
        emulator::Options options;
        options.schedule = schedule;
        emulator::Result result;
        EmulatedLaunch{work.problem, plan, options, result}.
        operator()<Type, kDim, kHeadTiles, kPaged>();
        if (!result.error.empty()) return result.error;
        const double error = worst_error(work.problem, exact_attention(work.problem));
        if (!(error < tolerance(shape.element))) return "decode is off by " + std::to_string(error);
    }
    return {};
}

// Whole tiles only: then every byte of K and V is loaded exactly once, in whole sectors.
std::string traffic() {
    Shape shape;
    shape.kv_heads = 2;
    shape.group = 8;
    shape.lengths = {256, 128};
    Workload work = make_workload(shape);
    kernels::Split split;
    split.splits = 2;
    split.keys_per_split = 128;
    emulator::Options options;
    options.audit = true;
    emulator::Result result;
    const kernels::DecodePlan plan = kernels::plan_decode(work.problem, split);
    EmulatedLaunch{work.problem, plan, options, result}.operator()<dev::F16, 128, 1, false>();
    if (!result.error.empty()) return result.error;
    const std::uint64_t kv = kernels::decode_cost(work.problem, 256 + 128, 2).kv_bytes;
    if (result.stats.streamed_bytes != kv)
        return "KV bytes loaded " + std::to_string(result.stats.streamed_bytes) + " of " +
               std::to_string(kv);
    // 32 lanes of 16 bytes are 16 sectors at best.
    if (result.stats.sectors != 16 * result.stats.warp_loads)
        return "sectors a load " + std::to_string(static_cast<double>(result.stats.sectors) /
                                                  static_cast<double>(result.stats.warp_loads));
    return {};
}

template <class Type, int kDim>
std::string prefill(Element element, int tokens) {
    constexpr int heads = 2;
    const auto count = static_cast<std::uint64_t>(tokens * heads * kDim);
    for (const Schedule schedule : schedules) {
        Buffer q(2 * count), k(count), v(count), out(2 * count);
        kernels::fill_random(q.data(), element, count, 1.5f, 1);
        kernels::fill_random(k.data(), element, count / 2, 1.0f, 2);
        kernels::fill_random(v.data(), element, count / 2, 1.0f, 3);
        out.fill(0xff);
        const float scale = 1.0f / std::sqrt(static_cast<float>(kDim));
        const dev::PrefillParams p{q.data(), k.data(), v.data(), out.data(),
                                   tokens,   heads,    1,        scale * 1.4426950408889634f};
        emulator::Options options;
        options.schedule = schedule;
        const auto blocks = (tokens + dev::kPrefillQueries - 1) / dev::kPrefillQueries;
        const emulator::Result result = emulator::run(
            {static_cast<unsigned>(blocks), heads, 1}, {32 * dev::kPrefillWarps, 1, 1},
            static_cast<std::size_t>(dev::prefill_shared_bytes(kDim)),
            [&] { dev::Prefill<Type, kDim>::run(p); }, options);
        if (!result.error.empty()) return result.error;
        for (std::int32_t length = 1; length <= tokens; length += 1 + length % 3) {
            kernels::DecodeProblem d;
            d.element = element;
            d.q_heads = heads;
            d.head_dim = kDim;
            d.scale = scale;
            d.strides = kernels::tokens_first(d, tokens);
            d.lengths = &length;
            d.q = q.data() + 2 * (length - 1) * heads * kDim;
            d.out = out.data() + 2 * (length - 1) * heads * kDim;
            d.k = k.data();
            d.v = v.data();
            const double error = worst_error(d, exact_attention(d));
            if (!(error < tolerance(element)))
                return "prefill token " + std::to_string(length - 1) + " is off by " +
                       std::to_string(error);
        }
    }
    return {};
}

struct Named {
    const char* name;
    std::string (*run)();
};

Shape shape(Element element, int kv_heads, int group, std::vector<int> lengths, int page = 0) {
    Shape s;
    s.element = element;
    s.kv_heads = kv_heads;
    s.group = group;
    s.lengths = std::move(lengths);
    s.page_tokens = page;
    s.k_scale = s.v_scale = element == Element::e4m3 ? 0.05f : 1.0f;
    return s;
}

const Named cases[] = {
    {"ragged, three splits",
     [] {
         return decode<dev::F16, 128, 1, false>(shape(Element::f16, 2, 7, {190, 33, 64}), 3);
     }},
    {"pages of 16",
     [] {
         return decode<dev::F16, 128, 1, true>(shape(Element::f16, 1, 8, {150, 17}, 16), 2);
     }},
    {"traffic", traffic},
    {"fp8", [] { return decode<dev::E4m3, 64, 1, false>(shape(Element::e4m3, 1, 5, {100}), 1); }},
    {"prefill", [] { return prefill<dev::F16, 64>(Element::f16, 130); }},
#if !defined(KVG_FEW_CASES)
    {"two head tiles",
     [] {
         return decode<dev::F16, 128, 2, false>(shape(Element::f16, 1, 20, {70, 129}), 2);
     }},
    {"head dimension 80 in pages",
     [] {
         return decode<dev::Bf16, 80, 1, true>(shape(Element::bf16, 2, 3, {65, 1}, 32), 1);
     }},
    {"head dimension 256",
     [] { return decode<dev::F16, 256, 1, false>(shape(Element::f16, 1, 9, {90}), 1); }},
    {"fp8, head dimension 80 in pages",
     [] {
         return decode<dev::E4m3, 80, 1, true>(shape(Element::e4m3, 1, 4, {77, 31}, 16), 2);
     }},
    {"fp8, head dimension 96",
     [] { return decode<dev::E4m3, 96, 2, false>(shape(Element::e4m3, 1, 12, {50}), 1); }},
    {"bf16 prefill", [] { return prefill<dev::Bf16, 128>(Element::bf16, 70); }},
#endif
};

}  // namespace
}  // namespace kvgauge::testing

int main() {
    int passed = 0;
    for (const auto& c : kvgauge::testing::cases) {
        const std::string wrong = c.run();
        if (!wrong.empty()) {
            std::printf("%s: %s\n%d passed, 1 failed\n", c.name, wrong.c_str(), passed);
            return 1;
        }
        ++passed;
    }
    std::printf("%d passed, 0 failed\n", passed);
    return 0;
}
