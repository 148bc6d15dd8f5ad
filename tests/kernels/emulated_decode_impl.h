// SPDX-License-Identifier: MIT
// The body of emulate_decode_as(), included by the files that instantiate it.
#pragma once

#include <cstring>
#include <vector>

#include "emulated_decode.h"
#include "kernels/cuda/decode.cuh"
#include "kernels/cuda/dispatch.h"
#include "kernels/cuda/merge.cuh"

namespace kvgauge::testing {

struct EmulatedLaunch {
    const kernels::DecodeProblem& problem;
    const kernels::DecodePlan& plan;
    const emulator::Options& options;
    emulator::Result& result;

    template <class Element, int kDim, int kHeadTiles, bool kPaged>
    void operator()() const {
        namespace dev = kernels::dev;
        // Whole of NaN: what a kernel fails to write, or reads unwritten, shows.
        std::vector<float> workspace(plan.workspace_bytes / 4);
        if (!workspace.empty()) std::memset(workspace.data(), 0xff, plan.workspace_bytes);
        const dev::DecodeParams params =
            decode_params(problem, plan, workspace.empty() ? nullptr : workspace.data());
        const emulator::Dim3 grid{static_cast<unsigned>(problem.kv_heads * plan.head_blocks),
                                  static_cast<unsigned>(plan.splits),
                                  static_cast<unsigned>(problem.batch)};
        result = emulator::run(
            grid, {32 * dev::kDecodeWarps, 1, 1},
            static_cast<std::size_t>(dev::decode_shared_bytes(kDim, kHeadTiles)),
            [&] { dev::Decode<Element, kDim, kHeadTiles, kPaged>::run(params); }, options);
        if (plan.splits == 1 || !result.error.empty()) return;
        emulator::Options all = options;
        all.only.clear();
        all.audit = false;
        const emulator::Stats decode_stats = result.stats;
        result = emulator::run(
            {static_cast<unsigned>(problem.batch * problem.q_heads), 1, 1},
            {static_cast<unsigned>(dev::merge_threads(kDim)), 1, 1},
            static_cast<std::size_t>(dev::merge_shared_bytes(kDim, plan.splits)),
            [&] { dev::Merge<Element, kDim>::run(params); }, all);
        result.stats = decode_stats;
    }
};

template <class Element>
emulator::Result emulate_decode_as(const kernels::DecodeProblem& problem,
                                   const kernels::DecodePlan& plan,
                                   const emulator::Options& options) {
    emulator::Result result;
    const EmulatedLaunch launch{problem, plan, options, result};
    if (!kernels::dev::dispatch_decode<Element>(problem.head_dim, plan.head_tiles, problem.paged(),
                                                launch))
        result.error = "no kernel for this shape";
    return result;
}

}  // namespace kvgauge::testing
