// SPDX-License-Identifier: MIT
#include "kernels/cuda/decode_launch.cuh"

namespace kvgauge::kernels::dev {

DecodeDoor decode_door_f16() {
    return decode_door<F16>();
}

}  // namespace kvgauge::kernels::dev
