// SPDX-License-Identifier: MIT
// Kernel entry points of the decode family and their host side; included by one file per element
// type, so that they compile side by side.
#pragma once

#include <cuda_runtime.h>

#include "kernels/cuda/decode.cuh"
#include "kernels/cuda/decode_door.h"
#include "kernels/cuda/dispatch.h"
#include "kernels/cuda/merge.cuh"

namespace kvgauge::kernels::dev {

// Blocks an SM should hold at least: what the compiler may spend registers on. 12 warps with 8 KiB
// of loads each keep 96 KiB in flight, several times what any memory of today needs.
constexpr int min_blocks(int head_dim, int head_tiles) {
    if (head_dim > 128 || head_tiles > 1) return 2;
    return head_dim <= 64 ? 4 : 3;
}

template <class Element, int kDim, int kHeadTiles, bool kPaged>
__global__ void __launch_bounds__(32 * kDecodeWarps, min_blocks(kDim, kHeadTiles))
    decode_kernel(const __grid_constant__ DecodeParams p) {
    Decode<Element, kDim, kHeadTiles, kPaged>::run(p);
}

template <class Element, int kDim>
__global__ void __launch_bounds__(merge_threads(kDim))
    merge_kernel(const __grid_constant__ DecodeParams p) {
    Merge<Element, kDim>::run(p);
}

struct Launch {
    const DecodeParams& params;
    int kv_heads;
    int batch;
    cudaStream_t stream;

    template <class Element, int kDim, int kHeadTiles, bool kPaged>
    void operator()() const {
        const dim3 grid(static_cast<unsigned>(kv_heads * params.head_blocks),
                        static_cast<unsigned>(params.splits), static_cast<unsigned>(batch));
        decode_kernel<Element, kDim, kHeadTiles, kPaged>
            <<<grid, 32 * kDecodeWarps, decode_shared_bytes(kDim, kHeadTiles), stream>>>(params);
        if (params.splits == 1) return;
        merge_kernel<Element, kDim>
            <<<static_cast<unsigned>(batch * params.q_heads), merge_threads(kDim),
               merge_shared_bytes(kDim, params.splits), stream>>>(params);
    }
};

struct Occupancy {
    int& blocks;

    template <class Element, int kDim, int kHeadTiles, bool kPaged>
    void operator()() const {
        if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                &blocks, decode_kernel<Element, kDim, kHeadTiles, kPaged>, 32 * kDecodeWarps,
                decode_shared_bytes(kDim, kHeadTiles)) != cudaSuccess) {
            blocks = 0;
        }
    }
};

template <class Element>
DecodeDoor decode_door() {
    DecodeDoor door;
    door.launch = [](const DecodeParams& params, const DecodeProblem& problem, int head_tiles,
                     void* stream) {
        return dispatch_decode<Element>(
            problem.head_dim, head_tiles, problem.paged(),
            Launch{params, problem.kv_heads, problem.batch, static_cast<cudaStream_t>(stream)});
    };
    door.blocks_per_multiprocessor = [](const DecodeProblem& problem, int head_tiles) {
        int blocks = 0;
        dispatch_decode<Element>(problem.head_dim, head_tiles, problem.paged(), Occupancy{blocks});
        return blocks;
    };
    return door;
}

}  // namespace kvgauge::kernels::dev
