// SPDX-License-Identifier: MIT
// What one element type's translation unit offers to the launcher.
#pragma once

#include "kernels/cuda/params.h"
#include "kernels/problem.h"

namespace kvgauge::kernels::dev {

struct DecodeDoor {
    // False where no kernel exists for the shape; CUDA's own errors are read by the caller.
    bool (*launch)(const DecodeParams&, const DecodeProblem&, int head_tiles, void* stream);
    int (*blocks_per_multiprocessor)(const DecodeProblem&, int head_tiles);
};

DecodeDoor decode_door_f16();
DecodeDoor decode_door_bf16();
DecodeDoor decode_door_e4m3();

}  // namespace kvgauge::kernels::dev
