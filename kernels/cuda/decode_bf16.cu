// SPDX-License-Identifier: MIT
#include "kernels/cuda/decode_launch.cuh"

namespace kvgauge::kernels::dev {

DecodeDoor decode_door_bf16() {
    return decode_door<Bf16>();
}

}  // namespace kvgauge::kernels::dev
